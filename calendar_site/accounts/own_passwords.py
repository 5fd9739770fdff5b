"""The page on which everybody makes and revokes their own application passwords."""

import shlex

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.widgets import UnfoldAdminTextInputWidget

from calendar_site.accounts.models import ApplicationPassword
from calendar_site.accounts.services import create_application_password, revoke_application_password
from calendar_site.api.links import links_for


class LabelForm(forms.Form):
    label = forms.CharField(
        label=gettext_lazy("For which program?"),
        max_length=ApplicationPassword._meta.get_field("label").max_length,
        widget=UnfoldAdminTextInputWidget({"autocomplete": "off"}),
        help_text=gettext_lazy("A name by which you will know it again, such as “ticket shop”."),
    )


def own_passwords(request):
    """The list, a form for one more, and after that, this once, its secret."""
    if "revoke" in request.POST:
        return _revoke(request)
    form, made = LabelForm(request.POST or None), None
    if form.is_valid():
        try:
            made = create_application_password(request.user, form.cleaned_data["label"], by=request.user)
        except ValidationError as error:
            form.add_error("label", error.messages)
    context = {
        **admin.site.each_context(request),
        **(shown_once(request, *made) if made else {}),
        "title": _("My application passwords"),
        "form": LabelForm() if made else form,
        "passwords": request.user.application_passwords.order_by("label"),
    }
    return TemplateResponse(request, "admin/accounts/own_passwords.html", context)


def _revoke(request):
    try:
        revoke_application_password(request.user, request.POST["revoke"], by=request.user)
    except ApplicationPassword.DoesNotExist as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("The application password is revoked. The program is refused from now on."))
    return redirect("admin:own_passwords")


def shown_once(request, password, secret):
    """What `_secret.html` shows of a new application password, and never anything again."""
    api = links_for(request).api
    return {
        "password": password,
        "secret": secret,
        "api": api,
        # It asks for the secret, which then is in no history of a shell.
        "example": f"curl -u {shlex.quote(password.user.username)} {shlex.quote(f'{api}/events?status=draft')}",
    }
