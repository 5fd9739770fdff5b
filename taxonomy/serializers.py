"""What is written about categories and tags."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from calendar_site.api import values
from calendar_site.api.errors import ContractError
from calendar_site.api.input import InputField, InputSerializer, SlugInput, TextInput
from taxonomy.models import Category

NAME_LENGTH = 200


class NotHierarchical(ContractError):
    default_code = "rest_taxonomy_not_hierarchical"
    default_detail = gettext_lazy("Tags have no hierarchy.")


class ParentInput(InputField):
    """The id of another category; 0 and empty mean none."""

    schema = {"type": "integer"}

    def is_empty(self, given: Any) -> bool:
        return super().is_empty(given) or given in (0, "0", False)

    def read(self, data: Any) -> Category:
        parent = Category.objects.filter(pk=values.read_integer(data, minimum=1)).first()
        if parent is None:
            raise ValueError(_("There is no category with this id."))
        return parent


class TermInput(InputSerializer):
    name = TextInput(required=True, max_length=NAME_LENGTH, describe=gettext_lazy("The name of the category or tag."))
    description = TextInput(
        max_length=5000, clearable=True, describe=gettext_lazy("What the category or tag is about.")
    )
    slug = SlugInput(
        clearable=True, describe=gettext_lazy("The last part of its address; made of the name unless said.")
    )


class CategoryInput(TermInput):
    parent = ParentInput(
        clearable=True, empty=None, describe=gettext_lazy("The category that it belongs to, by its id; 0 for none.")
    )


class TagInput(TermInput):
    def check(self) -> dict[str, Any]:
        if self.initial_data.get("parent"):
            raise NotHierarchical
        return super().check()
