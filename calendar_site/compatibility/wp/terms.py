"""Categories and tags in `wp/v2`: the views of the contract with other keys, codes and parameters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response

from calendar_site.api.errors import (
    ContractError,
    Forbidden,
    InvalidParams,
    NotAuthenticated,
    RecordNotFound,
)
from calendar_site.api.idempotency import idempotent, write_and_respond
from calendar_site.api.input import values
from calendar_site.api.viewsets import Record
from calendar_site.compatibility.addresses import TAXONOMIES, WP, WP_TERMS
from calendar_site.compatibility.bare_lists import bare_list, read_page, valid_filters
from calendar_site.compatibility.entities import decode_names
from calendar_site.compatibility.errors import denied, unknown_record
from calendar_site.compatibility.tribe.records import term_links
from calendar_site.compatibility.views import OriginalRecords
from calendar_site.compatibility.wp.filtersets import WPCategoryFilterSet, WPTagFilterSet
from calendar_site.compatibility.wp.views import WPView
from calendar_site.core import permissions
from taxonomy.views import CategoryViewSet, TagViewSet, TermViewSet

CODES = {"create": "rest_cannot_create", "update": "rest_cannot_update", "destroy": "rest_cannot_delete"}


class WPTerms(WPView, OriginalRecords, TermViewSet):
    original_namespace: ClassVar[str] = WP

    @property
    def url(self) -> str:
        return f"{self.urls.wp}/{WP_TERMS[self.collection]}"

    def translate_arguments(self, arguments: dict[str, Any]) -> dict[str, Any]:
        # Terms have no other texts: nothing is stored in `meta`.
        return decode_names({name: value for name, value in arguments.items() if name != "meta"})

    def translate_error(self, error: Exception) -> Exception:
        if isinstance(error, RecordNotFound):
            return unknown_record("rest_term_invalid")
        if isinstance(error, exceptions.PermissionDenied | exceptions.NotAuthenticated | Forbidden | NotAuthenticated):
            return denied(self.request, CODES[self.action]) if self.action in CODES else error
        if isinstance(error, exceptions.ValidationError) and "parent" in error.detail:
            return ContractError(_("There is no category with this id."), code="rest_term_invalid")
        return error

    def list(self, request: Request, **path: str) -> Response:
        self.check_context(permissions.has_model_permission(request.user, "change", self.model))
        rows = self.model.objects.with_published_counts()
        filterset = valid_filters(self.filterset_class(self.arguments, rows, request=request))
        self.ignore_arguments_except(filterset.filters)
        page, found = read_page(filterset)
        records = (self.represent_whole(row) for row in found)
        return bare_list(records, page, self.url, filterset, self.selection)

    def retrieve(self, request: Request, **path: str) -> Response:
        self.check_context(permissions.has_model_permission(request.user, "change", self.model))
        return super().retrieve(request, **path)

    @idempotent
    def destroy(self, request: Request, **path: str) -> Response:
        """Delete a term for good, which clients have to confirm: terms have no trash."""

        def validate() -> Record:
            row = self.get_unchanged_object()
            check_forced(self.arguments)
            return self.represent_whole(self._find_row(self.get_queryset().filter(pk=row.pk)))

        def delete(previous: Record) -> Record:
            self.perform_destroy(self.row)
            return previous

        def respond(previous: Record) -> Response:
            self.ignore_arguments_except(("force",))
            return Response(self.selection.apply({"deleted": True, "previous": previous}))

        return write_and_respond(self, validate, delete, respond)

    def represent_whole(self, row: Any) -> dict[str, Any]:
        record = type(self).represent(row, self.urls)
        return {**self.to_original(record), "_links": self.links_of(record)}

    def to_original(self, record: Record) -> dict[str, Any]:
        parent = {"parent": record["parent"]} if "parent" in record else {}
        return {
            "id": record["id"],
            "count": record["count"],
            "description": record["description"],
            "link": record["url"],
            "name": record["name"],
            "slug": record["slug"],
            "taxonomy": TAXONOMIES[self.collection],
            **parent,
            "meta": [],
        }

    def links_of(self, record: Record) -> dict[str, Any]:
        return term_links(record, self.collection, self.urls, self.request.user)

    def respond(self, record: Record, known: Iterable[str], **options: Any) -> Response:
        response = super().respond(record, known, **options)
        response.data = {**response.data, **self.selection.apply({"_links": self.links_of(record)})}
        return response

    def location_of(self, saved: Any) -> str:
        return f"{self.url}/{saved.pk}"


class WPCategories(WPTerms, CategoryViewSet):
    filterset_class = WPCategoryFilterSet


class WPTags(WPTerms, TagViewSet):
    filterset_class = WPTagFilterSet


def check_forced(arguments: dict[str, Any]) -> None:
    """Raise the original's error unless the client confirms that a record without a trash is deleted for good."""
    try:
        is_forced = values.parse_boolean(arguments.get("force", False))
    except ValueError as error:
        raise InvalidParams({"force": str(error)}) from error
    if not is_forced:
        message = _("There is no trash for this record. Send force=true to delete it permanently.")
        raise ContractError(message, code="rest_trash_not_supported", status=501)
