"""The forms of the admin: what a person changed goes to the services, what is wrong comes back beside its field."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.db import models
from django.http import QueryDict
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from calendar_site.content import rules
from calendar_site.content.admin.custom_values import PREFIX, CustomValueField, is_custom, name_in_forms
from calendar_site.content.admin.fields import WallTimeField, wall_time
from calendar_site.content.choices import Status
from calendar_site.content.custom_values import as_written
from calendar_site.content.dates import Zone, parse_wire_date, site_wire, site_zone
from calendar_site.content.html import as_text
from calendar_site.content.models import CustomField
from calendar_site.content.saving import set_content

LONGEST_QUOTE = 100


class MergingForm(forms.ModelForm):
    """A form that changes what the person changed, and nothing else.

    It carries along, hidden, what it showed. So a page that has grown old takes nothing back that somebody
    else has saved in the meantime; where both changed the same field, it says so and writes nothing yet.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.prepare()
        # Whoever sends the fields alone has seen the row as it is.
        if self.instance.pk and (not self.is_bound or self._has_what_it_showed()):
            for field in self.fields.values():
                field.show_hidden_initial = True

    def prepare(self) -> None:
        """Sets choices and first values where the model's own do not do."""

    def read_times(self, zone: Zone, *names: str) -> None:
        """Turns the times of these fields into moments; what cannot be read is said beside the field."""
        for name in names:
            try:
                if self.cleaned_data.get(name):
                    self.cleaned_data[name] = parse_wire_date(self.cleaned_data[name], zone)
            except ValueError as error:
                self.add_error(name, str(error))

    def changed(self) -> dict[str, Any]:
        """What is to be written, by the names of the form: all of a new row."""
        names = self.changed_data if self.instance.pk else self.fields
        return {name: self.cleaned_data[name] for name in names if name in self.cleaned_data}

    def refuse_clashes(self) -> None:
        """An error at each field that somebody else has changed as well since it was shown."""
        for name in self.changed_data:
            bound = self[name]
            field: Any = bound.field
            is_moved = field.show_hidden_initial and _is_other(field, bound.initial, self._shown(bound))
            if is_moved and _is_other(field, bound.initial, bound.data):
                self._ask_about(name, bound)

    def _ask_about(self, name: str, bound: Any) -> None:
        text = _("Somebody else has changed this in the meantime, to: %(value)s. Save again to put yours in its place.")
        self.add_error(name, text % {"value": _in_words(bound.field, bound.initial) or _("nothing")})
        # From now on the page has shown what is saved.
        now = bound.field.prepare_value(bound.initial)
        data: Any = QueryDict(mutable=True)
        data.update(self.data)
        data.setlist(bound.html_initial_name, now if isinstance(now, list) else ["" if now is None else now])
        self.data = data

    def _shown(self, bound: Any) -> Any:
        return bound.field.hidden_widget().value_from_datadict(self.data, self.files, bound.html_initial_name)

    def _has_what_it_showed(self) -> bool:
        prefix = self.add_initial_prefix("")
        return any(name.startswith(prefix) for name in self.data)


def _is_other(field: Any, saved: Any, sent: Any) -> bool:
    # Browsers send line ends in two characters, and fields drop the blanks around a text.
    if isinstance(saved, str) and isinstance(sent, str):
        saved, sent = (text.replace("\r\n", "\n").strip() for text in (saved, sent))
    return bool(field.has_changed(saved, sent))


def _in_words(field: Any, value: Any) -> str:
    if isinstance(field, forms.ModelChoiceField):
        keys = field.prepare_value(value)
        rows: Any = field.queryset
        chosen = rows.in_bulk([key for key in (keys if isinstance(keys, list) else [keys]) if key])
        return ", ".join(map(field.label_from_instance, chosen.values()))
    if isinstance(field.widget, forms.Select):
        return str(dict(field.widget.choices).get(value, value))
    if isinstance(field, forms.BooleanField):
        return _("yes") if value else _("no")
    return Truncator(as_text(str(value))).chars(LONGEST_QUOTE)


