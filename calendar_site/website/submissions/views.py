"""The pages on which visitors submit an event, edit or withdraw it, and report a mistake."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, NamedTuple

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django_altcha import AltchaChallengeView

from calendar_site.api.site_urls import urls_for
from calendar_site.core.busy import ResourceBusy
from calendar_site.core.choices import Status
from calendar_site.core.dates.conversion import site_zone
from calendar_site.core.dates.formatting import format_day, format_day_and_time
from calendar_site.core.http import security_headers
from calendar_site.core.http.allowed_methods import View, read_only, with_form
from calendar_site.core.http.client_address import client_address
from calendar_site.core.slugs import decode_slug
from calendar_site.media.image_process import InvalidImage
from calendar_site.media.library import PreparedImage, deleting_unused_files, prepare_image, store_files
from calendar_site.submissions.form_tokens import is_old_enough, make_form_token
from calendar_site.submissions.limits import (
    count_submission,
    is_flood_of_refused_forms,
    limits_of,
    seconds_to_wait,
)
from calendar_site.submissions.models import PublicSubmission
from calendar_site.submissions.services import (
    EDITABLE,
    edit_submission,
    find_submission,
    report_mistake,
    submit_event,
    withdraw_submission,
)
from calendar_site.website.rendering import PageHead, redirect_after_post, render_page
from calendar_site.website.submissions.forms import (
    HoneypotForm,
    MistakeForm,
    NewSubmissionForm,
    SubmittedEventForm,
    initial_values,
)
from events.models import Event
from events.protection.protected_fields import Reader, hides_fields
from venues.models import Venue

# The places that the form suggests.
MAX_VENUES = 300
NOT_LISTED = "noindex, nofollow"
# A phone solves it in less than a second.
HARDEST_PUZZLE = 20_000


class EventPreview(NamedTuple):
    """An event as it was entered."""

    title: str
    when: str
    where: str
    description: SafeString


def if_submissions_are_open(view: View) -> View:
    """Raise Http404 unless the setting PUBLIC_SUBMISSIONS is on, and keep the page out of search engines."""

    @wraps(view)
    def checked(request: HttpRequest, *arguments: Any, **named: Any) -> HttpResponse:
        if not settings.PUBLIC_SUBMISSIONS:
            raise Http404
        response = view(request, *arguments, **named)
        response["X-Robots-Tag"] = NOT_LISTED
        return response

    return checked


def refuse_floods(view: View) -> View:
    """Answer many forms that programs send with a line of text each."""

    @wraps(view)
    def checked(request: HttpRequest, *arguments: Any, **named: Any) -> HttpResponse:
        if request.method == "POST" and _is_from_program(request.POST) and is_flood_of_refused_forms():
            text = _("Too much was sent in. Go back, wait a minute, and send the form again.")
            return HttpResponse(f"{text}\n", status=429, content_type="text/plain; charset=utf-8")
        return view(request, *arguments, **named)

    return checked


@with_form
@if_submissions_are_open
@refuse_floods
def submit_page(request: HttpRequest) -> HttpResponse:
    """Show the form for an event, a preview, or store the event for the review queue."""
    if request.method != "POST":
        return _show_event_form(request, NewSubmissionForm(initial={"opened": make_form_token()}))
    form = NewSubmissionForm(request.POST, request.FILES)
    limits = limits_of("submission", str(client_address(request) or ""))
    if refusal := _refusal(form, limits):
        return _show_event_form(request, _reopened(form), error=refusal.text, status=refusal.status)
    if not form.is_valid():
        return _show_event_form(request, form, status=400)
    if "preview" in request.POST:
        return _show_event_form(request, form, preview=_preview(form))

    def submit(image: PreparedImage | None) -> str:
        token = submit_event(form.changes, form.sender, image).token
        count_submission(limits)
        return token

    token = _write(form, submit)
    if token is None:
        return _show_event_form(request, form, status=400)
    return redirect_after_post(f"{reverse('submission', args=[token])}/?sent=1")


@with_form
@if_submissions_are_open
def submission_page(request: HttpRequest, token: str) -> HttpResponse:
    """Show the state of a submission. Everybody with its link may edit or withdraw it."""
    submission = find_submission(token)
    if submission is None:
        raise Http404
    form = SubmittedEventForm(initial=initial_values(submission.event))
    if request.method == "POST":
        if "withdraw" in request.POST:
            withdraw_submission(submission)
            return redirect_after_post(f"{reverse('submission', args=[token])}/")
        form = SubmittedEventForm(request.POST, request.FILES)
        limits = limits_of("edit", str(client_address(request) or ""))
        if seconds := seconds_to_wait(limits):
            refusal = _too_many(seconds)
            return _show_submission(request, submission, token, form, error=refusal.text, status=refusal.status)
        if form.is_valid() and "preview" in request.POST:
            return _show_submission(request, submission, token, form, preview=_preview(form))

        def edit(image: PreparedImage | None) -> PublicSubmission:
            edited = edit_submission(submission, form.changes, image)
            count_submission(limits)
            return edited

        if form.is_valid() and _write(form, edit):
            return redirect_after_post(f"{reverse('submission', args=[token])}/?sent=1")
        return _show_submission(request, submission, token, form, status=400)
    return _show_submission(request, submission, token, form)


@with_form
@refuse_floods
def mistake_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the form for a mistake on the page of a public event, or store the report."""
    event = Event.objects.published().not_trashed().filter(slug=decode_slug(slug)).first()
    if event is None or hides_fields(event, Reader(request.user)):
        raise Http404
    form = MistakeForm(initial={"opened": make_form_token()})
    status, error = 200, ""
    if request.method == "POST":
        form = MistakeForm(request.POST)
        limits = limits_of("mistake", str(client_address(request) or ""))
        refusal = _refusal(form, limits)
        if refusal:
            status, error, form = refusal.status, refusal.text, _reopened(form)
        elif form.is_valid():
            report_mistake(event, form.cleaned_data["text"], form.cleaned_data["email"])
            count_submission(limits)
            return redirect_after_post(f"{reverse('mistake', kwargs={'slug': event.slug})}/?sent=1")
        else:
            status = 400
    urls = urls_for(request)
    page_url = urls.page_url("event", event.slug)
    context = {
        "form": form,
        "error": error,
        "event_url": page_url,
        "event_title": event.title,
        "is_sent": "sent" in request.GET and request.method != "POST",
    }
    head = PageHead(_("Report a mistake"), f"{page_url}report/", is_translated=False)
    response = _render_form(request, "submissions/mistake.html", head, context, status)
    response["X-Robots-Tag"] = NOT_LISTED
    return response


