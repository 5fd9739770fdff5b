"""The pages on which users enter a new email address, and confirm it with the link that was sent to it."""

from __future__ import annotations

from functools import partial
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from unfold.widgets import UnfoldAdminEmailInputWidget

from calendar_site.accounts.email_change.services import confirm_email_change, request_email_change
from calendar_site.accounts.email_change.tokens import find_pending_email
from calendar_site.accounts.models import User
from calendar_site.accounts.password_links.services import LinkInvalid
from calendar_site.accounts.password_links.views import refuse_for_now
from calendar_site.accounts.security_views import ConfirmPasswordForm
from calendar_site.accounts.types import UserRequest
from calendar_site.limits.rates import Rate, Usage, count_use, read_usage
from calendar_site.limits.stores import shared_store
from calendar_site.mail.messages import is_mail_enabled

# New addresses of one user: somebody could otherwise send emails to many people.
RATE = Rate(5, 3600)


class NewEmailForm(ConfirmPasswordForm):
    email = forms.EmailField(
        label=gettext_lazy("New email address"),
        max_length=User._meta.get_field("email").max_length,
        widget=UnfoldAdminEmailInputWidget({"autocomplete": "email"}),
    )
    field_order = ("email", "password")

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"]
        user: Any = self.request.user
        if email == user.email:
            raise ValidationError(_("This is already the email address of your account."))
        return email


@never_cache
@sensitive_post_parameters()
def change_email(request: UserRequest) -> HttpResponse:
    """Ask for a new address and the password, and send a link to the address. 404 if the service sends no emails."""
    _check_mail_is_enabled()
    form = NewEmailForm(request, request.POST or None)
    if not form.is_valid():
        return _render_form(request, form)
    usage = _count_request(request.user)
    if usage.is_exceeded:
        return refuse_for_now(form, usage, partial(_render_form, request, form))
    email = form.cleaned_data["email"]
    request_email_change(request.user, email)
    text = _("A link is on its way to %(email)s. Follow it to confirm the address.")
    messages.success(request, text % {"email": email})
    return redirect("admin:mail_preferences")


@never_cache
def confirm_email(request: UserRequest, token: str) -> HttpResponse:
    """Show the new address that a link confirms; on POST, set it. Another user's link is as invalid as an old one."""
    _check_mail_is_enabled()
    if request.method == "POST":
        try:
            user = confirm_email_change(request.user, token)
        except LinkInvalid:
            pass
        else:
            messages.success(request, _("Your email address is now %(email)s.") % {"email": user.email})
            return redirect("admin:mail_preferences")
    pending = find_pending_email(request.user, token)
    title = _("Confirm email address") if pending else _("This link is no longer valid")
    context = {**admin.site.each_context(request), "title": title, "pending": pending}
    return TemplateResponse(request, "admin/accounts/confirm_email.html", context)


def _render_form(request: UserRequest, form: NewEmailForm) -> HttpResponse:
    context = {
        **admin.site.each_context(request),
        "title": _("Change email address"),
        "form": form,
        "email": request.user.email,
    }
    return TemplateResponse(request, "admin/accounts/change_email.html", context)


def _check_mail_is_enabled() -> None:
    if not is_mail_enabled():
        raise Http404


def _count_request(user: User) -> Usage:
    """Count a new address of this user, unless there were too many."""
    store, key = shared_store(), f"email_change:{user.pk}"
    usage = read_usage(store, key, RATE)
    return usage if usage.is_exceeded else count_use(store, key, RATE)
