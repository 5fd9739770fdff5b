"""S4, broken access control: the attempts of strangers cover every way to write in the admin."""

import pytest
from django.apps import apps
from django.contrib import admin
from django.test import RequestFactory

from calendar_site.accounts.services import create_user
from taxonomy.models import Category, Tag
from tests.support.admin_attempts import others
from tests.support.admin_attempts.content import KINDS, content_attempts, list_attempts

# Pages that only show something, with the tests of who sees them.
SHOWN = {
    "changelist", "history", "compare", "calendar",  # tests/back_office
    "background",  # tests/events/test_background_actions.py
}  # fmt: skip
PAGES = {
    "index", "app_list", "search", "jsi18n", "autocomplete",  # tests/back_office
    "login", "logout", "sign_in_code", "password_change_done", "security", "second_factor",  # tests/accounts
    "media_image_autocomplete", "media_image_picker",  # tests/back_office/test_image_picker.py
    "password_reset", "password_reset_confirm", "accept_invitation",  # tests/accounts
    "events_event_series_preview",  # tests/events/test_series_admin.py
    "events_event_times_hint", "events_event_cost_hint",  # tests/events/test_event_form.py
    "events_event_written_times",  # tests/events/test_written_times.py
    "events_event_venue_zone",  # tests/venues/test_time_zones.py
    "events_event_series",  # tests/events/test_series_warnings.py
    "events_event_embed",  # tests/events/test_embed_page.py
    "events_event_summary",  # tests/events/test_calendar_summary.py
    "change_feed", "trash",  # tests/back_office
    "review",  # tests/review
    "form_draft", "discard_form_draft",  # tests/back_office/test_form_drafts.py
    "venues_venue_map",  # tests/venues
    "site_profile_siteprofile_preview",  # tests/back_office/test_site_admin.py
    "save_view", "rename_view", "delete_view",  # tests/back_office/test_saved_views.py
    # tests/transfer/test_source_pages.py
    "transfer_source_add", "transfer_source_change", "transfer_source_delete", "transfer_source_run",
    # tests/transfer
    "transfer_source_columns", "transfer_source_pairs", "transfer_source_event_from_link",
    "transfer_source_ids",
    "events_event_new",  # tests/events/test_new_event.py
    "venues_venue_quick_add", "organizers_organizer_quick_add",  # tests/back_office/test_quick_add.py
}  # fmt: skip
MODELS = ("events_event", "venues_venue", "organizers_organizer")


def all_attempts():
    return [
        *(attempt for kind in KINDS for attempt in (*content_attempts(kind), *list_attempts(kind))),
        *(attempt for model in (Category, Tag) for attempt in others.term_attempts(model)),
        *others.image_attempts(),
        *others.custom_field_attempts(),
        *others.site_profile_attempts(),
        *others.report_attempts(),
        *others.series_attempts(),
        *others.task_attempts(),
        *others.user_attempts(),
        *others.group_attempts(),
        *others.password_attempts(),
        *others.own_account_attempts(),
    ]


def admin_url_names(patterns):
    for pattern in patterns:
        if hasattr(pattern, "url_patterns"):
            yield from admin_url_names(pattern.url_patterns)
        elif pattern.name:
            yield pattern.name


def test_every_url_of_the_admin_is_attempted_or_a_page():
    tried = {attempt.url_name for attempt in all_attempts()} | {f"{model}_add" for model in MODELS} | PAGES
    untried = {
        name
        for name in admin_url_names(admin.site.get_urls())
        if name not in tried and name.rpartition("_")[2] not in SHOWN
    }

    assert untried == set()


@pytest.mark.django_db
def test_every_action_of_every_list_is_attempted():
    user = create_user("root", "administrator")
    tried = {attempt.url_name + " " + attempt.name.removeprefix("action: ") for attempt in all_attempts()}
    known = set()

    for model_admin in map(admin.site.get_model_admin, filter(admin.site.is_registered, apps.get_models())):
        for query in ("", "?status=trash"):
            request = RequestFactory().get(f"/{query}")
            request.user = user
            request.resolver_match = None
            here = f"{model_admin.opts.app_label}_{model_admin.opts.model_name}_changelist"
            known |= {f"{here} {name}" for name in model_admin.get_actions(request)}

    assert known - tried == set()
