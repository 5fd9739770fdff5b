"""The control with which events are given tags: those that there are, and new ones by their names."""

from functools import partial

from django.core.exceptions import ValidationError
from django.forms import Media
from django.utils.html import format_html
from django.utils.text import Truncator
from django.utils.translation import gettext as _

from calendar_site.api.input import read_line
from calendar_site.content import rules
from calendar_site.content.admin.fields import RowsField, RowsInput
from events.admin.categories import SCRIPT, STYLE
from events.serializers import MOST_LINKS
from taxonomy.models import Tag
from taxonomy.serializers import NAME_LENGTH

# What stands before a name that was typed, so that it is no id.
TYPED = "new:"
LONGEST_QUOTE = 60


class TagsInput(RowsInput):
    """Tags to be searched for, or typed: a comma or the Enter key ends a name."""

    def __init__(self, field, admin_site, may_create):
        # A script makes names of what is typed; see back_office/terms.js.
        attrs = {"data-tags": "true", "data-token-separators": '[","]', "data-typed": TYPED} if may_create else {}
        super().__init__(field, admin_site, attrs=attrs)

    @property
    def media(self):
        return super().media + Media(css={"all": (STYLE,)}, js=(SCRIPT,))

    def value_from_datadict(self, data, files, name):
        typed = data.get(f"{name}-typed", "").split(",")
        return [*super().value_from_datadict(data, files, name), *(TYPED + text for text in typed if text.strip())]

    def optgroups(self, name, value, attr=None):
        groups = super().optgroups(name, value, attr)
        options = groups[0][1]
        for key in value:
            if key.startswith(TYPED):
                options.append(self.create_option(name, key, key.removeprefix(TYPED), True, len(options)))
        return groups

    def render(self, name, value, attrs=None, renderer=None):
        label = _("More tags, with commas between them")
        plain = format_html('<noscript><label>{} <input type="text" name="{}-typed"></label></noscript>', label, name)
        return super().render(name, value, attrs, renderer) + plain


class TagsField(RowsField):
    """Tags by their ids and by their names: rows, and the fields of those that are to be made."""

    def __init__(self, *args, may_create, **kwargs):
        super().__init__(*args, **kwargs)
        self.may_create = may_create

    def clean(self, value):
        names = [key.removeprefix(TYPED) for key in value or () if key.startswith(TYPED)]
        rows = list(super().clean([key for key in value or () if not key.startswith(TYPED)]))
        return [*rows, *self._named(names)]

    def _named(self, texts):
        if len(texts) > MOST_LINKS:
            raise ValidationError(_("These are more than %(limit)s.") % {"limit": MOST_LINKS})
        names = _read(texts)
        known = Tag.objects.by_names(names)
        new = {}
        for name in names:
            if name not in known:
                new.setdefault(Tag.key_of(name), name)
        if new and not self.may_create:
            text = _("There are no such tags, and you may not make new ones: %(names)s.")
            raise ValidationError(text % {"names": ", ".join(map(_quoted, new.values()))})
        rows = {tag.pk: tag for tag in known.values()}
        return [*rows.values(), *({"name": name} for name in new.values())]


def _read(texts):
    """Clean names. Raises ValidationError, which says of each what is wrong with it."""
    names, faults = [], []
    for text in filter(str.strip, texts):
        try:
            names.append(read_line(text, NAME_LENGTH))
        except ValueError as error:
            faults.append(f"{_quoted(text)}: {error}")
    if faults:
        raise ValidationError(faults)
    return names


def _quoted(text):
    return f"“{Truncator(' '.join(text.split())).chars(LONGEST_QUOTE)}”"


def tag_control(field, admin_site, request):
    may_create = rules.can_create(request.user, Tag)
    return {
        "widget": TagsInput(field, admin_site, may_create),
        "form_class": partial(TagsField, may_create=may_create),
        "help_text": _(
            "Type names: a comma or the Enter key ends one, and those that there are come up. A new name is a new tag, "
            "made when you save. Names with a comma in them are made under Tags."
        )
        if may_create
        else _("Type to find those that there are."),
    }
