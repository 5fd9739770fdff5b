"""Forms that save only the fields that their user changed, and report conflicts with changes by others."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _

from calendar_site.core.dates.conversion import Zone
from calendar_site.core.dates.parser import parse_wire_date
from calendar_site.core.text.html import html_to_text
from calendar_site.core.text.plain_text import shorten

MAX_QUOTE_LENGTH = 100


class ConflictCheckingForm(forms.ModelForm):
    """A form with hidden inputs that contain the values that it showed.

    They keep an outdated page from reverting changes that others have saved meanwhile. If both changed the same field,
    the field gets an error; submitting the form again replaces the saved value.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.prepare()
        # A client that sends no hidden inputs is assumed to have seen the current row.
        if self.instance.pk and (not self.is_bound or self._has_hidden_initial()):
            for field in self.fields.values():
                field.show_hidden_initial = True
            if self.is_bound:
                self._add_empty_lists()

    def prepare(self) -> None:
        """Set choices and initial values that do not come from the model."""

    def clean(self) -> dict[str, Any]:
        super().clean()
        for name in self.changed_data:
            bound = self[name]
            field: Any = bound.field
            is_outdated = field.show_hidden_initial and _is_other(field, bound.initial, self._shown_value(bound))
            if is_outdated and _is_other(field, bound.initial, bound.data):
                self._add_conflict(name, bound)
        return self.cleaned_data

    def parse_times(self, zone: Zone, *names: str) -> None:
        """Convert the local times of these fields to datetimes in `zone`; add errors for invalid times."""
        for name in names:
            try:
                if self.cleaned_data.get(name):
                    self.cleaned_data[name] = parse_wire_date(self.cleaned_data[name], zone)
            except ValueError as error:
                self.add_error(name, str(error))

    def _add_conflict(self, name: str, bound: Any) -> None:
        text = _("Someone else has changed this to: %(value)s. Save again to replace it with your value.")
        self.add_error(name, text % {"value": _display(bound.field, bound.initial) or _("(empty)")})
        # The page that is rendered now shows the saved value, so submitting it again is no conflict.
        saved = bound.field.prepare_value(bound.initial)
        data: Any = QueryDict(mutable=True)
        data.update(self.data)
        data.setlist(bound.html_initial_name, saved if isinstance(saved, list) else ["" if saved is None else saved])
        self.data = data

    def _add_empty_lists(self) -> None:
        """Add the initial values that were empty lists, for which browsers send nothing.

        Without them, the form that is rendered again would show the user's own choice as the initial value.
        """
        data: Any = QueryDict(mutable=True)
        data.update(self.data)
        for name, field in self.fields.items():
            if isinstance(field.hidden_widget(), forms.MultipleHiddenInput):
                data.setlistdefault(self.add_initial_prefix(name), [])
        self.data = data

    def _shown_value(self, bound: Any) -> Any:
        return bound.field.hidden_widget().value_from_datadict(self.data, self.files, bound.html_initial_name)

    def _has_hidden_initial(self) -> bool:
        prefix = self.add_initial_prefix("")
        return any(name.startswith(prefix) for name in self.data)


def _is_other(field: Any, saved: Any, sent: Any) -> bool:
    # Browsers send line ends as CRLF, and fields strip surrounding whitespace.
    if isinstance(saved, str) and isinstance(sent, str):
        saved, sent = (text.replace("\r\n", "\n").strip() for text in (saved, sent))
    return bool(field.has_changed(saved, sent))


def _display(field: Any, value: Any) -> str:
    if isinstance(field, forms.ModelChoiceField):
        keys = field.prepare_value(value)
        rows: Any = field.queryset
        chosen = rows.in_bulk([key for key in (keys if isinstance(keys, list) else [keys]) if key])
        return ", ".join(map(field.label_from_instance, chosen.values()))
    if isinstance(field.widget, forms.Select):
        return str(dict(field.widget.choices).get(value, value))
    if isinstance(field, forms.BooleanField):
        return _("Yes") if value else _("No")
    return shorten(html_to_text(str(value)), MAX_QUOTE_LENGTH)
