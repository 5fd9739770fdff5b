"""Every other attempt to write in the admin: terms, images, custom fields, accounts, and one's own account."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group

from calendar_site.accounts.models import User
from calendar_site.accounts.services import create_application_password, create_user
from calendar_site.core import permissions
from calendar_site.custom_fields.models import CustomField
from calendar_site.custom_fields.services import save_custom_field
from calendar_site.media.library import prepare_image, save_image, store_image
from calendar_site.media.models import Image
from calendar_site.site_profile.models import SiteProfile
from calendar_site.site_profile.services import save_site_profile
from calendar_site.submissions.services import report_mistake
from calendar_site.tasks.models import BackgroundTask
from taxonomy.models import Category, Tag
from taxonomy.services import save_term
from tests.factories import OPERATOR, CategoryFactory, EventFactory, SeriesFactory, TagFactory, UserFactory
from tests.support.admin import browser_for
from tests.support.admin_attempts.attempt import PERSONS, all_rows, create_person, mismatches, try_attempt
from tests.support.admin_attempts.others import (
    custom_field_attempts,
    group_attempts,
    image_attempts,
    own_account_attempts,
    password_attempts,
    report_attempts,
    series_attempts,
    site_profile_attempts,
    task_attempts,
    term_attempts,
    user_attempts,
)
from tests.support.api_client import api_client_for
from tests.support.example_tasks import fail
from tests.support.image_files import plain_image
from tests.support.records import rolled_back
from tests.support.resources import CATEGORIES, TAGS

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files", "unrendered_pages")]


NOTHING = None


TERMS = {"category": (Category, CategoryFactory, CATEGORIES), "tag": (Tag, TagFactory, TAGS)}


def failures(attempts, user, rows):
    """Return what is wrong with the outcomes; in the end nothing must have changed."""
    client, before = browser_for(user if user.is_authenticated else None), all_rows()
    outcomes = {
        (attempt.name, name): try_attempt(attempt, client, user, row)
        for name, row in rows.items()
        for attempt in attempts
    }
    differences = mismatches(outcomes)
    assert differences or all_rows() == before
    return differences


@pytest.mark.parametrize("who", PERSONS)
@pytest.mark.parametrize("name", TERMS)
def test_terms(name, who):
    user = create_person(who)
    model, factory, resource = TERMS[name]
    factory(name="Other")
    term = save_term(model.objects.get(pk=factory(name="Before").pk), changes={"name": "Now"}, user=OPERATOR)

    assert failures(term_attempts(model), user, {name: term}) == {}
    api = api_client_for(user if user.is_authenticated else None)
    with rolled_back():
        made = api.post(resource.path, {"name": "Forged"})
    with rolled_back():
        changed = api.patch(resource.item(term), {"name": "Forged"})
    with rolled_back():
        deleted = api.delete(resource.item(term))
    assert [response.status_code < 400 for response in (made, changed, deleted)] == [
        permissions.can_create(user, model),
        permissions.can_edit(user, term),
        permissions.can_delete(user, term),
    ]


@pytest.mark.parametrize("who", PERSONS)
def test_background_tasks(who):
    user = create_person(who)
    task = BackgroundTask.objects.get(pk=fail.enqueue("no luck").id)
    BackgroundTask.objects.update(status="FAILED")

    assert failures(task_attempts(), user, {"failed": task}) == {}


@pytest.mark.parametrize("status", ["draft", "publish"])
@pytest.mark.parametrize("who", PERSONS)
def test_series(who, status):
    user = create_person(who)
    authors = {"own": user, "other": UserFactory()} if user.is_authenticated else {"other": UserFactory()}
    dates = {"start": "2030-05-04 10:00", "end": "2030-05-04 12:00", "time_zone": "UTC"}
    rows = {name: SeriesFactory(author=author, status=status, **dates) for name, author in authors.items()}

    assert failures(series_attempts(), user, rows) == {}


@pytest.mark.parametrize("who", PERSONS)
def test_images(who):
    user = create_person(who)
    authors = {"own": user, "other": UserFactory()} if user.is_authenticated else {"other": UserFactory()}
    rows = {}
    for name, author in authors.items():
        colour = {"own": "teal", "other": "navy"}[name]
        image = store_image(prepare_image(plain_image(colour=colour), "before.png"), user=OPERATOR, author_id=author.pk)
        rows[name] = save_image(Image.objects.get(pk=image.pk), changes={"name": "now"}, user=OPERATOR)

    assert failures(image_attempts(), user, rows) == {}


@pytest.mark.parametrize("who", PERSONS)
def test_custom_fields(who):
    new = {"resource": "event", "name": "depth", "label": "Before", "kind": "text"}
    save_custom_field(CustomField(), changes=new, user=OPERATOR)
    save_custom_field(CustomField.objects.get(), changes={"label": "Now"}, user=OPERATOR)

    assert failures(custom_field_attempts(), create_person(who), {"field": CustomField.objects.get()}) == {}


@pytest.mark.parametrize("who", PERSONS)
def test_site_profile(who):
    save_site_profile(SiteProfile(), changes={"name": "Before"}, user=OPERATOR)
    save_site_profile(SiteProfile.objects.get(), changes={"name": "Now"}, user=OPERATOR)

    assert failures(site_profile_attempts(), create_person(who), {"profile": SiteProfile.objects.get()}) == {}


@pytest.mark.parametrize("who", PERSONS)
def test_reported_mistakes(who):
    report = report_mistake(EventFactory(), "It begins at 11.", "")

    assert failures(report_attempts(), create_person(who), {"report": report}) == {}


@pytest.mark.parametrize("who", PERSONS)
def test_accounts(who):
    rows = {role: create_user(f"other-{role}", role) for role in ("administrator", "editor", "subscriber")}
    rows["superuser"] = User.objects.create(username="root", is_staff=True, is_superuser=True)

    assert failures(user_attempts(), create_person(who), rows) == {}


@pytest.mark.parametrize("who", PERSONS)
def test_groups(who):
    rows = {"role": Group.objects.get(name="editor"), "group": Group.objects.create(name="Friends")}

    assert failures(group_attempts(), create_person(who), rows) == {}


@pytest.mark.parametrize("who", PERSONS)
def test_application_passwords(who):
    user = create_person(who)
    rows = {}
    for role in ("administrator", "subscriber"):
        rows[role] = create_application_password(create_user(f"other-{role}", role), "phone")[0]
    root = User.objects.create(username="root", is_superuser=True)
    rows["superuser"] = create_application_password(root, "phone")[0]

    assert failures(password_attempts(), user, rows) == {}


@pytest.mark.parametrize("who", PERSONS)
def test_what_is_ones_own(who):
    assert failures(own_account_attempts(), create_person(who), {"own": NOTHING}) == {}
