"""Form fields that show categories with their paths."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from django import forms

from calendar_site.content.admin.fields import RowsField
from taxonomy.paths import paths


class _NamedByPath(forms.ModelChoiceField):
    @cached_property
    def _paths(self) -> dict[int, str]:
        return paths()

    def label_from_instance(self, row: Any) -> str:
        return self._paths.get(row.pk) or str(row)


class CategoryField(_NamedByPath):
    """A category, shown with its path."""


class CategoriesField(_NamedByPath, RowsField):
    """Categories, shown with their paths."""
