"""The application passwords of everybody whom one may manage."""

from django.contrib import admin
from django.template.response import TemplateResponse

from calendar_site.accounts.models import ApplicationPassword, User
from calendar_site.accounts.own_passwords import shown_once
from calendar_site.accounts.rules import can_manage, manageable_by
from calendar_site.accounts.services import create_application_password, revoke_application_password
from calendar_site.content.admin.history import HistoryAdmin
from calendar_site.content.transactions import writing


@admin.register(ApplicationPassword)
class ApplicationPasswordAdmin(HistoryAdmin):
    """Application passwords are added and deleted, never changed: only their digest is kept."""

    list_display = ("user", "label", "created_at", "last_used_at")
    list_display_links = ("label",)
    list_select_related = ("user",)
    search_fields = ("user__username", "label")

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

    def save_model(self, request, obj, form, change):
        password, obj.secret = create_application_password(obj.user, obj.label, by=request.user)
        obj.pk = password.pk

    def delete_model(self, request, obj):
        revoke_application_password(obj.user, obj.label, by=request.user)

    def delete_queryset(self, request, queryset):
        with writing():
            for password in queryset:
                self.delete_model(request, password)

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
