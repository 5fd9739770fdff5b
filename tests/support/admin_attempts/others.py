"""Attempts to write terms, images, custom fields, accounts, and one's own account."""

from __future__ import annotations

from django.contrib.auth.models import Group
from django.core.files.uploadedfile import SimpleUploadedFile

from calendar_site.accounts.models import ApplicationPassword, User
from calendar_site.accounts.permissions import assignable_groups, can_manage
from calendar_site.content.merge import can_merge
from calendar_site.core import permissions
from calendar_site.custom_fields.models import CustomField
from calendar_site.media.models import Image
from calendar_site.site_profile.models import SiteProfile
from calendar_site.submissions.models import MistakeReport
from calendar_site.tasks.models import BackgroundTask
from events.models import Series
from tests.support.admin_attempts.attempt import Attempt
from tests.support.image_files import plain_image


def list_url(model):
    return f"/admin/{model._meta.app_label}/{model._meta.model_name}/"


def url_name(model, page):
    return f"{model._meta.app_label}_{model._meta.model_name}_{page}"


def page_url(row, name):
    return f"{list_url(type(row))}{row.pk}/{name}/"


def has_permission(action, model):
    return lambda user, row: permissions.has_model_permission(user, action, model)


def add(model, is_allowed, **fields):
    return Attempt(url_name(model, "add"), "add", lambda c, r: c.post(f"{list_url(model)}add/", fields), is_allowed)


def add_in_popup(model, is_allowed, **fields):
    return Attempt(
        url_name(model, "add"), "add beside", lambda c, r: c.post(f"{list_url(model)}add/?_popup=1", fields), is_allowed
    )


def change(model, is_allowed, fields):
    return Attempt(
        url_name(model, "change"), "change", lambda c, r: c.post(page_url(r, "change"), fields(r)), is_allowed
    )


def delete_attempts(model, is_allowed):
    return [
        Attempt(
            url_name(model, "delete"), "delete", lambda c, r: c.post(page_url(r, "delete"), {"post": "yes"}), is_allowed
        ),
        Attempt(
            url_name(model, "changelist"),
            "action: delete_selected",
            lambda c, r: c.post(
                list_url(model), {"action": "delete_selected", "_selected_action": [r.pk], "post": "yes"}
            ),
            is_allowed,
        ),
    ]


def restore_attempt(model, is_allowed):
    def send(client, row):
        states = model.history.filter(id=row.pk).order_by("-history_id").values_list("history_id", flat=True)
        newest, oldest = states[0], list(states)[-1]
        return client.post(page_url(row, f"history/{oldest}"), {"newest": newest})

    return Attempt(url_name(model, "restore_revision"), "bring back", send, is_allowed)


def quick_edit_attempt(model, is_allowed):
    def send(client, row):
        newest = model.history.filter(id=row.pk).latest("history_id").history_id
        return client.post(page_url(row, "quick-edit"), {"name": "Forged", "revision": newest})

    return Attempt(url_name(model, "quick_edit"), "quick edit", send, is_allowed)


def undo_attempt(model):
    """Undo the change of another user, which nobody may."""

    def send(client, row):
        request = model.history.filter(id=row.pk).latest("history_id").history_request_id or "0" * 32
        return client.post(f"{list_url(model)}undo/?request={request}")

    return Attempt(url_name(model, "undo"), "undo", send, lambda user, row: False)


def term_attempts(model):
    def merging(client, row):
        other = model.objects.get(name="Other")
        chosen = {"action": "merge", "_selected_action": [row.pk, other.pk], "kept": row.pk}
        return client.post(list_url(model), chosen)

    new = {"name": "Forged", "slug": "", "description": ""}
    return [
        add(model, has_permission("add", model), **new),
        add_in_popup(model, has_permission("add", model), **new),
        change(model, permissions.can_edit, lambda row: {**new, "slug": row.slug}),
        *delete_attempts(model, permissions.can_delete),
        restore_attempt(model, permissions.can_edit),
        quick_edit_attempt(model, permissions.can_edit),
        undo_attempt(model),
        Attempt(url_name(model, "changelist"), "action: merge", merging, can_merge),
    ]


