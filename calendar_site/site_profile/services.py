"""Saving the profile of the site."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet

from calendar_site.audit.record_services import RecordServices
from calendar_site.audit.recorder import SAVE, Action, record_revision
from calendar_site.core import permissions
from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.types import AnyUser
from calendar_site.site_profile.models import SiteProfile


def save_site_profile(profile: SiteProfile, *, changes: Any, user: AnyUser, action: Action = SAVE) -> SiteProfile:
    """Validate and save the profile, and record it. Raises ValidationError and PermissionDenied."""
    with write_lock():
        apply_site_profile(profile, changes=changes, user=user)
        profile.full_clean()
        profile.save()
        record_revision(profile, user, action=action)
    return profile


def apply_site_profile(profile: SiteProfile, *, changes: Any, user: AnyUser) -> None:
    """Set `changes` on the profile without saving it. Raises PermissionDenied."""
    if not permissions.has_model_permission(user, "change", SiteProfile):
        raise PermissionDenied
    for name, value in changes.items():
        setattr(profile, name, value)


def refuse_to_delete(rows: QuerySet[SiteProfile], *, user: AnyUser | None) -> int:
    """Raise PermissionDenied: a site has a profile for good, once it has one."""
    raise PermissionDenied


site_profile_services = RecordServices(save=save_site_profile, apply=apply_site_profile, delete=refuse_to_delete)
