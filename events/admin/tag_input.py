"""The widget for choosing the tags of an event: existing ones, and new ones by name."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from django.contrib.admin import AdminSite
from django.core.exceptions import ValidationError
from django.forms import Media
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from calendar_site.api.input.values import parse_line
from calendar_site.back_office.forms.record_fields import RecordSelectMultiple, RecordsField
from calendar_site.core import permissions
from calendar_site.core.references import find_by_names
from calendar_site.core.text.plain_text import join_label, join_lines, shorten
from calendar_site.core.validators import validate_count
from events.admin.category_input import SCRIPT, STYLE
from events.models import Event
from taxonomy.models import Tag

# The prefix of a typed name, which distinguishes it from an id.
TYPED_PREFIX = "new:"
MAX_QUOTE_LENGTH = 60
MAX_NAME_LENGTH: int = Tag._meta.get_field("name").max_length or 0


class TagSelect(RecordSelectMultiple):
    """A select of tags with a search, in which users may also type names. A comma or the Enter key ends a name."""

    def __init__(self, field: Any, admin_site: AdminSite, *, can_create: bool) -> None:
        # A script turns typed text into names; see back_office/term_inputs.js.
        attrs = (
            {"data-tags": "true", "data-token-separators": '[","]', "data-typed": TYPED_PREFIX} if can_create else {}
        )
        super().__init__(field, admin_site, attrs=attrs)

    @property
    def media(self) -> Media:
        return super().media + Media(css={"all": (STYLE,)}, js=(SCRIPT,))

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[str]:
        typed = data.get(f"{name}-typed", "").split(",")
        return [
            *super().value_from_datadict(data, files, name),
            *(TYPED_PREFIX + text for text in typed if text.strip()),
        ]

    def optgroups(self, name: str, value: Any, attr: Any = None) -> Any:
        groups = super().optgroups(name, value, attr)
        options = groups[0][1]
        for key in value:
            if key.startswith(TYPED_PREFIX):
                options.append(self.create_option(name, key, key.removeprefix(TYPED_PREFIX), True, len(options)))
        return groups

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        label = _("More tags, separated by commas")
        plain = format_html('<noscript><label>{} <input type="text" name="{}-typed"></label></noscript>', label, name)
        return super().render(name, value, attrs, renderer) + plain


class TagsField(RecordsField):
    """Tags by id or name. The clean values are records, and the fields of new tags, which the service creates."""

    def __init__(self, *args: Any, can_create: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.can_create = can_create

    def clean(self, value: Any) -> Any:
        names = [key.removeprefix(TYPED_PREFIX) for key in value or () if key.startswith(TYPED_PREFIX)]
        rows = list(super().clean([key for key in value or () if not key.startswith(TYPED_PREFIX)]))
        return [*rows, *self._find_by_names(names)]

    def _find_by_names(self, texts: list[str]) -> list[Any]:
        validate_count(len(texts), Event.MAX_TAGS)
        names = _clean_names(texts)
        known = find_by_names(Tag.objects.all(), names)
        new: dict[str, str] = {}
        for name in names:
            if name not in known:
                new.setdefault(Tag.key_of(name), name)
        if new and not self.can_create:
            text = _("These tags do not exist, and you do not have permission to create tags: %(names)s.")
            raise ValidationError(text % {"names": ", ".join(map(_quote, new.values()))})
        rows = {tag.pk: tag for tag in known.values()}
        return [*rows.values(), *({"name": name} for name in new.values())]


def _clean_names(texts: Iterable[str]) -> list[str]:
    """Return the cleaned names. Raises ValidationError with the errors of each name."""
    names: list[str] = []
    errors: list[str] = []
    for text in filter(str.strip, texts):
        try:
            names.append(parse_line(text, MAX_NAME_LENGTH))
        except ValueError as error:
            errors.append(join_label(_quote(text), str(error)))
    if errors:
        raise ValidationError(errors)
    return names


def _quote(text: str) -> str:
    return f"“{shorten(join_lines(text), MAX_QUOTE_LENGTH)}”"


def tag_field_options(field: Any, admin_site: AdminSite, request: HttpRequest) -> dict[str, Any]:
    """Return the widget, the class and the help text of the field."""
    can_create = permissions.can_create(request.user, Tag)
    return {
        "widget": TagSelect(field, admin_site, can_create=can_create),
        "form_class": partial(TagsField, can_create=can_create),
        "help_text": _(
            "Type to find existing tags. Press comma or Enter after each tag. New tags are created when "
            "you save. To create a tag with a comma in its name, go to Tags."
        )
        if can_create
        else _("Type to find existing tags."),
    }
