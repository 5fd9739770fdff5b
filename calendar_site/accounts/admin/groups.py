"""ModelAdmin of permission groups. These include the roles, which code refers to by name."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.auth import admin as auth_admin
from django.contrib.auth.models import Group
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from calendar_site.accounts.admin.permission_labels import permission_label
from calendar_site.accounts.permissions import assignable_groups, order_by_role, permissions_of
from calendar_site.accounts.roles import ROLE_DESCRIPTIONS, ROLES, role_label
from calendar_site.accounts.services import permission_names
from calendar_site.accounts.types import get_user
from calendar_site.audit.recorder import record_deletion, record_revision, track_loaded_values
from calendar_site.back_office.base.audited import AuditedModelAdmin
from calendar_site.back_office.base.service_admin import STYLE
from calendar_site.core.database.write_lock import write_lock

admin.site.unregister(Group)


@admin.register(Group)
class GroupAdmin(AuditedModelAdmin, auth_admin.GroupAdmin):
    list_display = ("title", "meaning")
    fields = ("name", "permissions")
    ordering = ()

    class Media:
        css = {"all": (STYLE,)}

    def get_queryset(self, request: HttpRequest) -> Any:
        return order_by_role(super().get_queryset(request))

    @admin.display(description=_("name"))
    def title(self, group: Any) -> str:
        return role_label(group.name)

    @admin.display(description=_("description"))
    def meaning(self, group: Any) -> Any:
        return ROLE_DESCRIPTIONS.get(group.name)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_change_permission(request, obj) and (obj is None or self._is_assignable(request, obj))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_delete_permission(request, obj) and (
            obj is None or (obj.name not in ROLES and self._is_assignable(request, obj))
        )

    def _is_assignable(self, request: HttpRequest, group: Group) -> bool:
        return assignable_groups(get_user(request)).filter(pk=group.pk).exists()

    def get_editable_rows(self, request: HttpRequest) -> QuerySet | None:
        return None if request.user.is_superuser else assignable_groups(get_user(request))

    def can_edit_deleted(self, request: HttpRequest, revision: Any) -> bool:
        # The permissions of the deleted group are no longer known.
        return request.user.is_superuser

    # --- Writing

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        group = super().get_object(request, object_id, from_field)
        if group is not None:
            track_loaded_values(group)
        return group

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        group = form.instance
        with write_lock():
            before = {"permissions": permission_names(group.permissions)}
            super().save_related(request, form, formsets, change)
            record_revision(
                group, request.user, extra={"permissions": permission_names(group.permissions)}, before=before
            )

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        self.delete_queryset(request, Group.objects.filter(pk=obj.pk))

    def delete_queryset(self, request: HttpRequest, queryset: Any) -> None:
        with write_lock():
            gone = {group.pk: {"permissions": permission_names(group.permissions)} for group in queryset}
            record_deletion(queryset, request.user, extra=gone)
            super().delete_queryset(request, queryset)

    # --- Form

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        fields = super().get_readonly_fields(request, obj)
        return (*fields, "name") if obj is not None and obj.name in ROLES else fields

    def formfield_for_manytomany(self, db_field: Any, request: Any = None, **kwargs: Any) -> Any:
        if db_field.name == "permissions":
            kwargs["queryset"] = permissions_of(get_user(request))
        field: Any = super().formfield_for_manytomany(db_field, request, **kwargs)
        field.label_from_instance = permission_label
        return field
