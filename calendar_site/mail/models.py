"""The email preferences of users."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from calendar_site.review.models import Review


class SubmissionMail(models.TextChoices):
    """When a reviewer gets emails about submissions."""

    DEFAULT = "", _("Default of the site")
    AT_ONCE = "at_once", _("At once")
    DAILY = "daily", _("Once a day")
    NEVER = "never", _("Never")


class MailPreferences(models.Model):
    """The emails that a user wants, and their language. Users without a row have the defaults."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="mail_preferences"
    )
    # Empty: the language of the last sign-in.
    language = models.CharField(_("language of emails"), max_length=10, blank=True, default="", db_default="")
    sign_in_language = models.CharField(max_length=10, blank=True, default="", db_default="", editable=False)
    submissions = models.CharField(
        _("submissions for review"),
        max_length=10,
        choices=SubmissionMail,
        blank=True,
        default=SubmissionMail.DEFAULT,
        db_default="",
    )
    wants_decisions = models.BooleanField(_("decisions on your submissions"), default=True, db_default=True)
    wants_sign_ins = models.BooleanField(_("sign-ins from new devices"), default=True, db_default=True)

    def __str__(self) -> str:
        return str(self.user_id)

    @property
    def has_signed_in(self) -> bool:
        """Return whether the user has signed in since this table exists: each sign-in stores its language."""
        return bool(self.sign_in_language)


class SubmissionNotice(models.Model):
    """A submission that a reviewer gets an email about. The row is deleted when the email was sent."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    review = models.ForeignKey(Review, on_delete=models.CASCADE, related_name="+")

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["user", "review"], name="submission_notice_unique")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.review_id}"


def preferences_of(user_id: int) -> MailPreferences:
    """Return the preferences of the user, the defaults if none are stored. One query."""
    return MailPreferences.objects.filter(pk=user_id).first() or MailPreferences(user_id=user_id)


def submission_mail(preferences: MailPreferences) -> str:
    """Return when the user gets emails about submissions, by preference or by the default of the site."""
    return preferences.submissions or str(settings.SUBMISSION_EMAILS)


def reader_language(preferences: MailPreferences, fallback: str = "") -> str:
    """Return the language in which to write to a user: chosen, else of the last sign-in, else `fallback`."""
    known = {code for code, _name in settings.LANGUAGES}
    candidates = (preferences.language, preferences.sign_in_language, fallback)
    return next((code for code in candidates if code in known), settings.LANGUAGE_CODE)
