"""Categories and tags over HTTP."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from calendar_site.api.errors import ContractError
from calendar_site.api.viewsets import RecordViewSet
from taxonomy.filtersets import CategoryFilterSet, TagFilterSet
from taxonomy.loading import CategoryRow, TagRow
from taxonomy.models import Category, Tag
from taxonomy.representation import represent_category, represent_tag
from taxonomy.serializers import CategoryInput, TagInput
from taxonomy.services import TermExists, create_term, delete_term, save_term


class TermViewSet(RecordViewSet):
    """Terms have no status, no trash and no addresses by slug."""

    def rows(self) -> QuerySet:
        return self.model.objects.counted()

    def create_row(self, fields: dict[str, Any]) -> Category | Tag:
        try:
            return create_term(self.model, fields, self.request.user)
        except TermExists as known:
            raise ContractError(
                _("There is a term of this name already."), code="term_exists", term_id=known.term.pk
            ) from known

    def update_row(self, fields: dict[str, Any]) -> Category | Tag:
        return save_term(self.row, fields)

    def remove_row(self, row: Category | Tag) -> dict[str, Any]:
        record = self.record_of(row)
        delete_term(row)
        return record


class CategoryViewSet(TermViewSet):
    model = Category
    collection = "categories"
    kind = "category"
    row_type = CategoryRow
    filterset_class = CategoryFilterSet
    input_class = CategoryInput
    represent = staticmethod(represent_category)


class TagViewSet(TermViewSet):
    model = Tag
    collection = "tags"
    kind = "tag"
    row_type = TagRow
    filterset_class = TagFilterSet
    input_class = TagInput
    represent = staticmethod(represent_tag)
