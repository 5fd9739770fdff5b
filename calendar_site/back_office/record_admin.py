"""The base ModelAdmin of records, with the attributes that the pages of the history and of reviews need."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple, Protocol

from django.db.models import Model
from django.http import HttpRequest
from unfold.admin import ModelAdmin

from calendar_site.audit.models import Revision
from calendar_site.audit.record_services import RecordServices
from calendar_site.core import permissions
from calendar_site.core.types import AnyUser
from calendar_site.revisions.restore import RestorePlan, plan_restore


class PlanRestore(Protocol):
    """A function that returns the plan by which a service restores the revision."""

    def __call__(self, revision: Revision, row: Any, user: AnyUser, /) -> RestorePlan: ...


class RestorePolicy(NamedTuple):
    """The rules for restoring revisions of a model's records."""

    plan: PlanRestore = plan_restore
    # Whether deleted records can be restored from their history.
    includes_deleted: bool = True


class RecordModelAdmin(ModelAdmin):
    """The ModelAdmin of records with a history."""

    services: ClassVar[RecordServices[Any]]
    # None if the revisions cannot be restored.
    restore_policy: ClassVar[RestorePolicy | None] = None

    def can_edit_deleted(self, request: HttpRequest, revision: Revision) -> bool:
        """Return whether the user could change a deleted record. `revision` is its last one."""
        return permissions.can_edit(request.user, revision, self.model)

    def can_restore(self, request: HttpRequest, row: Model | None) -> bool:
        """Return whether earlier revisions of the record can be restored. `row` is None for a deleted record."""
        if self.restore_policy is None:
            return False
        return row is not None or (self.restore_policy.includes_deleted and self.has_add_permission(request))
