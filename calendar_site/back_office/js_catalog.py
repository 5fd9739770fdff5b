"""Translated strings for the scripts of the admin."""

from __future__ import annotations

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_noop as _
from django.views.i18n import JavaScriptCatalog

# Strings that Django does not translate into all of our languages. Listed here, they are in our catalogs.
DJANGO_TEXTS = (
    _('Choose %s by selecting them and then select the "Choose" arrow button.'),
    _("Choose all %s"),
    _("Choose selected %s"),
    _("Remove selected %s"),
    _('Remove %s by selecting them and then select the "Remove" arrow button.'),
    _("(click to clear)"),
    _("Available %s"),
    _("Chosen %s"),
    _("Type into this box to filter down the list of available %s."),
    _("Type into this box to filter down the list of selected %s."),
    _(
        "You have unsaved changes on individual editable fields. If you run an action, your unsaved changes "
        "will be lost."
    ),
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

# A number for each plural form of our languages, in the order of the forms.
PLURAL_EXAMPLES = (1, 2, 5)

# Strings of our own scripts.
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
        "Click the map or drag the marker. With the keyboard: move the map with the arrow keys, select “Place "
        "marker at center”, then adjust the marker with the arrow keys (hold Shift for larger steps)."
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
UPLOAD_TEXTS = (_("%(label)s: %(text)s"), _("Choose from the library…"), _("Display"), _("Grid"), _("List"))
QUICK_ADD_TEXTS = (
    _("Create “%s”"),
    _("Create new…"),
    _("Could not be loaded. Try again."),
)
EVENT_FORM_TEXTS = (_("Different time zone"), _("When, in words"), _("5 Dec 10-13"))
TERM_TEXTS = (
    _("Selected:"),
    _("New tag: %s"),
)
DRAFT_TEXTS = (
    _("Your changes cannot be backed up at the moment. Trying again…"),
    _("Unsaved changes. Backup: %s"),
    _("Your changes are not backed up."),
    _("Another user has signed in."),
    _("Sign in in a new tab"),
    _("You are signed out, so your changes are not backed up."),
    _("Leave without saving?"),
    _("Leave"),
    _("Stay on this page"),
    _("You can restore your changes when you open this form again."),
    _("Your changes cannot be backed up now. If you leave, the latest ones are lost."),
)
COPY_TEXTS = (
    _("This browser has kept input that was not saved: “%s”, %s."),
    _("This browser has kept input that was not saved: %s."),
    _("Restore"),
    _("Discard"),
    _("Unsaved changes"),
    _("The service does not respond. Try again in a moment."),
)
SUBMIT_TEXTS = (
    _("Sign in"),
    _("Not now"),
    _("Sign in to save"),
    _("You are signed out. Your input stays on this page, and is saved as soon as you have signed in."),
    _("Your changes are not saved."),
    _("Enter the date completely."),
    _("Enter the date and the time completely."),
    _("The service does not respond, so nothing was sent. Your input stays here: try again."),
)


class AdminJavaScriptCatalog(JavaScriptCatalog):
    """Django's JavaScript catalog, with the strings of our own scripts."""

    packages = ["django.contrib.admin"]

    def get_catalog(self) -> dict[str, str | list[str]]:
        texts = (
            *DJANGO_TEXTS, *HTML_EDITOR_TEXTS, *MAP_TEXTS, *TERM_TEXTS, *UPLOAD_TEXTS, *QUICK_ADD_TEXTS,
            *EVENT_FORM_TEXTS, *DRAFT_TEXTS, *COPY_TEXTS, *SUBMIT_TEXTS,
        )  # fmt: skip
        # Our translations take precedence over Django's, as everywhere else.
        return super().get_catalog() | {text: gettext(text) for text in texts} | _plural_forms()


def _plural_forms() -> dict[str, list[str]]:
    """Return all forms of the strings that depend on a number."""
    selected = "%(sel)s of %(cnt)s selected"
    forms = [ngettext("%(sel)s of %(cnt)s selected", "%(sel)s of %(cnt)s selected", n) for n in PLURAL_EXAMPLES]
    return {selected: forms}
