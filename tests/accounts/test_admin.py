"""Accounts in the admin: query counts, and that users cannot grant themselves or others more permissions."""

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group, Permission
from django.test import Client
from django.urls import path
from django.utils.translation import override
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from calendar_site.accounts.models import ApplicationPassword, User
from calendar_site.accounts.services import (
    create_application_password,
    create_user,
    find_application_password,
)
from calendar_site.accounts.sign_in.second_factor import renew_backup_codes
from tests.support.admin import column_texts, form_data, form_errors, listed_titles, messages_in, submit_form
from tests.support.history import recorded_changes

urlpatterns = [path("admin/", admin.site.urls)]

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.urls(__name__),
    pytest.mark.usefixtures("plain_static_files"),
]

USERS = "/admin/accounts/user/"
GROUPS = "/admin/auth/group/"
PASSWORDS = "/admin/accounts/applicationpassword/"


@pytest.fixture
def ada_browser(client, ada):
    client.force_login(ada)
    return client


@pytest.fixture
def superuser_browser(client, superuser):
    client.force_login(superuser)
    return client


def user_with_rights(username, *codenames):
    user = User.objects.create(username=username, is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=codenames))
    return user


def form_of(user, **changes):
    """What the form of an account sends when it is saved unchanged, but for `changes`."""
    fields = {
        "username": user.username,
        "first_name": "",
        "last_name": "",
        "email": user.email,
        "is_active": "on",
        "is_staff": "on",
        "groups": [group.pk for group in user.groups.all()],
        "user_permissions": [permission.pk for permission in user.user_permissions.all()],
        "last_login_0": "",
        "last_login_1": "",
        "date_joined_0": "2027-03-10",
        "date_joined_1": "12:00:00",
    }
    if user.is_superuser:
        fields["is_superuser"] = "on"
    return {**fields, **changes}


def sorted_names(queryset):
    return sorted(row.name for row in queryset)


# --- Users ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 3])
def test_user_list_query_count(ada_browser, django_assert_num_queries, count):
    for number in range(count):
        create_user(f"user{number}", "author")

    # session, user, permissions, groups of the filter, count, page, groups of the page
    with django_assert_num_queries(7):
        response = ada_browser.get(USERS)

    assert response.context["cl"].result_count == count + 1


def test_user_list_shows_the_roles(ada_browser):
    create_user("ann", "author").groups.add(Group.objects.create(name="choir"))

    response = ada_browser.get(USERS, {"q": "ann"})

    assert column_texts(response, "roles") == ["Author, choir"]


@pytest.mark.parametrize(("query", "found"), [("ann", ["ann"]), ("example", ["ben"]), ("zoe", [])])
def test_user_list_is_searched(ada_browser, query, found):
    create_user("ann", "author")
    create_user("ben", "author", email="b@example.org")

    response = ada_browser.get(USERS, {"q": query})

    assert [user.username for user in response.context["cl"].result_list] == found


def test_administrator_adds_a_user_with_a_role(ada_browser):
    fields = {
        "username": "ann",
        "email": "ann@example.org",
        "usable_password": "false",
        "groups": [Group.objects.get(name="editor").pk],
        "is_staff": "on",
        "is_superuser": "on",
    }

    response = ada_browser.post(f"{USERS}add/", fields)

    ann = User.objects.get(username="ann")
    assert response["Location"] == f"{USERS}{ann.pk}/change/"
    assert (ann.email, ann.is_staff, ann.is_superuser) == ("ann@example.org", True, False)
    assert sorted_names(ann.groups.all()) == ["editor"]


def test_administrator_changes_the_role_of_a_user(ada_browser, ann):
    editor = Group.objects.get(name="editor")

    response = ada_browser.post(f"{USERS}{ann.pk}/change/", form_of(ann, groups=[editor.pk]))

    assert response["Location"] == USERS
    assert sorted_names(ann.groups.all()) == ["editor"]


def test_administrator_makes_nobody_a_superuser(ada_browser, ada, ann):
    for user in (ann, ada):
        response = ada_browser.post(f"{USERS}{user.pk}/change/", form_of(user, is_superuser="on"))
        assert response["Location"] == USERS

    assert not User.objects.filter(is_superuser=True).exists()


