"""The HTML pages for errors. They read neither session nor database, which may have failed."""

from __future__ import annotations

from collections.abc import Mapping

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from calendar_site.api.errors import InvalidHost
from calendar_site.core.database import faults as database_faults
from calendar_site.core.database import write_lock
from calendar_site.core.http.request_context import current_request_id
from calendar_site.website.rendering import PageHead, render_template


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    reason = InvalidHost.default_detail if isinstance(exception, DisallowedHost) else None
    return _render_error(request, "400.html", {"reason": reason}, title=_("Bad request"), status=400)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _render_error(request, "403.html", title=_("Access denied"), status=403)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Reject a form without its token. The reason is logged, but not shown to the sender of a forged form."""
    return _render_error(request, "403_csrf.html", title=_("The form could not be submitted"), status=403)


def gone(request: HttpRequest) -> HttpResponse:
    """Say that a page was there, so that search engines forget it."""
    return _render_error(request, "410.html", title=_("No longer available"), status=410)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _render_error(request, "404.html", title=_("Page not found"), status=404)


def too_large(request: HttpRequest) -> HttpResponse:
    limits = {"limit": settings.DATA_UPLOAD_MAX_MEMORY_SIZE, "limit_with_files": settings.UPLOAD_LIMIT}
    return _render_error(request, "413.html", limits, title=_("Request too large"), status=413)


def server_error(request: HttpRequest) -> HttpResponse:
    return _render_error(
        request, "500.html", {"request_id": current_request_id()}, title=_("Something went wrong"), status=500
    )


def busy(request: HttpRequest) -> HttpResponse:
    """Report that a write did not get the write lock in time."""
    return _render_retry(
        request,
        title=_("The site is busy"),
        reason=_("Your request timed out because the site is busy. Some of your changes may not have been saved."),
        retry_after=write_lock.RETRY_AFTER_SECONDS,
    )


def unavailable(request: HttpRequest) -> HttpResponse:
    """Report that the database is unavailable."""
    return _render_retry(
        request,
        title=_("The site is temporarily unavailable"),
        reason=_("The site cannot reach its database. Some of your changes may not have been saved."),
        retry_after=database_faults.RETRY_AFTER_SECONDS,
    )


def _render_retry(request: HttpRequest, *, title: str, reason: str, retry_after: int) -> HttpResponse:
    """Return a page with a form that submits the same data again.

    Forms with files or passwords are not repeated: a page cannot return files, and should not return passwords.
    """
    can_repeat = not request.FILES and not hasattr(request, "sensitive_post_parameters")
    fields = [(name, value) for name, values in request.POST.lists() for value in values] if can_repeat else []
    response = _render_error(
        request,
        "503.html",
        {"submitted_fields": fields, "reason": reason},
        title=title,
        status=503,
        has_form=bool(fields),
    )
    response["Retry-After"] = str(retry_after)
    return response


def _render_error(
    request: HttpRequest,
    template: str,
    context: Mapping[str, object] | None = None,
    *,
    title: str,
    status: int,
    has_form: bool = False,
) -> HttpResponse:
    head = PageHead(title, url="")
    response = render_template(request, template, head, context or {}, status=status, has_form=has_form)
    response["Cache-Control"] = "no-store"
    return response
