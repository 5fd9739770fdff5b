"""The page on which users of the admin create and revoke their own application passwords."""

from __future__ import annotations

import shlex
from typing import Any, TypedDict

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.widgets import UnfoldAdminTextInputWidget

from calendar_site.accounts.application_passwords.forms import RestrictionsForm, describe_restrictions
from calendar_site.accounts.models import ApplicationPassword
from calendar_site.accounts.services import create_application_password, revoke_application_password
from calendar_site.accounts.types import UserRequest
from calendar_site.api.site_urls import urls_for
from calendar_site.core.dates.formatting import format_in_site_time


class NewApplicationPasswordForm(RestrictionsForm):
    label = forms.CharField(
        label=gettext_lazy("Client"),
        max_length=ApplicationPassword.MAX_LABEL_LENGTH,
        widget=UnfoldAdminTextInputWidget({"autocomplete": "off"}),
        help_text=gettext_lazy("Identifies the client that uses the password, such as “ticket shop”."),
    )
    # The label before the restrictions.
    field_order = ("label",)


def my_application_passwords(request: UserRequest) -> HttpResponse:
    """List the passwords with a form to create one, whose response is the only one that shows the secret."""
    if "revoke" in request.POST:
        return _revoke(request)
    form, created = NewApplicationPasswordForm(request.POST or None), None
    if form.is_valid():
        try:
            created = create_application_password(
                request.user, form.cleaned_data["label"], by=request.user, **form.restrictions()
            )
        except ValidationError as error:
            form.add_error("label", error.messages)
    context: dict[str, Any] = {
        **admin.site.each_context(request),
        "title": _("My application passwords"),
        "form": NewApplicationPasswordForm() if created else form,
        "rows": [_row(password) for password in request.user.application_passwords.order_by("label")],
    }
    if created:
        context |= secret_context(request, *created)
    return TemplateResponse(request, "admin/accounts/my_application_passwords.html", context)


def _row(password: ApplicationPassword) -> dict[str, str]:
    return {
        "label": password.label,
        "restrictions": ", ".join(describe_restrictions(password)),
        "created": format_in_site_time(password.created_at),
        "last_used": format_in_site_time(password.last_used_at) if password.last_used_at else "",
    }


def _revoke(request: UserRequest) -> HttpResponse:
    try:
        revoke_application_password(request.user, request.POST["revoke"], by=request.user)
    except ApplicationPassword.DoesNotExist as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("The application password has been revoked. Clients can no longer use it."))
    return redirect("admin:my_application_passwords")


class SecretContext(TypedDict):
    """The variables of `_secret.html`."""

    password: ApplicationPassword
    secret: str
    api: str
    example: str


def secret_context(request: HttpRequest, password: ApplicationPassword, secret: str) -> SecretContext:
    """Return the variables of the template that shows a new application password once."""
    api = urls_for(request).api
    return {
        "password": password,
        "secret": secret,
        "api": api,
        # curl asks for the secret, which keeps it out of the shell history.
        "example": f"curl -u {shlex.quote(password.user.username)} {shlex.quote(f'{api}/events?status=draft')}",
    }
