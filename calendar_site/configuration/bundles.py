"""The bundles of the admin's styles and scripts: files that a page would otherwise request one by one.

`collectstatic` writes them with django-pipeline. With DEBUG, pages request the files themselves.
"""

from __future__ import annotations

from typing import Any

LANGUAGES = ("de", "en", "es", "fr", "it", "nl", "pl", "pt")

STYLES = {
    # What most pages show. Styles of one page only, such as those of the calendar, are requested by that page.
    "admin": (
        "back_office/accessibility.css",
        "back_office/change_form.css",
        "back_office/palette.css",
        "unfold/css/styles.css",
        "unfold/css/simplebar/simplebar.css",
        "back_office/forms.css",
        "back_office/image_library.css",
        "back_office/calendar.css",
        "back_office/quick_add.css",
        "back_office/recurrence.css",
        "back_office/html_editor.css",
        "back_office/term_inputs.css",
        "back_office/review.css",
        "back_office/image_dialog.css",
        "admin/css/vendor/select2/select2.min.css",
        "admin/css/autocomplete.css",
        # After those of Unfold, whose fonts have the same names.
        "back_office/fonts/fonts.css",
    ),
}

SCRIPTS = {
    "admin": (
        # The first, because it is not written for the strict mode that those of the back office declare.
        "unfold/js/app.js",
        "back_office/accessibility.js",
        "back_office/palette.js",
        "back_office/thumbnails.js",
        "back_office/upload_checks.js",
    ),
    "admin_widgets": (
        "unfold/js/simplebar/simplebar.js",
        "unfold/js/alpine/alpine.anchor.js",
        "unfold/js/alpine/alpine.persist.js",
        "unfold/js/alpine/alpine.resize.js",
        "unfold/js/alpine/alpine.sort.js",
        "unfold/js/alpine/alpine.js",
    ),
    # Lists and forms.
    "admin_records": (
        "admin/js/vendor/jquery/jquery.min.js",
        "admin/js/vendor/select2/select2.full.min.js",
        *(f"admin/js/vendor/select2/i18n/{language}.js" for language in LANGUAGES),
        # Takes the names `$` and `jQuery` away, so that it follows what needs them.
        "admin/js/jquery.init.js",
        "back_office/forms.js",
        "back_office/flag_switches.js",
        "back_office/dialog_forms.js",
        "admin/js/core.js",
        "admin/js/autocomplete.js",
        "admin/js/admin/RelatedObjectLookups.js",
        "admin/js/actions.js",
        "admin/js/prepopulate.js",
    ),
    "admin_inputs": (
        "back_office/quick_add.js",
        "back_office/recurrence.js",
        "back_office/image_dialog.js",
        "back_office/term_inputs.js",
        "back_office/event_form.js",
        "back_office/image_library.js",
        "back_office/inline_order.js",
        "admin/js/inlines.js",
    ),
    "admin_saving": (
        "back_office/local_copies.js",
        "back_office/guarded_submit.js",
        "back_office/drafts.js",
    ),
    "admin_calendar": (
        "back_office/calendar_touch.js",
        "back_office/calendar.js",
        "back_office/calendar_grid.js",
        "back_office/calendar_summary.js",
        "back_office/calendar_new_event.js",
    ),
}

# Executed when the page has been parsed.
DEFERRED = ("admin_widgets", "admin_saving", "admin_calendar")


def pipeline_settings(*, are_bundled: bool) -> dict[str, Any]:
    """Return the settings of django-pipeline. It only joins the files, which are compressed later."""
    return {
        "PIPELINE_ENABLED": are_bundled,
        "CSS_COMPRESSOR": None,
        "JS_COMPRESSOR": None,
        "DISABLE_WRAPPER": True,
        "STYLESHEETS": {
            name: {"source_filenames": sources, "output_filename": style_path(name)} for name, sources in STYLES.items()
        },
        "JAVASCRIPT": {
            name: {
                "source_filenames": sources,
                "output_filename": script_path(name),
                "extra_context": {"defer": name in DEFERRED},
            }
            for name, sources in SCRIPTS.items()
        },
    }


def style_path(name: str) -> str:
    return f"bundles/{name}.css"


def script_path(name: str) -> str:
    return f"bundles/{name}.js"
