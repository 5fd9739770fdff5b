"""The texts of the scripts of Django's admin."""

from __future__ import annotations

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _
from django.views.i18n import JavaScriptCatalog

# Those that Django leaves in English in one of our languages, so that they are in our catalogs.
BORROWED = (
    _('Choose %s by selecting them and then select the "Choose" arrow button.'),
    _("Choose all %s"),
    _("Choose selected %s"),
    _("Remove selected %s"),
    _('Remove %s by selecting them and then select the "Remove" arrow button.'),
    _("(click to clear)"),
    _("Remove all %s"),
    _(
        "You have selected an action, but you haven’t saved your changes to individual fields yet. Please click OK to "
        "save. You’ll need to re-run the action."
    ),
    _(
        "You have selected an action, and you haven’t made any changes on individual fields. You’re probably looking "
        "for the Go button rather than the Save button."
    ),
)


class ScriptTexts(JavaScriptCatalog):
    """Django's catalog for its scripts, completed from ours."""

    packages = ["django.contrib.admin"]

    def get_catalog(self) -> dict[str, str | list[str]]:
        return {text: gettext(text) for text in BORROWED} | super().get_catalog()
