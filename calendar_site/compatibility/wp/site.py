"""The description of the site in `wp/v2`: types, taxonomies, settings, and empty lists of unsupported records."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.conf import settings
from django.utils.translation import get_language
from rest_framework.request import Request
from rest_framework.response import Response

from calendar_site.api.description.arguments import Arguments
from calendar_site.api.description.operations import ID_IN_PATH, SLUG_IN_PATH
from calendar_site.compatibility.addresses import WP
from calendar_site.compatibility.errors import denied, unknown_record
from calendar_site.compatibility.wp.users import is_administrator
from calendar_site.compatibility.wp.views import WPView
from calendar_site.site_profile.current import load_name, load_profile
from calendar_site.site_profile.models import FirstWeekday


class PostType(NamedTuple):
    """A type of records of WordPress. The names are those that clients of the original know, in English."""

    name: str
    slug: str
    rest_base: str
    taxonomies: list[str]
    hierarchical: bool = False
    has_archive: bool = False


class Taxonomy(NamedTuple):
    name: str
    slug: str
    rest_base: str
    types: list[str]
    hierarchical: bool


TYPES = (
    PostType("Posts", "post", "posts", ["category", "post_tag"]),
    PostType("Pages", "page", "pages", [], hierarchical=True),
    PostType("Media", "attachment", "media", []),
    PostType("Events", "tribe_events", "tribe_events", ["post_tag", "tribe_events_cat"], has_archive=True),
    PostType("Venues", "tribe_venue", "tribe_venue", []),
    PostType("Organizers", "tribe_organizer", "tribe_organizer", []),
)
TAXONOMIES = (
    Taxonomy("Categories", "category", "categories", ["post"], hierarchical=True),
    Taxonomy("Tags", "post_tag", "tags", ["post", "tribe_events"], hierarchical=False),
    Taxonomy("Event Categories", "tribe_events_cat", "tribe_events_cat", ["tribe_events"], hierarchical=True),
)


# The first day of a week as WordPress counts it; Monday by default.
WEEKDAYS: dict[str, int] = {FirstWeekday.SUNDAY: 0, FirstWeekday.MONDAY: 1, FirstWeekday.SATURDAY: 6}


class DescriptionView(WPView):
    """A view of a table of descriptions by slug, or of one of them."""

    descriptions: tuple[PostType | Taxonomy, ...] = ()
    # The last part of the path, and the code for an unknown slug.
    base = ""
    unknown_code = ""

    def get(self, request: Request, slug: str = "", **path: str) -> Response:
        self.ignore_arguments_except()
        by_slug = {entry.slug: self.represent(entry) for entry in self.descriptions}
        if not slug:
            return Response(self.selection.apply(by_slug))
        if slug not in by_slug:
            raise unknown_record(self.unknown_code)
        return Response(self.selection.apply(by_slug[slug]))

    def represent(self, entry: PostType | Taxonomy) -> dict[str, Any]:
        collection = f"{self.urls.wp}/{self.base}"
        return {
            **entry._asdict(),
            "description": "",
            "rest_namespace": WP,
            "_links": {
                "collection": [{"href": collection}],
                "self": [{"href": f"{collection}/{entry.slug}"}],
                "wp:items": [{"href": f"{self.urls.wp}/{entry.rest_base}"}],
            },
        }


class Types(DescriptionView):
    descriptions = TYPES
    base = "types"
    unknown_code = "rest_type_invalid"


class TypeItem(Types):
    def get_path_arguments(self) -> Arguments:
        return {"slug": SLUG_IN_PATH}


class Taxonomies(DescriptionView):
    descriptions = TAXONOMIES
    base = "taxonomies"
    unknown_code = "rest_taxonomy_invalid"


class TaxonomyItem(Taxonomies):
    def get_path_arguments(self) -> Arguments:
        return {"slug": SLUG_IN_PATH}


class SettingsView(WPView):
    """The settings that administrators may read."""

    def get(self, request: Request, **path: str) -> Response:
        self.ignore_arguments_except()
        if not is_administrator(request.user):
            raise denied(request, "rest_forbidden")
        record = {
            "title": load_name(),
            "description": "",
            "url": self.urls.site,
            "email": settings.DEFAULT_FROM_EMAIL or "",
            "timezone": settings.SITE_TIME_ZONE,
            "date_format": "Y-m-d",
            "time_format": "H:i",
            "start_of_week": WEEKDAYS.get(load_profile().first_weekday, 1),
            "language": get_language() or "",
            "posts_per_page": settings.PER_PAGE_DEFAULT,
        }
        return Response(self.selection.apply(record))


class EmptyList(WPView):
    """A kind of records that the service does not have: clients find none."""

    def get(self, request: Request, **path: str) -> Response:
        return Response([], headers={"X-WP-Total": "0", "X-WP-TotalPages": "0"})


class UnknownItem(WPView):
    """A record of such a kind."""

    def get(self, request: Request, **path: str) -> Response:
        raise unknown_record("rest_post_invalid_id")

    def get_path_arguments(self) -> Arguments:
        return {"id": ID_IN_PATH}
