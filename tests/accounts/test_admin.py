"""Accounts in the admin: what its lists cost, and that nobody rises above their own rights there."""

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group, Permission
from django.test import Client
from django.urls import path
from django.utils.translation import override
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from calendar_site.accounts.models import ApplicationPassword, User
from calendar_site.accounts.second_factor import renew_recovery_codes
from calendar_site.accounts.services import (
    create_application_password,
    create_user,
    find_application_password,
)
from tests.admin import column, faults, fields_of, fill_in, said, titles
from tests.recorded import told

urlpatterns = [path("admin/", admin.site.urls)]

pytestmark = [pytest.mark.django_db, pytest.mark.urls(__name__)]

USERS = "/admin/accounts/user/"
GROUPS = "/admin/auth/group/"
PASSWORDS = "/admin/accounts/applicationpassword/"


@pytest.fixture(autouse=True)
def plain_static_files(settings):
    """Pages without collected static files."""
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": plain}


@pytest.fixture
def as_administrator(client, administrator):
    client.force_login(administrator)
    return client


@pytest.fixture
def as_superuser(client, superuser):
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


def names(queryset):
    return sorted(row.name for row in queryset)


# --- Users ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 3])
def test_user_list_query_count(as_administrator, django_assert_num_queries, count):
    for number in range(count):
        create_user(f"user{number}", "author")

    # session, user, two of permissions, groups of the filter, count, page, groups of the page
    with django_assert_num_queries(8):
        response = as_administrator.get(USERS)

    assert response.context["cl"].result_count == count + 1


def test_user_list_shows_the_roles(as_administrator):
    create_user("ann", "author").groups.add(Group.objects.create(name="choir"))

    response = as_administrator.get(USERS, {"q": "ann"})

    assert column(response, "roles") == ["Author, choir"]


@pytest.mark.parametrize(("query", "found"), [("ann", ["ann"]), ("example", ["ben"]), ("zoe", [])])
def test_user_list_is_searched(as_administrator, query, found):
    create_user("ann", "author")
    create_user("ben", "author", email="b@example.org")

    response = as_administrator.get(USERS, {"q": query})

    assert [user.username for user in response.context["cl"].result_list] == found


def test_administrator_adds_a_user_with_a_role(as_administrator):
    fields = {
        "username": "ann",
        "email": "ann@example.org",
        "usable_password": "false",
        "groups": [Group.objects.get(name="editor").pk],
        "is_staff": "on",
        "is_superuser": "on",
    }

    response = as_administrator.post(f"{USERS}add/", fields)

    ann = User.objects.get(username="ann")
    assert response["Location"] == f"{USERS}{ann.pk}/change/"
    assert (ann.email, ann.is_staff, ann.is_superuser) == ("ann@example.org", True, False)
    assert names(ann.groups.all()) == ["editor"]


def test_administrator_changes_the_role_of_a_user(as_administrator, ann):
    editor = Group.objects.get(name="editor")

    response = as_administrator.post(f"{USERS}{ann.pk}/change/", form_of(ann, groups=[editor.pk]))

    assert response["Location"] == USERS
    assert names(ann.groups.all()) == ["editor"]


def test_administrator_makes_nobody_a_superuser(as_administrator, administrator, ann):
    for user in (ann, administrator):
        response = as_administrator.post(f"{USERS}{user.pk}/change/", form_of(user, is_superuser="on"))
        assert response["Location"] == USERS

    assert not User.objects.filter(is_superuser=True).exists()


@pytest.mark.parametrize("browser", ["as_administrator", "as_superuser"])
def test_ones_own_password_is_not_set_without_the_old_one(request, browser):
    client = request.getfixturevalue(browser)
    user = User.objects.get(pk=client.session["_auth_user_id"])
    fields = {"password1": "correct horse", "password2": "correct horse", "usable_password": "true"}

    responses = [client.post(f"{USERS}{pk}/password/", fields) for pk in (user.pk, f"0{user.pk}", f"+{user.pk}")]

    assert [response["Location"] for response in responses] == ["/admin/password_change/"] * 3
    assert User.objects.get(pk=user.pk).password == user.password


def test_password_of_another_is_set_and_ends_their_sessions(as_administrator, ann):
    browser = Client()
    browser.force_login(ann)
    fields = {"password1": "correct horse", "password2": "correct horse", "usable_password": "true"}

    response = as_administrator.post(f"{USERS}{ann.pk}/password/", fields)

    ann.refresh_from_db()
    assert response.status_code == 302
    assert ann.check_password("correct horse")
    assert browser.get("/admin/").status_code == 302


