"""Forms of events, venues and organizers."""

from __future__ import annotations

from typing import Any, ClassVar

from django.forms import HiddenInput
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from calendar_site.back_office.forms.base import ServiceForm
from calendar_site.back_office.forms.custom_fields import PREFIX, CustomValueField, form_field_name, is_custom
from calendar_site.back_office.forms.time_fields import LocalTimeField, to_input_value
from calendar_site.core import permissions
from calendar_site.core.choices import Status
from calendar_site.core.dates.conversion import site_zone, to_site_wire
from calendar_site.core.text.foreign_images import without_new_foreign_images
from calendar_site.custom_fields.models import CustomField
from calendar_site.custom_fields.values import to_form_text


class ContentForm(ServiceForm):
    """The form of an event, venue or organizer."""

    class Meta:
        labels: ClassVar[dict[str, Any]] = {"slug": gettext_lazy("Slug (last part of the URL)")}
        help_texts: ClassVar[dict[str, Any]] = {"excerpt": gettext_lazy("One or two sentences, shown in lists.")}

    model_names = {"author": "author_id"}
    # The custom fields that the form has; set by the admin for each request.
    custom_fields: ClassVar[list[CustomField]] = []
    # How many images of other sites were left out of the description.
    left_out_images = 0

    published_at = LocalTimeField(
        label=gettext_lazy("Publish date"),
        required=False,
        help_text=gettext_lazy(
            "In the site's time zone. Leave empty to publish now, or enter a future date to schedule it."
        ),
    )

    def prepare(self) -> None:
        row, is_new = self.instance, not self.instance.pk
        if title := self.fields.get("title"):
            title.widget.attrs["autofocus"] = True
        published_at = "" if is_new else to_input_value(to_site_wire(row.published_at.replace(second=0)))
        self.initial["published_at"] = published_at
        if status := self.fields.get("status"):
            saved = Status(permissions.allowed_status(self.user, type(row), None) if is_new else row.status)
            # The form shows a scheduled record as published: the publication date makes the difference.
            self.initial["status"] = Status.PUBLISH if saved == Status.FUTURE else saved
            status.choices = self._get_statuses(self.initial["status"])  # type: ignore[attr-defined]
            if not permissions.can_publish(self.user, type(row)):
                # The buttons of the form set it.
                status.widget = HiddenInput()
        for field in self.custom_fields:
            name, held = form_field_name(field), row.custom_values.get(field.name)
            self.fields[name], self.initial[name] = CustomValueField(field, held), to_form_text(held)

    def _get_statuses(self, current: Status) -> list[tuple[str, Any]]:
        statuses = permissions.selectable_statuses(self.user, type(self.instance))
        if current not in statuses:
            statuses.append(current)
        return [(status.value, status.label) for status in statuses]

    def clean_description(self) -> str:
        """Leave out new images of other sites, and count them."""
        markup, self.left_out_images = without_new_foreign_images(
            self.cleaned_data["description"], self.instance.description
        )
        return markup

    def clean(self) -> dict[str, Any]:
        self.parse_times(site_zone(), "published_at")
        return super().clean()

    @property
    def changes(self) -> dict[str, Any]:
        changes = super().changes
        custom = {name: changes.pop(name) for name in list(changes) if is_custom(name)}
        if custom:
            changes["custom_values"] = {name.removeprefix(PREFIX): value for name, value in custom.items()}
        if "author_id" in changes:
            changes["author_id"] = changes["author_id"].pk
        return changes


class LinkedContentForm(ContentForm):
    """The form of a venue or organizer, whose title is its name."""

    def prepare(self) -> None:
        super().prepare()
        if title := self.fields.get("title"):
            title.label = _("Name")
