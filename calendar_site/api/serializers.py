"""Serializers of writes: they convert arguments of the contract into values by the names of the models."""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar, cast

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from calendar_site.api import fields
from calendar_site.api.errors import ContractError, InvalidParams, MissingParams, NameRequired, join_params
from calendar_site.core.dates import to_site_wire, to_utc_wire


class ContractSerializer(serializers.Serializer):
    """The arguments of a write.

    Missing fields are an error of their own, reported before others. The validated data do not contain arguments that
    change nothing (`fields.ContractField`).
    """

    # The contract's defaults of fields that a create leaves out (service.md, section 2).
    defaults: ClassVar[dict[str, Any]] = {}

    @cached_property
    def unchanged_values(self) -> dict[str, Any]:
        """The values of a response, by argument, for fields that are stored with more precision (D14)."""
        return {}

    def to_internal_value(self, data: dict[str, Any]) -> dict[str, Any]:
        """Raises MissingParams."""
        if not self.partial:
            missing = [name for name, field in self.fields.items() if field.required and data.get(name) is None]
            if missing:
                raise MissingParams(missing)
        validated: dict[str, Any] = super().to_internal_value(data)
        return validated

    @property
    def names_by_source(self) -> dict[str, str]:
        """The names of the arguments by the names of the model; the first argument if several set a field."""
        return {field.source: name for name, field in reversed(list(self.fields.items()))}

    def to_contract_error(self, error: ValidationError) -> InvalidParams:
        """Return the error of a model with the names of the arguments."""
        if not hasattr(error, "error_dict"):
            return InvalidParams({"record": " ".join(error.messages)})
        names = self.names_by_source
        return InvalidParams({names.get(key, key): " ".join(texts) for key, texts in error.message_dict.items()})


def validate_nested(serializer: ContractSerializer) -> dict[str, Any]:
    """Return the validated data of a record within another. Raises ValueError with all of its errors in one message."""
    try:
        serializer.is_valid(raise_exception=True)
    except serializers.ValidationError as error:
        raise ValueError(join_params(InvalidParams.from_lists(cast("dict[str, Any]", error.detail)))) from error
    except ContractError as error:
        raise ValueError(str(error.detail)) from error
    validated: dict[str, Any] = serializer.validated_data
    return validated


class ContentSerializer(ContractSerializer):
    """The write fields that events, venues and organizers share."""

    author = fields.UserField(
        source="author_id",
        help_text=gettext_lazy(
            "The account ID of the author. Setting another account than your own requires permission."
        ),
    )
    date = fields.DateTimeField(help_text=gettext_lazy("When the record is published, in the site's time zone."))
    date_utc = fields.UTCDateTimeField(help_text=gettext_lazy("When the record is published, in UTC."))
    description = fields.MarkupField(
        allow_null=True,
        help_text=gettext_lazy("The description, as HTML or plain text. Plain text is split into paragraphs."),
    )
    status = fields.StatusField(
        help_text=gettext_lazy("The publication status. When a contributor publishes a record, it becomes pending.")
    )
    image = fields.ImageField(
        allow_null=True,
        cleared_value=None,
        help_text=gettext_lazy(
            "The ID of an image in the library, or the URL of an image, which the service downloads. Form "
            "requests can contain a file. False removes the image."
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

    def to_internal_value(self, data: dict[str, Any]) -> dict[str, Any]:
        """Raises NameRequired for a name of blanks: clients of the contract know this one error by its code."""
        name = data.get(self.resource)
        if self.instance is None and isinstance(name, str) and name and not name.strip():
            raise NameRequired(self.resource)
        return super().to_internal_value(data)
