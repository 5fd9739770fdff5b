"""ModelAdmin of the application passwords of all accounts that the user may manage."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy as _

from calendar_site.accounts.application_passwords.forms import (
    ApplicationPasswordForm,
    RestrictionsForm,
    describe_restrictions,
)
from calendar_site.accounts.application_passwords.views import secret_context
from calendar_site.accounts.models import ApplicationPassword, User
from calendar_site.accounts.permissions import can_manage, manageable_users
from calendar_site.accounts.services import create_application_password, revoke_application_password
from calendar_site.accounts.types import get_user
from calendar_site.back_office.base.audited import AuditedModelAdmin
from calendar_site.back_office.lists.columns import created
from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.dates.formatting import format_in_site_time


@admin.register(ApplicationPassword)
class ApplicationPasswordAdmin(AuditedModelAdmin):
    """Application passwords, which users add and delete but never change, because only the digest is stored."""

    # No history of their own: the history of the account contains them.
    pages = ()
    form = ApplicationPasswordForm
    list_display = ("user", "label", "restrictions", created, "last_used")
    list_display_links = ("label",)
    list_select_related = ("user",)
    search_fields = ("user__username", "label")

    def get_queryset(self, request: HttpRequest) -> Any:
        passwords = super().get_queryset(request)
        return passwords if can_see_all(request) else passwords.filter(user=request.user)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        if obj is None:
            return ("user", "label", *RestrictionsForm.base_fields)
        return ("user", "label", "restrictions", created, "last_used")

    def get_autocomplete_fields(self, request: HttpRequest) -> Any:
        return ("user",) if can_see_all(request) else ()

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        return {"user": request.user.pk, **super().get_changeform_initial_data(request)}

    def formfield_for_foreignkey(self, db_field: Any, request: Any, **kwargs: Any) -> Any:
        if db_field.name == "user":
            kwargs["queryset"] = (
                manageable_users(get_user(request)) if can_see_all(request) else User.objects.filter(pk=request.user.pk)
            )
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    @admin.display(description=_("last used"), ordering="last_used_at")
    def last_used(self, password: ApplicationPassword) -> str | None:
        return format_in_site_time(password.last_used_at) if password.last_used_at else None

    @admin.display(description=_("restrictions"))
    def restrictions(self, password: ApplicationPassword) -> str | None:
        return ", ".join(describe_restrictions(password)) or None

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_delete_permission(request, obj) and (obj is None or can_manage(get_user(request), obj.user))

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        password, obj.secret = create_application_password(
            obj.user, obj.label, by=get_user(request), **form.restrictions()
        )
        obj.pk = password.pk

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        revoke_application_password(obj.user, obj.label, by=get_user(request))

    def delete_queryset(self, request: HttpRequest, queryset: Any) -> None:
        with write_lock():
            for password in queryset:
                self.delete_model(request, password)

    def response_add(self, request: HttpRequest, obj: Any, post_url_continue: Any = None) -> Any:
        # Not as a message on the next page, because the secret would be in a cookie until then.
        context = {
            **self.admin_site.each_context(request),
            **secret_context(request, obj, obj.secret),
            "title": self.opts.verbose_name_plural,
        }
        return TemplateResponse(request, "admin/accounts/secret.html", context)


def can_see_all(request: HttpRequest) -> bool:
    """Return whether the user sees the application passwords of others: only users who may change users do."""
    return request.user.has_perm("accounts.change_user")
