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
    _("Address"),
    _("Apply"),
    _("As typed"),
    _("Bold"),
    _("Cancel"),
    _("Caption"),
    _("Code"),
    _("Column to the right"),
    _("Ctrl"),
    _("Delete the column"),
    _("Delete the row"),
    _("Delete the table"),
    _("Enter an address that begins with https://, mailto: or tel:."),
    _("Enter an address."),
    _("HTML source"),
    _("Heading %s"),
    _("How this is written"),
    _("Image"),
    _("Italic"),
    _("Kind of text"),
    _("Line across"),
    _("Link"),
    _("List"),
    _("Numbered list"),
    _("One level in"),
    _("One level out"),
    _("Plain text"),
    _("Quotation"),
    _("Redo"),
    _("Remove the link"),
    _("Row below"),
    _("Struck through"),
    _("Subscript"),
    _("Superscript"),
    _("Table"),
    _("Text"),
    _("This text holds HTML that the editor cannot show. It stays as source, so that nothing of it is lost."),
    _("Title, shown when pointed at"),
    _("Tools for the text"),
    _("Underlined"),
    _("Undo"),
    _("What is to be seen, for who cannot see it"),
)
MAP_TEXTS = (
    _("Map"),
    _("Place of the venue"),
    _("Put the mark into the middle"),
    _("Take the mark away"),
    _("Show the mark"),
    _(
        "Click where the venue is, or draw the mark there. By keys: move the map with the arrow keys, put the mark "
        "into its middle, and move the mark with the arrow keys, ten times as far with Shift."
    ),
    _("Dots are other venues."),
    _("Dots are other venues; look closer to see all."),
    _("Zoom in"),
    _("Zoom out"),
    _("%s° N"),
    _("%s° S"),
    _("%s° E"),
    _("%s° W"),
)
TERM_TEXTS = (
    _("Chosen:"),
    _("New: %s"),
)


class AdminJavaScriptCatalog(JavaScriptCatalog):
    """Django's catalog for its scripts, with the texts of ours."""

    packages = ["django.contrib.admin"]

    def get_catalog(self) -> dict[str, str | list[str]]:
        texts = (*DJANGO_TEXTS, *HTML_EDITOR_TEXTS, *MAP_TEXTS, *TERM_TEXTS)
        return {text: gettext(text) for text in texts} | super().get_catalog()
