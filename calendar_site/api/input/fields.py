"""The write fields of the API: serializer fields that parse every form of a value that the contract allows."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Self

from django.contrib.auth import get_user_model
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import UploadedFile
from django.db.models import Model, TextChoices
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers
from rest_framework.fields import empty

from calendar_site.api.description.components import (
    ACCESSIBILITY,
    CUSTOM_FIELD,
    EMPTY_ARRAY,
    FALSE,
    INTEGER,
    RECORD_REFERENCE,
    STATUS,
    TEXT,
    Component,
    JSONSchema,
)
from calendar_site.api.input import values
from calendar_site.api.input.images import ImageUpload
from calendar_site.api.input.values import RepeatedValues
from calendar_site.core import permissions
from calendar_site.core.choices import Accessibility, Status
from calendar_site.core.dates.conversion import Zone, parse_zone, site_zone
from calendar_site.core.dates.parser import parse_wire_date
from calendar_site.core.fields import unknown_accessibility
from calendar_site.core.text.html import prepare_html
from calendar_site.core.validators import validate_http_url, validate_markup, validate_text_length
from calendar_site.custom_fields.loading import all_custom_fields
from calendar_site.custom_fields.values import parse_values
from calendar_site.media.library import find_by_file
from calendar_site.media.models import Image

# Longer than a slug may be, because services shorten slugs.
MAX_SLUG_INPUT_LENGTH = 1000


class ContractField(serializers.Field):
    """A write field with the contract's rules for empty values and for arguments that change nothing.

    `allow_null`: an update may clear the field, with null or with any value that `is_blank`; the value is then
    `cleared_value`. `takes_list`: a repeated form key is a list, not its last value. `help_text` and `schema` describe
    the field for clients; where a field accepts more than the contract's type `schema` (D14), `accepted_schema` is the
    type of all accepted values.
    """

    default_error_messages = {"required": gettext_lazy("This field is required.")}
    schema: JSONSchema = {"type": "string"}
    accepted_schema: JSONSchema | None = None
    takes_list = False
    # The ContractSerializer, and the name of the model's field; both set by Django REST framework.
    parent: Any
    source: str

    def __init__(self, *, cleared_value: Any = "", **kwargs: Any) -> None:
        kwargs.setdefault("required", False)
        super().__init__(**kwargs)
        self.cleared_value = cleared_value

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Return a copy for a serializer, which binds it to itself; fields have no other state that changes.

        Django REST framework would construct each field anew for each request.
        """
        copied = object.__new__(type(self))
        copied.__dict__.update(self.__dict__)
        return copied

    def get_value(self, dictionary: Any) -> Any:
        """Return the argument, or `empty` if it changes nothing.

        Null changes nothing in a create, or in a field that cannot be cleared. Neither does the value that a read
        returned (D14), so that a client can send a record back unchanged.
        """
        value = super().get_value(dictionary)
        if isinstance(value, RepeatedValues) and not self.takes_list:
            value = value[-1]
        if value is None and (self.parent.instance is None or not self.allow_null):
            return empty
        unchanged = self.parent.unchanged_values
        if self.field_name in unchanged and value == unchanged[self.field_name]:
            return empty
        return value

    def validate_empty_values(self, data: Any) -> tuple[bool, Any]:
        if self.allow_null and data is not empty and (data is None or self.is_blank(data)):
            return True, self.cleared_value
        return super().validate_empty_values(data)

    def is_blank(self, value: object) -> bool:
        return isinstance(value, str) and not value.strip()

    def to_internal_value(self, data: Any) -> Any:
        try:
            return self.parse(data)
        except ValueError as error:
            raise serializers.ValidationError(str(error)) from error

    def parse(self, value: object) -> Any:
        """Return the value of an argument. Raises ValueError or Django's ValidationError with a message."""
        raise NotImplementedError


