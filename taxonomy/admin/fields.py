"""Form fields that show categories with their paths."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from django import forms

from calendar_site.back_office.forms.record_fields import RecordsField
from taxonomy.paths import load_category_paths


class _NamedByPath(forms.ModelChoiceField):
    @cached_property
    def _paths(self) -> dict[int, str]:
        return load_category_paths()

    def label_from_instance(self, row: Any) -> str:
        return self._paths.get(row.pk) or str(row)


class CategoryField(_NamedByPath):
    """A category, shown with its path."""


class CategoriesField(_NamedByPath, RecordsField):
    """Categories, shown with their paths."""
