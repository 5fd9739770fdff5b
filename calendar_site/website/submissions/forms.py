"""The forms of visitors: an event, and a mistake. They read no query but that of the categories."""

from __future__ import annotations

import re
from datetime import date, datetime, time
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils.html import linebreaks
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django_altcha import AltchaField

from calendar_site.core import clock
from calendar_site.core.choices import Status
from calendar_site.core.dates.conversion import resolve_local, site_zone
from calendar_site.core.text.html import html_to_text
from calendar_site.core.text.plain_text import name_key
from calendar_site.core.validators import validate_http_url, with_scheme
from calendar_site.submissions.models import MAX_NAME_LENGTH, MAX_REPORT_LENGTH
from calendar_site.submissions.services import Sender
from events.changes import EventChanges
from events.models import Event
from taxonomy.models import Category
from venues.models import Venue

MAX_DESCRIPTION_LENGTH = 5000
# Texts with more links are advertising.
MAX_LINKS = 5
MAX_IMAGE_BYTES = 10_000_000
MAX_DAYS = 366
_PARAGRAPH_END, _LINE_BREAK = re.compile(r"</p>\s*"), re.compile(r"<br\s*/?>\s*")
_LINK = re.compile(r"https?://|www\.", re.IGNORECASE)
ALL_DAY_END = time(23, 59, 59)


class HoneypotForm(forms.Form):
    """A form with a field that people do not see, and that programs fill in."""

    # A name that programs like.
    homepage = forms.CharField(
        required=False,
        label=gettext_lazy("Leave this field empty"),
        widget=forms.TextInput({"tabindex": "-1", "autocomplete": "off"}),
    )
    opened = forms.CharField(required=False, widget=forms.HiddenInput)

    @property
    def is_from_program(self) -> bool:
        return bool(self.data.get("homepage"))


