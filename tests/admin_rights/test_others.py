"""Every other door of the admin: terms, images, custom fields, accounts, and what is one's own."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group
from django.core.files.uploadedfile import SimpleUploadedFile

from calendar_site.accounts.models import ApplicationPassword, User
from calendar_site.accounts.rules import can_manage, roles_to_give
from calendar_site.accounts.services import create_application_password, create_user
from calendar_site.content import rules
from calendar_site.content.custom_fields import save_custom_field
from calendar_site.content.images import keep_image, prepare_image, save_image
from calendar_site.content.merging import may_merge
from calendar_site.content.models import CustomField, Image
from taxonomy.models import Category, Tag
from taxonomy.services import save_term
from tests.admin import client_of
from tests.admin_rights.matrix import PEOPLE, Door, everything, opened, person, undone, wrong
from tests.api import client_of as api_client_of
from tests.api_tests.resources import CATEGORIES, TAGS
from tests.factories import OPERATOR, CategoryFactory, TagFactory, UserFactory
from tests.pictures import drawn

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

NOTHING = None
TERMS = {"category": (Category, CategoryFactory, CATEGORIES), "tag": (Tag, TagFactory, TAGS)}


def list_of(model):
    return f"/admin/{model._meta.app_label}/{model._meta.model_name}/"


def route(model, page):
    return f"{model._meta.app_label}_{model._meta.model_name}_{page}"


def page(row, name):
    return f"{list_of(type(row))}{row.pk}/{name}/"


def may(action, model):
    return lambda user, row: rules.may(user, action, model)


def can_edit(user, row):
    return rules.can_edit(user, row)


def can_delete(user, row):
    return rules.can_delete(user, row)


def adding(model, may_add, **fields):
    return Door(route(model, "add"), "add", lambda c, r: c.post(f"{list_of(model)}add/", fields), may_add)


def popup(model, may_add, **fields):
    return Door(
        route(model, "add"), "add beside", lambda c, r: c.post(f"{list_of(model)}add/?_popup=1", fields), may_add
    )


def changing(model, may_change, fields):
    return Door(route(model, "change"), "change", lambda c, r: c.post(page(r, "change"), fields(r)), may_change)


def deleting(model, may_delete):
    return [
        Door(route(model, "delete"), "delete", lambda c, r: c.post(page(r, "delete"), {"post": "yes"}), may_delete),
        Door(
            route(model, "changelist"),
            "action: delete_selected",
            lambda c, r: c.post(
                list_of(model), {"action": "delete_selected", "_selected_action": [r.pk], "post": "yes"}
            ),
            may_delete,
        ),
    ]


def bringing_back(model, may_change):
    def attempt(client, row):
        states = model.history.filter(id=row.pk).order_by("-history_id").values_list("history_id", flat=True)
        newest, oldest = states[0], list(states)[-1]
        return client.post(page(row, f"history/{oldest}"), {"newest": newest})

    return Door(route(model, "bring_back"), "bring back", attempt, may_change)


def tried(doors, user, rows):
    """What is wrong with the answers; nothing must be changed in the end."""
    client, before = client_of(user if user.is_authenticated else None), everything()
    answers = {(door.name, name): opened(door, client, user, row) for name, row in rows.items() for door in doors}
    differences = wrong(answers)
    assert differences or everything() == before
    return differences


# --- Terms ---------------------------------------------------------------------------------------


def term_doors(model):
    def merging(client, row):
        other = model.objects.get(name="Other")
        chosen = {"action": "merge", "_selected_action": [row.pk, other.pk], "kept": row.pk}
        return client.post(list_of(model), chosen)

    new = {"name": "Forged", "slug": "", "description": ""}
    return [
        adding(model, may("add", model), **new),
        popup(model, may("add", model), **new),
        changing(model, can_edit, lambda row: {**new, "slug": row.slug}),
        *deleting(model, can_delete),
        bringing_back(model, can_edit),
        Door(route(model, "changelist"), "action: merge", merging, may_merge),
    ]


@pytest.mark.parametrize("who", PEOPLE)
@pytest.mark.parametrize("name", TERMS)
def test_terms(name, who):
    user = person(who)
    model, factory, resource = TERMS[name]
    factory(name="Other")
    term = save_term(model.objects.get(pk=factory(name="Before").pk), {"name": "Now"}, OPERATOR)

    assert tried(term_doors(model), user, {name: term}) == {}
    program = api_client_of(user if user.is_authenticated else None)
    with undone():
        made = program.post(resource.address, {"name": "Forged"})
    with undone():
        changed = program.patch(resource.item(term), {"name": "Forged"})
    with undone():
        deleted = program.delete(resource.item(term))
    assert [response.status_code < 400 for response in (made, changed, deleted)] == [
        rules.can_create(user, model),
        rules.can_edit(user, term),
        rules.can_delete(user, term),
    ]


# --- Images and custom fields --------------------------------------------------------------------


def image_doors():
    def upload(client, row, **headers):
        file = SimpleUploadedFile("new.png", drawn(colour="red"), "image/png")
        return client.post(f"{list_of(Image)}add/", {"pictures": [file], "credit": ""}, headers=headers)

    fields = {"name": "Forged", "alt": "", "credit": "", "focus_x": "0.5", "focus_y": "0.5"}
    return [
        Door(route(Image, "add"), "upload", upload, may("add", Image)),
        Door(
            route(Image, "add"),
            "upload beside",
            lambda c, r: upload(c, r, Accept="application/json"),
            may("add", Image),
        ),
        changing(Image, can_edit, lambda row: fields),
        *deleting(Image, can_delete),
        bringing_back(Image, can_edit),
    ]


@pytest.mark.parametrize("who", PEOPLE)
def test_images(who):
    user = person(who)
    authors = {"own": user, "other": UserFactory()} if user.is_authenticated else {"other": UserFactory()}
    rows = {}
    for name, author in authors.items():
        colour = {"own": "teal", "other": "navy"}[name]
        image = keep_image(prepare_image(drawn(colour=colour), "before.png"), OPERATOR, author_id=author.pk)
        rows[name] = save_image(Image.objects.get(pk=image.pk), {"name": "now"}, OPERATOR)

    assert tried(image_doors(), user, rows) == {}


def custom_field_doors():
    fields = {"label": "Forged", "position": "0"}
    new = {**fields, "name": "forged", "resource": "event", "kind": "text", "choices": ""}
    return [
        adding(CustomField, may("add", CustomField), **new),
        changing(CustomField, can_edit, lambda row: fields),
        *deleting(CustomField, can_delete),
        bringing_back(CustomField, can_edit),
    ]


@pytest.mark.parametrize("who", PEOPLE)
def test_custom_fields(who):
    new = {"resource": "event", "name": "depth", "label": "Before", "kind": "text"}
    save_custom_field(CustomField(), new, OPERATOR)
    save_custom_field(CustomField.objects.get(), {"label": "Now"}, OPERATOR)

    assert tried(custom_field_doors(), person(who), {"field": CustomField.objects.get()}) == {}


# --- Accounts ------------------------------------------------------------------------------------

NEW_PASSWORD = {"password1": "a long password", "password2": "a long password", "usable_password": "true"}


def manages(action):
    return lambda user, account: rules.may(user, action, User) and can_manage(user, account)


def bringing_back_never(model):
    """Accounts and groups are not brought back to what they were."""

    def attempt(client, row):
        state = model.history.filter(id=row.pk).first()
        number = state.history_id if state else 1
        return client.post(page(row, f"history/{number}"), {"newest": number})

    return Door(route(model, "bring_back"), "bring back", attempt, lambda user, row: False)


def user_doors():
    return [
        bringing_back_never(User),
        adding(User, may("add", User), username="forged", **NEW_PASSWORD),
        changing(User, manages("change"), lambda row: {"username": "forged", "is_active": "on"}),
        *deleting(User, manages("delete")),
        Door(
            "auth_user_password_change",
            "password",
            lambda c, r: c.post(page(r, "password"), NEW_PASSWORD),
            manages("change"),
        ),
        Door(
            "reset_second_factor",
            "second factor",
            lambda c, r: c.post(page(r, "reset-second-factor")),
            manages("change"),
        ),
    ]


@pytest.mark.parametrize("who", PEOPLE)
def test_accounts(who):
    rows = {role: create_user(f"other-{role}", role) for role in ("administrator", "editor", "subscriber")}
    rows["superuser"] = User.objects.create(username="root", is_staff=True, is_superuser=True)

    assert tried(user_doors(), person(who), rows) == {}


def group_doors():
    def within_reach(user, group):
        return rules.may(user, "change", Group) and roles_to_give(user).filter(pk=group.pk).exists()

    def can_be_deleted(user, group):
        return rules.may(user, "delete", Group) and group.name == "Friends"

    return [
        bringing_back_never(Group),
        adding(Group, may("add", Group), name="Forged"),
        changing(Group, within_reach, lambda row: {"name": f"{row.name}-forged"}),
        *deleting(Group, can_be_deleted),
    ]


@pytest.mark.parametrize("who", PEOPLE)
def test_groups(who):
    rows = {"role": Group.objects.get(name="editor"), "group": Group.objects.create(name="Friends")}

    assert tried(group_doors(), person(who), rows) == {}


def password_doors():
    def can_revoke(user, password):
        return rules.may(user, "delete", ApplicationPassword) and can_manage(user, password.user)

    def can_make(user, password):
        return rules.may(user, "add", ApplicationPassword) and can_manage(user, password.user)

    return [
        Door(
            route(ApplicationPassword, "add"),
            "add",
            lambda c, r: c.post(f"{list_of(ApplicationPassword)}add/", {"user": r.user_id, "label": "forged"}),
            can_make,
        ),
        changing(ApplicationPassword, lambda user, row: False, lambda row: {"label": "forged"}),
        *deleting(ApplicationPassword, can_revoke),
        Door(
            "own_passwords",
            "revoke as one's own",
            lambda c, r: c.post("/admin/account/application-passwords/", {"revoke": r.label}),
            lambda user, row: False,
        ),
    ]


@pytest.mark.parametrize("who", PEOPLE)
def test_application_passwords(who):
    user = person(who)
    rows = {}
    for role in ("administrator", "subscriber"):
        rows[role] = create_application_password(create_user(f"other-{role}", role), "phone")[0]
    root = User.objects.create(username="root", is_superuser=True)
    rows["superuser"] = create_application_password(root, "phone")[0]

    assert tried(password_doors(), user, rows) == {}


# --- One's own -----------------------------------------------------------------------------------


def everybody_inside(user, row):
    return True


def own_doors():
    return [
        Door(
            "own_passwords",
            "own password for a program",
            lambda c, r: c.post("/admin/account/application-passwords/", {"label": "forged"}),
            everybody_inside,
        ),
        Door(
            "sign_out_elsewhere",
            "sign out elsewhere",
            lambda c, r: c.post("/admin/account/security/sign-out-elsewhere/"),
            everybody_inside,
        ),
        Door(
            "password_change",
            "own password, the old one not known",
            lambda c, r: c.post(
                "/admin/password_change/",
                {"old_password": "x", "new_password1": "a long one", "new_password2": "a long one"},
            ),
            lambda user, row: False,
        ),
    ]


@pytest.mark.parametrize("who", PEOPLE)
def test_what_is_ones_own(who):
    assert tried(own_doors(), person(who), {"own": NOTHING}) == {}
