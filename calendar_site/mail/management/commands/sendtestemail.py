from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.core.management.commands import sendtestemail

WITHOUT_SERVER = "django.core.mail.backends.dummy.EmailBackend"


class Command(sendtestemail.Command):
    """Django's command, which says whether the mail server has accepted the email."""

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.EMAIL_BACKEND == WITHOUT_SERVER:
            raise CommandError("No email was sent: EMAIL_URL is not set.")
        try:
            super().handle(*args, **options)
        # Errors of the mail server are errors of the connection as well.
        except OSError as error:
            raise CommandError(f"No email was sent. The mail server says: {error}") from error
        self.stdout.write("The mail server has accepted the email.")
