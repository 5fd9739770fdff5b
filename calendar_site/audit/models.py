"""The history of records: each tracked model has a table of revisions, one for each write.

django-simple-history creates the tables. Services write them through `audit.recorder`; see docs/decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from datetime import datetime
from functools import cache
from typing import Any, ClassVar, NamedTuple, Self

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from simple_history.manager import HistoryManager
from simple_history.models import HistoricalRecords

from calendar_site.core.fields import HTMLField, PlainTextField
from calendar_site.core.http.request_context import MAX_REQUEST_ID_LENGTH

# Revisions store no derived columns, and have a date of their own.
UNTRACKED = ("created_at", "modified_at", "search_text")

# Functions by the name of a secret column. A revision does not store the secret, only the result of the function:
# whether there is a secret.
Secrets = dict[str, Callable[[str], bool]]


class FieldDisplay(NamedTuple):
    """The label and format of a field in histories, if the form of the model has clearer ones."""

    label: Any = None
    # Takes a value and its revision, and returns text.
    format: Callable[[Any, Any], str] | None = None


class NestedFields(NamedTuple):
    """How histories show a column that contains values of the fields of another model: one by one."""

    # Returns the model, which may be defined later.
    model: Callable[[], Any]
    # Takes the value of the column, and returns the values by field, as revisions of that model have them.
    read: Callable[[Any], dict[str, Any]]


class ChangeKind(models.TextChoices):
    """The kind of a change to a record."""

    CREATED = "created", pgettext_lazy("a change", "created")
    CHANGED = "changed", _("changed")
    TRASHED = "trashed", _("moved to trash")
    UNTRASHED = "untrashed", _("restored from trash")
    APPROVED = "approved", _("approved")
    SENT_BACK = "sent_back", _("sent back")
    MERGED = "merged", _("merged")
    RESTORED = "restored", _("restored to an earlier revision")
    DELETED = "deleted", _("deleted permanently")


class Channel(models.TextChoices):
    """The source of a change."""

    API = "api", _("API")
    ADMIN = "admin", _("Admin")
    COMMAND = "command", _("Command line")
    IMPORT = "import", _("Import")


class Revision(models.Model):
    """A version of a record, and the write that made it. It has the columns of the record as well."""

    history_kind = models.CharField(max_length=15)
    history_channel = models.CharField(max_length=10)
    # The username at the time of the change; the id is in `history_user_id`. Both outlive the account.
    history_username = models.CharField(max_length=150, blank=True)
    # The id of the request in the log; empty for commands.
    history_request_id = models.CharField(max_length=MAX_REQUEST_ID_LENGTH, blank=True, default="", db_default="")
    # The client that sent the request, for HISTORY_ADDRESS_DAYS. Only administrators see it.
    history_address = models.GenericIPAddressField(null=True)
    # The names of the fields that differ from the revision before; empty for a record that is new or deleted.
    history_changed = models.JSONField(default=list)
    # The extra state, see `recorder.ExtraState`.
    history_extra = models.JSONField(default=dict)

    # Added by django-simple-history.
    id: int
    history_id: int
    history_date: datetime
    history_type: str
    history_user_id: int | None
    history_change_reason: str

    # Added by `History`.
    parts_of: ClassVar[dict[str, str]]
    secrets: ClassVar[Secrets]
    field_displays: ClassVar[dict[str, FieldDisplay]]
    nested: ClassVar[dict[str, NestedFields]]
    tracked_fields: ClassVar[list[models.Field[Any, Any]]]
    instance_type: ClassVar[type[TrackedModel]]

    class Meta:
        abstract = True


class RevisionManager(HistoryManager):
    """The manager of the revisions of a model, or of one record."""

    @classmethod
    @cache
    def from_queryset(cls, queryset_class: type[models.QuerySet[Any]], class_name: str | None = None) -> Any:
        """Return the class of the manager; django-simple-history asks for it whenever `history` is looked up."""
        return super().from_queryset(queryset_class, class_name)


class History(HistoricalRecords):
    """The history of a model, as `Model.history`: a manager of its revisions."""

    def __init__(
        self,
        *,
        excluded: Iterable[str] = (),
        parts_of: dict[str, str] | None = None,
        secrets: Secrets | None = None,
        field_displays: dict[str, FieldDisplay] | None = None,
        nested: dict[str, NestedFields] | None = None,
    ) -> None:
        """Leave out the columns that are `excluded` or `secrets`.

        `parts_of` maps columns to the columns that they are shown as a part of. `field_displays` are labels and formats
        by field name, and `nested` describes columns with fields of another model.
        """
        secrets = secrets or {}
        super().__init__(
            bases=(Revision,),
            excluded_fields=[*excluded, *secrets],
            history_id_field=models.BigAutoField(),
            history_change_reason_field=models.TextField(blank=True, default=""),
            # No foreign key: the author of a change stays known when the account is deleted.
            history_user_id_field=models.BigIntegerField(null=True),
            history_manager=RevisionManager,
        )
        self.options = {
            "parts_of": parts_of or {},
            "secrets": secrets,
            "field_displays": field_displays or {},
            "nested": nested or {},
        }

    def copy_fields(self, model: type[models.Model]) -> dict[str, Any]:
        """Return the columns of the model that revisions have."""
        fields: dict[str, Any] = super().copy_fields(model)
        for name, field in fields.items():
            if isinstance(field, HTMLField):
                fields[name] = _storing_as_is(field, models.TextField)
            elif isinstance(field, PlainTextField):
                fields[name] = _storing_as_is(field, models.CharField)
            # Revisions are found by record and by time alone.
            fields[name].db_index = False
        return fields

    def get_extra_fields(self, model: type[models.Model], fields: Any) -> dict[str, Any]:
        """Return the other attributes of the class of revisions."""
        extra: dict[str, Any] = super().get_extra_fields(model, fields)
        extra["history_date"].db_index = False
        return {**extra, **self.options}

    def get_meta_options(self, model: type[models.Model]) -> dict[str, Any]:
        """Return the Meta of the class of revisions."""
        name = model._meta.model_name
        return {
            "ordering": ("-history_id",),
            # The permissions on the record apply.
            "default_permissions": (),
            "indexes": (
                models.Index(fields=["id", "-history_id"], name=f"{name}_history_record"),
                # Contains every column that lists filter by, so that only rows that lists show are read.
                models.Index(
                    fields=["-history_date", "-history_id", "history_kind", "history_channel", "history_user_id"],
                    name=f"{name}_history_newest",
                ),
            ),
        }

    def post_save(self, *args: Any, **kwargs: Any) -> None:
        """Record nothing: signals come before relations are written, and bulk writes send none."""

    pre_delete = post_delete = post_save


class TrackedModel(models.Model):
    """A record with a history. It keeps the values that it was loaded with."""

    history: ClassVar[Any]
    # The columns as they were loaded or last recorded, by attribute names; None for a new record.
    loaded_values: dict[str, Any] | None = None
    # The write in which this instance was last recorded, and its revision.
    last_revision: tuple[object, Revision] | None = None

    class Meta:
        abstract = True

    @classmethod
    def from_db(cls, db: str | None, field_names: Collection[str], values: Collection[Any], **kwargs: Any) -> Self:
        row = super().from_db(db, field_names, values, **kwargs)
        row.loaded_values = dict(zip(field_names, values, strict=True))
        return row

    def refresh_from_db(self, using: Any = None, fields: Any = None, *args: Any, **kwargs: Any) -> None:
        super().refresh_from_db(using, fields, *args, **kwargs)
        read = [
            field.attname
            for field in self._meta.concrete_fields
            if fields is None or not {field.name, field.attname}.isdisjoint(fields)
        ]
        values = {name: self.__dict__[name] for name in read if name in self.__dict__}
        self.loaded_values = (self.loaded_values or {}) | values


def _storing_as_is(field: models.Field, plain: type[models.Field]) -> models.Field:
    """Return a plain field like `field`, which stores values without cleaning them a second time."""
    _name, _path, args, options = field.deconstruct()
    copy = plain(*args, **options)
    copy.name = field.name
    # Keep its place among the columns.
    copy.creation_counter = field.creation_counter
    return copy