def image_attempts():
    def upload(client, row, **headers):
        file = SimpleUploadedFile("new.png", plain_image(colour="red"), "image/png")
        return client.post(f"{list_url(Image)}add/", {"images": [file], "alt": "New", "credit": ""}, headers=headers)

    def may_submit(user, row):
        return permissions.can_submit(user, Image)

    fields = {"name": "Forged", "alt": "", "credit": "", "focus_x": "0.5", "focus_y": "0.5"}
    return [
        Attempt(url_name(Image, "add"), "upload", upload, may_submit),
        Attempt(
            url_name(Image, "add"),
            "upload beside",
            lambda c, r: upload(c, r, Accept="application/json"),
            may_submit,
        ),
        change(Image, permissions.can_edit, lambda row: fields),
        *delete_attempts(Image, permissions.can_delete),
        restore_attempt(Image, permissions.can_edit),
        quick_edit_attempt(Image, permissions.can_edit),
        undo_attempt(Image),
    ]


def custom_field_attempts():
    fields = {"label": "Forged", "position": "0"}
    new = {**fields, "name": "forged", "resource": "event", "kind": "text", "choices": ""}
    return [
        add(CustomField, has_permission("add", CustomField), **new),
        change(CustomField, permissions.can_edit, lambda row: fields),
        *delete_attempts(CustomField, permissions.can_delete),
        restore_attempt(CustomField, permissions.can_edit),
    ]


def site_profile_attempts():
    """Attempts to write the profile of the site, which exists, so that nobody can add another one."""

    def nobody(user, row):
        return False

    return [
        add(SiteProfile, nobody, name="Forged"),
        change(SiteProfile, permissions.can_edit, lambda row: {"name": "Forged", "home_view": "list"}),
        *delete_attempts(SiteProfile, nobody),
        restore_attempt(SiteProfile, permissions.can_edit),
    ]


def report_attempts():
    """Attempts to write a mistake that a visitor has reported, which can only be deleted."""

    def nobody(user, row):
        return False

    return [
        add(MistakeReport, nobody, text="Forged"),
        change(MistakeReport, nobody, lambda row: {"text": "Forged"}),
        *delete_attempts(MistakeReport, has_permission("delete", MistakeReport)),
    ]


def series_attempts():
    """Attempts to write a series of two events, the second of which is on 5 May 2030."""

    def nobody(user, row):
        return False

    def post(page, **data):
        return lambda client, row: client.post(page_url(row, page), data)

    new = {"title": "Forged", "start": "2030-05-04T10:00", "end": "2030-05-04T12:00", "time_zone": "UTC"}
    daily = {"recurrence-frequency": "DAILY", "recurrence-ends": "count", "recurrence-count": "3"}
    return [
        add(Series, nobody, **new, **daily),
        change(Series, permissions.can_edit, lambda row: {**new, **daily}),
        *delete_attempts(Series, nobody),
        restore_attempt(Series, permissions.can_edit),
        Attempt(
            url_name(Series, "undo"),
            "undo",
            lambda client, row: client.post(f"{list_url(Series)}undo/?request={32 * '0'}"),
            nobody,
        ),
        Attempt(url_name(Series, "end"), "end", post("end", last_day="2030-05-04"), permissions.can_edit),
        Attempt(
            url_name(Series, "split"), "split", post("split", occurrence="2030-05-05 10:00:00"), permissions.can_edit
        ),
        Attempt(url_name(Series, "detach"), "detach", post("detach"), permissions.can_delete),
    ]


def task_attempts():
    def nobody(user, row):
        return False

    return [
        add(BackgroundTask, nobody, task_path="os.getcwd"),
        change(BackgroundTask, nobody, lambda row: {"task_path": "os.getcwd"}),
        *delete_attempts(BackgroundTask, nobody),
        Attempt(
            url_name(BackgroundTask, "changelist"),
            "action: run_again",
            lambda c, r: c.post(list_url(BackgroundTask), {"action": "run_again", "_selected_action": [r.pk]}),
            has_permission("change", BackgroundTask),
        ),
    ]


