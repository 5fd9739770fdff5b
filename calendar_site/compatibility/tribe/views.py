"""The views of `tribe/events/v1`: those of the contract with the original's records, errors and addresses."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar
from urllib.parse import urlencode

from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from calendar_site.api.errors import InvalidParams, RecordNotFound
from calendar_site.api.lists.filtersets import ContractFilterSet
from calendar_site.api.lists.pagination import Page
from calendar_site.api.output.selection import Selection
from calendar_site.api.root import DocView, IndexView
from calendar_site.api.viewsets import ContentViewSet, Record
from calendar_site.compatibility.addresses import TRIBE, WP_TERMS
from calendar_site.compatibility.entities import decode_names
from calendar_site.compatibility.tribe.examples import URLS, original_schema, translate_examples
from calendar_site.compatibility.tribe.json_ld import add_event_json_ld, add_person_json_ld, add_place_json_ld
from calendar_site.compatibility.tribe.records import (
    original_event,
    original_linked,
    original_term,
    term_links,
    without_read_only_keys,
)
from calendar_site.compatibility.views import OriginalRecords, OriginalView
from calendar_site.core.choices import Status
from events.views import EventViewSet
from organizers.views import OrganizerViewSet
from taxonomy.views import CategoryViewSet, TagViewSet, TermViewSet
from venues.views import VenueViewSet


class TribeIndex(OriginalView, IndexView):
    original_namespace = TRIBE

    def get(self, request: Request, **path: str) -> Response:
        response = super().get(request, **path)
        index = {**response.data, "_links": {"up": [{"href": f"{self.urls.rest}/"}]}}
        return Response(self.selection.apply(index))


class TribeDocument(OriginalView, DocView):
    original_namespace = TRIBE


class TribeRecords(OriginalRecords):
    original_namespace = TRIBE
    # The name of the stored text that a client sends back as it has read it.
    name_argument: ClassVar[str]

    def translate_arguments(self, arguments: dict[str, Any]) -> dict[str, Any]:
        self.sent_arguments = arguments
        return decode_names(without_read_only_keys(arguments))

    def get_unchanged_object(self) -> Any:
        row = super().get_unchanged_object()
        # A name with the text of an entity is returned as it is, so it stays as it is when it is sent back (D14).
        name = self.name_argument
        stored = row.name if isinstance(self, TermViewSet) else row.title
        if self.sent_arguments.get(name) == stored:
            self.arguments[name] = stored
        return row

    def translate_error(self, error: Exception) -> Exception:
        return self.unknown_record() if isinstance(error, RecordNotFound) else error

    def unknown_record(self) -> Exception:
        """Return the error for an id or a slug that no record has: an invalid argument (compatibility.md, 2.5)."""
        return InvalidParams({self.lookup_field: _("The record does not exist.")})

    def address_of_page(self, filterset: ContractFilterSet, page: Page, url: str, query: str) -> str:
        """Return the URL with a slash at the end of its path, and with the parameters that are in force."""
        parameters = {**self.parameters_in_force(filterset, page), **filterset.link_arguments()}
        parameters |= self.selection.link_arguments()
        return f"{url}/?{urlencode(parameters)}"

    def parameters_in_force(self, filterset: ContractFilterSet, page: Page) -> dict[str, str]:
        return {"page": str(page.number)}


class TribeContent(TribeRecords, ContentViewSet):
    def parameters_in_force(self, filterset: ContractFilterSet, page: Page) -> dict[str, str]:
        return {"page": str(page.number), "per_page": str(page.per_page), "status": Status.PUBLISH.value}


class TribeEvents(TribeContent, EventViewSet):
    add_json_ld = staticmethod(add_event_json_ld)
    name_argument = "title"
    examples = translate_examples(EventViewSet.examples, "event", "events", lambda record: original_event(record, URLS))
    record_schema = original_schema("event", examples["event"])

    def to_original(self, record: Record) -> Record:
        return original_event(record, self.urls)

    def unknown_record(self) -> Exception:
        if self.by_slug and self.request.method in ("GET", "HEAD", "DELETE"):
            return super().unknown_record()
        return RecordNotFound(self.resource)


class TribeVenues(TribeContent, VenueViewSet):
    add_json_ld = staticmethod(add_place_json_ld)
    name_argument = "venue"
    examples = translate_examples(
        VenueViewSet.examples, "venue", "venues", lambda record: original_linked(record, URLS)
    )
    record_schema = original_schema("venue", examples["venue"])

    def to_original(self, record: Record) -> Record:
        return original_linked(record, self.urls)


class TribeOrganizers(TribeContent, OrganizerViewSet):
    add_json_ld = staticmethod(add_person_json_ld)
    name_argument = "organizer"
    examples = translate_examples(
        OrganizerViewSet.examples, "organizer", "organizers", lambda record: original_linked(record, URLS)
    )
    record_schema = original_schema("organizer", examples["organizer"])

    def to_original(self, record: Record) -> Record:
        return original_linked(record, self.urls)


class TribeTerms(TribeRecords, TermViewSet):
    name_argument = "name"

    def to_original(self, record: Record) -> Record:
        return original_term(record, self.collection)

    def contract_keys(self, selection: Selection) -> Iterable[str]:
        # `taxonomy` and `meta` are made of nothing.
        return ()

    def respond(self, record: Record, known: Iterable[str], **options: Any) -> Response:
        response = super().respond(record, known, **options)
        if self.action != "destroy":
            links = term_links(record, self.collection, self.urls, self.request.user)
            response.data = {**response.data, **self.selection.apply({"_links": links})}
        return response

    def location_of(self, saved: Any) -> str:
        return f"{self.urls.wp}/{WP_TERMS[self.collection]}/{saved.pk}"


class TribeCategories(TribeTerms, CategoryViewSet):
    examples = translate_examples(
        CategoryViewSet.examples, "category", "categories", lambda record: original_term(record, "categories")
    )
    record_schema = original_schema("category", examples["category"])


class TribeTags(TribeTerms, TagViewSet):
    examples = translate_examples(TagViewSet.examples, "tag", "tags", lambda record: original_term(record, "tags"))
    record_schema = original_schema("tag", examples["tag"])
