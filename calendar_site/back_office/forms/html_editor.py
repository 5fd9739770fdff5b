"""The widget for HTML: an editor over a plain text area with the exact HTML."""

from __future__ import annotations

import json
from typing import Any

from django.forms import Media, Textarea
from django.forms.widgets import Script
from django.templatetags.static import static
from django.urls import reverse
from unfold.widgets import UnfoldAdminTextareaWidget

from calendar_site.back_office.forms.image_picker import DIALOG_SCRIPT, DIALOG_STYLE

STYLE = "back_office/html_editor.css"
SCRIPT = "back_office/html_editor.js"
# The modules that the script loads when the page has something to edit, by their names in the script.
MODULES = {
    "editor": "django_prose_editor/editor.js",
    "schema": "back_office/html_editor_schema.js",
    "markup": "back_office/html_editor_markup.js",
    "tools": "back_office/html_editor_toolbar.js",
}


class HTMLEditor(UnfoldAdminTextareaWidget):
    """A text area for HTML, with an editor if the browser runs scripts. The field of the model sanitizes the HTML."""

    # Browsers drop the first line break in a text area: Django's own template adds one, Unfold's does not.
    template_name = Textarea.template_name

    @property
    def media(self) -> Media:
        module: Any = Script(SCRIPT, type="module")
        return Media(css={"all": (STYLE, DIALOG_STYLE)}, js=(DIALOG_SCRIPT, module))

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        urls = {module: static(path) for module, path in MODULES.items()}
        attrs = context["widget"]["attrs"]
        attrs["data-html-editor"] = json.dumps(urls)
        attrs["data-image-dialog"] = reverse("admin:media_image_picker")
        return context
