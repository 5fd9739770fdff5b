"""The menus of the rows of a list, which `row_menu.js` opens."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

# The entries, which are named like the pages to which they lead or which they call.
CHANGE = "change"
QUICK_EDIT = "quick-edit"
SERIES = "series"
DUPLICATE = "duplicate"
TRASH = "trash"
RESTORE = "restore"
DELETE = "delete"


@admin.display(description="")
def row_menu(row: Any) -> SafeString | str:
    """Return the button that opens the menu of the row, if the menu has entries: see `set_menu()`."""
    if not row.menu_entries and not row.menu_page:
        return ""
    return format_html(
        '<button type="button" class="row-menu" data-row="{}" data-can="{}" data-page="{}" aria-label="{}"></button>',
        row.pk,
        " ".join(row.menu_entries),
        row.menu_page,
        _("Actions: %(name)s") % {"name": row},
    )


def set_menu(row: Any, entries: list[str], page: str | None) -> None:
    """Set the entries of the menu of the row. `page` is the URL of its public page, if it has one."""
    row.menu_entries, row.menu_page = entries, page or ""
