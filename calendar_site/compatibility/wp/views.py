"""The base class of the views of `wp/v2`, and the argument `context`."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request

from calendar_site.api.errors import InvalidParams
from calendar_site.api.input import values
from calendar_site.compatibility.addresses import WP
from calendar_site.compatibility.errors import denied
from calendar_site.compatibility.views import OriginalView

CONTEXTS = ("view", "embed", "edit")


class WPView(OriginalView):
    original_namespace = WP

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        context = self.arguments.pop("context", "view")
        if context not in CONTEXTS:
            raise InvalidParams({"context": values.unknown_choice(CONTEXTS)})
        self.is_for_editing = context == "edit"

    def check_context(self, may_edit: bool) -> None:
        """Raise an error for `context=edit` without the permission to edit."""
        if self.is_for_editing and not may_edit:
            raise denied(self.request, "rest_forbidden_context")
