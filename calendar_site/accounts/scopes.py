"""The scope of an application password: which of its user's permissions a client has."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from calendar_site.accounts.roles import CONTENT_MODELS, IMAGE_MODELS

# The model of each resource by its name, because this package must not import the apps.
RESOURCES = {
    "events": "events.event",
    "venues": "venues.venue",
    "organizers": "organizers.organizer",
    "categories": "taxonomy.category",
    "tags": "taxonomy.tag",
    "images": "media.image",
}
# The models whose records have an author.
AUTHORED_MODELS = frozenset(CONTENT_MODELS + IMAGE_MODELS)


class Scope(NamedTuple):
    """Restricts the permissions of a user. The default restricts nothing.

    `is_read_only` does not remove permissions: what a user may read depends on the permission to change it. Therefore,
    `has_model_permission()` in `core/permissions.py` checks it.
    """

    is_read_only: bool = False
    is_own_only: bool = False
    # All resources if empty.
    resources: tuple[str, ...] = ()

    def restrict(self, names: Iterable[str]) -> set[str]:
        """Return the permissions that remain of these, such as `events.publish_event`."""
        return {name for name in names if self._allows(name)}

    def _allows(self, name: str) -> bool:
        app, _dot, codename = name.partition(".")
        action, _underscore, model_name = codename.rpartition("_")
        model = f"{app}.{model_name}"
        if self.resources and model not in {RESOURCES[resource] for resource in self.resources}:
            return False
        if not self.is_own_only or action in ("add", "view"):
            return True
        return model in AUTHORED_MODELS and not action.endswith("_others")
