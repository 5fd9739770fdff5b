"""Users, and the application passwords with which programs use the API on their behalf."""

from django.contrib.auth.hashers import is_password_usable
from django.contrib.auth.models import AbstractUser, Group
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _
from simple_history import register

from calendar_site.accounts.history_display import format_lines, format_permissions, format_roles
from calendar_site.audit.models import FieldDisplay, History, TrackedModel


def validate_label(label: str) -> None:
    """Raise ValidationError if the label contains unprintable characters, such as line breaks."""
    if not label.isprintable():
        raise ValidationError(_("Must be a single line of text without control characters."))


class User(AbstractUser, TrackedModel):
    """An account. Its permissions come from its roles, which are groups."""

    sessions_ended_at = models.DateTimeField(null=True, editable=False)
    # Set by the authentication backend.
    permission_names: set[str] | None = None

    history = History(
        excluded=("last_login", "date_joined", "sessions_ended_at"),
        secrets={"password": is_password_usable},
        field_displays={
            "is_active": FieldDisplay(_("Active")),
            "is_staff": FieldDisplay(_("Can sign in to the admin")),
            "is_superuser": FieldDisplay(_("Superuser")),
            "groups": FieldDisplay(_("Roles"), format_roles),
            "user_permissions": FieldDisplay(_("Individual permissions"), format_permissions),
            "application_passwords": FieldDisplay(_("Application passwords"), format_lines),
            "second_factor": FieldDisplay(_("Two-factor authentication")),
        },
    )

    def get_session_auth_hash(self) -> str:
        """Return the hash that sessions contain; a session with a different hash is invalid."""
        if self.sessions_ended_at is None:
            return super().get_session_auth_hash()
        value = f"{super().get_session_auth_hash()} {self.sessions_ended_at.timestamp()}"
        return salted_hmac("accounts.User.sessions", value, algorithm="sha256").hexdigest()


# The history of Django's own groups.
register(
    Group,
    app="calendar_site.accounts",
    records_class=History,
    field_displays={"permissions": FieldDisplay(format=format_permissions)},
)


class ApplicationPassword(models.Model):
    """A secret with which one program authenticates as a user; revoking it deletes the row.

    The secret itself is not stored. It is looked up by its SHA-256 digest, in one query. It
    has too many random bits to be guessed from the digest.
    """

    # Per user: more than anybody needs.
    MAX_PER_USER = 20
    MAX_LABEL_LENGTH = 100

    user = models.ForeignKey(
        User, verbose_name=_("user"), on_delete=models.CASCADE, related_name="application_passwords"
    )
    label = models.CharField(
        _("client"),
        max_length=MAX_LABEL_LENGTH,
        validators=[validate_label],
        help_text=_("Identifies the client that uses the password, such as “ticket shop”."),
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
                violation_error_message=_("This user already has an application password for this client."),
            )
        ]

    def __str__(self) -> str:
        return self.label

    def clean(self) -> None:
        super().clean()
        if self._state.adding and self.user_id is not None:
            count = ApplicationPassword.objects.filter(user=self.user_id).count()
            if count >= self.MAX_PER_USER:
                message = _(
                    "A user can have at most %(most)s application passwords. Revoke one that is no longer used."
                )
                raise ValidationError(message % {"most": self.MAX_PER_USER})
