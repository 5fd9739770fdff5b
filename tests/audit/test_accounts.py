"""The history of accounts and roles: permissions, and changes of secrets without the secrets themselves."""

from binascii import unhexlify

import pytest
from django.contrib.auth.models import Group, Permission
from django.core.management import call_command
from django_otp.oath import TOTP

from calendar_site.accounts.models import User
from calendar_site.accounts.services import create_user
from calendar_site.accounts.sign_in.second_factor import enable_second_factor, generate_key
from tests.support.admin import browser_for, run_action, submit_form
from tests.support.history import all_revisions, last_revision, recorded_changes

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

USERS = "/admin/accounts/user/"
GROUPS = "/admin/auth/group/"
PASSWORDS = "/admin/accounts/applicationpassword/"
MADE = ("created", "", "command", [])
SECRET = "a-very-long-passphrase"


@pytest.fixture
def ann_with_email(db):
    return create_user("ann", "author", email="ann@example.org")


@pytest.fixture
def client(administrator):
    return browser_for(administrator)


def test_commands_record_accounts_and_their_passwords_for_programs():
    call_command("create_user", "ann", role="author", application_password="laptop")
    call_command("create_application_password", "ann", "phone")
    call_command("revoke_application_password", "ann", "laptop", "--dry-run")
    call_command("revoke_application_password", "ann", "laptop")

    ann = User.objects.get()
    labels = [state.history_extra["application_passwords"] for state in ann.history.order_by("history_id")]
    changed = ("changed", "", "command", ["application_passwords"])
    assert recorded_changes(ann) == [MADE, changed, changed, changed]
    assert labels == [[], ["laptop"], ["laptop", "phone"], ["phone"]]


def test_a_form_records_fields_roles_and_rights_as_one_change(client, ann_with_email):
    roles = Group.objects.filter(name__in=["editor", "contributor"])
    right = Permission.objects.get(codename="publish_venue")

    submit_form(client, f"{USERS}{ann_with_email.pk}/change/", first_name="Ann", groups=[role.pk for role in roles])
    submit_form(client, f"{USERS}{ann_with_email.pk}/change/", user_permissions=[right.pk])
    submit_form(client, f"{USERS}{ann_with_email.pk}/change/")

    assert recorded_changes(ann_with_email) == [
        MADE,
        ("changed", "administrator", "admin", ["first_name", "groups"]),
        ("changed", "administrator", "admin", ["user_permissions"]),
    ]
    assert last_revision(ann_with_email).first_name == "Ann"
    assert last_revision(ann_with_email).history_extra == {
        "groups": ["contributor", "editor"],
        "user_permissions": ["venues.publish_venue"],
        "application_passwords": [],
        "second_factor": False,
        "password": False,
    }


def test_a_new_account_is_recorded_once(client):
    fields = {"username": "ann", "usable_password": "true", "password1": SECRET, "password2": SECRET, "groups": []}
    client.post(f"{USERS}add/", fields)

    ann = User.objects.get(username="ann")
    assert recorded_changes(ann) == [("created", "administrator", "admin", [])]
    assert (last_revision(ann).username, last_revision(ann).history_extra["password"]) == ("ann", True)


def test_of_a_password_it_is_kept_that_there_is_a_new_one(client, ann_with_email):
    path = f"{USERS}{ann_with_email.pk}/password/"

    for password in (SECRET, f"{SECRET}-2"):
        client.post(path, {"usable_password": "true", "password1": password, "password2": password})
    client.post(path, {"usable_password": "true", "password1": "short", "password2": "short"})

    ann_with_email.refresh_from_db()
    assert recorded_changes(ann_with_email) == [MADE, *[("changed", "administrator", "admin", ["password"])] * 2]
    rows = str(all_revisions())
    assert SECRET not in rows
    assert ann_with_email.password not in rows
    assert f"{ann_with_email.password.partition('$')[0]}$" not in rows


def test_a_password_of_ones_own_is_recorded(ann_with_email):
    ann_with_email.set_password(SECRET)
    ann_with_email.save()
    client, new = browser_for(User.objects.get(pk=ann_with_email.pk)), f"{SECRET}-2"
    path = "/admin/password_change/"

    client.post(path, {"old_password": "wrong", "new_password1": new, "new_password2": new})
    client.post(path, {"old_password": SECRET, "new_password1": new, "new_password2": new})

    assert recorded_changes(ann_with_email) == [MADE, ("changed", "ann", "admin", ["password"])]
    assert last_revision(ann_with_email).history_extra["groups"] == ["author"]


