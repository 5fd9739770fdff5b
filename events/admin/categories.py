"""The control with which events choose their categories."""

from django import forms
from django.template.loader import render_to_string
from django.urls import reverse

from calendar_site.content import rules
from calendar_site.content.admin.fields import RowsInput
from taxonomy.admin.fields import CategoriesField
from taxonomy.models import Category
from taxonomy.paths import places

# More than these are searched for.
MOST_SHOWN = 300
DEEPEST_INDENT = 6
STYLE = "back_office/terms.css"
SCRIPT = "back_office/terms.js"


class CategoryTree(forms.CheckboxSelectMultiple):
    """All categories to be ticked, each below its parent."""

    def __init__(self, shown, add_address):
        super().__init__()
        self.shown = shown
        self.add_address = add_address

    @property
    def media(self):
        return forms.Media(css={"all": (STYLE,)}, js=(SCRIPT,))

    def render(self, name, value, attrs=None, renderer=None):
        chosen = {str(key) for key in value or ()}
        rows = [
            {"place": place, "indent": min(place.depth, DEEPEST_INDENT), "is_chosen": str(place.pk) in chosen}
            for place in self.shown
        ]
        context = {"name": name, "html_id": (attrs or {}).get("id"), "rows": rows, "add_address": self.add_address}
        return render_to_string("admin/category_tree.html", context)


def category_control(field, admin_site, request):
    """The control and the field for the categories that there are. Costs a query, whatever their depth."""
    shown = places()
    if len(shown) > MOST_SHOWN:
        return {"widget": RowsInput(field, admin_site), "form_class": CategoriesField}
    may_add = rules.can_create(request.user, Category)
    add_address = f"{reverse('admin:taxonomy_category_add')}?_to_field=id&_popup=1" if may_add else ""
    return {"widget": CategoryTree(shown, add_address), "form_class": CategoriesField}
