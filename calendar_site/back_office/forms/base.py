"""Forms whose row a service saves."""

from __future__ import annotations

from copy import copy
from decimal import Decimal
from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.db import models
from django.forms import BaseInlineFormSet
from django.forms.utils import ErrorDict, ErrorList
from django.http import QueryDict
from django.utils.functional import cached_property

from calendar_site.audit.record_services import RelatedErrors
from calendar_site.back_office.forms.conflicts import ConflictCheckingForm
from calendar_site.core.validators import validate_http_url, with_scheme

_CLEANED_FIELDS = (models.CharField, models.TextField, models.IntegerField, models.FloatField, models.DecimalField)


class ServiceForm(ConflictCheckingForm):
    """A form that validates its fields without changing the row: the service gets `changes` and applies them once."""

    # The model's names of form fields, for fields with different names.
    model_names: ClassVar[dict[str, str]] = {}
    # Set by the admin for each request: the user, and the errors of a service that rejected the changes.
    user: ClassVar[Any]
    service_errors: ClassVar[ValidationError | None] = None
    # Set by the admin for requests that restore a draft: its data, and the fields that drafts do not contain.
    restored_data: ClassVar[QueryDict | None] = None
    not_restored: ClassVar[tuple[str, ...]] = ()

    def __init__(self, *args: Any, is_restored: bool = False, **kwargs: Any) -> None:
        """`is_restored` if the data is a draft, which is shown without errors."""
        self.is_restored = is_restored
        if self.restored_data is not None:
            self.is_restored = True
            kwargs["data"] = self.restored_data
        super().__init__(*args, **kwargs)
        for name in self.not_restored:
            if name in self.fields:
                self.data[name] = self.initial.get(name)  # type: ignore[index]
        # A ModelForm neither sets the values of excluded fields on the instance nor validates them there.
        self._meta = copy(self._meta)
        self._meta.exclude = [field.name for field in self._meta.model._meta.fields]

    @property
    def errors(self) -> ErrorDict:
        return ErrorDict() if self.is_restored else super().errors

    @property
    def changes(self) -> dict[str, Any]:
        """Return the values for the service by model field name: all values of a new row, else the changed ones."""
        names = self.changed_data if self.instance.pk else self.fields
        return {
            self.model_names.get(name, name): self.cleaned_data[name] for name in names if name in self.cleaned_data
        }

    def clean(self) -> dict[str, Any]:
        super().clean()
        self._clean_values()
        if self.service_errors is not None:
            self._add_service_errors(self.service_errors)
        return self.cleaned_data

    def _clean_values(self) -> None:
        """Clean strings and numbers with the fields of the model, so that the form shows all their errors at once."""
        fields = {field.name: field for field in self._meta.model._meta.concrete_fields}
        for name, value in list(self.cleaned_data.items()):
            field = fields.get(name)
            if isinstance(value, str | int | float | Decimal) and isinstance(field, _CLEANED_FIELDS):
                if isinstance(value, str) and validate_http_url in field.validators:
                    # People type a URL as they read it, without its scheme (D48).
                    value = with_scheme(value.strip())
                try:
                    self.cleaned_data[name] = field.clean(value, self.instance)
                except ValidationError as error:
                    self.add_error(name, error)

    def _add_service_errors(self, error: ValidationError) -> None:
        """Add each error to its field, or to the whole form if the form has no such field."""
        if isinstance(error, RelatedErrors):
            # The formset shows them beside its rows.
            return
        form_names = {model_name: name for name, model_name in self.model_names.items()}
        for key, errors in error.update_error_dict({}).items():
            name = form_names.get(key, key)
            self.add_error(name if name in self.fields else None, errors)


class ServiceFormSet(BaseInlineFormSet):
    """Rows that a service saves along with their record: it gets `changes` under the name of the `relation`."""

    model: type[models.Model]
    forms: list[ServiceForm]  # type: ignore[assignment]

    def __init__(
        self, *args: Any, service_errors: ValidationError | None, is_restored: bool = False, **kwargs: Any
    ) -> None:
        """`is_restored` if the data is a draft, which is shown without errors."""
        super().__init__(*args, **kwargs)
        self.service_errors = service_errors
        self.is_restored = is_restored

    def get_form_kwargs(self, index: int | None) -> dict[str, Any]:
        return {**super().get_form_kwargs(index), "is_restored": self.is_restored}

    @property
    def errors(self) -> Any:
        return [] if self.is_restored else super().errors

    def non_form_errors(self) -> ErrorList:
        return ErrorList() if self.is_restored else super().non_form_errors()

    @property
    def relation(self) -> str:
        return self.get_default_prefix()

    @property
    def changes(self) -> list[dict[str, Any]]:
        """Return all rows for the service. Saved rows have their `id` and only the fields that the user changed."""
        return [changes for _form, changes in self._rows()]

    @cached_property
    def empty_form(self) -> Any:
        """Return the form for a new row, cached because the page asks for it five times."""
        return super().empty_form

    def clean(self) -> None:
        super().clean()
        if not isinstance(self.service_errors, RelatedErrors) or self.service_errors.relation != self.relation:
            return
        forms = [form for form, _changes in self._rows()]
        for position, error in self.service_errors.by_position.items():
            form = forms[position]
            if form is None:
                raise error
            for name, errors in error.update_error_dict({}).items():
                form.add_error(name if name in form.fields else None, errors)

    def _rows(self) -> list[tuple[ServiceForm | None, dict[str, Any]]]:
        """Return each row with its form; None for rows that others have added since the page was shown."""
        key, not_changes = self.model._meta.pk.name, (self.model._meta.pk.name, self.fk.name, "DELETE")
        rows: list[tuple[ServiceForm | None, dict[str, Any]]] = []
        shown = set()
        for form in self.forms:
            shown.add(form.instance.pk)
            if form in self.deleted_forms or not (form.instance.pk or form.has_changed()):
                continue
            changes = {name: value for name, value in form.changes.items() if name not in not_changes}
            rows.append((form, {key: form.instance.pk, **changes} if form.instance.pk else changes))
        rows += [(None, {key: row.pk}) for row in self.get_queryset() if row.pk not in shown]
        return rows
