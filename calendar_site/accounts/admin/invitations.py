"""Inviting the user of another account to choose a password."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from calendar_site.accounts.models import User
from calendar_site.accounts.password_links.services import invite
from calendar_site.accounts.password_links.tokens import INVITATIONS
from calendar_site.accounts.types import get_user
from calendar_site.mail.messages import can_mail


@never_cache
def invite_view(request: HttpRequest, *, pk: int, model_admin: Any) -> HttpResponse:
    """Ask for confirmation, then send an invitation, or show its link if no email can be sent."""
    user = get_object_or_404(User, pk=pk)
    if not model_admin.has_change_permission(request, user):
        raise PermissionDenied
    back = reverse("admin:accounts_user_change", args=[pk])
    if request.method == "POST":
        try:
            invite(user, by=get_user(request))
        except ValidationError as error:
            messages.error(request, " ".join(error.messages))
            return redirect(back)
        return report_invitation(request, user, model_admin) or redirect(back)
    context = {
        **model_admin.admin_site.each_context(request),
        "title": _("Invitation"),
        "account": user,
        "will_be_sent": can_mail(user),
        "days": settings.INVITATION_DAYS,
        "back": back,
    }
    return TemplateResponse(request, "admin/accounts/invite.html", context)


def report_invitation(request: HttpRequest, user: User, model_admin: Any) -> HttpResponse | None:
    """Add a message that the invitation is on its way, or return the page with the link to hand over."""
    if can_mail(user):
        messages.success(request, _("An invitation is on its way to %(email)s.") % {"email": user.email})
        return None
    context = {
        **model_admin.admin_site.each_context(request),
        "title": _("Invitation"),
        "account": user,
        "days": settings.INVITATION_DAYS,
        # In this response alone: a message would be in a cookie until the next page.
        "invitation_url": request.build_absolute_uri(INVITATIONS.make_path(user)),
        "back": reverse("admin:accounts_user_change", args=[user.pk]),
    }
    return TemplateResponse(request, "admin/accounts/invitation_link.html", context)
