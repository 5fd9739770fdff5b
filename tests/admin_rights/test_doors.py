"""No door of the admin is left out: what is new there has to be tried as well."""

import pytest
from django.contrib import admin
from django.test import RequestFactory

from calendar_site.accounts.services import create_user
from taxonomy.models import Category, Tag
from tests.admin_rights import test_others as others
from tests.admin_rights.content_doors import KINDS, writing_doors

# What only shows something, each with the test that asks who sees it.
SHOWN = {
    "changelist", "history", "compare", "calendar",  # test_content.py, tests/history
}  # fmt: skip
PAGES = {
    "index", "app_list", "search", "jsi18n", "view_on_site", "autocomplete",  # tests/content/test_back_office.py
    "login", "logout", "sign_in_code", "password_change_done", "security", "second_factor",  # tests/accounts
    "content_image_choices",  # tests/content/test_image_choice.py
    "events_event_told_times", "events_event_told_cost",  # tests/events/test_event_form.py
    "last_changes", "trash",  # tests/history
    "review",  # tests/review
    "venues_venue_places",  # tests/venues
}  # fmt: skip
MODELS = ("events_event", "venues_venue", "organizers_organizer")


def doors():
    return [
        *(door for kind in KINDS for door in writing_doors(kind)),
        *(door for model in (Category, Tag) for door in others.term_doors(model)),
        *others.image_doors(),
        *others.custom_field_doors(),
        *others.user_doors(),
        *others.group_doors(),
        *others.password_doors(),
        *others.own_doors(),
    ]


def routes(patterns):
    for pattern in patterns:
        if hasattr(pattern, "url_patterns"):
            yield from routes(pattern.url_patterns)
        elif pattern.name:
            yield pattern.name


def test_every_address_of_the_admin_is_a_door_or_a_page():
    tried = {door.route for door in doors()} | {f"{model}_add" for model in MODELS} | PAGES
    untried = {
        name for name in routes(admin.site.get_urls()) if name not in tried and name.rpartition("_")[2] not in SHOWN
    }

    assert untried == set()


@pytest.mark.django_db
def test_every_action_of_every_list_is_a_door():
    user = create_user("root", "administrator")
    tried = {door.route + " " + door.name.removeprefix("action: ") for door in doors()}
    known = set()

    for model_admin in admin.site._registry.values():
        for query in ("", "?status=trash"):
            request = RequestFactory().get(f"/{query}")
            request.user = user
            request.resolver_match = None
            here = f"{model_admin.opts.app_label}_{model_admin.opts.model_name}_changelist"
            known |= {f"{here} {name}" for name in model_admin.get_actions(request)}

    assert known - tried == set()
