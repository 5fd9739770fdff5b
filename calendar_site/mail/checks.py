"""A check of the settings of email, for `manage.py check --deploy`."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Tags, Warning, register

LOCAL_HOSTS = {"localhost", "127.0.0.1", "::1"}


@register(Tags.security, deploy=True)
def check_encryption(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Warn if the password of the mail server is sent without encryption to another computer."""
    is_encrypted = settings.EMAIL_USE_TLS or settings.EMAIL_USE_SSL
    if not settings.EMAIL_HOST_PASSWORD or is_encrypted or settings.EMAIL_HOST in LOCAL_HOSTS:
        return []
    return [
        Warning(
            "EMAIL_URL sends the password of the mail server without encryption.",
            hint="Use smtp+tls:// (STARTTLS) or smtp+ssl://.",
            id="mail.W001",
        )
    ]
