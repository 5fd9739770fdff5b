"""Removing the sample content."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.db.models import Model, ProtectedError, QuerySet

from calendar_site.accounts.models import User
from calendar_site.audit.recorder import delete_history
from calendar_site.content.services import delete_linked
from calendar_site.core.database.write_lock import write_lock
from calendar_site.custom_fields.models import CustomField
from calendar_site.custom_fields.resources import model_for
from calendar_site.custom_fields.services import delete_custom_fields
from calendar_site.media.library import delete_image
from calendar_site.media.models import Image
from events.models import Event, EventOrganizer, EventVenue, Series
from events.sample_content.marks import delete_marks, marked_ids
from events.series.services import delete_series
from events.services import delete_events
from organizers.models import Organizer
from taxonomy.models import Category, Tag
from venues.models import Venue

# In the order in which their numbers are shown.
SAMPLE_MODELS: tuple[Any, ...] = (Event, Series, Category, Tag, Venue, Organizer, CustomField, Image)

IdsByModel = dict[type[Model], set[int]]


class Removal(NamedTuple):
    """The number of records that were removed, and the records that stay because others use them."""

    removed: dict[type[Model], int]
    kept: list[Model]


def remove_sample_content(*, dry_run: bool = False) -> Removal:
    """Delete the records that loading created, even if they have changed since; with `dry_run`, only count them.

    A venue, organizer or term stays while an event that is not sample content uses it. A category also stays while it
    has a descendant that stays or that is not sample content, and a custom field while a record that stays has a value
    of it. The next removal deletes these records if that has changed.
    """
    with write_lock():
        sample = {model: marked_ids(model) for model in SAMPLE_MODELS}
        used = _ids_used_elsewhere(sample)
        leaving = {model: model._default_manager.filter(pk__in=sample[model] - used[model]) for model in SAMPLE_MODELS}
        removed = {model: rows.count() for model, rows in leaving.items()}
        kept: list[Model] = []
        for model in SAMPLE_MODELS:
            kept += model._default_manager.filter(pk__in=sample[model] & used[model])
        if not dry_run:
            _delete_records(leaving)
            delete_marks(except_for=[*kept, *_delete_authors()])
    return Removal(removed, kept)


def _ids_used_elsewhere(sample: IdsByModel) -> IdsByModel:
    """Return the ids of records, sample or not, that content other than the sample needs."""
    used: IdsByModel = {Event: set(), Series: set()}
    for model, links, column in (
        (Venue, EventVenue, "venue"),
        (Organizer, EventOrganizer, "organizer"),
        (Category, Event.categories.through, "category"),
        (Tag, Event.tags.through, "tag"),
    ):
        other_links = links._default_manager.exclude(event__in=sample[Event])
        used[model] = set(other_links.values_list(column, flat=True))
    used[Image] = set()
    for content_model in (Event, Venue, Organizer):
        staying = _staying(content_model, sample, used)
        used[Image] |= set(staying.filter(image__isnull=False).values_list("image", flat=True))
    used[CustomField] = {
        field.pk
        for field in CustomField.objects.filter(pk__in=sample[CustomField])
        if _staying(model_for(field), sample, used).filter(custom_values__has_key=field.name).exists()
    }
    used[Category] = _with_ancestors(used[Category], sample[Category])
    return used


def _staying(model: type[Model], sample: IdsByModel, used: IdsByModel) -> QuerySet:
    """Return the records that the removal leaves: those of others, and sample records that others use."""
    return model._default_manager.exclude(pk__in=sample[model] - used[model])


def _with_ancestors(used: set[int], sample: set[int]) -> set[int]:
    """Return the used categories, the categories that are not sample content, and all ancestors of both."""
    parents = Category.objects.parents_by_id()
    needed: set[int] = set()
    for category in used | (parents.keys() - sample):
        ancestor: int | None = category
        while ancestor is not None and ancestor not in needed:
            needed.add(ancestor)
            ancestor = parents[ancestor]
    return needed


def _delete_records(leaving: dict[type[Model], Any]) -> None:
    """Delete the records with their histories."""
    ids = {model: list(rows.values_list("pk", flat=True)) for model, rows in leaving.items()}
    # First, so that they do not remember the events as excluded.
    delete_series(leaving[Series], user=None)
    delete_events(leaving[Event], user=None)
    leaving[Category].delete()
    leaving[Tag].delete()
    delete_linked(leaving[Venue], user=None)
    delete_linked(leaving[Organizer], user=None)
    delete_custom_fields(leaving[CustomField], user=None)
    for image in leaving[Image]:
        delete_image(image, user=None)
    for model, deleted in ids.items():
        delete_history(model, deleted)


def _delete_authors() -> list[User]:
    """Delete the sample account, and return it if it is still the author of a record."""
    kept = []
    for author in User.objects.filter(pk__in=marked_ids(User)):
        try:
            author.delete()
        except ProtectedError:
            kept.append(author)
    return kept
