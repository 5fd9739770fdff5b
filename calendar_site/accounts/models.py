"""Accounts, and the application passwords by which programs use the API in their name."""

from django.contrib.auth.hashers import is_password_usable
from django.contrib.auth.models import AbstractUser, Group
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _
from simple_history import register

from calendar_site.accounts.told import lines, rights_in_words, roles_in_words
from calendar_site.content.history import History, Recorded, Words

# More programs than anybody has; a list of them stays one that can be looked through.
MOST_APPLICATION_PASSWORDS = 20


def validate_label(label: str) -> None:
    """Raises ValidationError for what a terminal or a list would not show as it is."""
    if not label.isprintable():
        raise ValidationError(_("A label is one line of text without control characters."))


class User(AbstractUser, Recorded):
    """An account. Its rights come from its roles, which are groups."""

    sessions_ended_at = models.DateTimeField(null=True, editable=False)

    history = History(
        excluded=("last_login", "date_joined", "sessions_ended_at"),
        secrets={"password": is_password_usable},
        words={
            "is_active": Words(_("In use")),
            "is_staff": Words(_("May sign in to the admin")),
            "is_superuser": Words(_("Superuser")),
            "groups": Words(_("Role"), roles_in_words),
            "user_permissions": Words(_("Single rights"), rights_in_words),
            "application_passwords": Words(_("Application passwords"), lines),
            "second_factor": Words(_("Second factor")),
        },
    )

    def get_session_auth_hash(self) -> str:
        """What a session keeps of its user: with another one it is over."""
        if self.sessions_ended_at is None:
            return super().get_session_auth_hash()
        value = f"{super().get_session_auth_hash()} {self.sessions_ended_at.timestamp()}"
        return salted_hmac("accounts.User.sessions", value, algorithm="sha256").hexdigest()


# Of Django's own groups, the history is made here.
register(
    Group,
    app="calendar_site.accounts",
    records_class=History,
    words={"permissions": Words(tell=rights_in_words)},
)


class ApplicationPassword(models.Model):
    """A secret by which one program signs in for a user; revoking it deletes the row.

    The secret itself is kept nowhere. It has more random bits than a digest can be searched for, so a
    plain SHA-256 protects it, and finds it in one query.
    """

    user = models.ForeignKey(
        User, verbose_name=_("user"), on_delete=models.CASCADE, related_name="application_passwords"
    )
    label = models.CharField(
        _("label"),
        max_length=100,
        validators=[validate_label],
        help_text=_("The program that signs in with this password."),
    )
    digest = models.CharField(max_length=64, unique=True, editable=False)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("application password")
        verbose_name_plural = _("application passwords")
        ordering = ("user", "label")
        constraints = [
            models.UniqueConstraint(
                fields=["user", "label"],
                name="application_password_label_unique",
                violation_error_message=_("This user has an application password with this label."),
            )
        ]

    def __str__(self) -> str:
        return self.label

    def clean(self) -> None:
        super().clean()
        if self._state.adding and self.user_id is not None:
            count = ApplicationPassword.objects.filter(user=self.user_id).count()
            if count >= MOST_APPLICATION_PASSWORDS:
                message = _("Nobody has more than %(most)s application passwords. Revoke one that is no longer used.")
                raise ValidationError(message % {"most": MOST_APPLICATION_PASSWORDS})