class ServiceForm(MergingForm):
    """A form whose row a service writes: `given` is what the service gets."""

    # Names of the form that the model has another name for.
    model_names: ClassVar[dict[str, str]] = {}
    # Who fills it in; set by the admin.
    user: ClassVar[Any]
    given: dict[str, Any]

    def settle(self, fields: dict[str, Any]) -> None:
        """Sets `fields` on the row as the service will, without saving it. Raises ValidationError."""
        raise NotImplementedError

    def in_model_names(self, changed: dict[str, Any]) -> dict[str, Any]:
        return {self.model_names.get(name, name): value for name, value in changed.items()}

    def _post_clean(self) -> None:
        self.given = {}
        self.refuse_clashes()
        self._check_texts()
        if self.errors:
            return
        self.given = self.in_model_names(self.changed())
        try:
            self.settle(self.given)
            self.instance.full_clean()
        except ValidationError as error:
            self._show(error)

    def _check_texts(self) -> None:
        """Cleans texts as the model does, by which all faults are shown at once, and slugs are made of clean titles."""
        for name, value in list(self.cleaned_data.items()):
            field: Any = _field_of(self._meta.model, name)
            if isinstance(value, str) and isinstance(field, models.CharField | models.TextField):
                try:
                    self.cleaned_data[name] = field.clean(value, self.instance)
                except ValidationError as error:
                    self.add_error(name, error)

    def _show(self, error: ValidationError) -> None:
        names = {model_name: name for name, model_name in self.model_names.items()}
        for key, errors in error.update_error_dict({}).items():
            name = names.get(key, key)
            self.add_error(name if name in self.fields else None, errors)


def _field_of(model: Any, name: str) -> Any:
    return next((field for field in model._meta.concrete_fields if field.name == name), None)


class ContentForm(ServiceForm):
    """The form of an event, venue or organizer."""

    class Meta:
        labels: ClassVar[dict[str, Any]] = {"slug": gettext_lazy("Slug (the end of its address)")}
        help_texts: ClassVar[dict[str, Any]] = {"excerpt": gettext_lazy("A sentence or two, for lists.")}

    model_names = {"author": "author_id"}
    # Those that it asks for; set by the admin.
    custom_fields: ClassVar[list[CustomField]] = []

    published_at = WallTimeField(
        label=gettext_lazy("Publication date"),
        required=False,
        help_text=gettext_lazy("On the site's clock. Empty: now. With a date ahead it is scheduled until then."),
    )

    def prepare(self) -> None:
        row, is_new = self.instance, not self.instance.pk
        self.initial["published_at"] = "" if is_new else wall_time(site_wire(row.published_at.replace(second=0)))
        if status := self.fields.get("status"):
            now = Status(rules.status_for(self.user, type(row), None) if is_new else row.status)
            # What is scheduled is published, from its date on.
            self.initial["status"] = Status.PUBLISH if now == Status.FUTURE else now
            status.choices = self._statuses(self.initial["status"])  # type: ignore[attr-defined]
        for field in self.custom_fields:
            name, held = name_in_forms(field), row.custom_values.get(field.name)
            self.fields[name], self.initial[name] = CustomValueField(field, held), as_written(held)

    def _statuses(self, now: Status) -> list[tuple[str, Any]]:
        statuses = [Status.DRAFT, Status.PENDING]
        if rules.can_publish(self.user, type(self.instance)):
            statuses += [Status.PUBLISH, Status.PRIVATE]
        if now not in statuses:
            statuses.append(now)
        return [(status.value, status.label) for status in statuses]

    def clean(self) -> dict[str, Any] | None:
        self.read_times(site_zone(), "published_at")
        return super().clean()

    def in_model_names(self, changed: dict[str, Any]) -> dict[str, Any]:
        own = {name: value for name, value in changed.items() if not is_custom(name)}
        fields = super().in_model_names(own)
        if custom := {name.removeprefix(PREFIX): value for name, value in changed.items() if is_custom(name)}:
            fields["custom_values"] = custom
        if "author_id" in fields:
            fields["author_id"] = fields["author_id"].pk
        return fields

    def settle(self, fields: dict[str, Any]) -> None:
        set_content(self.instance, fields, self.user)


class NamedForm(ContentForm):
    """The form of a venue or organizer, whose title is its name."""

    def prepare(self) -> None:
        super().prepare()
        if title := self.fields.get("title"):
            title.label = _("Name")
