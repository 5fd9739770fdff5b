"""The table of saved views."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from calendar_site.core.fields import PlainTextField


class SavedView(models.Model):
    """The filters, search and order of a list, under a name. Only its user sees it."""

    MAX_NAME_LENGTH = 60
    MAX_QUERY_LENGTH = 2000
    MAX_PER_LIST = 20

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", editable=False)
    # The model of the list, such as `events.event`.
    model_label = models.CharField(max_length=100, editable=False)
    name = PlainTextField(_("name"), max_length=MAX_NAME_LENGTH)
    # The query string of the list, with sorted parameters.
    query = models.CharField(max_length=MAX_QUERY_LENGTH, editable=False)

    class Meta:
        verbose_name = _("saved view")
        verbose_name_plural = _("saved views")
        default_permissions = ()
        constraints = (
            models.UniqueConstraint(
                fields=["user", "model_label", "name"],
                name="saved_view_once",
                violation_error_message=_("You already have a view with this name."),
            ),
        )

    def __str__(self) -> str:
        return self.name
