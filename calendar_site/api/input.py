"""Reading what is written: the contract's names and types, and its rules of emptiness (D15)."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.auth import get_user_model
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from calendar_site.api import values
from calendar_site.api.errors import InvalidParams, MissingParams, NameNeeded
from calendar_site.api.parsers import Repeated
from calendar_site.content import rules
from calendar_site.content.choices import Status
from calendar_site.content.custom_values import read_values
from calendar_site.content.dates import Zone, parse_wire_date, parse_zone, site_wire, site_zone, utc_wire
from calendar_site.content.html import without_markup
from calendar_site.content.images import NewImage, fetch_image, prepare_image
from calendar_site.content.loading import declared_fields
from calendar_site.content.models import Image
from calendar_site.content.outgoing import CannotFetch
from calendar_site.content.validators import validate_markup, validate_web_address

HTML_LENGTH = 1_000_000


class InputField(serializers.Field):
    """One write field. What can be empty on reading can be emptied: then `empty` is what is stored.

    `takes_lists`: a form key that was repeated is a list, not its last value. `schema` and `describe` are for clients
    to read; the schema is the contract's type, and many fields take more than that (D14).
    """

    schema: dict[str, Any] = {"type": "string"}
    takes_lists = False

    def __init__(self, *, describe: Any, clearable: bool = False, empty: Any = "", **kwargs: Any) -> None:
        kwargs.setdefault("required", False)
        super().__init__(**kwargs)
        self.clearable = clearable
        self.empty = empty
        self.describe = describe

    def is_empty(self, given: Any) -> bool:
        return isinstance(given, str) and not given.strip()

    def to_internal_value(self, data: Any) -> Any:
        try:
            return self.read(data)
        except ValueError as error:
            raise serializers.ValidationError(str(error)) from error
        except ValidationError as error:
            raise serializers.ValidationError(error.messages) from error

    def read(self, data: Any) -> Any:
        raise NotImplementedError


class TextInput(InputField):
    """One line of text; markup in it is dropped."""

    def __init__(self, *, max_length: int = 500, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.max_length = max_length

    def read(self, data: Any) -> str:
        return read_line(data, self.max_length)


def read_line(given: Any, max_length: int) -> str:
    """A text without markup. Raises ValueError with what is wrong."""
    text = values.read_text(given)
    # The length is looked at first: markup is dropped from no text that is longer than it may be.
    if len(text) > max_length * 4:
        raise ValueError(_too_long(max_length))
    text = without_markup(text)
    if not text:
        raise ValueError(_("This may not be empty."))
    if len(text) > max_length:
        raise ValueError(_too_long(max_length))
    return text


def _too_long(limit: int) -> str:
    return _("This is longer than %(limit)s characters.") % {"limit": limit}


class SlugInput(InputField):
    def read(self, data: Any) -> str:
        text = values.read_text(data)
        if len(text) > 1000:
            raise ValueError(_too_long(1000))
        return text


class HTMLInput(InputField):
    """HTML, which the model sanitises."""

    def read(self, data: Any) -> str:
        text = values.read_text(data)
        if len(text) > HTML_LENGTH:
            raise ValueError(_too_long(HTML_LENGTH))
        # Before anything cleans it, be it only to compare it.
        validate_markup(text)
        return text


class WebAddressInput(InputField):
    def read(self, data: Any) -> str:
        address = values.read_text(data).strip()
        if len(address) > 2000:
            raise ValueError(_too_long(2000))
        validate_web_address(address)
        return address


class BooleanInput(InputField):
    schema = {"type": "boolean"}

    def read(self, data: Any) -> bool:
        return values.read_boolean(data)


class SwitchInput(InputField):
    """A text that switches something on: `true`, `1`, `yes`; any other text switches it off.

    Venues answer booleans here, so booleans are taken as well (D14).
    """

    schema = {"type": "string"}

    def read(self, data: Any) -> bool:
        if isinstance(data, bool):
            return data
        return values.read_text(data).strip().lower() in {"true", "1", "yes"}


class UserInput(InputField):
    """The id of an account."""

    schema = {"type": "integer"}

    def read(self, data: Any) -> int:
        number = values.read_integer(data)
        user = self.context["user"]
        # Only who may act for others learns which accounts there are; the service refuses everybody else.
        is_others = self.context["may_act_for_others"] and number != user.pk
        if number < 1 or (is_others and not get_user_model().objects.filter(pk=number).exists()):
            raise ValueError(_("There is no account with this id."))
        return number


class StatusInput(InputField):
    schema = {"type": "string", "enum": Status.values}

    def read(self, data: Any) -> str:
        if data not in Status.values:
            raise ValueError(_("The statuses are %(statuses)s.") % {"statuses": ", ".join(Status.values)})
        return str(data)


class DateInput(InputField):
    """A wire date, read in the zone that the serializer names."""

    def read(self, data: Any) -> Any:
        return parse_wire_date(values.read_text(data), self.zone())

    def zone(self) -> Zone:
        return site_zone()


class UTCDateInput(DateInput):
    def zone(self) -> Zone:
        return parse_zone("UTC")


class NumberInput(InputField):
    """A number between two others."""

    schema = {"type": "number", "format": "double"}

    def __init__(self, *, minimum: float, maximum: float, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.minimum, self.maximum = minimum, maximum
        self.schema = self.schema | {"minimum": minimum, "maximum": maximum}

    def read(self, data: Any) -> float:
        number = values.read_number(data)
        if not self.minimum <= number <= self.maximum:
            raise ValueError(
                _("This is not between %(least)s and %(most)s.") % {"least": self.minimum, "most": self.maximum}
            )
        return number


class ImageInput(InputField):
    """The image of a record: one of the library by its id, or one to be taken in, by its address or as a file.

    Pictures are taken in once, however often the arguments are checked; `context["pictures"]` keeps them. Raises
    PermissionDenied for who may not add to the library.
    """

    schema = {"type": "string"}

    def is_empty(self, given: Any) -> bool:
        return super().is_empty(given) or given in (False, 0, "0")

    def read(self, data: Any) -> Image | NewImage:
        if brings_picture(data):
            return self._taken_in(data)
        # An object is what is answered for an image: of the library, then.
        pk = data.get("id") if isinstance(data, dict) else data
        image = Image.objects.filter(pk=values.read_integer(pk, minimum=1)).first()
        if image is None:
            raise ValueError(_("There is no image with this id."))
        return image

    def _taken_in(self, data: Any) -> NewImage:
        if not rules.can_create(self.context["user"], Image):
            raise PermissionDenied
        pictures = self.context["pictures"]
        key = data if isinstance(data, str) else id(data)
        if key not in pictures:
            try:
                pictures[key] = (
                    fetch_image(data.strip()) if isinstance(data, str) else prepare_image(data.read(), data.name)
                )
            except CannotFetch as error:
                raise ValueError(str(error)) from error
        return pictures[key]


def brings_picture(given: Any) -> bool:
    """Whether this is the address or the file of a picture."""
    return isinstance(given, UploadedFile) or (isinstance(given, str) and not given.strip().lstrip("-").isdecimal())


def brings_pictures(arguments: Any) -> bool:
    """Whether a picture is to be taken in for the record, or for one that is written with it."""
    if isinstance(arguments, list):
        return any(brings_pictures(item) for item in arguments)
    if not isinstance(arguments, dict):
        return False
    return brings_picture(arguments.get("image")) or any(
        brings_pictures(value) for value in arguments.values() if isinstance(value, dict | list)
    )


class CustomFieldsInput(InputField):
    """Values of custom fields by their names; those that are not named stay."""

    schema = {"type": "object"}
    takes_lists = True

    def is_empty(self, given: Any) -> bool:
        return super().is_empty(given) or given == []

    def read(self, data: Any) -> dict[str, Any]:
        parent: Any = self.parent
        held = parent.instance.custom_values if parent.instance is not None else {}
        return read_values(data, declared_fields().get(parent.kind, []), held)


class InputSerializer(serializers.Serializer):
    """The arguments of a write, from the contract's names to the model's. Saves nothing.

    `check()` answers the values by the names of the model; a key that was not sent is not among them.
    """

    # What a create without them makes of fields, as far as the contract says it (service.md, section 2).
    defaults: ClassVar[dict[str, Any]] = {}

    def check(self) -> dict[str, Any]:
        """Raises MissingParams, or InvalidParams with every fault."""
        self._refuse_missing()
        fields: dict[str, Any] = {}
        faults: dict[str, str] = {}
        answered = self.answered(self.instance) if self.instance is not None else {}
        for name, given in self.sent():
            field = self.inputs[name]
            if self._is_unsaid(field, given) or (name in answered and given == answered[name]):
                continue
            if field.clearable and (given is None or field.is_empty(given)):
                fields[field.source] = field.empty
                continue
            try:
                fields[field.source] = field.run_validation(given)
            except serializers.ValidationError as error:
                faults[name] = _first_message(error.detail)
        if faults:
            raise InvalidParams(faults)
        return fields

    def answered(self, row: Any) -> dict[str, Any]:
        """What the row answers where that does not say all that is stored: sent back, it changes nothing (D14)."""
        return {}

    def in_contract_names(self, error: ValidationError) -> InvalidParams:
        """What a model says about its fields, said about the arguments they came from."""
        names = {field.source: name for name, field in reversed(self.inputs.items())}
        if not hasattr(error, "error_dict"):
            return InvalidParams({"record": " ".join(error.messages)})
        return InvalidParams({names.get(key, key): " ".join(texts) for key, texts in error.message_dict.items()})

    @property
    def inputs(self) -> dict[str, Any]:
        """The fields by the contract's names."""
        return dict(self.fields)

    def sent(self) -> list[tuple[str, Any]]:
        """The arguments that this serializer knows; of a repeated key the last counts, unless it is a list."""
        pairs = []
        for name, field in self.inputs.items():
            if name in self.initial_data:
                given = self.initial_data[name]
                if isinstance(given, Repeated) and not field.takes_lists:
                    given = given[-1]
                pairs.append((name, given))
        return pairs

    def _refuse_missing(self) -> None:
        if self.instance is not None:
            return
        missing = [
            name for name, field in self.inputs.items() if field.required and self.initial_data.get(name) is None
        ]
        if missing:
            raise MissingParams(missing)

    def _is_unsaid(self, field: InputField, given: Any) -> bool:
        """null for a field that is never empty, or in a create, is as if it was not sent."""
        return given is None and (self.instance is None or not field.clearable)