class LimitedField(ContractField):
    """A string with a maximum length: `max_length`, or else the maximum length of the model's column."""

    def __init__(self, *, max_length: int | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._max_length = max_length

    @property
    def max_length(self) -> int:
        return self._max_length or max_length_of(self.parent.Meta.model, self.source)

    def parse(self, value: object) -> str:
        return values.parse_text(value, self.max_length)


def max_length_of(model: type[Model], name: str) -> int:
    """Return the maximum length of the texts in a column."""
    column: Any = model._meta.get_field(name)
    length: int = column.max_length
    return length


class TextField(LimitedField):
    """One line of text; markup is stripped."""

    def parse(self, value: object) -> str:
        return values.parse_line(value, self.max_length)


class SlugField(ContractField):
    def parse(self, value: object) -> str:
        return values.parse_text(value, MAX_SLUG_INPUT_LENGTH)


class MarkupField(LimitedField):
    """HTML, which the model sanitizes. The limit is that of the HTML that is stored (D53)."""

    @property
    def schema(self) -> JSONSchema:  # type: ignore[override] # with the limit of the field
        return {"type": "string", "maxLength": self.max_length}

    def parse(self, value: object) -> str:
        text = values.parse_text(value)
        stored = self.parent.instance
        if stored is not None and text == getattr(stored, self.source, None):
            # What a read returned is accepted, even if it was stored before there was a limit (D14).
            return text
        # Check before sanitizing, which may take too long, even to compare the value.
        validate_markup(text)
        validate_text_length(text, self.max_length)
        prepare_html(text)
        return text


class URLField(LimitedField):
    def parse(self, value: object) -> str:
        url = values.parse_text(value).strip()
        values.check_length(url, self.max_length)
        validate_http_url(url)
        return url


class ZoneNameField(ContractField):
    """The name of a time zone, converted to its canonical form."""

    def parse(self, value: object) -> str:
        return parse_zone(values.parse_text(value)).name


class BooleanField(ContractField):
    schema = {"type": "boolean"}

    def parse(self, value: object) -> bool:
        return values.parse_boolean(value)


class SwitchField(ContractField):
    """A string that switches something on (`true`, `1`, `yes`) or, with any other value, off.

    Responses contain booleans here, so booleans are accepted as well (D14).
    """

    accepted_schema = {"type": ["boolean", "string"]}

    def parse(self, value: object) -> bool:
        if isinstance(value, bool):
            return value
        return values.parse_text(value).strip().lower() in {"true", "1", "yes"}


class UserField(ContractField):
    """The id of an account."""

    schema = {"type": "integer"}

    def parse(self, value: object) -> int:
        number = values.parse_integer(value)
        user = self.context["user"]
        # Only users who may set another author learn which accounts exist. The service rejects the others.
        is_others = self.context["can_edit_others"] and number != user.pk
        if number < 1 or (is_others and not get_user_model().objects.filter(pk=number).exists()):
            raise ValueError(_("There is no account with this id."))
        return number


class ParentField(ContractField):
    """The id of the parent record; 0 and an empty value mean none."""

    schema = {"type": "integer"}

    def is_blank(self, value: object) -> bool:
        return super().is_blank(value) or value in (0, "0", False)


class StatusField(ContractField):
    schema = {"type": "string", "enum": Status.values}
    accepted_schema = STATUS

    def parse(self, value: object) -> str:
        if value not in Status.values:
            raise ValueError(
                _("Not a valid status. Use one of these: %(statuses)s.") % {"statuses": ", ".join(Status.values)}
            )
        return str(value)


class ChoiceField(ContractField):
    """One of the values of `choices`, for which `component` is a named schema."""

    def __init__(self, *, choices: type[TextChoices], component: Component, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.choices = choices
        self.schema = {"type": "string", "enum": choices.values}
        self.accepted_schema = {"$ref": component}

    def parse(self, value: object) -> str:
        if value not in self.choices.values:
            raise ValueError(values.unknown_choice(self.choices.values))
        return str(value)


class AccessibilityInput(ContractField):
    """A list of accessibility features, or a comma-separated text."""

    schema = {"type": "array", "items": {"type": "string", "enum": Accessibility.values}}
    accepted_schema = ACCESSIBILITY
    takes_list = True

    def is_blank(self, value: object) -> bool:
        return super().is_blank(value) or value == []

    def parse(self, value: object) -> list[str]:
        features = values.parse_list(value)
        if unknown := [feature for feature in features if feature not in Accessibility.values]:
            raise ValueError(unknown_accessibility(unknown))
        return features


class DateTimeField(ContractField):
    """A wire date, in the site's time zone unless a subclass overrides `zone()`."""

    def parse(self, value: object) -> datetime:
        return parse_wire_date(values.parse_text(value), self.zone())

    def zone(self) -> Zone:
        return site_zone()


class UTCDateTimeField(DateTimeField):
    def zone(self) -> Zone:
        return parse_zone("UTC")


class NumberField(ContractField):
    """A number from `minimum` to `maximum`."""

    schema: JSONSchema = {"type": "number", "format": "double"}

    def __init__(self, *, minimum: float, maximum: float, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.minimum, self.maximum = minimum, maximum
        self.schema = self.schema | {"minimum": minimum, "maximum": maximum}

    def parse(self, value: object) -> float:
        return values.parse_number(value, self.minimum, self.maximum)


class ImageField(ContractField):
    """The image of a record: the id of an image in the library, or an `ImageUpload`, which is prepared later.

    Raises PermissionDenied for users who may not add images to the library.
    """

    accepted_schema = {"anyOf": [INTEGER, TEXT, RECORD_REFERENCE, FALSE]}

    def is_blank(self, value: object) -> bool:
        return super().is_blank(value) or value in (False, 0, "0")

    def parse(self, value: object) -> Image | ImageUpload:
        if isinstance(value, UploadedFile):
            return self.upload(ImageUpload(file=value))
        if isinstance(value, str) and not value.strip().lstrip("-").isdecimal():
            return self.parse_url(value.strip())
        # The response of a read has an object with the id of an image in the library.
        pk = value.get("id") if isinstance(value, dict) else value
        if not values.is_integer(pk):
            raise ValueError(_("Must be the id or the URL of an image, an image file, or false for no image."))
        usable = Image.objects.usable_by(self.context["user"])
        image = usable.filter(pk=values.parse_integer(pk, minimum=1)).first()
        if image is None:
            raise ValueError(_("There is no image with this id."))
        return image

    def parse_url(self, url: str) -> Image | ImageUpload:
        """Return the image of the library with this URL, which is not downloaded, or the upload of another URL."""
        name = self.context["urls"].media_name(url)
        if name is None:
            return self.upload(ImageUpload(url=url))
        image = find_by_file(name)
        if image is None or not Image.objects.usable_by(self.context["user"]).filter(pk=image.pk).exists():
            raise ValueError(_("There is no image with this URL."))
        return image

    def upload(self, upload: ImageUpload) -> ImageUpload:
        if not permissions.can_create(self.context["user"], Image):
            raise PermissionDenied
        return upload


class CustomFieldsField(ContractField):
    """Values of custom fields by name; values that are left out are kept."""

    schema = {"type": "object"}
    # A value as the response of a read has it, or alone. Without custom fields, a read has [].
    accepted_schema = {
        "anyOf": [
            Component(
                "CustomFieldValues",
                {
                    "type": "object",
                    "additionalProperties": {
                        "anyOf": [{"type": ["string", "number", "boolean", "null"]}, CUSTOM_FIELD]
                    },
                },
            ),
            EMPTY_ARRAY,
        ]
    }
    takes_list = True

    def is_blank(self, value: object) -> bool:
        return super().is_blank(value) or value == []

    def parse(self, value: object) -> dict[str, Any]:
        stored = self.parent.instance.custom_values if self.parent.instance is not None else {}
        return parse_values(value, all_custom_fields().get(self.parent.resource, []), stored)
