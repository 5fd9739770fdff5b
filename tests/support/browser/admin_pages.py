"""Every page of the admin, by URL name. New pages are tested automatically."""

from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.urls import URLResolver, reverse

# The record in the URLs of each model, by its key in `shown_records.py`.
MODELS = {
    "events_event": "event",
    "events_series": "series",
    "venues_venue": "venue",
    "organizers_organizer": "organizer",
    "taxonomy_category": "category",
    "taxonomy_tag": "tag",
    "media_image": "image",
    "custom_fields_customfield": "custom_field",
    "site_profile_siteprofile": "site_profile",
    "submissions_mistakereport": "mistake_report",
    "accounts_user": "user",
    "accounts_applicationpassword": "application_password",
    "auth_group": "group",
    "tasks_backgroundtask": "background_task",
    "transfer_source": "source",
}
# Query strings with which a page is tested. `None` is the URL without a query string.
QUERIES = {
    "events_event_calendar": ("view=month", "view=week", "view=day", "view=list"),
    "events_event_changelist": (None, "status=trash", "q=nothing-is-called-so"),
    "events_event_add": (None, "_popup=1"),
    "venues_venue_changelist": (None, "status=trash"),
    "venues_venue_add": (None, "_popup=1"),
    "organizers_organizer_add": (None, "_popup=1"),
    "taxonomy_tag_changelist": (None, "_popup=1"),
}
QUICK_EDITED = (
    "events_event", "venues_venue", "organizers_organizer", "taxonomy_category", "taxonomy_tag", "media_image"
)  # fmt: skip
# Pages of users that other records do not have.
ABOUT_USERS = ("auth_user_password_change", "accounts_user_reset_second_factor", "accounts_user_invite")
# Pages with the id of a user and a token, which are opened without signing in.
LINKS = ("accept_invitation", "password_reset_confirm")
# Responses to forms and scripts, and pages that other tests visit.
EXCLUDED_NAMES = {
    "accept_invitation",  # tested separately, without signing in
    "accounts_applicationpassword_history",  # denied: the history of the user includes it
    "autocomplete",
    "media_image_autocomplete",
    "media_image_picker",
    "discard_form_draft",
    "events_event_cancel",
    "events_event_detach",
    "events_event_undo_cancel",
    "events_event_duplicate",
    "events_event_flag",
    "events_event_move",
    "events_event_restore",
    "events_event_summary",
    "events_event_cost_hint",
    "events_event_series_preview",
    "events_event_times_hint",
    "events_event_written_times",
    "events_series_add",  # denied: series begin in the form of an event
    "events_series_delete",
    "events_series_split",
    "events_series_undo",
    "events_event_trash",
    "events_event_venue_zone",
    "form_draft",
    "jsi18n",
    *(f"{model}_{page}" for model in QUICK_EDITED for page in ("quick_edit", "undo", "background")),
    "login",  # tested separately, without signing in
    "logout",
    "events_event_new",
    "organizers_organizer_quick_add",
    "organizers_organizer_restore",
    "organizers_organizer_trash",
    "delete_view",
    "rename_view",
    "save_view",
    "password_reset",  # tested separately, without signing in
    "password_reset_confirm",
    "search",
    "sign_in_code",
    "sign_out_elsewhere",
    "site_profile_siteprofile_delete",  # denied: a site has one profile for good
    "site_profile_siteprofile_preview",
    "submissions_mistakereport_add",  # denied: visitors report mistakes
    "submissions_mistakereport_history",  # denied: reports have no history
    "tasks_backgroundtask_add",  # denied: tasks are read-only
    "tasks_backgroundtask_delete",
    "transfer_source_event_from_link",
    "transfer_source_ids",  # a file
    "transfer_source_history",  # denied: sources have no history
    "venues_venue_map",
    "venues_venue_quick_add",
    "venues_venue_restore",
    "venues_venue_trash",
}


def url_names() -> set[str]:
    """Return all URL names of the admin."""
    return set(_names_in(admin.site.get_urls()))


def _names_in(patterns: Any) -> Iterator[str]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from _names_in(pattern.url_patterns)
        elif pattern.name:
            yield pattern.name


def admin_pages() -> Iterator[tuple[str, str | None]]:
    """Yield the URL name and query string of each page."""
    for name in sorted(url_names() - EXCLUDED_NAMES):
        # The same for all kinds of records, so tested for events only.
        if name.endswith(("_compare", "_restore_revision", "_review")) and not name.startswith("events_event_"):
            continue
        for query in QUERIES.get(name, (None,)):
            yield name, query


def page_path(name: str, query: str | None, records: dict[str, Any]) -> str:
    """Return the path of a page, for the matching record if it needs one."""
    path = reverse(f"admin:{name}", args=_arguments(name, records))
    if name.endswith("_compare"):
        query = f"state={records['last_state']}"
    return f"{path}?{query}" if query else path


def _arguments(name: str, records: dict[str, Any]) -> list[Any]:
    if name == "app_list":
        return ["events"]
    if name == "confirm_email":
        return [records["email_token"]]
    if name in LINKS:
        return ["MQ", "x"]
    if name in ABOUT_USERS:
        return [records["user"]]
    model = next((model for model in MODELS if name.startswith(f"{model}_")), None)
    page = name.removeprefix(f"{model}_")
    if model is None or page in ("changelist", "add", "calendar", "embed", "pairs"):
        return []
    kind = MODELS[model]
    if page == "run":
        return [records["import_run"]]
    if page == "review":
        return [records["pending_event"]]
    if page == "restore_revision":
        return [records[kind], records["first_state"]]
    # Only trashed records can be deleted permanently.
    return [records.get(f"trashed_{kind}", records[kind]) if page == "delete" else records[kind]]
