"""Categories and tags over HTTP."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy

from calendar_site.api.errors import ContractError
from calendar_site.api.operations import WRITES
from calendar_site.api.viewsets import RecordViewSet
from taxonomy.filtersets import CategoryFilterSet, TagFilterSet
from taxonomy.loading import CategoryRow, TagRow
from taxonomy.models import Category, Tag
from taxonomy.representation import represent_category, represent_tag
from taxonomy.schemas import EXAMPLES, TERM
from taxonomy.serializers import CategoryInput, NotHierarchical, TagInput
from taxonomy.services import TermExists, create_term, delete_term, save_term


class NameTaken(ContractError):
    default_code = "term_exists"
    default_detail = gettext_lazy("There is a term of this name already.")

    def __init__(self, pk: int) -> None:
        super().__init__(term_id=pk)


class TermViewSet(RecordViewSet):
    """Terms have no status, no trash and no addresses by slug."""

    def rows(self) -> QuerySet:
        return self.model.objects.counted()

    def errors_of(self, method: str) -> list[ContractError]:
        is_create = method == "POST" and not self.detail
        return super().errors_of(method) + ([NameTaken(self.examples[self.kind]["id"])] if is_create else [])

    def create_row(self, fields: dict[str, Any]) -> Category | Tag:
        try:
            return create_term(self.model, fields, self.request.user)
        except TermExists as known:
            raise NameTaken(known.term.pk) from known

    def update_row(self, fields: dict[str, Any]) -> Category | Tag:
        return save_term(self.row, fields, self.request.user)

    def remove_row(self, row: Category | Tag) -> dict[str, Any]:
        record = self.record_of(row)
        delete_term(row, self.request.user)
        return record


class CategoryViewSet(TermViewSet):
    model = Category
    collection = "categories"
    kind = "category"
    about = gettext_lazy("Categories of events. They may have others below them.")
    row_type = CategoryRow
    filterset_class = CategoryFilterSet
    input_class = CategoryInput
    record_schema = TERM
    examples = EXAMPLES
    represent = staticmethod(represent_category)


class TagViewSet(TermViewSet):
    model = Tag
    collection = "tags"
    kind = "tag"
    about = gettext_lazy("Tags of events.")
    row_type = TagRow
    filterset_class = TagFilterSet
    input_class = TagInput
    represent = staticmethod(represent_tag)
    record_schema = TERM
    examples = EXAMPLES

    def errors_of(self, method: str) -> list[ContractError]:
        return super().errors_of(method) + ([NotHierarchical()] if method in WRITES else [])