def test_superuser_makes_a_superuser(as_superuser, ann):
    response = as_superuser.post(f"{USERS}{ann.pk}/change/", form_of(ann, is_superuser="on"))

    ann.refresh_from_db()
    assert response["Location"] == USERS
    assert ann.is_superuser


@pytest.mark.parametrize("is_active", [True, False])
def test_administrator_may_only_look_at_a_superuser(as_administrator, superuser, is_active):
    superuser.is_active = is_active
    superuser.save()
    page = f"{USERS}{superuser.pk}/"
    password = {"password1": "correct horse", "password2": "correct horse", "usable_password": "true"}

    assert as_administrator.get(f"{page}change/").status_code == 200
    assert as_administrator.post(f"{page}change/", form_of(superuser, username="mine")).status_code == 403
    assert as_administrator.get(f"{page}password/").status_code == 403
    assert as_administrator.post(f"{page}password/", password).status_code == 403
    assert as_administrator.post(f"{page}delete/", {"post": "yes"}).status_code == 403
    selected = {"action": "delete_selected", "_selected_action": [superuser.pk], "post": "yes"}
    assert as_administrator.post(USERS, selected).status_code == 403

    root = User.objects.get(pk=superuser.pk)
    assert root.username == "root"
    assert root.check_password("root's own password")


def test_whoever_changes_users_gives_no_right_they_lack(client, ann):
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
    given = client.post(page, form_of(manager, groups=[mine.pk]))

    assert [response.status_code for response in refused] == [200, 200, 403, 403]
    assert given["Location"] == USERS
    assert names(manager.groups.all()) == ["readers"]
    assert names(manager.user_permissions.all()) == ["Can change user", "Can view event"]


def roles_in(response):
    return [str(label) for _value, label in response.context["adminform"].form.fields["groups"].choices]


def test_form_speaks_of_roles_in_words(as_administrator, ann):
    Group.objects.create(name="<choir>")

    shown = roles_in(as_administrator.get(f"{USERS}{ann.pk}/change/"))

    assert shown == [
        "<b>Administrator</b> looks after everything, accounts and custom fields included",
        "<b>Editor</b> looks after all events, venues, organizers, categories, tags and images",
        "<b>Author</b> writes events, venues and organizers of their own, and publishes them",
        "<b>Contributor</b> writes events, venues and organizers of their own, which an editor publishes",
        "<b>Subscriber</b> only reads",
        "<b>&lt;choir&gt;</b> ",
    ]


def test_form_offers_the_roles_that_the_manager_may_give(client):
    manager = user_with_rights("manager", "add_user", "change_user", "view_user")
    client.force_login(manager)

    assert roles_in(client.get(f"{USERS}add/")) == ["<b>Subscriber</b> only reads"]


def test_new_account_may_sign_in_unless_it_is_said_otherwise(as_administrator):
    fields = fields_of(as_administrator.get(f"{USERS}add/"))

    assert fields["is_staff"] == ["on"]
    as_administrator.post(f"{USERS}add/", {"username": "shop", "usable_password": "false"})
    shop = User.objects.get(username="shop")
    assert (shop.is_staff, shop.has_usable_password()) == (False, False)


def test_form_sent_back_unchanged_changes_nothing(as_administrator, ann):
    before = User.objects.values().get(pk=ann.pk)

    response = fill_in(as_administrator, f"{USERS}{ann.pk}/change/")

    assert response["Location"] == USERS
    assert User.objects.values().get(pk=ann.pk) == before
    assert names(ann.groups.all()) == ["author"]


def test_form_shows_no_hash(as_administrator, superuser):
    page = as_administrator.get(f"{USERS}{superuser.pk}/change/").content.decode()

    assert superuser.password.split("$")[0] not in page


@pytest.mark.parametrize(
    ("query", "found"),
    [("author", ["ann"]), ("administrator", ["ada"]), ("subscriber", []), ("", ["ada", "ann"]), ("king", [])],
)
def test_user_list_is_filtered_by_role(as_administrator, ann, query, found):
    assert titles(as_administrator.get(USERS, {"role": query})) == found


# --- The second factor of others -----------------------------------------------------------------


def reset_page(user):
    return f"{USERS}{user.pk}/reset-second-factor/"


