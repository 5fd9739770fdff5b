"""The five roles, and what each may do.

Roles are Django groups of these names, made by the migration `0002_roles`. This table is what code,
documents and tests read; a test holds it and the database together.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext_lazy

ADMINISTRATOR = "administrator"
EDITOR = "editor"
AUTHOR = "author"
CONTRIBUTOR = "contributor"
SUBSCRIBER = "subscriber"

ROLES = (ADMINISTRATOR, EDITOR, AUTHOR, CONTRIBUTOR, SUBSCRIBER)
# Those who have something to do in the admin.
STAFF_ROLES = (ADMINISTRATOR, EDITOR, AUTHOR, CONTRIBUTOR)

# What people read instead of the names, which are the same in every language.
TITLES = {
    ADMINISTRATOR: gettext_lazy("Administrator"),
    EDITOR: gettext_lazy("Editor"),
    AUTHOR: gettext_lazy("Author"),
    CONTRIBUTOR: gettext_lazy("Contributor"),
    SUBSCRIBER: gettext_lazy("Subscriber"),
}
MEANINGS = {
    ADMINISTRATOR: gettext_lazy("looks after everything, accounts and custom fields included"),
    EDITOR: gettext_lazy("looks after all events, venues, organizers, categories, tags and images"),
    AUTHOR: gettext_lazy("writes events, venues and organizers of their own, and publishes them"),
    CONTRIBUTOR: gettext_lazy("writes events, venues and organizers of their own, which an editor publishes"),
    SUBSCRIBER: gettext_lazy("only reads"),
}

CONTENT = ("events.event", "venues.venue", "organizers.organizer")
TERMS = ("taxonomy.category", "taxonomy.tag")
IMAGES = ("content.image",)
CUSTOM_FIELDS = ("content.customfield",)
ACCOUNTS = ("accounts.user", "accounts.applicationpassword", "auth.group")

WRITE = ("add", "change", "delete", "view")
PUBLISH = ("publish",)
OTHERS = ("change_others", "delete_others")


def role_name(group: str) -> str:
    """A role in the reader's language; another group as it is called."""
    return str(TITLES.get(group, group))


def permissions(actions: Iterable[str], models: Iterable[str]) -> frozenset[str]:
    """The names of permissions (`events.publish_event`) for every action on every model."""
    pairs = [model.split(".") for model in models]
    return frozenset(f"{app}.{action}_{model}" for app, model in pairs for action in actions)


_EDITOR = (
    permissions(WRITE + PUBLISH + OTHERS, CONTENT)
    | permissions(WRITE, TERMS)
    | permissions(WRITE + OTHERS, IMAGES)
    | permissions(["view"], CUSTOM_FIELDS)
)

PERMISSIONS: dict[str, frozenset[str]] = {
    ADMINISTRATOR: _EDITOR | permissions(WRITE, CUSTOM_FIELDS + ACCOUNTS),
    EDITOR: _EDITOR,
    AUTHOR: (
        permissions(WRITE + PUBLISH, CONTENT)
        | permissions(WRITE, ["taxonomy.category"])
        | permissions(["view"], ["taxonomy.tag"])
        | permissions(WRITE, IMAGES)
    ),
    CONTRIBUTOR: permissions(WRITE, CONTENT) | permissions(["view"], TERMS + IMAGES),
    SUBSCRIBER: frozenset(),
}