@pytest.mark.parametrize("browser", ["administrator_browser", "superuser_browser"])
def test_own_password_is_not_changed_without_the_old_one(request, browser):
    client = request.getfixturevalue(browser)
    user = User.objects.get(pk=client.session["_auth_user_id"])
    fields = {"password1": "correct horse", "password2": "correct horse", "usable_password": "true"}

    responses = [client.post(f"{USERS}{pk}/password/", fields) for pk in (user.pk, f"0{user.pk}", f"+{user.pk}")]

    assert [response["Location"] for response in responses] == ["/admin/password_change/"] * 3
    assert User.objects.get(pk=user.pk).password == user.password


def test_changing_the_password_of_another_user_ends_their_sessions(ada_browser, ann):
    browser = Client()
    browser.force_login(ann)
    fields = {"password1": "correct horse", "password2": "correct horse", "usable_password": "true"}

    response = ada_browser.post(f"{USERS}{ann.pk}/password/", fields)

    ann.refresh_from_db()
    assert response.status_code == 302
    assert ann.check_password("correct horse")
    assert browser.get("/admin/").status_code == 302


def test_superuser_makes_a_superuser(superuser_browser, ann):
    response = superuser_browser.post(f"{USERS}{ann.pk}/change/", form_of(ann, is_superuser="on"))

    ann.refresh_from_db()
    assert response["Location"] == USERS
    assert ann.is_superuser


@pytest.mark.parametrize("is_active", [True, False])
def test_administrator_may_only_view_a_superuser(ada_browser, superuser, is_active):
    superuser.is_active = is_active
    superuser.save()
    page = f"{USERS}{superuser.pk}/"
    password = {"password1": "correct horse", "password2": "correct horse", "usable_password": "true"}

    assert ada_browser.get(f"{page}change/").status_code == 200
    assert ada_browser.post(f"{page}change/", form_of(superuser, username="mine")).status_code == 403
    assert ada_browser.get(f"{page}password/").status_code == 403
    assert ada_browser.post(f"{page}password/", password).status_code == 403
    assert ada_browser.post(f"{page}delete/", {"post": "yes"}).status_code == 403
    selected = {"action": "delete_selected", "_selected_action": [superuser.pk], "post": "yes"}
    assert ada_browser.post(USERS, selected).status_code == 403

    root = User.objects.get(pk=superuser.pk)
    assert root.username == "root"
    assert root.check_password("root's own password")


def test_managers_of_users_cannot_grant_permissions_they_lack(client, ann):
    manager = user_with_rights("manager", "change_user", "view_event")
    client.force_login(manager)
    mine = Group.objects.create(name="readers")
    mine.permissions.set(Permission.objects.filter(codename="view_event"))
    administrator = Group.objects.get(name="administrator")
    page = f"{USERS}{manager.pk}/change/"

    refused = [
        client.post(page, form_of(manager, groups=[administrator.pk])),
        client.post(page, form_of(manager, user_permissions=[Permission.objects.get(codename="add_user").pk])),
        client.post(f"{USERS}{ann.pk}/change/", form_of(ann, email="mine@example.org")),
        client.post(f"{USERS}{ann.pk}/password/", {}),
    ]
    argument = client.post(page, form_of(manager, groups=[mine.pk]))

    assert [response.status_code for response in refused] == [200, 200, 403, 403]
    assert argument["Location"] == USERS
    assert sorted_names(manager.groups.all()) == ["readers"]
    assert sorted_names(manager.user_permissions.all()) == ["Can change user", "Can view event"]


def roles_in(response):
    return [str(label) for _value, label in response.context["adminform"].form.fields["groups"].choices]


def test_form_shows_the_labels_of_roles(ada_browser, ann):
    Group.objects.create(name="<choir>")

    shown = roles_in(ada_browser.get(f"{USERS}{ann.pk}/change/"))

    assert shown == [
        "<b>Administrator</b> – Manages everything, including accounts and custom fields",
        "<b>Editor</b> – Manages all events, venues, organizers, categories, tags and images",
        "<b>Author</b> – Writes and publishes their own events, venues and organizers",
        "<b>Contributor</b> – Writes their own events, venues and organizers, and submits them for review",
        "<b>Subscriber</b> – Read-only access",
        "<b>&lt;choir&gt;</b>",
    ]


def test_form_offers_the_roles_that_the_manager_can_assign(client):
    manager = user_with_rights("manager", "add_user", "change_user", "view_user")
    client.force_login(manager)

    assert roles_in(client.get(f"{USERS}add/")) == ["<b>Subscriber</b> – Read-only access"]


