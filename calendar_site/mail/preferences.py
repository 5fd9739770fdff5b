"""The page on which users choose the emails that they get."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldBooleanSwitchWidget

from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.permissions import can_publish
from calendar_site.mail.messages import is_mail_enabled
from calendar_site.mail.models import MailPreferences, SubmissionMail, preferences_of
from calendar_site.review.models import reviewed_models


class PreferencesForm(forms.ModelForm):
    language = forms.ChoiceField(
        label=gettext_lazy("Language of emails"), required=False, widget=UnfoldAdminSelectWidget
    )

    class Meta:
        model = MailPreferences
        fields = ("language", "submissions", "wants_decisions", "wants_sign_ins")
        widgets = {
            "submissions": UnfoldAdminSelectWidget,
            "wants_decisions": UnfoldBooleanSwitchWidget,
            "wants_sign_ins": UnfoldBooleanSwitchWidget,
        }

    def __init__(self, user: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        automatic = ("", _("Language of the last sign-in"))
        self.fields["language"].choices = [automatic, *settings.LANGUAGES]  # type: ignore[attr-defined]
        if not any(can_publish(user, model) for model in reviewed_models()):
            del self.fields["submissions"]
            return
        default = SubmissionMail(settings.SUBMISSION_EMAILS).label
        choices = [(value, label) for value, label in SubmissionMail.choices if value]
        self.fields["submissions"].choices = [  # type: ignore[attr-defined]
            ("", _("Default of the site: %(choice)s") % {"choice": default}),
            *choices,
        ]


def mail_preferences(request: HttpRequest) -> HttpResponse:
    """Show and save the preferences of the user. Responds with 404 if the service cannot send emails."""
    if not is_mail_enabled():
        raise Http404
    user: Any = request.user
    form = PreferencesForm(user, request.POST or None, instance=preferences_of(user.pk))
    if form.is_valid():
        with write_lock():
            form.save()
        messages.success(request, _("Your preferences have been saved."))
        return redirect("admin:mail_preferences")
    context = {**admin.site.each_context(request), "title": _("Email notifications"), "form": form, "email": user.email}
    return TemplateResponse(request, "admin/accounts/mail_preferences.html", context)