def test_form_says_whether_there_is_a_second_factor(as_administrator, ann, time_machine):
    time_machine.move_to("2030-01-15 12:00+00:00", tick=False)
    as_administrator.force_login(User.objects.get(username="ada"))
    page = f"{USERS}{ann.pk}/change/"

    before = as_administrator.get(page).content.decode()
    device = TOTPDevice.objects.create(user=ann)
    after = as_administrator.get(page).content.decode()

    assert reset_page(ann) not in before
    assert "On since 15 Jan 2030." in after
    assert reset_page(ann) in after
    assert device.key not in after


def test_administrator_resets_the_second_factor_of_others(as_administrator, administrator, ann):
    TOTPDevice.objects.create(user=ann)
    renew_recovery_codes(ann)
    browser = Client()
    browser.force_login(ann)

    asked = as_administrator.get(reset_page(ann))
    assert asked.status_code == 200
    assert TOTPDevice.objects.exists()
    done = as_administrator.post(reset_page(ann))

    assert (done.status_code, done["Location"]) == (302, f"{USERS}{ann.pk}/change/")
    assert said(done) == ["The second factor of ann is off."]
    assert (TOTPDevice.objects.count(), StaticDevice.objects.count()) == (0, 0)
    assert browser.get("/admin/").status_code == 302
    assert told(ann)[-1] == ("changed", administrator.username, "admin", ["second_factor"])


def test_administrator_does_not_reset_the_second_factor_of_a_superuser(as_administrator, superuser):
    TOTPDevice.objects.create(user=superuser)

    answers = [as_administrator.get(reset_page(superuser)), as_administrator.post(reset_page(superuser))]

    assert [answer.status_code for answer in answers] == [403, 403]
    assert TOTPDevice.objects.exists()


def test_ones_own_second_factor_is_not_reset_without_the_password(as_administrator, administrator):
    TOTPDevice.objects.create(user=administrator)

    answer = as_administrator.post(reset_page(administrator))

    assert (answer.status_code, answer["Location"]) == (302, "/admin/account/second-factor/")
    assert TOTPDevice.objects.exists()


@pytest.mark.parametrize("role", ["editor", "author", "contributor"])
def test_other_roles_reset_nothing(client, ann, role):
    TOTPDevice.objects.create(user=ann)
    client.force_login(create_user("ben", role))

    assert client.post(reset_page(ann)).status_code == 403
    assert TOTPDevice.objects.exists()


def test_reset_of_nobody_is_not_found(as_administrator):
    assert as_administrator.post(f"{USERS}99999/reset-second-factor/").status_code == 404
    assert as_administrator.post(f"{USERS}99999999999999999999/reset-second-factor/").status_code == 404


# --- Groups --------------------------------------------------------------------------------------


def test_group_list_says_what_the_roles_may_do(as_administrator):
    Group.objects.create(name="choir")

    response = as_administrator.get(GROUPS)

    assert titles(response) == ["administrator", "editor", "author", "contributor", "subscriber", "choir"]
    assert column(response, "meaning")[4:] == ["only reads", "-"]


def test_administrator_changes_what_a_role_may_do(as_administrator):
    subscriber = Group.objects.get(name="subscriber")
    allowed = Permission.objects.get(codename="add_event")
    fields = {"name": "reader", "permissions": [allowed.pk]}

    response = as_administrator.post(f"{GROUPS}{subscriber.pk}/change/", fields)

    subscriber.refresh_from_db()
    assert response["Location"] == GROUPS
    assert (subscriber.name, names(subscriber.permissions.all())) == ("subscriber", ["Can add event"])


def test_roles_cannot_be_deleted_but_other_groups_can(as_superuser):
    role, choir = Group.objects.get(name="subscriber"), Group.objects.create(name="choir")

    refused = as_superuser.post(f"{GROUPS}{role.pk}/delete/", {"post": "yes"})
    deleted = as_superuser.post(f"{GROUPS}{choir.pk}/delete/", {"post": "yes"})

    assert (refused.status_code, deleted.status_code) == (403, 302)
    assert [group.name for group in Group.objects.filter(name__in=("choir", "subscriber"))] == ["subscriber"]


def test_whoever_changes_groups_gives_no_right_they_lack(client):
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
    given = client.post(f"{GROUPS}{group.pk}/change/", {"name": "readers", "permissions": [held.pk]})

    assert [response.status_code for response in refused] == [200, 403]
    assert given["Location"] == GROUPS
    assert names(group.permissions.all()) == ["Can view event"]


# --- Application passwords -----------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 3])
def test_application_password_list_query_count(as_administrator, django_assert_num_queries, count):
    for number in range(count):
        create_application_password(create_user(f"user{number}", "author"), "phone")

    # session, user, two of permissions, count, page with its users
    with django_assert_num_queries(6):
        response = as_administrator.get(PASSWORDS)

    assert response.context["cl"].result_count == count


