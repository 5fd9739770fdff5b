"""The parameters of the lists of `wp/v2`."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from django.db.models import Case, Q, Value, When
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from calendar_site.api.lists.filters import (
    SEARCH_HELP,
    ChoiceFilter,
    DateTimeFilter,
    IdsFilter,
    ListFilter,
    PositiveFilter,
    SearchFilter,
    StatusesFilter,
)
from calendar_site.api.lists.filtersets import ContractFilterSet, no_filter
from calendar_site.api.lists.orders import ORDERS
from calendar_site.core import clock
from calendar_site.core.clock import Moments
from calendar_site.core.search.query import SearchQuery
from calendar_site.core.slugs import decode_slug, slugify
from taxonomy.filtersets import CategoryFilterSet, TagFilterSet
from taxonomy.models import Category

MAX_PER_PAGE = 100
DEFAULT_PER_PAGE = 10


class PageSizeFilter(PositiveFilter):
    """The number of records on a page. Unlike in the contract, more than the limit is an error."""

    schema = {"type": "integer", "minimum": 1, "maximum": MAX_PER_PAGE}

    def parse(self, value: object) -> int:
        size = super().parse(value)
        if size > MAX_PER_PAGE:
            raise ValueError(_("Must be at most %(maximum)s.") % {"maximum": MAX_PER_PAGE})
        return size


class SlugsFilter(ListFilter):
    """A list of slugs."""

    schema = {"type": "array", "items": {"type": "string"}}

    def parse(self, value: object) -> list[str]:
        return [decode_slug(str(slug)) for slug in super().parse(value)]


def per_page_filter() -> PageSizeFilter:
    return PageSizeFilter(
        method=no_filter, help_text=gettext_lazy("The number of records per page."), initial=DEFAULT_PER_PAGE
    )


def ids_filter(*, excluded: bool = False) -> IdsFilter:
    """Return the filter `include` or `exclude`, whose ids need not exist."""
    help_text = (
        gettext_lazy("All records except those with these ids.")
        if excluded
        else gettext_lazy("Only records with these ids.")
    )
    return IdsFilter(field_name="pk", lookup_expr="in", exclude=excluded, help_text=help_text)


def slug_filter() -> SlugsFilter:
    return SlugsFilter(field_name="slug", lookup_expr="in", help_text=gettext_lazy("Only records with these slugs."))


class WPFilterSet(ContractFilterSet):
    """The parameters of all lists. Rows are ordered by `order_columns`, in the default order by the first of them."""

    order_columns: ClassVar[dict[str, str]]
    default_direction: ClassVar[str] = "desc"

    per_page = per_page_filter()
    search = SearchFilter(method="filter_by_search", help_text=SEARCH_HELP)
    include = ids_filter()
    exclude = ids_filter(excluded=True)
    order = ChoiceFilter(
        method=no_filter, help_text=gettext_lazy("The sort direction: asc or desc."), schema={"enum": ORDERS}
    )

    @property
    def page_size(self) -> int:
        size: int = self.get("per_page", DEFAULT_PER_PAGE)
        return size

    def filter_by_search(self, queryset: Any, name: str, text: str) -> Any:
        return queryset.matching(text)

    def filter_queryset(self, queryset: Any) -> Any:
        return self.in_order(super().filter_queryset(queryset))

    def in_order(self, rows: Any) -> Any:
        key = self.get("orderby", next(iter(self.order_columns)))
        sign = "-" if self.get("order", self.default_direction) == "desc" else ""
        if key == "include":
            ids = self.get("include", [])
            return rows.order_by(*([_position_in(ids)] if ids else []), "pk")
        return rows.order_by(f"{sign}{self.order_columns.get(key, 'pk')}", f"{sign}pk")


def _position_in(ids: list[int]) -> Case:
    return Case(*(When(pk=pk, then=Value(position)) for position, pk in enumerate(ids)), default=Value(len(ids)))


def order_filter(columns: dict[str, str], *others: str) -> ChoiceFilter:
    """Return the filter `orderby` with these keys."""
    return ChoiceFilter(
        method=no_filter, help_text=gettext_lazy("The field to sort by."), schema={"enum": [*columns, *others]}
    )


class PublishedFilterSet(WPFilterSet):
    """The parameters of records that have an author and a date."""

    after = DateTimeFilter(
        method="filter_by_date", help_text=gettext_lazy("Only records that were published after this time.")
    )
    before = DateTimeFilter(
        method="filter_by_date", help_text=gettext_lazy("Only records that were published before this time.")
    )
    author = IdsFilter(
        field_name="author_id", lookup_expr="in", help_text=gettext_lazy("Only records of these authors, by id.")
    )
    date_column: ClassVar[str] = "published_at"

    def filter_by_date(self, queryset: Any, name: str, moment: datetime) -> Any:
        return queryset.filter(**{f"{self.date_column}__{'gt' if name == 'after' else 'lt'}": moment})


CONTENT_ORDER = {
    "date": "published_at", "id": "pk", "title": "title", "slug": "slug", "modified": "modified_at",
    "author": "author_id",
}  # fmt: skip


class WPContentFilterSet(PublishedFilterSet):
    """The parameters of venues and organizers: by default published ones, the newest first."""

    order_columns = CONTENT_ORDER
    orderby = order_filter(CONTENT_ORDER, "include", "relevance")
    slug = slug_filter()
    status = StatusesFilter(
        method="filter_by_status", help_text=gettext_lazy("Only records with any of these statuses.")
    )

    def filter_by_status(self, queryset: Any, name: str, statuses: list[str]) -> Any:
        return queryset.with_statuses(statuses, self.user)

    def filter_queryset(self, queryset: Any) -> Any:
        return super().filter_queryset(queryset if "status" in self.filters else queryset.published())


class WPEventFilterSet(WPContentFilterSet):
    """The parameters of events that have not ended."""

    tags = IdsFilter(method="filter_by_terms", help_text=gettext_lazy("Only events with any of these tags, by id."))
    tribe_events_cat = IdsFilter(
        method="filter_by_terms", help_text=gettext_lazy("Only events in any of these categories, by id.")
    )

    def filter_by_terms(self, queryset: Any, name: str, ids: list[int]) -> Any:
        # A filter by a term would tell that of an event that hides it.
        shown = queryset.with_fields_visible_to(self.user)
        if name == "tags":
            return shown.linked_to("tags", ids)
        return shown.linked_to("categories", Category.objects.descendant_ids(ids))

    def filter_by_search(self, queryset: Any, name: str, text: str) -> Any:
        return queryset.matching_for(text, self.user)

    def filter_queryset(self, queryset: Any) -> Any:
        return super().filter_queryset(queryset.listed().ending_after(clock.now_among(Moments.EVENT_END)))


class WPTermParameters:
    """The differences from the term lists of the contract."""

    hides_empty = False

    @property
    def page_size(self: Any) -> int:
        return self.get("per_page", DEFAULT_PER_PAGE)


class WPCategoryFilterSet(WPTermParameters, CategoryFilterSet):
    per_page = per_page_filter()
    include, exclude, slug = ids_filter(), ids_filter(excluded=True), slug_filter()


class WPTagFilterSet(WPTermParameters, TagFilterSet):
    per_page = per_page_filter()
    include, exclude, slug = ids_filter(), ids_filter(excluded=True), slug_filter()


MEDIA_ORDER = {
    "date": "created_at",
    "id": "pk",
    "title": "name",
    "slug": "name",
    "modified": "modified_at",
    "author": "author_id",
}


class MediaFilterSet(PublishedFilterSet):
    """The parameters of images, the newest first."""

    order_columns = MEDIA_ORDER
    orderby = order_filter(MEDIA_ORDER, "include", "relevance")
    date_column = "created_at"
    media_type = ChoiceFilter(
        method="filter_by_media_type",
        help_text=gettext_lazy("Only files of this kind. There are only images."),
        schema={"enum": ["image", "video", "text", "application", "audio"]},
    )
    mime_type = ListFilter(
        field_name="media_type", lookup_expr="in", help_text=gettext_lazy("Only images of these media types.")
    )

    slug = SlugsFilter(method="filter_by_slug", help_text=gettext_lazy("Only records with these slugs."))

    def filter_by_slug(self, queryset: Any, name: str, slugs: list[str]) -> Any:
        """Filter by what the names of images become as slugs, which are not stored. One query for the names."""
        named = queryset.order_by().values_list("pk", "name")
        return queryset.filter(pk__in=[pk for pk, image_name in named if slug_of_image(pk, image_name) in slugs])

    def filter_by_media_type(self, queryset: Any, name: str, kind: str) -> Any:
        return queryset if kind == "image" else queryset.none()


def slug_of_image(pk: int, name: str) -> str:
    return slugify(name) or f"image-{pk}"


USER_ORDER = {"name": "first_name", "id": "pk", "registered_date": "date_joined", "slug": "pk"}


class UserFilterSet(WPFilterSet):
    """The parameters of accounts."""

    order_columns = USER_ORDER
    default_direction = "asc"
    orderby = order_filter(USER_ORDER, "include")
    slug = SlugsFilter(method="filter_by_slug", help_text=gettext_lazy("Only accounts with these slugs."))

    def filter_by_slug(self, queryset: Any, name: str, slugs: list[str]) -> Any:
        ids = [slug.removeprefix("user-") for slug in slugs]
        return queryset.filter(pk__in=[int(pk) for pk in ids if pk.isdecimal() and len(pk) <= 18])

    def filter_by_search(self, queryset: Any, name: str, text: str) -> Any:
        """Filter to accounts whose name contains each word. A search by usernames would tell them (D9)."""
        for word in SearchQuery.parse(text).required:
            queryset = queryset.filter(Q(first_name__icontains=word) | Q(last_name__icontains=word))
        return queryset
