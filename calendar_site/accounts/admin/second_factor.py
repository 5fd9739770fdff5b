"""Resetting the second factor of another account."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from calendar_site.accounts.models import User
from calendar_site.accounts.sign_in.second_factor import disable_second_factor
from calendar_site.accounts.types import get_user


def reset_second_factor_view(request: HttpRequest, *, pk: int, model_admin: Any) -> HttpResponse:
    """Ask for confirmation, then turn the second factor off, so that the user can sign in again.

    Redirects users to their own security page if the account is theirs.
    """
    user = get_object_or_404(User, pk=pk)
    if not model_admin.has_change_permission(request, user):
        raise PermissionDenied
    if user == request.user:
        return redirect("admin:second_factor")
    form_url = reverse("admin:accounts_user_change", args=[pk])
    if request.method == "POST":
        disable_second_factor(user, by=get_user(request))
        messages.success(request, _("Two-factor authentication for %(user)s has been turned off.") % {"user": user})
        return redirect(form_url)
    context = {
        **model_admin.admin_site.each_context(request),
        "title": _("Two-factor authentication"),
        "account": user,
        "back": form_url,
    }
    return TemplateResponse(request, "admin/accounts/reset_second_factor.html", context)
