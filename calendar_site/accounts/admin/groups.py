"""Groups of permissions. The roles are among them; code knows these by their names."""

from django.contrib import admin
from django.contrib.auth import admin as auth_admin
from django.contrib.auth.models import Group
from django.utils.translation import gettext_lazy as _

from calendar_site.accounts.admin.rights import right_in_words
from calendar_site.accounts.roles import MEANINGS, ROLES, role_name
from calendar_site.accounts.rules import in_order, rights_of, roles_to_give
from calendar_site.accounts.services import names_of
from calendar_site.content.admin.base import STYLE
from calendar_site.content.admin.states import StatesAdmin
from calendar_site.content.recording import record, record_deleted, remember
from calendar_site.content.transactions import writing

admin.site.unregister(Group)


@admin.register(Group)
class GroupAdmin(StatesAdmin, auth_admin.GroupAdmin):
    list_display = ("title", "meaning")
    fields = ("name", "permissions")
    ordering = ()

    class Media:
        css = {"all": (STYLE,)}

    def get_queryset(self, request):
        return in_order(super().get_queryset(request))

    @admin.display(description=_("name"))
    def title(self, group):
        return role_name(group.name)

    @admin.display(description=_("may do"))
    def meaning(self, group):
        return MEANINGS.get(group.name)

    def has_change_permission(self, request, obj=None):
        return super().has_change_permission(request, obj) and (obj is None or self._is_within_reach(request, obj))

    def has_delete_permission(self, request, obj=None):
        return super().has_delete_permission(request, obj) and (
            obj is None or (obj.name not in ROLES and self._is_within_reach(request, obj))
        )

    def _is_within_reach(self, request, group):
        return roles_to_give(request.user).filter(pk=group.pk).exists()

    def changeable(self, request):
        return None if request.user.is_superuser else roles_to_give(request.user)

    def may_change_gone(self, request, state):
        # What it could do is not known any more.
        return request.user.is_superuser

    # --- What is written is recorded

    def get_object(self, request, object_id, from_field=None):
        group = super().get_object(request, object_id, from_field)
        if group is not None:
            remember(group)
        return group

    def save_related(self, request, form, formsets, change):
        group = form.instance
        with writing():
            before = {"permissions": names_of(group.permissions)}
            super().save_related(request, form, formsets, change)
            record(group, request.user, {"permissions": names_of(group.permissions)}, before=before)

    def delete_model(self, request, obj):
        self.delete_queryset(request, Group.objects.filter(pk=obj.pk))

    def delete_queryset(self, request, queryset):
        with writing():
            gone = {group.pk: {"permissions": names_of(group.permissions)} for group in queryset}
            record_deleted(queryset, request.user, gone)
            super().delete_queryset(request, queryset)

    # --- Form

    def get_readonly_fields(self, request, obj=None):
        fields = super().get_readonly_fields(request, obj)
        return (*fields, "name") if obj is not None and obj.name in ROLES else fields

    def formfield_for_manytomany(self, db_field, request, **kwargs):
        if db_field.name == "permissions":
            kwargs["queryset"] = rights_of(request.user)
        field = super().formfield_for_manytomany(db_field, request, **kwargs)
        field.label_from_instance = right_in_words
        return field
