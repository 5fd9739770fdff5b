"""The widget for choosing the categories of an event."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.admin import AdminSite
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from calendar_site.back_office.forms.record_fields import RecordSelectMultiple
from calendar_site.back_office.urls import admin_url
from calendar_site.core import permissions
from taxonomy.admin.fields import CategoriesField
from taxonomy.models import Category
from taxonomy.paths import CategoryNode, load_category_tree

# If there are more categories, the widget is a search.
MAX_SHOWN = 300
MAX_INDENT = 6
STYLE = "back_office/term_inputs.css"
SCRIPT = "back_office/term_inputs.js"


class CategoryTree(forms.CheckboxSelectMultiple):
    """Checkboxes for all categories, each below its parent."""

    def __init__(self, nodes: list[CategoryNode], add_url: str) -> None:
        super().__init__()
        self.nodes = nodes
        self.add_url = add_url

    @property
    def media(self) -> forms.Media:
        return forms.Media(css={"all": (STYLE,)}, js=(SCRIPT,))

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        chosen = {str(key) for key in value or ()}
        rows = [
            {"node": node, "indent": min(node.depth, MAX_INDENT), "is_chosen": str(node.pk) in chosen}
            for node in self.nodes
        ]
        context = {"name": name, "html_id": (attrs or {}).get("id"), "rows": rows, "add_url": self.add_url}
        return render_to_string("admin/category_tree.html", context)


def category_field_options(field: Any, admin_site: AdminSite, request: HttpRequest) -> dict[str, Any]:
    """Return the widget and the class of the field for the existing categories. One query, whatever their depth."""
    nodes = load_category_tree()
    if len(nodes) > MAX_SHOWN:
        return {"widget": RecordSelectMultiple(field, admin_site), "form_class": CategoriesField}
    can_add = permissions.can_create(request.user, Category)
    add_url = f"{admin_url(Category, 'add')}?_to_field=id&_popup=1" if can_add else ""
    return {"widget": CategoryTree(nodes, add_url), "form_class": CategoriesField}
