"""Records with an author in the admin: rights by the record, and columns that say who and when."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from calendar_site.content import rules
from calendar_site.content.admin.base import ServiceAdmin
from calendar_site.content.days import in_site_time
from calendar_site.content.querysets import editable_q


class AuthoredAdmin(ServiceAdmin):
    """Who may do what is `content.rules`, record by record."""

    list_select_related: Any = ("author",)
    ordering: Any = ("-pk",)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_change_permission(request, obj) and (obj is None or rules.can_edit(request.user, obj))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_delete_permission(request, obj) and (obj is None or rules.can_delete(request.user, obj))

    def changeable(self, request: HttpRequest) -> Any:
        if rules.can_edit_others(request.user, self.model):
            return None
        return self.model._default_manager.filter(editable_q(request.user, self.model))

    # Not the account itself, which would be a link to a page that few may see.
    @admin.display(description=gettext_lazy("author"), ordering="author__username")
    def author_name(self, row: Any) -> str:
        return str(row.author)

    @admin.display(description=gettext_lazy("created"), ordering="created_at")
    def created(self, row: Any) -> str:
        return in_site_time(row.created_at)

    @admin.display(description=gettext_lazy("modified"), ordering="modified_at")
    def modified(self, row: Any) -> str:
        return in_site_time(row.modified_at)
