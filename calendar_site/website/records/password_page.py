"""The page that asks for the password of an event."""

from __future__ import annotations

from math import ceil

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from rest_framework.exceptions import Throttled

from calendar_site.api.site_urls import urls_for
from calendar_site.website.rendering import PageHead, redirect_after_post, render_page
from calendar_site.website.time_display import format_event_time
from events.models import Event
from events.protection.password_cookies import has_password_cookie, set_password_cookie
from events.protection.password_throttle import check_password
from events.protection.protected_fields import Reader, hides_fields


def reader_of_page(request: HttpRequest, event: Event) -> Reader:
    """Return the reader, with the event's password if it has been entered in this browser before."""
    return Reader(request.user, event.password if has_password_cookie(request, event) else "")


def check_submitted_password(request: HttpRequest, event: Event, reader: Reader) -> HttpResponse:
    """Redirect to the whole page if the submitted password is correct, else show the form again with the error."""
    response = redirect_after_post(f"{reverse('event-page', kwargs={'slug': event.slug})}/")
    if not hides_fields(event, reader):
        return response
    try:
        is_right = check_password(event, _submitted_password(request, event), request)
    except Throttled as error:
        return _refuse_for_now(request, event, error)
    if not is_right:
        return password_page(request, event, _("The password is incorrect."), status=403)
    set_password_cookie(response, request, event)
    return response


def _submitted_password(request: HttpRequest, event: Event) -> str:
    """Return the submitted text, without the spaces that pasting adds, unless the password itself has spaces there."""
    submitted = request.POST.get("password", "")
    return submitted.strip() if event.password == event.password.strip() else submitted


def _refuse_for_now(request: HttpRequest, event: Event, error: Throttled) -> HttpResponse:
    seconds = ceil(error.wait or 1)  # type: ignore[attr-defined] # the stubs leave it out
    response = password_page(request, event, _too_many_attempts(seconds), status=429)
    response["Retry-After"] = str(seconds)
    return response


def _too_many_attempts(seconds: int) -> str:
    """Return the error message with the time to wait, rounded up, in seconds, minutes or hours."""
    minutes = -(-seconds // 60)
    hours = -(-minutes // 60)
    if seconds < 120:
        count = seconds
        text = ngettext(
            "Too many incorrect passwords. Try again in %(count)s second.",
            "Too many incorrect passwords. Try again in %(count)s seconds.",
            count,
        )
    elif minutes < 120:
        count = minutes
        text = ngettext(
            "Too many incorrect passwords. Try again in %(count)s minute.",
            "Too many incorrect passwords. Try again in %(count)s minutes.",
            count,
        )
    else:
        count = hours
        text = ngettext(
            "Too many incorrect passwords. Try again in %(count)s hour.",
            "Too many incorrect passwords. Try again in %(count)s hours.",
            count,
        )
    return text % {"count": count}


def password_page(request: HttpRequest, event: Event, error: str = "", *, status: int = 200) -> HttpResponse:
    """Show the public fields of a protected event, and the form that asks for its password. No query."""
    urls = urls_for(request)
    return render_page(
        request,
        "events/password.html",
        PageHead(event.title, url=urls.page_url("event", event.slug), api_url=urls.record_url("events", event.pk)),
        {"time": format_event_time(event, hides_fields=True), "error": error},
        status=status,
        is_private=True,
        has_form=True,
        # A password is typed here.
        has_script=False,
    )
