"""The page itself: a person approves or rejects an application."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from calendar_site.accounts.models import ApplicationPassword
from calendar_site.accounts.services import create_application_password
from calendar_site.accounts.types import get_user
from calendar_site.api.site_urls import urls_for
from calendar_site.compatibility.authorization.targets import Target, parse_target
from calendar_site.core.http import security_headers
from calendar_site.core.http.allowed_methods import with_form
from calendar_site.website.rendering import PageHead, render_page

# How many further names are tried if the user has a password with the name of the application.
MAX_NUMBERED_NAMES = 50


class Application(NamedTuple):
    """The application that asks, and where it wants the answer."""

    name: str
    success: Target | None
    rejection: Target | None

    @classmethod
    def of(cls, request: HttpRequest) -> Application:
        """Return the application of a request. Raises ValueError for one without a name, or with a harmful URL."""
        name = " ".join(request.GET.get("app_name", "").split())[: ApplicationPassword.MAX_LABEL_LENGTH]
        if not name or not name.isprintable():
            raise ValueError(_("The application must give its name."))
        success, rejection = (parse_target(request.GET.get(name, "")) for name in ("success_url", "reject_url"))
        return cls(name, success, rejection)

    @property
    def targets(self) -> list[Target]:
        return [target for target in (self.success, self.rejection) if target]

    @property
    def rejection_url(self) -> str:
        """The URL for a person who rejects the application, "" for none."""
        if self.rejection:
            return self.rejection.url
        return self.success.with_arguments({"success": "false"}) if self.success else ""


@with_form
def authorize_application(request: HttpRequest) -> HttpResponse:
    """Ask whether the application may use the API, and send the answer to it."""
    try:
        application = Application.of(request)
    except ValueError as error:
        return _render(request, None, {"error": str(error)}, status=400)
    if not request.user.is_authenticated:
        return redirect(f"{reverse('admin:login')}?{urlencode({'next': request.get_full_path()})}")
    if request.method != "POST":
        return _render(request, application, {})
    if "approve" not in request.POST:
        url = application.rejection_url
        return _redirect(application, url) if url else redirect("upcoming-events")
    try:
        secret = _create_password(request, application)
    except ValidationError as error:
        return _render(request, application, {"error": " ".join(error.messages)}, status=400)
    if application.success is None:
        return _render(request, application, {"secret": secret})
    arguments = {
        "site_url": urls_for(request).site,
        "user_login": get_user(request).get_username(),
        "password": secret,
    }
    return _redirect(application, application.success.with_arguments(arguments))


def _create_password(request: HttpRequest, application: Application) -> str:
    """Create an application password with the name of the application, or with a number behind it if it is taken.

    Return the secret. Raises ValidationError.
    """
    user = get_user(request)
    taken = set(user.application_passwords.values_list("label", flat=True))
    names = [application.name, *(f"{application.name[:90]} {number}" for number in range(2, MAX_NUMBERED_NAMES))]
    name = next((name for name in names if name not in taken), application.name)
    return create_application_password(user, name, by=user)[1]


def _render(
    request: HttpRequest, application: Application | None, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    head = PageHead(_("Authorize an application"), f"{urls_for(request).site}/authorize-application/")
    user = get_user(request) if request.user.is_authenticated else None
    shared = {"application": application, "user_name": user.get_username() if user else ""}
    response = render_page(
        request,
        "authorization/authorize.html",
        head,
        {**shared, **context},
        status=status,
        is_private=True,
        has_form=True,
        has_script=False,
    )
    # Browsers apply the policy of the form to where its response redirects to.
    sources = " ".join(
        ["form-action 'self'", *(target.policy_source for target in application.targets)] if application else []
    )
    if sources:
        policy = response[security_headers.HEADER]
        response[security_headers.HEADER] = policy.replace("form-action 'self'", sources)
    response["X-Robots-Tag"] = "noindex"
    response["Referrer-Policy"] = "no-referrer"
    return response


def _redirect(application: Application, url: str) -> HttpResponse:
    """Redirect to a URL of the application, whose scheme may be its own."""

    class RedirectToApplication(HttpResponseRedirect):
        allowed_schemes = [target.scheme for target in application.targets]

    response = RedirectToApplication(url)
    response["Cache-Control"] = "private, no-store"
    response["Referrer-Policy"] = "no-referrer"
    return response
