"""ModelAdmin of accounts: personal data, roles and sign-in."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.contrib.auth import admin as auth_admin
from django.contrib.auth.models import Group
from django.db.models import QuerySet
from django.http import HttpRequest
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget

from calendar_site.accounts.access import has_any_permission
from calendar_site.accounts.admin.invitations import invite_view, report_invitation
from calendar_site.accounts.admin.permission_labels import permission_label
from calendar_site.accounts.admin.second_factor import reset_second_factor_view
from calendar_site.accounts.models import User
from calendar_site.accounts.password_links.services import invite
from calendar_site.accounts.password_links.tokens import invitation_end
from calendar_site.accounts.permissions import (
    assignable_groups,
    can_manage,
    manageable_users,
    order_by_role,
    permissions_of,
)
from calendar_site.accounts.roles import ROLE_DESCRIPTIONS, role_label
from calendar_site.accounts.services import account_state, record_account_changes
from calendar_site.accounts.sign_in.second_factor import get_device
from calendar_site.accounts.types import get_user
from calendar_site.audit.recorder import record_deletion
from calendar_site.back_office.base.audited import AuditedModelAdmin
from calendar_site.back_office.base.pages import AdminPage
from calendar_site.back_office.base.service_admin import STYLE
from calendar_site.core import clock
from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.dates.formatting import format_day_in_site_time, format_in_sentence, format_in_site_time

# Labels and help texts that replace Django's own.
FIELD_LABELS = {
    "groups": gettext_lazy("Roles"),
    "is_active": gettext_lazy("Active"),
    "is_staff": gettext_lazy("Can sign in to the admin"),
    "is_superuser": gettext_lazy("Superuser"),
    "user_permissions": gettext_lazy("Individual permissions"),
}
FIELD_HELP_TEXTS = {
    "is_active": gettext_lazy(
        "Inactive accounts cannot sign in, and their application passwords are rejected. Their content is kept."
    ),
    "is_staff": gettext_lazy("Not needed for subscribers, or for accounts that only API clients use."),
    "is_superuser": gettext_lazy("Has all permissions, regardless of roles."),
    "user_permissions": gettext_lazy("In addition to the permissions granted by roles. Rarely needed."),
}


# The sign-in method of a user who gets a link.
INVITATION = "invitation"


class AccountForm(UserChangeForm):
    class Meta(UserChangeForm.Meta):
        labels = FIELD_LABELS
        help_texts = FIELD_HELP_TEXTS


class NewAccountForm(UserCreationForm):
    class Meta(UserCreationForm.Meta):
        labels = FIELD_LABELS
        help_texts = FIELD_HELP_TEXTS

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choice = self.fields["usable_password"]
        choice.label, choice.help_text = gettext_lazy("Sign-in method"), ""
        choice.choices = (
            (INVITATION, gettext_lazy("Invitation (the user chooses a password)")),
            ("true", gettext_lazy("Password (enter it below)")),
            ("false", gettext_lazy("No password (API clients only)")),
        )
        choice.initial = INVITATION

    def clean(self) -> dict[str, Any] | None:
        self.instance.is_invited = self.cleaned_data.get("usable_password") == INVITATION
        if self.instance.is_invited:
            self.cleaned_data["usable_password"] = "false"  # noqa: S105
        cleaned_data: dict[str, Any] | None = super().clean()
        return cleaned_data


class RolesField(forms.ModelMultipleChoiceField):
    """Checkboxes for roles, each with a description."""

    widget = UnfoldAdminCheckboxSelectMultipleWidget

    def label_from_instance(self, group: Any) -> str:
        label, description = role_label(group.name), ROLE_DESCRIPTIONS.get(group.name)
        return format_html("<b>{}</b> – {}", label, description) if description else format_html("<b>{}</b>", label)


class RoleFilter(admin.SimpleListFilter):
    title = gettext_lazy("role")
    parameter_name = "role"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(group.name, role_label(group.name)) for group in order_by_role(Group.objects.all())]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        return queryset.filter(groups__name=self.value()) if self.value() else queryset


@admin.register(User)
class UserAdmin(AuditedModelAdmin, auth_admin.UserAdmin):
    form = AccountForm
    add_form = NewAccountForm
    change_password_form = AdminPasswordChangeForm
    list_display = ("username", "email", "roles", "is_active", "last_sign_in")
    list_filter = (RoleFilter, "is_active")
    readonly_fields = ("password_now", "second_factor", "last_sign_in", "joined")
    filter_horizontal = ("user_permissions",)
    fieldsets = (
        (None, {"fields": ("username", "email", "first_name", "last_name", "groups")}),
        (
            gettext_lazy("Sign-in"),
            {"fields": ("is_active", "is_staff", "password_now", "second_factor", "last_sign_in", "joined")},
        ),
        (
            gettext_lazy("Additional permissions"),
            {"fields": ("is_superuser", "user_permissions"), "classes": ("collapse",)},
        ),
    )
    add_fieldsets = (
        (None, {"fields": ("username", "email", "groups")}),
        (gettext_lazy("Sign-in"), {"fields": ("is_staff", "usable_password", "password1", "password2")}),
    )

    pages = (
        *AuditedModelAdmin.pages,
        AdminPage("<int:pk>/reset-second-factor/", "reset_second_factor", reset_second_factor_view),
        AdminPage("<int:pk>/invite/", "invite", invite_view),
    )

    class Media:
        css = {"all": (STYLE,)}

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).prefetch_related("groups")

    # --- Columns and fields

    @admin.display(description=gettext_lazy("roles"))
    def roles(self, user: Any) -> str:
        return ", ".join(sorted(role_label(group.name) for group in user.groups.all()))

    @admin.display(description=gettext_lazy("password"))
    def password_now(self, user: Any) -> str:
        set_password = ("admin:auth_user_password_change", _("Set password"))
        if user.has_usable_password():
            return _with_links(user, _("A password is set."), set_password)
        if user.invited_at is None:
            invitation = ("admin:accounts_user_invite", _("Invite"))
            return _with_links(user, _("No password. This account is for API clients only."), invitation, set_password)
        invitation = ("admin:accounts_user_invite", _("Invite again"))
        return _with_links(user, _invitation_state(user.invited_at), invitation, set_password)

    @admin.display(description=gettext_lazy("two-factor authentication"))
    def second_factor(self, user: Any) -> str:
        device = get_device(user)
        if device is None:
            return _("Off.")
        state = _("On since %(date)s.") % {"date": format_day_in_site_time(device.created_at)}
        return _with_links(user, state, ("admin:accounts_user_reset_second_factor", _("Reset")))

    @admin.display(description=gettext_lazy("last sign-in"), ordering="last_login")
    def last_sign_in(self, user: Any) -> str | None:
        return format_in_site_time(user.last_login) if user.last_login else None

    @admin.display(description=gettext_lazy("created"))
    def joined(self, user: Any) -> str:
        return format_in_site_time(user.date_joined)

    def get_object(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        user = super().get_object(request, *args, **kwargs)
        if user is not None:
            user.is_managed = self.has_change_permission(request, user)
        return user

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        fields = super().get_readonly_fields(request, obj)
        return fields if request.user.is_superuser else (*fields, "is_superuser")

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        return {"is_staff": True, **super().get_changeform_initial_data(request)}

    def formfield_for_dbfield(self, db_field: Any, request: Any, **kwargs: Any) -> Any:
        field: Any = super().formfield_for_dbfield(db_field, request, **kwargs)
        if db_field.name == "groups":
            # No link for adding a role.
            field.widget = field.widget.widget
        return field

    def formfield_for_manytomany(self, db_field: Any, request: Any, **kwargs: Any) -> Any:
        # Saving drops groups that the field does not offer. Users may not change accounts with such groups.
        if db_field.name == "groups":
            return RolesField(
                order_by_role(assignable_groups(get_user(request))), required=False, label=kwargs.get("label")
            )
        if db_field.name == "user_permissions":
            kwargs["queryset"] = permissions_of(get_user(request))
        field: Any = super().formfield_for_manytomany(db_field, request, **kwargs)
        field.label_from_instance = permission_label
        return field

    # --- Rights

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_change_permission(request, obj) and (obj is None or can_manage(get_user(request), obj))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_delete_permission(request, obj) and (obj is None or can_manage(get_user(request), obj))

    def get_editable_rows(self, request: HttpRequest) -> QuerySet | None:
        return None if request.user.is_superuser else manageable_users(get_user(request))

    def can_edit_deleted(self, request: HttpRequest, revision: Any) -> bool:
        # The permissions of the deleted account are no longer known.
        return request.user.is_superuser

    # --- Writing

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Save nothing: `save_related()` saves the account together with its groups as one change."""

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        with record_account_changes(form.instance, by=get_user(request)):
            form.instance.save()
            super().save_related(request, form, formsets, change)
            if not change and form.instance.is_invited:
                invite(form.instance, by=get_user(request))
        if form.instance.is_staff and not has_any_permission(User.objects.get(pk=form.instance.pk)):
            text = _("%(account)s has no role, so there is nothing that this account may do in the admin.")
            messages.warning(request, text % {"account": form.instance})

    def response_add(self, request: HttpRequest, obj: Any, post_url_continue: Any = None) -> Any:
        link_page = report_invitation(request, obj, self) if obj.is_invited else None
        return link_page or super().response_add(request, obj, post_url_continue)

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        # Only a new password is saved without `save_related()`, which records all other changes.
        with record_account_changes(obj, by=get_user(request)):
            pass

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        self.delete_queryset(request, User.objects.filter(pk=obj.pk))

    def delete_queryset(self, request: HttpRequest, queryset: Any) -> None:
        with write_lock():
            record_deletion(queryset, request.user, extra={user.pk: account_state(user) for user in queryset})
            super().delete_queryset(request, queryset)

    # --- Passwords and second factors of others

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> Any:
        # The page for one's own password asks for the old one: an open session must not be enough to set a new one.
        if self.get_object(request, unquote(id)) == request.user:
            return redirect("admin:password_change")
        if request.method != "POST":
            return super().user_change_password(request, id, form_url)
        with write_lock():
            return super().user_change_password(request, id, form_url)


def _invitation_state(invited_at: datetime) -> str:
    end = invitation_end(invited_at)
    moments = {"invited": format_in_sentence(invited_at), "end": format_in_sentence(end)}
    if end > clock.now():
        return _("Invited on %(invited)s. The link is valid until %(end)s.") % moments
    return _("Invited on %(invited)s. The link expired on %(end)s.") % moments


def _with_links(user: Any, text: str, *links: tuple[str, str]) -> str:
    """Return the text, followed by links if the user may be changed. A link is the name of a URL and a label."""
    if not user.is_managed:
        return text
    urls = ((reverse(url_name, args=[user.pk]), label) for url_name, label in links)
    return format_html("{} {}", text, format_html_join(" ", '<a class="quiet-link" href="{}">{}</a>', urls))
