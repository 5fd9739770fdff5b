"""The write fields of categories and tags."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from calendar_site.api.errors import ContractError
from calendar_site.api.input import values
from calendar_site.api.input.fields import ParentField, SlugField, TextField
from calendar_site.api.input.serializers import ContractSerializer
from taxonomy.models import Category, Tag


class NotHierarchical(ContractError):
    default_code = "rest_taxonomy_not_hierarchical"
    default_detail = gettext_lazy("Tags cannot have a parent, because they are not hierarchical.")


class ParentCategoryField(ParentField):
    def parse(self, value: Any) -> Category:
        parent = Category.objects.filter(pk=values.parse_integer(value, minimum=1)).first()
        if parent is None:
            raise ValueError(_("There is no category with this id."))
        return parent


class TermSerializer(ContractSerializer):
    name = TextField(required=True, help_text=gettext_lazy("The name of the category or tag."))
    description = TextField(allow_null=True, help_text=gettext_lazy("The description of the category or tag."))
    slug = SlugField(
        allow_null=True, help_text=gettext_lazy("The last part of the public URL. Generated from the name by default.")
    )


class CategorySerializer(TermSerializer):
    parent = ParentCategoryField(  # type: ignore[assignment] # a declared field is no attribute
        allow_null=True,
        cleared_value=None,
        help_text=gettext_lazy("The id of the parent category, or 0 if there is none."),
    )

    class Meta:
        model = Category


class TagSerializer(TermSerializer):
    class Meta:
        model = Tag

    def check_arguments(self, data: dict[str, Any]) -> None:
        """Raise NotHierarchical for a parent, and MissingParams."""
        if data.get("parent"):
            raise NotHierarchical
        super().check_arguments(data)
