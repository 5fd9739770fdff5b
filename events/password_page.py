"""The page of an event that asks for its password, and the pass that a browser keeps once it was right."""

from __future__ import annotations

from math import ceil

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from rest_framework.exceptions import Throttled

from calendar_site.api.links import links_for, root_path
from calendar_site.api.selection import Selection
from calendar_site.pages import answer_page, see_other
from events.access import PASS_LASTS, Reader, has_pass, hides_fields, opens, with_pass
from events.loading import load_events
from events.models import Event
from events.representation import represent_events
from events.when import when

# The cookie that keeps the passes of events. One for the whole site: each language has pages of its own, and a cookie
# for each of them in one answer is more than proxies take.
PASSES = "event_passes"


def reader_of(request: HttpRequest, row: Event) -> Reader:
    """Who asks, with the event's password where the browser keeps a pass that stands for it."""
    return Reader(request.user, row.password if has_pass(row, request.COOKIES.get(PASSES, "")) else "")


def take_password(request: HttpRequest, row: Event, reader: Reader) -> HttpResponse:
    """Leads to the whole event with the right password, else asks again and says why."""
    response = see_other(f"{reverse('event-page', kwargs={'slug': row.slug})}/")
    if not hides_fields(row, reader):
        return response
    try:
        is_right = opens(row, _typed_password(request, row), request)
    except Throttled as error:
        return _refuse_for_a_while(request, row, error)
    if not is_right:
        return ask_for_password(request, row, _("This is not the password of the event."), status=403)
    response.set_cookie(
        PASSES,
        with_pass(row, request.COOKIES.get(PASSES, "")),
        max_age=PASS_LASTS,
        path=f"{root_path(request)}/",
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )
    return response


def _typed_password(request: HttpRequest, row: Event) -> str:
    """What was typed, without the blanks that come along when it is pasted, unless the password has such."""
    typed = request.POST.get("password", "")
    return typed.strip() if row.password == row.password.strip() else typed


def _refuse_for_a_while(request: HttpRequest, row: Event, error: Throttled) -> HttpResponse:
    seconds = ceil(error.wait or 1)
    response = ask_for_password(request, row, _too_many(seconds), status=429)
    response["Retry-After"] = str(seconds)
    return response


def _too_many(seconds: int) -> str:
    """That it is too early, and until when: told in seconds, minutes or hours, of which none is too short."""
    minutes = -(-seconds // 60)
    hours = -(-minutes // 60)
    if seconds < 120:
        count = seconds
        text = ngettext(
            "There were too many wrong passwords. Try again in %(count)s second.",
            "There were too many wrong passwords. Try again in %(count)s seconds.",
            count,
        )
    elif minutes < 120:
        count = minutes
        text = ngettext(
            "There were too many wrong passwords. Try again in %(count)s minute.",
            "There were too many wrong passwords. Try again in %(count)s minutes.",
            count,
        )
    else:
        count = hours
        text = ngettext(
            "There were too many wrong passwords. Try again in %(count)s hour.",
            "There were too many wrong passwords. Try again in %(count)s hours.",
            count,
        )
    return text % {"count": count}


def ask_for_password(request: HttpRequest, row: Event, fault: str = "", *, status: int = 200) -> HttpResponse:
    """What everybody may see of a protected event, with the form that asks for its password."""
    (event,) = represent_events(load_events([row], Reader(request.user), Selection()), links_for(request))
    return answer_page(
        request,
        "events/protected.html",
        title=event["title"],
        address=event["url"],
        status=status,
        is_private=True,
        has_form=True,
        alternate=event["rest_url"],
        when=when(event),
        fault=fault,
    )
