"""The form fields with which an application password is restricted."""

from __future__ import annotations

from typing import Any

from django import forms
from django.apps import apps
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from calendar_site.accounts.models import ApplicationPassword, parse_networks, validate_future
from calendar_site.accounts.scopes import RESOURCES
from calendar_site.accounts.services import Restrictions
from calendar_site.core.dates.conversion import end_of_site_day
from calendar_site.core.dates.formatting import format_in_site_time


def resource_choices() -> list[tuple[str, str]]:
    return [(name, capfirst(str(apps.get_model(label)._meta.verbose_name_plural))) for name, label in RESOURCES.items()]


def describe_restrictions(password: ApplicationPassword) -> list[str]:
    """Return the restrictions of a password for its owner, none if there are none."""
    labels = dict(resource_choices())
    texts = [
        _("Read only") if password.is_read_only else "",
        _("Own records only") if password.is_own_only else "",
        *(labels.get(name, name) for name in password.resources),
        *password.networks,
        _("Until %(moment)s") % {"moment": format_in_site_time(password.expires_at)} if password.expires_at else "",
    ]
    return [text for text in texts if text]


class NetworksField(forms.CharField):
    """Networks in CIDR notation, separated by commas, blanks or lines."""

    widget = UnfoldAdminTextareaWidget

    def to_python(self, value: Any) -> Any:
        return parse_networks((super().to_python(value) or "").replace(",", " ").split())


class RestrictionsForm(forms.Form):
    """The fields of a new application password that restrict it. All are optional."""

    is_read_only = forms.BooleanField(
        label=gettext_lazy("Read only"),
        required=False,
        widget=UnfoldBooleanWidget,
        help_text=gettext_lazy("The client can read everything that you can, but change nothing."),
    )
    is_own_only = forms.BooleanField(
        label=gettext_lazy("Own records only"),
        required=False,
        widget=UnfoldBooleanWidget,
        help_text=gettext_lazy("The client cannot change, or read before publication, the records of other users."),
    )
    resources = forms.MultipleChoiceField(
        label=gettext_lazy("Only these resources"),
        required=False,
        choices=resource_choices,
        widget=UnfoldAdminCheckboxSelectMultipleWidget,
        help_text=gettext_lazy("Of other resources, clients can read only what is public. Select none to allow all."),
    )
    expires_on = forms.DateField(
        label=gettext_lazy("Last day"),
        required=False,
        widget=UnfoldAdminTextInputWidget({"type": "date", "max": "9999-12-31"}),
        help_text=gettext_lazy("The password is valid until the end of this day. Leave empty for no expiry."),
    )
    networks = NetworksField(
        label=gettext_lazy("Allowed networks"),
        required=False,
        widget=UnfoldAdminTextareaWidget({"rows": 2}),
        help_text=gettext_lazy("IP addresses or networks such as 192.0.2.0/24. Leave empty to allow all."),
    )

    def clean_expires_on(self) -> Any:
        day = self.cleaned_data["expires_on"]
        if day is not None:
            validate_future(end_of_site_day(day))
        return day

    def restrictions(self) -> Restrictions:
        """Return the restrictions of a valid form."""
        data = self.cleaned_data
        return {
            "is_read_only": data["is_read_only"],
            "is_own_only": data["is_own_only"],
            "resources": data["resources"],
            "expires_at": end_of_site_day(data["expires_on"]) if data["expires_on"] else None,
            "networks": data["networks"],
        }


class ApplicationPasswordForm(RestrictionsForm, forms.ModelForm):
    """The form of a new application password of any user."""

    class Meta:
        model = ApplicationPassword
        fields = ("user", "label")
