"""Accounts in the admin, within what `rules` lets people do to the accounts of others."""

from django.contrib import admin
from django.contrib.auth import admin as auth_admin
from django.contrib.auth.models import Group
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy as _
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice
from unfold.admin import ModelAdmin
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from calendar_site.accounts.models import ApplicationPassword, User
from calendar_site.accounts.own_passwords import shown_once
from calendar_site.accounts.roles import ROLES
from calendar_site.accounts.rules import can_manage, manageable_by, rights_of, roles_to_give
from calendar_site.accounts.services import create_application_password
from calendar_site.content.transactions import writing


@admin.register(User)
class UserAdmin(auth_admin.UserAdmin, ModelAdmin):
    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm
    list_display = ("username", "email", "roles", "is_active", "last_login")
    list_filter = ("is_active", "groups", "is_staff", "is_superuser")
    show_full_result_count = False
    add_fieldsets = (
        (None, {"fields": ("username", "email", "usable_password", "password1", "password2")}),
        (_("Permissions"), {"fields": ("is_staff", "groups")}),
    )

    def get_queryset(self, request):
        return super().get_queryset(request).prefetch_related("groups")

    @admin.display(description=_("roles"))
    def roles(self, user):
        return ", ".join(sorted(group.name for group in user.groups.all()))

    def has_change_permission(self, request, obj=None):
        return super().has_change_permission(request, obj) and (obj is None or can_manage(request.user, obj))

    def has_delete_permission(self, request, obj=None):
        return super().has_delete_permission(request, obj) and (obj is None or can_manage(request.user, obj))

    def get_readonly_fields(self, request, obj=None):
        fields = super().get_readonly_fields(request, obj)
        return fields if request.user.is_superuser else (*fields, "is_superuser")

    def formfield_for_manytomany(self, db_field, request, **kwargs):
        # Accounts that hold more than these cannot be changed at all, so nothing is lost on saving.
        if db_field.name == "groups":
            kwargs["queryset"] = roles_to_give(request.user)
        if db_field.name == "user_permissions":
            kwargs["queryset"] = rights_of(request.user)
        return super().formfield_for_manytomany(db_field, request, **kwargs)


admin.site.unregister(Group)
# Their forms would show what opens the accounts of others.
admin.site.unregister((TOTPDevice, StaticDevice))


@admin.register(Group)
class GroupAdmin(auth_admin.GroupAdmin, ModelAdmin):
    """Groups of permissions. The roles are among them; code knows these by their names."""

    def has_change_permission(self, request, obj=None):
        return super().has_change_permission(request, obj) and (obj is None or self._is_within_reach(request, obj))

    def has_delete_permission(self, request, obj=None):
        return super().has_delete_permission(request, obj) and (
            obj is None or (obj.name not in ROLES and self._is_within_reach(request, obj))
        )

    def _is_within_reach(self, request, group):
        return roles_to_give(request.user).filter(pk=group.pk).exists()

    def get_readonly_fields(self, request, obj=None):
        fields = super().get_readonly_fields(request, obj)
        return (*fields, "name") if obj is not None and obj.name in ROLES else fields

    def formfield_for_manytomany(self, db_field, request, **kwargs):
        if db_field.name == "permissions":
            kwargs["queryset"] = rights_of(request.user)
        return super().formfield_for_manytomany(db_field, request, **kwargs)


@admin.register(ApplicationPassword)
class ApplicationPasswordAdmin(ModelAdmin):
    """Application passwords are added and deleted, never changed: only their digest is kept."""

    list_display = ("user", "label", "created_at", "last_used_at")
    list_display_links = ("label",)
    list_select_related = ("user",)
    search_fields = ("user__username", "label")
    show_full_result_count = False

    def get_queryset(self, request):
        passwords = super().get_queryset(request)
        return passwords if sees_all(request) else passwords.filter(user=request.user)

    def get_fields(self, request, obj=None):
        return ("user", "label") if obj is None else ("user", "label", "created_at", "last_used_at")

    def get_autocomplete_fields(self, request):
        return ("user",) if sees_all(request) else ()

    def get_changeform_initial_data(self, request):
        return {"user": request.user.pk, **super().get_changeform_initial_data(request)}

    def formfield_for_foreignkey(self, db_field, request, **kwargs):
        if db_field.name == "user":
            kwargs["queryset"] = (
                manageable_by(request.user) if sees_all(request) else User.objects.filter(pk=request.user.pk)
            )
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def has_change_permission(self, request, obj=None):
        return False

    def has_delete_permission(self, request, obj=None):
        return super().has_delete_permission(request, obj) and (obj is None or can_manage(request.user, obj.user))

    def changeform_view(self, request, *args, **kwargs):
        if request.method != "POST":
            return super().changeform_view(request, *args, **kwargs)
        # From the first read on: nobody else takes the label, or the last place, before it is saved.
        with writing():
            return super().changeform_view(request, *args, **kwargs)

    def save_model(self, request, obj, form, change):
        password, obj.secret = create_application_password(obj.user, obj.label)
        obj.pk = password.pk

    def response_add(self, request, obj, post_url_continue=None):
        # At once and on this page alone: a message on the next one would lie in a cookie until then.
        context = {
            **self.admin_site.each_context(request),
            **shown_once(request, obj, obj.secret),
            "title": self.opts.verbose_name_plural,
        }
        return TemplateResponse(request, "admin/accounts/secret.html", context)


def sees_all(request) -> bool:
    """Whether the application passwords of others are shown: to whoever may change users."""
    return request.user.has_perm("accounts.change_user")