class ChallengeForm(HoneypotForm):
    """A form that a browser has to solve a puzzle for, if the setting SUBMISSION_CHALLENGE is on.

    The puzzle is that of ALTCHA, without another host. It needs a script, and HTTPS.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        # A solution counts once, so a preview needs none.
        if settings.SUBMISSION_CHALLENGE and "preview" not in self.data:
            self.fields["altcha"] = AltchaField(
                challengeurl=f"{reverse('submission-challenge')}/",
                auto="onload",
                hidefooter=True,
                language=get_language(),
                error_messages=dict.fromkeys(
                    ("required", "invalid", "error", "replay"),
                    _("Wait until your browser has finished the check below, and send the form again."),
                ),
            )


def _day_input() -> forms.DateInput:
    # Without a last day, Chromium takes six digits for a year.
    return forms.DateInput({"type": "date", "max": "9999-12-31"}, "%Y-%m-%d")


class SubmittedEventForm(HoneypotForm):
    """An event, as a visitor describes it."""

    title = forms.CharField(label=gettext_lazy("Title"), max_length=200)
    start_date = forms.DateField(label=gettext_lazy("Date"), widget=_day_input())
    start_time = forms.TimeField(
        label=gettext_lazy("Time"),
        required=False,
        widget=forms.TimeInput({"type": "time"}, "%H:%M"),
        help_text=gettext_lazy("Leave it empty for a whole day."),
    )
    end_time = forms.TimeField(
        label=gettext_lazy("End"), required=False, widget=forms.TimeInput({"type": "time"}, "%H:%M")
    )
    end_date = forms.DateField(
        label=gettext_lazy("Last day"),
        required=False,
        widget=_day_input(),
        help_text=gettext_lazy("Only if it is another day."),
    )
    venue = forms.CharField(
        label=gettext_lazy("Place"), required=False, max_length=200, widget=forms.TextInput({"list": "venues"})
    )
    address = forms.CharField(
        label=gettext_lazy("Address of the place"),
        required=False,
        max_length=200,
        help_text=gettext_lazy("Not needed for a place that is in the calendar already."),
    )
    description = forms.CharField(
        label=gettext_lazy("Description"),
        required=False,
        max_length=MAX_DESCRIPTION_LENGTH,
        widget=forms.Textarea({"rows": 6}),
    )
    category = forms.ModelChoiceField(Category.objects.none(), label=gettext_lazy("Category"), required=False)
    website = forms.CharField(label=gettext_lazy("Website"), required=False, max_length=500)
    cost = forms.CharField(
        label=gettext_lazy("Price"),
        required=False,
        max_length=200,
        help_text=gettext_lazy("“Free” if it costs nothing."),
    )
    image = forms.FileField(label=gettext_lazy("Image"), required=False, widget=forms.FileInput({"accept": "image/*"}))

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        category: Any = self.fields["category"]
        category.queryset = Category.objects.order_by("search_text", "pk")

    def clean_website(self) -> str:
        website = with_scheme(self.cleaned_data["website"].strip())
        if website:
            validate_http_url(website)
        return website

    def clean_description(self) -> str:
        text: str = self.cleaned_data["description"]
        if len(_LINK.findall(text)) > MAX_LINKS:
            raise ValidationError(_("The description can have at most %(limit)s links.") % {"limit": MAX_LINKS})
        return text

    def clean_image(self) -> Any:
        image = self.cleaned_data["image"]
        if image and image.size > MAX_IMAGE_BYTES:
            raise ValidationError(_("The image is too large. Choose one with at most 10 MB."))
        return image

    def clean(self) -> dict[str, Any]:
        super().clean()
        data = self.cleaned_data
        if not data.get("start_date"):
            return data
        start, end = self._start, self._end
        if end < start:
            self.add_error("end_date", _("The event ends before it starts."))
        elif (end - start).days > MAX_DAYS:
            self.add_error("end_date", _("The event takes more than a year."))
        elif end < clock.now():
            self.add_error("start_date", _("The event is over."))
        return data

    @property
    def changes(self) -> EventChanges:
        """The event for the service, without its status. One query for a place."""
        data = self.cleaned_data
        return {
            "title": data["title"],
            "start": self._start,
            "end": self._end,
            "all_day": self._is_all_day,
            "description": linebreaks(data["description"], autoescape=True) if data["description"] else "",
            "website": data["website"],
            "cost": data["cost"],
            "categories": [data["category"]] if data["category"] else [],
            "venues": self._venues(),
        }

    def _venues(self) -> list[Any]:
        name, address = self.cleaned_data["venue"], self.cleaned_data["address"]
        if not name:
            return []
        known = Venue.objects.published().not_trashed().filter(name_key=name_key(name)).first()
        return [known or {"title": name, "address": address, "status": Status.PENDING}]

    @property
    def _is_all_day(self) -> bool:
        return self.cleaned_data.get("start_time") is None

    @property
    def _start(self) -> datetime:
        data = self.cleaned_data
        return _moment(data["start_date"], data.get("start_time") or time())

    @property
    def _end(self) -> datetime:
        data = self.cleaned_data
        day = data.get("end_date") or data["start_date"]
        if self._is_all_day:
            return _moment(day, ALL_DAY_END)
        return _moment(day, data.get("end_time") or data["start_time"])


class NewSubmissionForm(SubmittedEventForm, ChallengeForm):
    """The form of a new event, with its sender."""

    sender_name = forms.CharField(label=gettext_lazy("Your name"), max_length=MAX_NAME_LENGTH)
    sender_email = forms.EmailField(
        label=gettext_lazy("Your email address"),
        help_text=gettext_lazy(
            "For questions and the decision. It is not published, and deleted 90 days after the event."
        ),
    )
    consent = forms.BooleanField(label=gettext_lazy("I agree that this event is published if it is approved."))

    @property
    def sender(self) -> Sender:
        return Sender(self.cleaned_data["sender_name"], self.cleaned_data["sender_email"])


class MistakeForm(ChallengeForm):
    """A report of a mistake in an event."""

    text = forms.CharField(
        label=gettext_lazy("What is wrong?"), max_length=MAX_REPORT_LENGTH, widget=forms.Textarea({"rows": 5})
    )
    email = forms.EmailField(
        label=gettext_lazy("Your email address"), required=False, help_text=gettext_lazy("Only if we may ask you.")
    )


def initial_values(event: Event) -> dict[str, Any]:
    """Return the values of the form for an event that a visitor has submitted. Two queries."""
    zone = site_zone().tz
    start, end = event.start.astimezone(zone), event.end.astimezone(zone)
    venue, category = event.venues.first(), event.categories.first()
    return {
        "title": event.title,
        "start_date": start.date(),
        "start_time": None if event.all_day else start.time(),
        "end_date": end.date() if end.date() != start.date() else None,
        "end_time": None if event.all_day or event.end == event.start else end.time(),
        "venue": venue.title if venue else "",
        "address": venue.address if venue else "",
        "description": _to_plain_text(event.description),
        "category": category,
        "website": event.website,
        "cost": event.cost,
    }


def _to_plain_text(markup: str) -> str:
    """Return a description as it was typed, with its paragraphs and lines."""
    paragraphs = [
        "\n".join(html_to_text(line) for line in _LINE_BREAK.split(paragraph))
        for paragraph in _PARAGRAPH_END.split(markup)
    ]
    return "\n\n".join(filter(None, paragraphs))


def _moment(day: date, clock_time: time) -> datetime:
    return resolve_local(datetime.combine(day, clock_time), site_zone().tz)