def _first_message(detail: Any) -> str:
    while isinstance(detail, list | dict):
        detail = next(iter(detail.values())) if isinstance(detail, dict) else detail[0]
    return str(detail)


class PublicationInput(InputSerializer):
    """The write fields about publishing that events, venues and organizers share."""

    author = UserInput(
        source="author_id",
        describe=gettext_lazy("The account that the record is by: its id. Another than your own needs the right to."),
    )
    date = DateInput(describe=gettext_lazy("When the record is published, in the site's time zone."))
    date_utc = UTCDateInput(describe=gettext_lazy("When the record is published, in UTC."))
    description = HTMLInput(
        clearable=True, describe=gettext_lazy("The description: HTML, or plain text, which gets paragraphs.")
    )
    status = StatusInput(
        describe=gettext_lazy(
            "Whether the record is published, or what it waits for. What contributors publish waits for review."
        )
    )
    image = ImageInput(
        clearable=True,
        empty=None,
        describe=gettext_lazy(
            "The image: the id of one in the library, or the address of one, which the service fetches. Forms may "
            "send a file. False takes it off."
        ),
    )
    custom_fields = CustomFieldsInput(
        source="custom_values",
        clearable=True,
        empty=None,
        describe=gettext_lazy("Values of the fields that the site has declared, by their names; those not named stay."),
    )

    # What the record is called in codes of errors and among custom fields.
    kind: str

    def answered(self, row: Any) -> dict[str, Any]:
        return {"date": site_wire(row.published_at), "date_utc": utc_wire(row.published_at)}

    def check(self) -> dict[str, Any]:
        fields = super().check()
        date, date_utc = fields.pop("date", None), fields.pop("date_utc", None)
        if date or date_utc:
            fields["published_at"] = date or date_utc
        return fields


class NamedInput(PublicationInput):
    """The write fields of a venue or organizer, whose name is the field `kind`."""

    def check(self) -> dict[str, Any]:
        name = self.initial_data.get(self.kind)
        if self.instance is None and isinstance(name, str) and name and not name.strip():
            raise NameNeeded(self.kind)
        return super().check()
