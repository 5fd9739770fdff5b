"""The routes of `wp/v2`."""

from typing import Any

from django.urls import URLPattern, re_path

from calendar_site.compatibility.addresses import WP, WP_TYPES
from calendar_site.compatibility.kinds import KINDS
from calendar_site.compatibility.root import NamespaceView
from calendar_site.compatibility.wp.media import MediaItem, MediaList
from calendar_site.compatibility.wp.records import WPContentItem, WPContentList
from calendar_site.compatibility.wp.site import (
    EmptyList,
    SettingsView,
    Taxonomies,
    TaxonomyItem,
    TypeItem,
    Types,
    UnknownItem,
)
from calendar_site.compatibility.wp.terms import WPCategories, WPTags
from calendar_site.compatibility.wp.users import OwnUser, UserItem, UserList

ID = "(?P<id>[0-9]+)"
SLUG = r"(?P<slug>[\w-]+)"
# What WordPress has and the service does not.
OTHERS = "posts|pages|categories|comments"
TERM_LIST: dict[str, Any] = {"get": "list", "post": "create"}
TERM_ITEM: dict[str, Any] = {
    "get": "retrieve",
    "post": "update",
    "put": "update",
    "patch": "update",
    "delete": "destroy",
}


def wp_patterns() -> list[URLPattern]:
    """Return the URL patterns below the namespace, for the views that describe them."""
    return urlpatterns


def content_patterns() -> list[URLPattern]:
    return [
        pattern
        for kind in KINDS
        for pattern in (
            re_path(rf"^{WP_TYPES[kind.collection]}/?\Z", WPContentList.as_view(kind=kind)),
            re_path(rf"^{WP_TYPES[kind.collection]}/{ID}/?\Z", WPContentItem.as_view(kind=kind)),
        )
    ]


def term_patterns() -> list[URLPattern]:
    return [
        pattern
        for path, view in (("tribe_events_cat", WPCategories), ("tags", WPTags))
        for pattern in (
            re_path(rf"^{path}/?\Z", view.as_view(TERM_LIST, detail=False)),
            re_path(rf"^{path}/{ID}/?\Z", view.as_view(TERM_ITEM, detail=True)),
        )
    ]


urlpatterns = [
    re_path(r"^\Z", NamespaceView.as_view(patterns=wp_patterns, original_namespace=WP)),
    re_path(r"^users/me/?\Z", OwnUser.as_view()),
    re_path(r"^users/?\Z", UserList.as_view()),
    re_path(rf"^users/{ID}/?\Z", UserItem.as_view()),
    re_path(r"^media/?\Z", MediaList.as_view()),
    re_path(rf"^media/{ID}/?\Z", MediaItem.as_view()),
    *term_patterns(),
    *content_patterns(),
    re_path(r"^types/?\Z", Types.as_view()),
    re_path(rf"^types/{SLUG}/?\Z", TypeItem.as_view()),
    re_path(r"^taxonomies/?\Z", Taxonomies.as_view()),
    re_path(rf"^taxonomies/{SLUG}/?\Z", TaxonomyItem.as_view()),
    re_path(r"^settings/?\Z", SettingsView.as_view()),
    *(
        pattern
        for name in OTHERS.split("|")
        for pattern in (
            re_path(rf"^{name}/?\Z", EmptyList.as_view()),
            re_path(rf"^{name}/{ID}/?\Z", UnknownItem.as_view()),
        )
    ),
]
