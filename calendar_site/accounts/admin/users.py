"""Accounts: who they are, their roles in words, and how they sign in."""

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.contrib.auth import admin as auth_admin
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget

from calendar_site.accounts.admin.rights import right_in_words
from calendar_site.accounts.models import User
from calendar_site.accounts.roles import MEANINGS, role_name
from calendar_site.accounts.rules import can_manage, in_order, manageable_by, rights_of, roles_to_give
from calendar_site.accounts.second_factor import device_of, disable
from calendar_site.accounts.services import facts_of, recording_account
from calendar_site.content.admin.base import STYLE
from calendar_site.content.admin.states import StatesAdmin
from calendar_site.content.recording import record_deleted
from calendar_site.content.transactions import writing

# What Django calls by words that only its programmers know.
WORDS = {
    "is_active": (
        gettext_lazy("In use"),
        gettext_lazy(
            "Off: nobody signs in with this account, and its programs are refused. What it has written stays."
        ),
    ),
    "is_staff": (
        gettext_lazy("May sign in to the admin"),
        gettext_lazy("Not needed for subscribers, nor for an account that only programs use."),
    ),
    "is_superuser": (gettext_lazy("Superuser"), gettext_lazy("May do everything, whatever the roles say.")),
    "user_permissions": (
        gettext_lazy("Single rights"),
        gettext_lazy("Beside those of the roles. Hardly ever needed."),
    ),
}


class NewAccountForm(UserCreationForm):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        choice = self.fields["usable_password"]
        choice.label, choice.help_text = gettext_lazy("Signs in with"), ""
        choice.choices = (
            ("true", gettext_lazy("the password below")),
            ("false", gettext_lazy("none: only programs use this account")),
        )


class RolesField(forms.ModelMultipleChoiceField):
    """Roles to be ticked, each with what it means."""

    widget = UnfoldAdminCheckboxSelectMultipleWidget

    def label_from_instance(self, group):
        return format_html("<b>{}</b> {}", role_name(group.name), MEANINGS.get(group.name, ""))


class RoleFilter(admin.SimpleListFilter):
    title = gettext_lazy("role")
    parameter_name = "role"

    def lookups(self, request, model_admin):
        return [(group.name, role_name(group.name)) for group in in_order(Group.objects.all())]

    def queryset(self, request, queryset):
        return queryset.filter(groups__name=self.value()) if self.value() else queryset


