"""What is kept of every change: who made it when, through which door, and how the record was after it.

Each model that is recorded has a table of its states beside it, which django-simple-history makes. It is written by
`recording.record()` alone, at the end of a service, see docs/decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from datetime import datetime
from typing import Any, ClassVar, NamedTuple, Self

from django.db import models
from django.utils.translation import gettext_lazy as _
from simple_history.models import HistoricalRecords

from calendar_site.content.fields import HTMLField, PlainField

# What is kept of something secret: whether there is any.
Secrets = dict[str, Callable[[str], bool]]


class Words(NamedTuple):
    """How people are told of a field, where its own name or value says it less well than its form does."""

    label: Any = None
    # The value in words, of a state that has it.
    tell: Callable[[Any, Any], str] | None = None


class Kind(models.TextChoices):
    """What was done to a record."""

    CREATED = "created", _("created")
    CHANGED = "changed", _("changed")
    TRASHED = "trashed", _("moved to the trash")
    RESTORED = "restored", _("taken out of the trash")
    APPROVED = "approved", _("approved")
    SENT_BACK = "sent_back", _("sent back")
    MERGED = "merged", _("made one with others")
    BROUGHT_BACK = "brought_back", _("brought back to an earlier state")
    DELETED = "deleted", _("deleted for good")


class Door(models.TextChoices):
    """Where a change came in."""

    API = "api", _("API")
    ADMIN = "admin", _("back office")
    COMMAND = "command", _("command on the server")
    IMPORT = "import", _("import")


class Change(models.Model):
    """A record as it was after a change, and what the change was. The columns of the record come to these."""

    history_kind = models.CharField(max_length=15)
    history_door = models.CharField(max_length=10)
    # The name that the account had then; its id is beside it. Both outlive the account.
    history_who = models.CharField(max_length=150, blank=True)
    # The names of the fields that are not as they were before; none of a record that is new or gone.
    history_changed = models.JSONField(default=list)
    # What the record had that is no column of its own: links as ids, tickets, and that there was a password.
    history_besides = models.JSONField(default=dict)

    # What django-simple-history adds.
    id: int
    history_id: int
    history_date: datetime
    history_type: str
    history_user_id: int | None
    history_change_reason: str

    class Meta:
        abstract = True


class History(HistoricalRecords):
    """The states of a model, as `Model.history`.

    `parts` are columns that are told of under the name of another one. Of `secrets` no value is kept. `words` are those
    of fields by their names.
    """

    def __init__(
        self,
        *,
        excluded: Iterable[str] = (),
        parts: dict[str, str] | None = None,
        secrets: Secrets | None = None,
        words: dict[str, Words] | None = None,
    ):
        secrets = secrets or {}
        super().__init__(
            bases=(Change,),
            excluded_fields=[*excluded, *secrets],
            history_id_field=models.BigAutoField(),
            history_change_reason_field=models.TextField(blank=True, default=""),
            # No foreign key: who made a change is to be known when the account is gone.
            history_user_id_field=models.BigIntegerField(null=True),
        )
        self.parts, self.secrets, self.words = parts or {}, secrets, words or {}

    def copy_fields(self, model: Any) -> dict[str, Any]:
        fields: dict[str, Any] = super().copy_fields(model)
        for field in fields.values():
            # States are found by record and by time alone.
            field.db_index = False
            # What was clean when the record was saved needs no cleaning.
            plain = models.TextField if isinstance(field, HTMLField) else models.CharField
            if isinstance(field, HTMLField | PlainField):
                field.__class__ = plain  # type: ignore[assignment]
        return fields

    def get_extra_fields(self, model: Any, fields: Any) -> dict[str, Any]:
        extra: dict[str, Any] = super().get_extra_fields(model, fields)
        extra["history_date"].db_index = False
        return {**extra, "parts": self.parts, "secrets": self.secrets, "words": self.words}

    def get_meta_options(self, model: Any) -> dict[str, Any]:
        name = model._meta.model_name
        # Of records that wait for review: those that were sent back are few, and are looked for among all.
        is_reviewed = any(field.name == "status" for field in model._meta.local_fields)
        sent_back = models.Index(
            fields=["id", "-history_id"], condition=models.Q(history_kind="sent_back"), name=f"{name}_history_sent_back"
        )
        return {
            "ordering": ("-history_id",),
            # Who may see or bring back a state goes by the record.
            "default_permissions": (),
            "indexes": (
                *([sent_back] if is_reviewed else []),
                models.Index(fields=["id", "-history_id"], name=f"{name}_history_record"),
                # What lists are filtered by is in it, so that they read no row which they do not show.
                models.Index(
                    fields=["-history_date", "-history_id", "history_kind", "history_door", "history_user_id"],
                    name=f"{name}_history_newest",
                ),
            ),
        }

    # Signals come before the links are written, and bulk writes send none.
    def post_save(self, *args: Any, **kwargs: Any) -> None:
        pass

    pre_delete = post_delete = post_save


class Recorded(models.Model):
    """A record whose changes are recorded: it knows how it was when it was loaded."""

    history: ClassVar[Any]
    # The columns as they were loaded or last recorded, by the names of attributes; None for a new record.
    was: dict[str, Any] | None = None
    # The last change that was recorded of this instance, and the write that it was a part of.
    last_change: tuple[Any, Change] | None = None

    class Meta:
        abstract = True

    @classmethod
    def from_db(cls, db: str | None, field_names: Collection[str], values: Collection[Any], **kwargs: Any) -> Self:
        row = super().from_db(db, field_names, values, **kwargs)
        row.was = dict(zip(field_names, values, strict=True))
        return row

    def refresh_from_db(self, using: Any = None, fields: Any = None, *args: Any, **kwargs: Any) -> None:
        super().refresh_from_db(using, fields, *args, **kwargs)
        read = [
            field.attname
            for field in self._meta.concrete_fields
            if fields is None or not {field.name, field.attname}.isdisjoint(fields)
        ]
        self.was = (self.was or {}) | {name: self.__dict__[name] for name in read if name in self.__dict__}