def test_read_only_fields_have_our_labels_and_help_texts(ada_browser, ann):
    page = ada_browser.get(f"{USERS}{ann.pk}/change/").content.decode()

    assert "Has all permissions, regardless of roles." in page
    assert "superuser status" not in page.lower()
    assert "Designates that" not in page


def test_new_account_can_sign_in_by_default(ada_browser):
    fields = form_data(ada_browser.get(f"{USERS}add/"))

    assert fields["is_staff"] == ["on"]
    ada_browser.post(f"{USERS}add/", {"username": "shop", "usable_password": "false"})
    shop = User.objects.get(username="shop")
    assert (shop.is_staff, shop.has_usable_password()) == (False, False)


def test_unchanged_form_changes_nothing(ada_browser, ann):
    before = User.objects.values().get(pk=ann.pk)

    response = submit_form(ada_browser, f"{USERS}{ann.pk}/change/")

    assert response["Location"] == USERS
    assert User.objects.values().get(pk=ann.pk) == before
    assert sorted_names(ann.groups.all()) == ["author"]


def test_form_shows_no_hash(ada_browser, superuser):
    page = ada_browser.get(f"{USERS}{superuser.pk}/change/").content.decode()

    assert superuser.password.split("$")[0] not in page


@pytest.mark.parametrize(
    ("query", "found"),
    [("author", ["ann"]), ("administrator", ["ada"]), ("subscriber", []), ("", ["ada", "ann"]), ("king", [])],
)
def test_user_list_is_filtered_by_role(ada_browser, ann, query, found):
    assert listed_titles(ada_browser.get(USERS, {"role": query})) == found


# --- The second factor of others -----------------------------------------------------------------


def reset_page(user):
    return f"{USERS}{user.pk}/reset-second-factor/"


def test_form_shows_the_second_factor(ada_browser, ann, time_machine):
    time_machine.move_to("2030-01-15 12:00+00:00", tick=False)
    ada_browser.force_login(User.objects.get(username="ada"))
    page = f"{USERS}{ann.pk}/change/"

    before = ada_browser.get(page).content.decode()
    device = TOTPDevice.objects.create(user=ann)
    after = ada_browser.get(page).content.decode()

    assert reset_page(ann) not in before
    assert "On since 15 Jan 2030." in after
    assert reset_page(ann) in after
    assert device.key not in after


def test_administrator_resets_the_second_factor_of_others(ada_browser, ada, ann):
    TOTPDevice.objects.create(user=ann)
    renew_backup_codes(ann)
    browser = Client()
    browser.force_login(ann)

    asked = ada_browser.get(reset_page(ann))
    assert asked.status_code == 200
    assert TOTPDevice.objects.exists()
    done = ada_browser.post(reset_page(ann))

    assert (done.status_code, done["Location"]) == (302, f"{USERS}{ann.pk}/change/")
    assert messages_in(done) == ["Two-factor authentication for ann has been turned off."]
    assert (TOTPDevice.objects.count(), StaticDevice.objects.count()) == (0, 0)
    assert browser.get("/admin/").status_code == 302
    assert recorded_changes(ann)[-1] == ("changed", ada.username, "admin", ["second_factor"])


def test_administrator_does_not_reset_the_second_factor_of_a_superuser(ada_browser, superuser):
    TOTPDevice.objects.create(user=superuser)

    results = [ada_browser.get(reset_page(superuser)), ada_browser.post(reset_page(superuser))]

    assert [answer.status_code for answer in results] == [403, 403]
    assert TOTPDevice.objects.exists()


def test_own_second_factor_is_not_reset_without_the_password(ada_browser, ada):
    TOTPDevice.objects.create(user=ada)

    answer = ada_browser.post(reset_page(ada))

    assert (answer.status_code, answer["Location"]) == (302, "/admin/account/second-factor/")
    assert TOTPDevice.objects.exists()


@pytest.mark.parametrize("role", ["editor", "author", "contributor"])
def test_other_roles_cannot_reset_a_second_factor(client, ann, role):
    TOTPDevice.objects.create(user=ann)
    client.force_login(create_user("ben", role))

    assert client.post(reset_page(ann)).status_code == 403
    assert TOTPDevice.objects.exists()