NEW_PASSWORD = {"password1": "a long password", "password2": "a long password", "usable_password": "true"}


def manages(action):
    return lambda user, account: permissions.has_model_permission(user, action, User) and can_manage(user, account)


def restore_never(model):
    """Return an attempt to restore an account or a group, which nobody may."""

    def send(client, row):
        state = model.history.filter(id=row.pk).first()
        number = state.history_id if state else 1
        return client.post(page_url(row, f"history/{number}"), {"newest": number})

    return Attempt(url_name(model, "restore_revision"), "bring back", send, lambda user, row: False)


def user_attempts():
    return [
        restore_never(User),
        add(User, has_permission("add", User), username="forged", **NEW_PASSWORD),
        change(User, manages("change"), lambda row: {"username": "forged", "is_active": "on"}),
        *delete_attempts(User, manages("delete")),
        Attempt(
            "auth_user_password_change",
            "password",
            lambda c, r: c.post(page_url(r, "password"), NEW_PASSWORD),
            manages("change"),
        ),
        Attempt(
            "accounts_user_invite",
            "invitation",
            lambda c, r: c.post(page_url(r, "invite")),
            manages("change"),
        ),
        Attempt(
            "accounts_user_reset_second_factor",
            "second factor",
            lambda c, r: c.post(page_url(r, "reset-second-factor")),
            manages("change"),
        ),
    ]


def group_attempts():
    def within_reach(user, group):
        return (
            permissions.has_model_permission(user, "change", Group)
            and assignable_groups(user).filter(pk=group.pk).exists()
        )

    def can_be_deleted(user, group):
        return permissions.has_model_permission(user, "delete", Group) and group.name == "Friends"

    return [
        restore_never(Group),
        add(Group, has_permission("add", Group), name="Forged"),
        change(Group, within_reach, lambda row: {"name": f"{row.name}-forged"}),
        *delete_attempts(Group, can_be_deleted),
    ]


def password_attempts():
    def can_revoke(user, password):
        return permissions.has_model_permission(user, "delete", ApplicationPassword) and can_manage(user, password.user)

    def can_make(user, password):
        return permissions.has_model_permission(user, "add", ApplicationPassword) and can_manage(user, password.user)

    return [
        Attempt(
            url_name(ApplicationPassword, "add"),
            "add",
            lambda c, r: c.post(f"{list_url(ApplicationPassword)}add/", {"user": r.user_id, "label": "forged"}),
            can_make,
        ),
        change(ApplicationPassword, lambda user, row: False, lambda row: {"label": "forged"}),
        *delete_attempts(ApplicationPassword, can_revoke),
        Attempt(
            "my_application_passwords",
            "revoke as one's own",
            lambda c, r: c.post("/admin/account/application-passwords/", {"revoke": r.label}),
            lambda user, row: False,
        ),
    ]


def everybody(user, row):
    return True


def own_account_attempts():
    return [
        Attempt(
            "mail_preferences",
            "own email preferences",
            lambda c, r: c.post("/admin/account/email/", {"language": "de"}),
            everybody,
        ),
        Attempt(
            "change_email",
            "own email address, the password not known",
            lambda c, r: c.post("/admin/account/email/change/", {"email": "forged@example.org", "password": "x"}),
            lambda user, row: False,
        ),
        Attempt(
            "confirm_email",
            "own email address, the link made up",
            lambda c, r: c.post("/admin/account/email/confirm/x/"),
            lambda user, row: False,
        ),
        Attempt(
            "my_application_passwords",
            "own password for a program",
            lambda c, r: c.post("/admin/account/application-passwords/", {"label": "forged"}),
            everybody,
        ),
        Attempt(
            "sign_out_elsewhere",
            "sign out elsewhere",
            lambda c, r: c.post("/admin/account/security/sign-out-elsewhere/"),
            everybody,
        ),
        Attempt(
            "password_change",
            "own password, the old one not known",
            lambda c, r: c.post(
                "/admin/password_change/",
                {"old_password": "x", "new_password1": "a long one", "new_password2": "a long one"},
            ),
            lambda user, row: False,
        ),
    ]