@admin.register(User)
class UserAdmin(StatesAdmin, auth_admin.UserAdmin):
    form = UserChangeForm
    add_form = NewAccountForm
    change_password_form = AdminPasswordChangeForm
    list_display = ("username", "email", "roles", "is_active", "last_login")
    list_filter = (RoleFilter, "is_active")
    readonly_fields = ("password_now", "second_factor", "last_login", "date_joined")
    filter_horizontal = ("user_permissions",)
    fieldsets = (
        (None, {"fields": ("username", "email", "first_name", "last_name", "groups")}),
        (
            gettext_lazy("Signing in"),
            {"fields": ("is_active", "is_staff", "password_now", "second_factor", "last_login", "date_joined")},
        ),
        (gettext_lazy("Further rights"), {"fields": ("is_superuser", "user_permissions"), "classes": ("collapse",)}),
    )
    add_fieldsets = (
        (None, {"fields": ("username", "email", "groups")}),
        (gettext_lazy("Signing in"), {"fields": ("is_staff", "usable_password", "password1", "password2")}),
    )

    class Media:
        css = {"all": (STYLE,)}

    def get_queryset(self, request):
        return super().get_queryset(request).prefetch_related("groups")

    # --- Columns and fields

    @admin.display(description=gettext_lazy("roles"))
    def roles(self, user):
        return ", ".join(sorted(role_name(group.name) for group in user.groups.all()))

    @admin.display(description=gettext_lazy("password"))
    def password_now(self, user):
        state = _("Set.") if user.has_usable_password() else _("None: only programs use this account.")
        return self._with_way(user, state, "admin:auth_user_password_change", _("Set another"))

    @admin.display(description=gettext_lazy("second factor"))
    def second_factor(self, user):
        device = device_of(user)
        if device is None:
            return _("Off.")
        state = _("On since %(date)s.") % {"date": date_format(device.created_at, "DATE_FORMAT")}
        return self._with_way(user, state, "admin:reset_second_factor", _("Reset"))

    def _with_way(self, user, state, route, link):
        if not user.is_managed:
            return state
        return format_html('{} <a class="quiet-link" href="{}">{}</a>', state, reverse(route, args=[user.pk]), link)

    def get_object(self, request, *args, **kwargs):
        user = super().get_object(request, *args, **kwargs)
        if user is not None:
            user.is_managed = self.has_change_permission(request, user)
        return user

    def get_readonly_fields(self, request, obj=None):
        fields = super().get_readonly_fields(request, obj)
        return fields if request.user.is_superuser else (*fields, "is_superuser")

    def get_changeform_initial_data(self, request):
        return {"is_staff": True, **super().get_changeform_initial_data(request)}

    def formfield_for_dbfield(self, db_field, request, **kwargs):
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if field is not None and db_field.name in WORDS:
            field.label, field.help_text = WORDS[db_field.name]
        if db_field.name == "groups":
            # Roles are not made by the way.
            field.widget = field.widget.widget
        return field

    def formfield_for_manytomany(self, db_field, request, **kwargs):
        # Accounts that hold more than these cannot be changed at all, so nothing is lost on saving.
        if db_field.name == "groups":
            return RolesField(in_order(roles_to_give(request.user)), required=False, label=gettext_lazy("Role"))
        if db_field.name == "user_permissions":
            kwargs["queryset"] = rights_of(request.user)
        field = super().formfield_for_manytomany(db_field, request, **kwargs)
        field.label_from_instance = right_in_words
        return field

    # --- Rights

    def has_change_permission(self, request, obj=None):
        return super().has_change_permission(request, obj) and (obj is None or can_manage(request.user, obj))

    def has_delete_permission(self, request, obj=None):
        return super().has_delete_permission(request, obj) and (obj is None or can_manage(request.user, obj))

    def changeable(self, request):
        return None if request.user.is_superuser else manageable_by(request.user)

    def may_change_gone(self, request, state):
        # What it could do is not known any more.
        return request.user.is_superuser

    # --- What is written is recorded

    def save_model(self, request, obj, form, change):
        """Saved with its roles and rights: all of it is one change."""

    def save_related(self, request, form, formsets, change):
        with recording_account(form.instance, by=request.user):
            form.instance.save()
            super().save_related(request, form, formsets, change)

    def log_change(self, request, obj, message):
        # All that there is to record here is a new password.
        with recording_account(obj, by=request.user):
            pass

    def delete_model(self, request, obj):
        self.delete_queryset(request, User.objects.filter(pk=obj.pk))

    def delete_queryset(self, request, queryset):
        with writing():
            record_deleted(queryset, request.user, {user.pk: facts_of(user) for user in queryset})
            super().delete_queryset(request, queryset)

    # --- Passwords and second factors of others

    def user_change_password(self, request, id, form_url=""):
        # One's own asks for the old one: an open session alone must not be enough for a new one.
        if self.get_object(request, unquote(id)) == request.user:
            return redirect("admin:password_change")
        if request.method != "POST":
            return super().user_change_password(request, id, form_url)
        with writing():
            return super().user_change_password(request, id, form_url)

    def get_urls(self):
        view = self.admin_site.admin_view(self.reset_second_factor)
        return [path("<int:pk>/reset-second-factor/", view, name="reset_second_factor"), *super().get_urls()]

    def reset_second_factor(self, request, pk):
        """Asks first. Whoever manages the account lets its owner in again; their own they look after themselves."""
        user = get_object_or_404(User, pk=pk)
        if not self.has_change_permission(request, user):
            raise PermissionDenied
        if user == request.user:
            return redirect("admin:second_factor")
        back = reverse("admin:accounts_user_change", args=[pk])
        if request.method == "POST":
            disable(user, by=request.user)
            messages.success(request, _("The second factor of %(user)s is off.") % {"user": user})
            return redirect(back)
        context = {**self.admin_site.each_context(request), "title": _("Second factor"), "account": user, "back": back}
        return TemplateResponse(request, "admin/accounts/reset_second_factor.html", context)