def test_reset_of_an_unknown_user_is_not_found(ada_browser):
    assert ada_browser.post(f"{USERS}99999/reset-second-factor/").status_code == 404
    assert ada_browser.post(f"{USERS}99999999999999999999/reset-second-factor/").status_code == 404


# --- Groups --------------------------------------------------------------------------------------


def test_group_list_describes_the_roles(ada_browser):
    Group.objects.create(name="choir")

    response = ada_browser.get(GROUPS)

    assert listed_titles(response) == ["administrator", "editor", "author", "contributor", "subscriber", "choir"]
    assert column_texts(response, "meaning")[4:] == ["Read-only access", ""]


def test_administrator_changes_the_permissions_of_a_role(ada_browser):
    subscriber = Group.objects.get(name="subscriber")
    allowed = Permission.objects.get(codename="add_event")
    fields = {"name": "reader", "permissions": [allowed.pk]}

    response = ada_browser.post(f"{GROUPS}{subscriber.pk}/change/", fields)

    subscriber.refresh_from_db()
    assert response["Location"] == GROUPS
    assert (subscriber.name, sorted_names(subscriber.permissions.all())) == ("subscriber", ["Can add event"])


def test_roles_cannot_be_deleted_but_other_groups_can(superuser_browser):
    role, choir = Group.objects.get(name="subscriber"), Group.objects.create(name="choir")

    refused = superuser_browser.post(f"{GROUPS}{role.pk}/delete/", {"post": "yes"})
    deleted = superuser_browser.post(f"{GROUPS}{choir.pk}/delete/", {"post": "yes"})

    assert (refused.status_code, deleted.status_code) == (403, 302)
    assert [group.name for group in Group.objects.filter(name__in=("choir", "subscriber"))] == ["subscriber"]


def test_managers_of_groups_cannot_grant_permissions_they_lack(client):
    manager = user_with_rights("manager", "change_group", "view_group", "view_event")
    client.force_login(manager)
    group = Group.objects.create(name="readers")
    author = Group.objects.get(name="author")
    lacking = Permission.objects.get(codename="change_user")
    held = Permission.objects.get(codename="view_event")

    refused = [
        client.post(f"{GROUPS}{group.pk}/change/", {"name": "readers", "permissions": [lacking.pk]}),
        client.post(f"{GROUPS}{author.pk}/change/", {"permissions": [held.pk]}),
    ]
    argument = client.post(f"{GROUPS}{group.pk}/change/", {"name": "readers", "permissions": [held.pk]})

    assert [response.status_code for response in refused] == [200, 403]
    assert argument["Location"] == GROUPS
    assert sorted_names(group.permissions.all()) == ["Can view event"]


# --- Application passwords -----------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 3])
def test_application_password_list_query_count(ada_browser, django_assert_num_queries, count):
    for number in range(count):
        create_application_password(create_user(f"user{number}", "author"), "phone")

    # session, user, permissions, count, page with its users
    with django_assert_num_queries(5):
        response = ada_browser.get(PASSWORDS)

    assert response.context["cl"].result_count == count


@pytest.mark.parametrize(("query", "found"), [("ann", ["phone"]), ("lap", ["laptop"]), ("zoe", [])])
def test_application_password_list_is_searched(ada_browser, secret, query, found):
    create_application_password(create_user("ben", "author"), "laptop")

    response = ada_browser.get(PASSWORDS, {"q": query})

    assert [row.label for row in response.context["cl"].result_list] == found


def test_adding_an_application_password_shows_its_secret_once(ada_browser, ann):
    response = ada_browser.post(f"{PASSWORDS}add/", {"user": ann.pk, "label": "<b>phone"})

    password = ApplicationPassword.objects.get(user=ann, label="<b>phone")
    assert response.status_code == 200
    assert "Application password “&lt;b&gt;phone”" in response.content.decode()
    secret = response.context["secret"]
    assert secret in response.content.decode()
    assert find_application_password(secret) == password
    assert secret not in ada_browser.get(PASSWORDS).content.decode()
    assert list(response.cookies) == ["csrftoken"]