@pytest.mark.parametrize(("query", "found"), [("ann", ["phone"]), ("lap", ["laptop"]), ("zoe", [])])
def test_application_password_list_is_searched(as_administrator, secret, query, found):
    create_application_password(create_user("ben", "author"), "laptop")

    response = as_administrator.get(PASSWORDS, {"q": query})

    assert [row.label for row in response.context["cl"].result_list] == found


def test_adding_an_application_password_shows_its_secret_once(as_administrator, ann):
    response = as_administrator.post(f"{PASSWORDS}add/", {"user": ann.pk, "label": "<b>phone"})

    password = ApplicationPassword.objects.get(user=ann, label="<b>phone")
    assert response.status_code == 200
    assert "The application password “&lt;b&gt;phone”" in response.content.decode()
    secret = response.context["secret"]
    assert secret in response.content.decode()
    assert find_application_password(secret) == password
    assert secret not in as_administrator.get(PASSWORDS).content.decode()
    assert list(response.cookies) == ["csrftoken"]


@pytest.mark.parametrize(
    ("label", "message"),
    [
        ("phone", "This user has an application password with this label."),
        (" phone ", "This user has an application password with this label."),
        ("", "This field is required."),
        ("a\x1bb", "A label is one line of text without control characters."),
        ("x" * 101, "Ensure this value has at most 100 characters (it has 101)."),
    ],
)
def test_adding_an_application_password_refuses_a_bad_label(as_administrator, ann, secret, label, message):
    response = as_administrator.post(f"{PASSWORDS}add/", {"user": ann.pk, "label": label})

    errors = response.context["adminform"].form.errors
    assert [str(text) for texts in errors.values() for text in texts] == [message]
    assert ApplicationPassword.objects.count() == 1


def test_nobody_gets_more_application_passwords_than_the_limit(as_administrator, ann):
    for number in range(20):
        create_application_password(ann, f"program {number}")

    response = as_administrator.post(f"{PASSWORDS}add/", {"user": ann.pk, "label": "phone"})

    assert faults(response) == {
        "__all__": ["Nobody has more than 20 application passwords. Revoke one that is no longer used."]
    }
    assert ann.application_passwords.count() == 20


def test_application_password_is_looked_at_but_not_changed(as_administrator, secret):
    password = ApplicationPassword.objects.get()

    page = as_administrator.get(f"{PASSWORDS}{password.pk}/change/")
    saved = as_administrator.post(f"{PASSWORDS}{password.pk}/change/", {"label": "mine"})

    assert page.status_code == 200
    assert password.digest not in page.content.decode()
    assert saved.status_code == 403
    assert ApplicationPassword.objects.get().label == "phone"


def test_deleting_an_application_password_revokes_it(as_administrator, secret):
    password = ApplicationPassword.objects.get()

    response = as_administrator.post(f"{PASSWORDS}{password.pk}/delete/", {"post": "yes"})

    assert response.status_code == 302
    assert find_application_password(secret) is None


def test_administrator_does_not_touch_the_passwords_of_a_superuser(as_administrator, superuser):
    password, _secret = create_application_password(superuser, "phone")

    added = as_administrator.post(f"{PASSWORDS}add/", {"user": superuser.pk, "label": "mine"})
    deleted = as_administrator.post(f"{PASSWORDS}{password.pk}/delete/", {"post": "yes"})

    assert list(added.context["adminform"].form.errors) == ["user"]
    assert deleted.status_code == 403
    assert [row.label for row in ApplicationPassword.objects.all()] == ["phone"]


def test_whoever_does_not_change_users_has_their_own_passwords_only(client, ann, secret):
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


def test_single_rights_are_told_in_the_language_of_the_reader(as_superuser, superuser):
    group = Group.objects.create(name="readers")
    right = Permission.objects.get(codename="change_others_event").pk

    told = []
    for page, field in (
        (f"{GROUPS}{group.pk}/change/", "permissions"),
        (f"{USERS}{superuser.pk}/change/", "user_permissions"),
    ):
        for code in ("en", "de"):
            form = as_superuser.get(page, headers={"Accept-Language": code}).context["adminform"].form
            with override(code):
                told.append({key.value: label for key, label in form.fields[field].choices}[right])

    assert (
        told
        == [
            "Events | event | change those of others",
            "Veranstaltungen | Veranstaltung | die anderer ändern",
        ]
        * 2
    )
