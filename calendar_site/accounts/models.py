"""Users, and the application passwords with which programs use the API on their behalf."""

from collections.abc import Iterable
from datetime import UTC, datetime
from ipaddress import ip_network
from typing import Any

from django.contrib.auth.hashers import is_password_usable
from django.contrib.auth.models import AbstractUser, Group
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _
from simple_history import register

from calendar_site.accounts.history_display import format_lines, format_permissions, format_roles
from calendar_site.accounts.scopes import RESOURCES, Scope
from calendar_site.audit.models import FieldDisplay, History, TrackedModel
from calendar_site.core import clock
from calendar_site.core.http.networks import IPAddress

MAX_NETWORKS = 20


def parse_networks(texts: Iterable[str]) -> list[str]:
    """Return IP addresses and networks in canonical CIDR notation. Raises ValidationError for all invalid ones."""
    networks, errors = [], []
    for text in texts:
        try:
            networks.append(str(ip_network(text)))
        except ValueError:
            message = _("“%(text)s” is not an IP address or network. Use CIDR notation, such as 192.0.2.0/24.")
            errors.append(ValidationError(message, params={"text": text}))
    if len(networks) > MAX_NETWORKS:
        errors.append(ValidationError(_("Enter at most %(most)s networks."), params={"most": MAX_NETWORKS}))
    if errors:
        raise ValidationError(errors)
    return networks


def validate_networks(value: object) -> None:
    """Raise ValidationError unless the value is a list of networks."""
    parse_networks(map(str, value) if isinstance(value, list) else [str(value)])


def validate_future(moment: datetime) -> None:
    """Raise ValidationError if the moment is in the past."""
    if moment <= clock.now():
        raise ValidationError(_("Must not be in the past."))


def validate_resources(value: object) -> None:
    """Raise ValidationError unless the value is a list of names of resources."""
    unknown = [name for name in value if name not in RESOURCES] if isinstance(value, list) else [value]
    if unknown:
        message = _("There is no resource named %(name)s. Use one of %(names)s.")
        raise ValidationError(message % {"name": unknown[0], "names": ", ".join(RESOURCES)})


def validate_label(label: str) -> None:
    """Raise ValidationError if the label contains unprintable characters, such as line breaks."""
    if not label.isprintable():
        raise ValidationError(_("Must be a single line of text without control characters."))


class User(AbstractUser, TrackedModel):
    """An account. Its permissions come from its roles, which are groups."""

    sessions_ended_at = models.DateTimeField(null=True, editable=False)
    # When the user was last asked to choose a password.
    invited_at = models.DateTimeField(_("invited"), null=True, editable=False)
    # Set by the authentication backend.
    permission_names: set[str] | None = None
    # Set if the request authenticates with an application password: it restricts the permissions.
    scope: Scope | None = None

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

    @property
    def is_read_only(self) -> bool:
        """Return whether the credentials of the request allow reads only (`core/permissions.py`)."""
        return self.scope is not None and self.scope.is_read_only

    def has_perm(self, perm: str, obj: Any = None) -> bool:
        """Return whether the user has the permission, within the scope of the application password."""
        if self.scope is None and (self.is_superuser or self.permission_names is None):
            return super().has_perm(perm, obj)
        if obj is None and self.permission_names is not None:
            # What the loop over all backends would find again, for each of the many checks of a request.
            return self.is_active and perm in self.permission_names
        # Not Django's check, which allows superusers everything.
        return self.is_active and perm in self.get_all_permissions(obj)

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


class PendingEmail(models.Model):
    """A new email address that a user has entered and not confirmed yet."""

    user = models.OneToOneField(User, on_delete=models.CASCADE, primary_key=True, related_name="pending_email")
    email = models.EmailField()
    requested_at = models.DateTimeField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return str(self.user_id)


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
    is_read_only = models.BooleanField(_("read only"), default=False, db_default=False)
    is_own_only = models.BooleanField(_("own records only"), default=False, db_default=False)
    # Names of resources; all if empty.
    resources = models.JSONField(
        _("resources"), default=list, db_default=[], blank=True, validators=[validate_resources]
    )
    expires_at = models.DateTimeField(_("expires"), null=True, blank=True, validators=[validate_future])
    # Networks in CIDR notation; all if empty.
    networks = models.JSONField(
        _("allowed networks"), default=list, db_default=[], blank=True, validators=[validate_networks]
    )
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

    @property
    def scope(self) -> Scope:
        return Scope(self.is_read_only, self.is_own_only, tuple(self.resources))

    def is_valid_for(self, address: IPAddress | None) -> bool:
        """Return whether a client with this address may use the password now. Its address may be unknown."""
        if self.expires_at is not None and self.expires_at <= clock.now():
            return False
        return not self.networks or any(address in ip_network(network) for network in self.networks if address)

    def restrictions(self) -> list[str]:
        """Return the restrictions in the notation of the history and the commands, none if there are none."""
        texts = [
            "read-only" if self.is_read_only else "",
            "own records" if self.is_own_only else "",
            *self.resources,
            *self.networks,
            f"until {self.expires_at.astimezone(UTC):%Y-%m-%d %H:%M} UTC" if self.expires_at else "",
        ]
        return [text for text in texts if text]

    def clean(self) -> None:
        super().clean()
        if self._state.adding and self.user_id is not None:
            count = ApplicationPassword.objects.filter(user=self.user_id).count()
            if count >= self.MAX_PER_USER:
                message = _(
                    "A user can have at most %(most)s application passwords. Revoke one that is no longer used."
                )
                raise ValidationError(message % {"most": self.MAX_PER_USER})
