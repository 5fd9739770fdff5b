"""Sources of imports, their runs, and where each imported record came from."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from calendar_site.core.choices import Status
from calendar_site.core.text.plain_text import MAX_KEY_LENGTH
from calendar_site.core.validators import validate_http_url, validate_time_zone
from calendar_site.transfer.patterns import validate_pattern


class SourceKind(models.TextChoices):
    """The format of a source."""

    TEC = "tec", _("The Events Calendar (site address)")
    WXR = "wxr", _("WordPress export (XML)")
    ICS = "ics", _("Calendar (iCalendar)")
    JSONLD = "jsonld", _("Web page or file with schema.org events")
    TABLE = "table", _("Table (CSV or Excel)")


class Absence(models.TextChoices):
    """What happens to upcoming events that a source does not contain any more."""

    KEEP = "keep", _("Keep them")
    CANCEL = "cancel", _("Mark them as cancelled")
    TRASH = "trash", _("Move them to the trash")


class NewStatus(models.TextChoices):
    """The status of new events whose source says nothing about it."""

    PUBLISH = Status.PUBLISH.value, _("Published")
    PENDING = Status.PENDING.value, _("Pending review")
    DRAFT = Status.DRAFT.value, _("Draft")


class Source(models.Model):
    """A calendar elsewhere, with the rules by which it is imported."""

    MAX_FAILURES = 3
    QUIET = timedelta(days=180)

    name = models.CharField(_("name"), max_length=200)
    kind = models.CharField(_("format"), max_length=10, choices=SourceKind)
    # "" for a file, which `name` then names.
    url = models.CharField(_("URL"), max_length=2000, blank=True, validators=[validate_http_url])
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("owner"),
        on_delete=models.CASCADE,
        related_name="+",
        help_text=_("The author of new records. The import may do what this account may do."),
    )
    interval_hours = models.PositiveSmallIntegerField(
        _("read every … hours"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(24 * 31)],
        help_text=_("Empty to read the source only when somebody starts an import."),
    )
    new_status = models.CharField(
        _("status of new events"), max_length=10, choices=NewStatus, default=NewStatus.PUBLISH
    )
    category = models.ForeignKey(
        "taxonomy.Category",
        verbose_name=_("category of new events"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    venue = models.ForeignKey(
        "venues.Venue",
        verbose_name=_("venue of events without a place"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    skip_pattern = models.CharField(
        _("skip titles with"),
        max_length=200,
        blank=True,
        validators=[validate_pattern],
        help_text=_("Words in the titles of events to skip, separated by commas. * stands for any characters."),
    )
    read_times_as = models.CharField(
        _("read times as"),
        max_length=64,
        blank=True,
        validators=[validate_time_zone],
        help_text=_("A time zone that replaces the one of the source, if its times are shown hours off."),
    )
    header = models.CharField(
        _("HTTP header"),
        max_length=500,
        blank=True,
        help_text=_("Sent with each request, such as “Authorization: Bearer …”."),
    )
    absence = models.CharField(
        _("upcoming events that vanish from the source"), max_length=10, choices=Absence, default=Absence.KEEP
    )
    creates_venues = models.BooleanField(
        _("create venues for unknown places"),
        default=False,
        help_text=_("Otherwise, the description of the event says where it is, until you choose a venue."),
    )
    # Settings of a format: the columns of a table, the order of day and month, whether ids are kept.
    options = models.JSONField(default=dict, blank=True, editable=False)
    etag = models.CharField(max_length=200, blank=True, editable=False)
    last_modified = models.CharField(max_length=100, blank=True, editable=False)
    failures = models.PositiveIntegerField(default=0, editable=False)
    last_success_at = models.DateTimeField(null=True, editable=False)
    last_change_at = models.DateTimeField(null=True, editable=False)
    next_run_at = models.DateTimeField(null=True, editable=False, db_index=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("source")
        verbose_name_plural = _("sources")
        ordering = ("name", "pk")

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        super().clean()
        if self.header and not _is_header(self.header):
            raise ValidationError({"header": _now("Enter a name and a value, such as “Authorization: Bearer abc”.")})
        if self.interval_hours and not self.url:
            raise ValidationError({"interval_hours": _now("Only a source with a URL can be read again.")})

    @property
    def headers(self) -> dict[str, str]:
        """The header as a mapping; empty if there is none."""
        name, _separator, value = self.header.partition(":")
        return {name.strip(): value.strip()} if self.header else {}


def _is_header(text: str) -> bool:
    name, separator, value = text.partition(":")
    is_name = name.strip().replace("-", "").isalnum() and name.isascii()
    is_free = name.strip().lower() not in {"host", "content-length", "transfer-encoding", "connection"}
    return bool(separator) and is_name and is_free and value.strip().isprintable() and value.isascii()


class RunState(models.TextChoices):
    """The progress of a run."""

    WAITING = "waiting", _("waiting")
    RUNNING = "running", _("running")
    FINISHED = "finished", _("finished")
    FAILED = "failed", _("failed")
    HELD = "held", _("held until somebody decides")
    UNDOING = "undoing", _("being undone")
    UNDONE = "undone", _("undone")


class ImportRun(models.Model):
    """One reading of a source."""

    source = models.ForeignKey(Source, verbose_name=_("source"), on_delete=models.CASCADE, related_name="runs")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    is_preview = models.BooleanField(default=False)
    state = models.CharField(_("state"), max_length=10, choices=RunState, default=RunState.WAITING)
    # Why it failed or is held, for people.
    message = models.TextField(blank=True)
    # How many records were read so far, and how many the source has, as far as it says so.
    read_count = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(null=True)
    # How many upcoming events of the source the calendar has afterwards.
    coming_count = models.PositiveIntegerField(null=True)
    started_at = models.DateTimeField(_("started"))
    finished_at = models.DateTimeField(_("finished"), null=True)

    class Meta:
        verbose_name = _("import")
        verbose_name_plural = _("imports")
        default_permissions = ("view",)
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"{self.source} {self.started_at:%Y-%m-%d %H:%M}"


class Outcome(models.TextChoices):
    """What an import did with a record."""

    CREATED = "created", _("created")
    UPDATED = "updated", _("updated")
    # The record of the source is one that the calendar had.
    JOINED = "joined", _("found here")
    UNCHANGED = "unchanged", _("unchanged")
    KEPT = "kept", _("kept as edited here")
    SKIPPED = "skipped", _("skipped")
    REJECTED = "rejected", _("rejected")
    NOTE = "note", _("notes")
    CANCELLED = "cancelled", _("cancelled")
    TRASHED = "trashed", _("moved to the trash")


class ImportEntry(models.Model):
    """A line of the report of a run. Those that changed a record say how to undo it."""

    MAX_RAW = 2000
    MAX_TEXT = 500

    run = models.ForeignKey(ImportRun, on_delete=models.CASCADE, related_name="entries")
    outcome = models.CharField(max_length=10, choices=Outcome)
    kind = models.CharField(max_length=10)
    key = models.CharField(max_length=500, blank=True)
    title = models.CharField(max_length=500, blank=True)
    # For people: the reason, or the names of the changed fields.
    reason = models.TextField(blank=True)
    # Where the record is in the source; how many records have the same reason, of which this is the first.
    line = models.PositiveIntegerField(null=True)
    raw = models.TextField(blank=True)
    count = models.PositiveIntegerField(default=1)
    # The record here, None if there is none.
    record_id = models.BigIntegerField(null=True)
    # The last revision before and after the change.
    revision_before = models.BigIntegerField(null=True)
    revision_after = models.BigIntegerField(null=True)
    fields = models.JSONField(default=list)
    # The fields of the link before the change, None if it is new.
    link_before = models.JSONField(null=True)
    is_undone = models.BooleanField(default=False)

    class Meta:
        default_permissions = ()
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"{self.outcome} {self.title}"


class SourceRecord(models.Model):
    """A link from a record of a source to a record here, with what was read and written for each field."""

    source = models.ForeignKey(Source, on_delete=models.CASCADE, related_name="records")
    kind = models.CharField(max_length=10)
    key = models.CharField(max_length=500)
    # Equal for records of the same start, title and place, of sources whose ids change at every reading.
    content_key = models.CharField(max_length=64, blank=True, db_index=True)
    # Not a foreign key: a record that was deleted here is not created again.
    record_id = models.BigIntegerField()
    # By the name of the field: the digest of the value read, and of the value here after it was written. If the value
    # here has another one now, somebody has edited it, and the field belongs to the calendar.
    fields = models.JSONField(default=dict)
    # The run that saw the record last.
    seen_in = models.ForeignKey(ImportRun, null=True, on_delete=models.SET_NULL, related_name="+")
    # The status before the record vanished from the source and was cancelled or trashed; "" otherwise.
    status_before_absence = models.CharField(max_length=20, blank=True)
    # The page of the record at the source, whose path leads to the page here.
    url_path = models.CharField(max_length=500, blank=True, db_index=True)

    class Meta:
        default_permissions = ()
        constraints = (models.UniqueConstraint(fields=["source", "kind", "key"], name="source_record_once"),)
        indexes = (models.Index(fields=["kind", "record_id"]), models.Index(fields=["kind", "key"]))

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"


class Place(models.Model):
    """A place that a source names as text, and the venue that somebody has chosen for it."""

    MAX_LENGTH = 500

    source = models.ForeignKey(Source, on_delete=models.CASCADE, related_name="places")
    text = models.CharField(_("place"), max_length=MAX_LENGTH)
    text_key = models.CharField(max_length=MAX_KEY_LENGTH)
    venue = models.ForeignKey(
        "venues.Venue", verbose_name=_("venue"), null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        verbose_name = _("place")
        verbose_name_plural = _("places")
        default_permissions = ()
        ordering = ("text", "pk")
        constraints = (models.UniqueConstraint(fields=["source", "text_key"], name="place_once"),)

    def __str__(self) -> str:
        return self.text


class PairState(models.TextChoices):
    """The decision about two events that may be duplicates."""

    OPEN = "open", _("not decided")
    MERGED = "merged", _("merged")
    DIFFERENT = "different", _("different events")


class EventPair(models.Model):
    """Two events of different sources that may be the same one."""

    # Not foreign keys, like those of `SourceRecord`. The older event stays when they are merged.
    kept_id = models.BigIntegerField()
    other_id = models.BigIntegerField(db_index=True)
    state = models.CharField(max_length=10, choices=PairState, default=PairState.OPEN)
    decided_at = models.DateTimeField(null=True)
    # What undoing the merge needs: see `imports/pairs.py`.
    merge = models.JSONField(default=dict)

    class Meta:
        default_permissions = ()
        ordering = ("-pk",)
        constraints = (models.UniqueConstraint(fields=["kept_id", "other_id"], name="event_pair_once"),)

    def __str__(self) -> str:
        return f"{self.kept_id} {self.other_id}"


class VerifiedBackup(models.Model):
    """The last backup that was restored into a temporary place and compared: `check_site` warns if it is old."""

    file_name = models.CharField(max_length=255)
    verified_at = models.DateTimeField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.file_name


class UploadedFile(models.Model):
    """A file that waits for its import. In the database, where every worker finds it."""

    source = models.OneToOneField(Source, on_delete=models.CASCADE, related_name="file")
    name = models.CharField(max_length=255)
    content = models.BinaryField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.name


def content_of(file: UploadedFile) -> bytes:
    """Return the content; a database returns it as `bytes` or `memoryview`."""
    content: Any = file.content
    return bytes(content)
