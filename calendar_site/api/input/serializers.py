"""Serializers of writes: they convert arguments of the contract into values by model field name."""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from calendar_site.api.errors import InvalidParams, MissingParams, NameRequired
from calendar_site.api.input import fields
from calendar_site.audit.record_services import RelatedErrors
from calendar_site.content.models import Content
from calendar_site.core.dates.conversion import to_site_wire, to_utc_wire


class ContractSerializer(serializers.Serializer):
    """The arguments of a write.

    The validated data do not contain arguments that change nothing (`fields.ContractField`).
    """

    # Has the `model`.
    Meta: ClassVar[Any]
    # The contract's defaults of fields that a create leaves out (service.md, section 2).
    defaults: ClassVar[dict[str, Any]] = {}

    @cached_property
    def unchanged_values(self) -> dict[str, Any]:
        """The values that responses show, by argument, for fields that are stored with more precision (D14)."""
        return {}

    def is_valid(self, *, raise_exception: bool = False) -> bool:
        """Validate the arguments. Raises the errors of `check_arguments()`, which nested serializers do not raise."""
        self.check_arguments(self.initial_data)
        return super().is_valid(raise_exception=raise_exception)

    def check_arguments(self, data: dict[str, Any]) -> None:
        """Raise the errors that the contract reports on their own, before all others: MissingParams."""
        if not self.partial:
            missing = [name for name, field in self.fields.items() if field.required and data.get(name) is None]
            if missing:
                raise MissingParams(missing, hint=self.context.get("ignored_body", ""))

    @property
    def names_by_source(self) -> dict[str, str]:
        """The names of the arguments by model field name; the first argument if several set a field."""
        return {str(field.source): str(name) for name, field in reversed(list(self.fields.items()))}

    def to_contract_error(self, error: ValidationError) -> InvalidParams:
        """Return a service's validation error with the names of the arguments instead of the fields."""
        if isinstance(error, RelatedErrors):
            name = self.names_by_source[error.relation]
            field: Any = self.fields[name]
            return InvalidParams.from_errors({name: field.related_errors(error, self.initial_data.get(name))})
        errors = self.messages_by_argument(error)
        if NON_FIELD_ERRORS in errors:
            errors["record"] = errors.pop(NON_FIELD_ERRORS)
        return InvalidParams({name: " ".join(messages) for name, messages in errors.items()})

    def messages_by_argument(self, error: ValidationError) -> dict[str, list[str]]:
        """Return the messages of a model's validation error by the names of the arguments instead of the fields."""
        names = self.names_by_source
        messages = error.update_error_dict({})
        return {names.get(key, key): ValidationError(errors).messages for key, errors in messages.items()}

    def validate_nested(self) -> dict[str, Any]:
        """Return the validated data of a new record within another record. Raises its errors by argument.

        Includes the errors that the model finds between fields, so that they are reported together with all others.
        """
        attrs: dict[str, Any] = self.run_validation(self.initial_data)
        columns = {
            field.name: attrs[field.name]
            for field in self.Meta.model._meta.concrete_fields
            if field.name in attrs and field.editable and not field.is_relation
        }
        row = self.Meta.model(**columns)
        try:
            row.full_clean(exclude={field.name for field in row._meta.fields} - columns.keys())
        except ValidationError as error:
            raise serializers.ValidationError(self.messages_by_argument(error)) from error
        return attrs


class ContentSerializer(ContractSerializer):
    """The write fields that events, venues and organizers share."""

    author = fields.UserField(
        source="author_id",
        help_text=gettext_lazy(
            "The account id of the author. You need permission to set an account other than your own."
        ),
    )
    date = fields.DateTimeField(help_text=gettext_lazy("When the record is published, in the site's time zone."))
    date_utc = fields.UTCDateTimeField(help_text=gettext_lazy("When the record is published, in UTC."))
    description = fields.MarkupField(
        allow_null=True,
        max_length=Content.MAX_DESCRIPTION_LENGTH,
        help_text=gettext_lazy("The description, as HTML or plain text. Plain text is split into paragraphs."),
    )
    status = fields.StatusField(
        help_text=gettext_lazy("The publication status. When a contributor publishes a record, it becomes pending.")
    )
    image = fields.ImageField(
        allow_null=True,
        cleared_value=None,
        help_text=gettext_lazy(
            "The id of an image in the library, or the URL of an image to download. In a form request, you can "
            "upload a file instead. Send false to remove the image. A request can contain at most 3 images."
        ),
    )
    custom_fields = fields.CustomFieldsField(
        source="custom_values",
        allow_null=True,
        cleared_value=None,
        help_text=gettext_lazy("Values of the custom fields, by field name. Fields that you leave out stay unchanged."),
    )

    # The singular name of the resource, in codes of errors and among custom fields.
    resource: ClassVar[str]

    @cached_property
    def unchanged_values(self) -> dict[str, Any]:
        if self.instance is None:
            return {}
        published_at = self.instance.published_at
        return {"date": to_site_wire(published_at), "date_utc": to_utc_wire(published_at)}

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        date, date_utc = attrs.pop("date", None), attrs.pop("date_utc", None)
        if date or date_utc:
            attrs["published_at"] = date or date_utc
        return attrs


class LinkedContentSerializer(ContentSerializer):
    """The write fields of a venue or organizer, whose name is the field `resource`."""

    def check_arguments(self, data: dict[str, Any]) -> None:
        """Raise NameRequired for a name of whitespace, whose code clients know, and MissingParams."""
        name = data.get(self.resource)
        if self.instance is None and isinstance(name, str) and name and not name.strip():
            raise NameRequired(self.resource)
        super().check_arguments(data)
