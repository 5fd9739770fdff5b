"""Categories and tags over HTTP."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from django.utils.translation import gettext_lazy

from calendar_site.api.description.operations import WRITE_METHODS, Summaries
from calendar_site.api.errors import ContractError
from calendar_site.api.output.selection import Selection
from calendar_site.api.viewsets import Record, RecordViewSet
from taxonomy.filtersets import CategoryFilterSet, TagFilterSet
from taxonomy.loading import CategoryRow, TagRow
from taxonomy.models import Category, Tag
from taxonomy.representation import TermRecord, represent_category, represent_tag
from taxonomy.schemas import EXAMPLES, TERM
from taxonomy.serializers import CategorySerializer, NotHierarchical, TagSerializer
from taxonomy.services import TermChanges, TermExists, category_services, create_term, delete_term, tag_services


class NameTaken(ContractError):
    default_code = "term_exists"
    default_detail = gettext_lazy("A term with this name already exists.")

    def __init__(self, pk: int) -> None:
        super().__init__(term_id=pk)


class TermViewSet(RecordViewSet):
    """Terms, which have no status, no trash and no routes by slug."""

    model: ClassVar[Any]
    represent: ClassVar[Callable[..., TermRecord]]
    refuses_pages_past_end = False

    def get_queryset(self) -> Any:
        return super().get_queryset().with_published_counts()

    def represent_rows(self, rows: Iterable[Any], selection: Selection) -> list[TermRecord]:
        return [type(self).represent(row, self.urls) for row in rows]

    def get_errors(self, method: str) -> list[ContractError]:
        is_create = method == "POST" and not self.detail
        return super().get_errors(method) + ([NameTaken(self.examples[self.resource]["id"])] if is_create else [])

    def perform_create(self, changes: TermChanges) -> Category | Tag:
        try:
            return create_term(self.model, changes=changes, user=self.request.user)
        except TermExists as error:
            raise NameTaken(error.term.pk) from error

    def perform_destroy(self, row: Category | Tag) -> Record:
        record = self.represent_row(row)
        delete_term(row, user=self.request.user)
        return record


class CategoryViewSet(TermViewSet):
    model = Category
    collection = "categories"
    resource = "category"
    tag_description = gettext_lazy("Categories of events. Categories can be nested.")
    summaries = Summaries(
        list=gettext_lazy("List categories"),
        create=gettext_lazy("Create a category"),
        get=gettext_lazy("Get a category"),
        update=gettext_lazy("Update a category"),
        delete=gettext_lazy("Delete a category"),
    )
    row_type = CategoryRow
    services = category_services
    filterset_class = CategoryFilterSet
    serializer_class = CategorySerializer
    record_schema = TERM
    examples = EXAMPLES
    represent = staticmethod(represent_category)


class TagViewSet(TermViewSet):
    model = Tag
    collection = "tags"
    resource = "tag"
    tag_description = gettext_lazy("Tags of events.")
    summaries = Summaries(
        list=gettext_lazy("List tags"),
        create=gettext_lazy("Create a tag"),
        get=gettext_lazy("Get a tag"),
        update=gettext_lazy("Update a tag"),
        delete=gettext_lazy("Delete a tag"),
    )
    row_type = TagRow
    services = tag_services
    filterset_class = TagFilterSet
    serializer_class = TagSerializer
    represent = staticmethod(represent_tag)
    record_schema = TERM
    examples = EXAMPLES

    def get_errors(self, method: str) -> list[ContractError]:
        return super().get_errors(method) + ([NotHierarchical()] if method in WRITE_METHODS else [])
