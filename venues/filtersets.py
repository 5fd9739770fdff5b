"""The parameters of the list of venues."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy

from calendar_site.api.lists.filters import ChoicesFilter
from calendar_site.api.lists.filtersets import LinkedFilterSet
from calendar_site.core.choices import Accessibility


class VenueFilterSet(LinkedFilterSet):
    accessibility = ChoicesFilter(
        method="filter_by_accessibility",
        choices=Accessibility.values,
        help_text=gettext_lazy(
            "Only venues with all of these accessibility features: step_free, hearing_loop, sign_language, quiet_hour."
        ),
    )

    def filter_by_accessibility(self, venues: Any, name: str, features: list[str]) -> Any:
        return venues.with_accessibility(features)