def test_signing_in_is_no_change(ann_with_email):
    browser_for(ann_with_email).get("/admin/")

    assert recorded_changes(ann_with_email) == [MADE]


def test_passwords_for_programs_are_recorded_with_their_account(client, ann_with_email):
    client.post(f"{PASSWORDS}add/", {"user": ann_with_email.pk, "label": "laptop"})
    client.post(f"{PASSWORDS}add/", {"user": ann_with_email.pk, "label": "phone"})
    laptop, phone = ann_with_email.application_passwords.order_by("label")
    client.post(f"{PASSWORDS}{laptop.pk}/delete/", {"post": "yes"})
    run_action(client, PASSWORDS, "delete_selected", [phone], post="yes")

    changed = ("changed", "administrator", "admin", ["application_passwords"])
    assert recorded_changes(ann_with_email) == [MADE, *[changed] * 4]
    labels = [state.history_extra["application_passwords"] for state in ann_with_email.history.order_by("history_id")]
    assert labels == [[], ["laptop"], ["laptop", "phone"], ["phone"], []]
    assert laptop.digest not in str(all_revisions())


def test_a_deleted_account_keeps_its_last_state(client, ann_with_email):
    bob = create_user("bob", "editor")

    client.post(f"{USERS}{ann_with_email.pk}/delete/", {"post": "yes"})
    run_action(client, USERS, "delete_selected", [bob], post="yes")

    assert [recorded_changes(user)[1:] for user in (ann_with_email, bob)] == [
        [("deleted", "administrator", "admin", [])]
    ] * 2
    assert (last_revision(ann_with_email).email, last_revision(ann_with_email).history_extra["groups"]) == (
        "ann@example.org",
        ["author"],
    )


def test_groups_are_recorded_with_their_permissions(administrator):
    administrator.is_superuser = True
    administrator.save()
    client = browser_for(administrator)
    one, other = Permission.objects.filter(codename__in=["view_tag", "change_tag"]).order_by("codename")

    client.post(f"{GROUPS}add/", {"name": "Taggers", "permissions": [one.pk]})
    group = Group.objects.get(name="Taggers")
    client.post(f"{GROUPS}{group.pk}/change/", {"name": "Taggers", "permissions": [one.pk, other.pk]})
    client.post(f"{GROUPS}{group.pk}/change/", {"name": "Tag people", "permissions": [one.pk, other.pk]})
    client.post(f"{GROUPS}{group.pk}/change/", {"name": "Tag people", "permissions": [one.pk, other.pk]})
    client.post(f"{GROUPS}{group.pk}/delete/", {"post": "yes"})

    by = ("administrator", "admin")
    assert recorded_changes(group) == [
        ("created", *by, []),
        ("changed", *by, ["permissions"]),
        ("changed", *by, ["name"]),
        ("deleted", *by, []),
    ]
    assert last_revision(group).name == "Tag people"
    assert last_revision(group).history_extra == {"permissions": ["taxonomy.change_tag", "taxonomy.view_tag"]}


def test_whoever_may_not_change_accounts_leaves_no_trace(editor, ann_with_email):
    client, before = browser_for(editor), all_revisions()

    client.post(f"{USERS}{ann_with_email.pk}/change/", {"username": "eve"})
    client.post(
        f"{USERS}{ann_with_email.pk}/password/", {"usable_password": "true", "password1": SECRET, "password2": SECRET}
    )

    assert all_revisions() == before


def test_ones_own_passwords_for_programs_are_recorded(ann_with_email):
    client, page = browser_for(ann_with_email), "/admin/account/application-passwords/"

    client.post(page, {"label": "laptop"})
    client.post(page, {"revoke": "laptop"})

    assert recorded_changes(ann_with_email) == [MADE, *[("changed", "ann", "admin", ["application_passwords"])] * 2]


def test_the_second_factor_is_recorded_but_not_its_key(ann_with_email, client):
    key = generate_key()
    enable_second_factor(User.objects.get(pk=ann_with_email.pk), key, f"{TOTP(unhexlify(key)).token():06}")
    client.post(f"{USERS}{ann_with_email.pk}/reset-second-factor/")

    assert recorded_changes(ann_with_email) == [
        MADE,
        ("changed", "ann", "command", ["second_factor"]),
        ("changed", "administrator", "admin", ["second_factor"]),
    ]
    assert key not in str(all_revisions())