@read_only
def challenge(request: HttpRequest) -> HttpResponse:
    """Return a puzzle for a form."""
    if not settings.SUBMISSION_CHALLENGE:
        raise Http404
    response = AltchaChallengeView.as_view(max_number=HARDEST_PUZZLE)(request)
    response["Cache-Control"] = "no-store"
    return response


class Refusal(NamedTuple):
    """Why a form is not processed."""

    text: str
    status: int


def _is_from_program(data: Mapping[str, str]) -> bool:
    return bool(data.get("homepage")) or not is_old_enough(data.get("opened", ""))


def _refusal(form: HoneypotForm, limits: Any) -> Refusal | None:
    """Return why a form is refused before it is validated; None for one that a person seems to have sent."""
    if form.is_from_program:
        return Refusal(_("Leave the field “Leave this field empty” empty."), 400)
    if not is_old_enough(form.data.get("opened", "")):
        return Refusal(_("The form was sent too soon after it was opened, or too late. Send it again."), 400)
    seconds = seconds_to_wait(limits)
    return _too_many(seconds) if seconds else None


def _too_many(seconds: int) -> Refusal:
    minutes = -(-seconds // 60)
    text = ngettext(
        "Too much was sent in. Try again in %(count)s minute.",
        "Too much was sent in. Try again in %(count)s minutes.",
        minutes,
    )
    return Refusal(text % {"count": minutes}, 429)


def _reopened(form: Any) -> Any:
    """Return the form with its values, as if it was opened now."""
    data = form.data.copy()
    data["opened"] = make_form_token()
    data["homepage"] = ""
    return type(form)(data)


def _write(form: SubmittedEventForm, write: Callable[[PreparedImage | None], Any]) -> Any:
    """Return the result of `write` with the image of the form; None if it was refused, with the errors in the form."""
    uploaded: UploadedFile | None = form.cleaned_data["image"]
    try:
        images = [store_files(prepare_image(uploaded.read(), uploaded.name or ""))] if uploaded else []
        with deleting_unused_files(images):
            return write(images[0] if images else None)
    except InvalidImage as error:
        form.add_error("image", str(error))
    except ResourceBusy:
        form.add_error("image", _("The server is busy with other images. Send the form again in a moment."))
    except ValidationError as error:
        for name, errors in error.update_error_dict({}).items():
            form.add_error(name if name in form.fields else None, errors)
    return None


def _preview(form: SubmittedEventForm) -> EventPreview:
    changes, data = form.changes, form.cleaned_data
    zone = site_zone().tz
    start, end = (changes[name].astimezone(zone) for name in ("start", "end"))  # type: ignore[union-attr]
    if changes["all_day"]:
        when = format_day(start.date()) if start.date() == end.date() else f"{format_day(start)} – {format_day(end)}"
    else:
        when = format_day_and_time(start) if start == end else f"{format_day_and_time(start)} – {_end_of(start, end)}"
    return EventPreview(data["title"], when, data["venue"], SafeString(changes["description"]))


def _end_of(start: Any, end: Any) -> str:
    return f"{end:%H:%M}" if start.date() == end.date() else format_day_and_time(end)


def _show_event_form(
    request: HttpRequest, form: Form, *, error: str = "", preview: EventPreview | None = None, status: int = 200
) -> HttpResponse:
    head = PageHead(_("Submit an event"), f"{urls_for(request).site}/submit/", is_translated=False)
    context = {"form": form, "error": error, "preview": preview, "venues": _venue_names(), "is_new": True}
    return _render_form(request, "submissions/event.html", head, context, status)


def _show_submission(
    request: HttpRequest,
    submission: PublicSubmission,
    token: str,
    form: Form,
    *,
    error: str = "",
    preview: EventPreview | None = None,
    status: int = 200,
) -> HttpResponse:
    urls, event = urls_for(request), submission.event
    url = f"{urls.site}/submit/{token}/"
    context = {
        "form": form if event.status in EDITABLE else None,
        "error": error,
        "preview": preview,
        "venues": _venue_names(),
        "is_new": False,
        "is_sent": "sent" in request.GET and request.method != "POST",
        "url": url,
        "state": _states().get(event.status, ""),
        "event_url": urls.page_url("event", event.slug) if event.is_published else "",
        "can_withdraw": event.status != Status.TRASH,
    }
    head = PageHead(event.title, url, is_translated=False)
    return _render_form(request, "submissions/event.html", head, context, status)


def _render_form(
    request: HttpRequest, template: str, head: PageHead, context: dict[str, Any], status: int
) -> HttpResponse:
    response = render_page(request, template, head, context, status=status, is_private=True, has_form=True)
    if settings.SUBMISSION_CHALLENGE:
        response[security_headers.HEADER] = security_headers.with_puzzle(response[security_headers.HEADER])
    return response


def _states() -> dict[str, str]:
    return {
        Status.PENDING: _("This event is waiting for a review."),
        Status.DRAFT: _("This event needs a change. Edit it and send it again."),
        Status.TRASH: _("This event has been withdrawn or refused."),
        Status.PUBLISH: _("This event has been published."),
        Status.FUTURE: _("This event has been approved and will be published."),
    }


def _venue_names() -> list[str]:
    venues = Venue.objects.published().not_trashed().order_by("name_key", "pk")
    return list(venues.values_list("title", flat=True)[:MAX_VENUES])
