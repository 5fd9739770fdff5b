"""The translated texts of the scripts of the admin."""

from __future__ import annotations

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _
from django.views.i18n import JavaScriptCatalog

# Texts that Django leaves in English in one of our languages, so that they are in our catalogs.
DJANGO_TEXTS = (
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

# Texts of our own scripts.
HTML_EDITOR_TEXTS = (
    _("URL"),
    _("Apply"),
    _("Preformatted"),
    _("Bold"),
    _("Cancel"),
    _("Caption"),
    _("Code"),
    _("Insert column right"),
    _("Ctrl"),
    _("Delete column"),
    _("Delete row"),
    _("Delete table"),
    _("Enter a URL that starts with https://, mailto: or tel:."),
    _("Enter a URL."),
    _("HTML source"),
    _("Heading %s"),
    _("Editor mode"),
    _("Image"),
    _("Italic"),
    _("Paragraph style"),
    _("Horizontal line"),
    _("Link"),
    _("Bulleted list"),
    _("Numbered list"),
    _("Increase indent"),
    _("Decrease indent"),
    _("Clear formatting"),
    _("Quote"),
    _("Redo"),
    _("Remove link"),
    _("Insert row below"),
    _("Strikethrough"),
    _("Subscript"),
    _("Superscript"),
    _("Table"),
    _("Text"),
    _("This text contains HTML that the editor cannot display. It is shown as HTML source so that nothing is lost."),
    _("Title (tooltip)"),
    _("Formatting toolbar"),
    _("Underline"),
    _("Undo"),
    _("Alternative text"),
)
MAP_TEXTS = (
    _("Map"),
    _("Venue location"),
    _("Place marker at center"),
    _("Remove marker"),
    _("Show marker"),
    _(
        "Click the map to place the marker, or drag the marker. With the keyboard: move the map with the "
        "arrow keys, place the marker at the center, then move it with the arrow keys. Hold Shift to move "
        "it ten times as far."
    ),
    _("Dots show other venues."),
    _("Dots show other venues. Zoom in to see all of them."),
    _("Zoom in"),
    _("Zoom out"),
    _("%s° N"),
    _("%s° S"),
    _("%s° E"),
    _("%s° W"),
)
TERM_TEXTS = (
    _("Selected:"),
    _("New tag: %s"),
)


class AdminJavaScriptCatalog(JavaScriptCatalog):
    """Django's catalog for its scripts, with the texts of ours."""

    packages = ["django.contrib.admin"]

    def get_catalog(self) -> dict[str, str | list[str]]:
        texts = (*DJANGO_TEXTS, *HTML_EDITOR_TEXTS, *MAP_TEXTS, *TERM_TEXTS)
        return {text: gettext(text) for text in texts} | super().get_catalog()