@pytest.mark.parametrize(
    ("label", "message"),
    [
        ("phone", "This user already has an application password for this client."),
        (" phone ", "This user already has an application password for this client."),
        ("", "This field is required."),
        ("a\x1bb", "Must be a single line of text without control characters."),
        ("x" * 101, "Ensure this value has at most 100 characters (it has 101)."),
    ],
)
def test_invalid_label_of_an_application_password_is_rejected(ada_browser, ann, secret, label, message):
    response = ada_browser.post(f"{PASSWORDS}add/", {"user": ann.pk, "label": label})

    errors = response.context["adminform"].form.errors
    assert [str(text) for texts in errors.values() for text in texts] == [message]
    assert ApplicationPassword.objects.count() == 1


def test_nobody_gets_more_application_passwords_than_the_limit(ada_browser, ann):
    for number in range(20):
        create_application_password(ann, f"program {number}")

    response = ada_browser.post(f"{PASSWORDS}add/", {"user": ann.pk, "label": "phone"})

    assert form_errors(response) == {
        "__all__": ["A user can have at most 20 application passwords. Revoke one that is no longer used."]
    }
    assert ann.application_passwords.count() == 20


def test_application_password_is_looked_at_but_not_changed(ada_browser, secret):
    password = ApplicationPassword.objects.get()

    page = ada_browser.get(f"{PASSWORDS}{password.pk}/change/")
    saved = ada_browser.post(f"{PASSWORDS}{password.pk}/change/", {"label": "mine"})

    assert page.status_code == 200
    assert password.digest not in page.content.decode()
    assert saved.status_code == 403
    assert ApplicationPassword.objects.get().label == "phone"


def test_deleting_an_application_password_revokes_it(ada_browser, secret):
    password = ApplicationPassword.objects.get()

    response = ada_browser.post(f"{PASSWORDS}{password.pk}/delete/", {"post": "yes"})

    assert response.status_code == 302
    assert find_application_password(secret) is None


def test_administrator_does_not_touch_the_passwords_of_a_superuser(ada_browser, superuser):
    password, _secret = create_application_password(superuser, "phone")

    added = ada_browser.post(f"{PASSWORDS}add/", {"user": superuser.pk, "label": "mine"})
    deleted = ada_browser.post(f"{PASSWORDS}{password.pk}/delete/", {"post": "yes"})

    assert list(added.context["adminform"].form.errors) == ["user"]
    assert deleted.status_code == 403
    assert [row.label for row in ApplicationPassword.objects.all()] == ["phone"]


def test_users_without_the_permission_to_change_users_see_their_own_passwords_only(client, ann, secret):
    rights = ("add_applicationpassword", "view_applicationpassword", "delete_applicationpassword")
    ben = user_with_rights("ben", *rights)
    client.force_login(ben)
    theirs = ApplicationPassword.objects.get()

    own = client.post(f"{PASSWORDS}add/", {"user": ben.pk, "label": "laptop"})
    foreign = client.post(f"{PASSWORDS}add/", {"user": ann.pk, "label": "laptop"})
    listed = client.get(PASSWORDS)
    client.post(f"{PASSWORDS}{theirs.pk}/delete/", {"post": "yes"})

    assert own.context["password"].label == "laptop"
    assert list(foreign.context["adminform"].form.errors) == ["user"]
    assert [row.user for row in listed.context["cl"].result_list] == [ben]
    assert find_application_password(secret) == theirs


@pytest.mark.parametrize("page", [USERS, PASSWORDS, f"{USERS}add/", f"{PASSWORDS}add/"])
@pytest.mark.parametrize("role", ["editor", "author", "contributor"])
def test_accounts_are_closed_to_other_roles(client, page, role):
    client.force_login(create_user("ann", role))

    assert client.get(page).status_code == 403


def test_individual_permissions_are_shown_in_the_language_of_the_user(superuser_browser, superuser):
    group = Group.objects.create(name="readers")
    right = Permission.objects.get(codename="change_others_event").pk

    labels = []
    for page, field in (
        (f"{GROUPS}{group.pk}/change/", "permissions"),
        (f"{USERS}{superuser.pk}/change/", "user_permissions"),
    ):
        for code in ("en", "de"):
            form = superuser_browser.get(page, headers={"Accept-Language": code}).context["adminform"].form
            with override(code):
                labels.append({key.value: label for key, label in form.fields[field].choices}[right])

    assert (
        labels
        == [
            "Events | event | change records of other users",
            "Veranstaltungen | Veranstaltung | Einträge anderer Benutzer ändern",
        ]
        * 2
    )
