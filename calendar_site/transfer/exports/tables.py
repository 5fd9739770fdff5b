"""Which tables and columns an export has. Every model is in exactly one of these groups, which a test checks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from django.apps import apps
from django.db import models

# In the order of an import.
ACCOUNTS = ("auth.Group", "accounts.User")
CONTENT = (
    "media.Image",
    "custom_fields.CustomField",
    "site_profile.SiteProfile",
    "taxonomy.Category",
    "taxonomy.Tag",
    "venues.Venue",
    "organizers.Organizer",
    "events.Series",
    "events.Event",
    "events.Event_categories",
    "events.Event_tags",
    "events.EventVenue",
    "events.EventOrganizer",
    "events.Ticket",
    "events.WithdrawnEvent",
    "events.SampleRecord",
    "former_slugs.FormerSlug",
    "transfer.Source",
    "transfer.SourceRecord",
    "transfer.Place",
    "transfer.EventPair",
)
# What people did and prefer.
PEOPLE = (
    "mail.MailPreferences",
    "saved_views.SavedView",
    "review.Review",
    "mail.SubmissionNotice",
    "submissions.MistakeReport",
)
HISTORY = (
    "accounts.HistoricalGroup",
    "accounts.HistoricalUser",
    "media.HistoricalImage",
    "custom_fields.HistoricalCustomField",
    "site_profile.HistoricalSiteProfile",
    "taxonomy.HistoricalCategory",
    "taxonomy.HistoricalTag",
    "venues.HistoricalVenue",
    "organizers.HistoricalOrganizer",
    "events.HistoricalSeries",
    "events.HistoricalEvent",
)
# Names of models or apps.
LEFT_OUT = {
    # Secrets, and what belongs to them.
    "accounts.ApplicationPassword",
    "accounts.PendingEmail",
    "otp_static",
    "otp_totp",
    "sessions",
    "submissions.PublicSubmission",
    # Computed from the other tables.
    "derived",
    "events.CategoryTally",
    "events.EventRendering",
    "events.EventTally",
    "events.IndexedCategory",
    "events.IndexedOrganizer",
    "events.IndexedTag",
    "events.IndexedTicketed",
    "events.IndexedVenue",
    "events.IndexedVenueCount",
    "events.LinkedRecordsVersion",
    "events.OrganizerActivity",
    "events.TagTally",
    "events.VenueActivity",
    "media.EmbeddedImage",
    "media.ImageFile",
    # What the service is doing at the moment, and logs.
    "admin",
    "axes",
    "django_tasks_database",
    "form_drafts",
    "idempotency",
    "limits",
    "media.OrphanedFile",
    "tasks",
    "transfer.ImportEntry",
    "transfer.ImportRun",
    "transfer.UploadedFile",
    "transfer.VerifiedBackup",
    # Part of the code.
    "auth.Permission",
    "contenttypes",
    # Written with the accounts and groups.
    "accounts.User_groups",
    "accounts.User_user_permissions",
    "auth.Group_permissions",
}
SECRET_FIELDS = {"accounts.User": {"password"}, "transfer.Source": {"header"}}
# Links to rows that are left out.
LINKS_LEFT_OUT = {"transfer.SourceRecord": {"seen_in"}}
NAMED_FIELDS = {"username", "first_name", "last_name", "email", "last_login"}


class Table(NamedTuple):
    """A table of an export."""

    model: type[models.Model]
    fields: list[str]
    # Whether linked rows are written by name, because their ids differ between databases.
    links_by_name: bool

    @property
    def label(self) -> str:
        """The name in lower case, as Django's serializers write it."""
        return self.model._meta.label_lower


def exported_tables(*, with_history: bool = True, with_people: bool = True) -> Iterator[Table]:
    """Return the tables in the order of an import. Without people, the history is left out as well."""
    names = [*ACCOUNTS, *CONTENT, *(PEOPLE if with_people else ()), *(HISTORY if with_history and with_people else ())]
    for name in names:
        yield _table(name, with_people=with_people)


def _table(name: str, *, with_people: bool) -> Table:
    model = apps.get_model(name)
    left_out = {*SECRET_FIELDS.get(name, ()), *LINKS_LEFT_OUT.get(name, ())}
    if name == "accounts.User" and not with_people:
        left_out |= NAMED_FIELDS
    fields: list[str] = [field.name for field in model._meta.concrete_fields if field.name not in left_out]
    links_by_name = name in ACCOUNTS
    if links_by_name:
        fields += [field.name for field in model._meta.many_to_many]
    return Table(model, fields, links_by_name)
