"""Forms whose row a service saves."""

from __future__ import annotations

from copy import copy
from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.db import models

from calendar_site.back_office.forms.conflicts import ConflictCheckingForm


class ServiceForm(ConflictCheckingForm):
    """A form that checks its fields, and leaves the row as it is: the service gets `changes`, and applies them once."""

    # Names of form fields that the model has another name for.
    model_names: ClassVar[dict[str, str]] = {}
    # Set by the admin for each request: who fills it in, and the errors of a service that refused the changes.
    user: ClassVar[Any]
    service_errors: ClassVar[ValidationError | None] = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # A ModelForm sets the values of excluded fields on no instance, and does not validate them there.
        self._meta = copy(self._meta)
        self._meta.exclude = [field.name for field in self._meta.model._meta.fields]

    @property
    def changes(self) -> dict[str, Any]:
        """The values for the service by the names of the model: all of a new row, else those that the user changed."""
        names = self.changed_data if self.instance.pk else self.fields
        return {
            self.model_names.get(name, name): self.cleaned_data[name] for name in names if name in self.cleaned_data
        }

    def clean(self) -> dict[str, Any]:
        super().clean()
        self._clean_texts()
        if self.service_errors is not None:
            self._add_service_errors(self.service_errors)
        return self.cleaned_data

    def _clean_texts(self) -> None:
        """Clean texts as the fields of the model do, which shows all their errors at once."""
        fields = {field.name: field for field in self._meta.model._meta.concrete_fields}
        for name, value in list(self.cleaned_data.items()):
            field = fields.get(name)
            if isinstance(value, str) and isinstance(field, models.CharField | models.TextField):
                try:
                    self.cleaned_data[name] = field.clean(value, self.instance)
                except ValidationError as error:
                    self.add_error(name, error)

    def _add_service_errors(self, error: ValidationError) -> None:
        """Add each error to the field that it is about, or to the whole form where that has no such field."""
        form_names = {model_name: name for name, model_name in self.model_names.items()}
        for key, errors in error.update_error_dict({}).items():
            name = form_names.get(key, key)
            self.add_error(name if name in self.fields else None, errors)
