"""The five roles and their permissions.

Roles are Django groups with these names, created by the migrations `0002_roles` and `0005_task_permissions`. A test
checks that this table and the migrations agree.
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
# The roles that use the admin.
STAFF_ROLES = (ADMINISTRATOR, EDITOR, AUTHOR, CONTRIBUTOR)

# The names of the groups are the same in every language.
ROLE_LABELS = {
    ADMINISTRATOR: gettext_lazy("Administrator"),
    EDITOR: gettext_lazy("Editor"),
    AUTHOR: gettext_lazy("Author"),
    CONTRIBUTOR: gettext_lazy("Contributor"),
    SUBSCRIBER: gettext_lazy("Subscriber"),
}
ROLE_DESCRIPTIONS = {
    ADMINISTRATOR: gettext_lazy("Manages everything, including accounts and custom fields"),
    EDITOR: gettext_lazy("Manages all events, venues, organizers, categories, tags and images"),
    AUTHOR: gettext_lazy("Writes and publishes their own events, venues and organizers"),
    CONTRIBUTOR: gettext_lazy("Writes their own events, venues and organizers, and submits them for review"),
    SUBSCRIBER: gettext_lazy("Read-only access"),
}

CONTENT_MODELS = ("events.event", "venues.venue", "organizers.organizer")
TERM_MODELS = ("taxonomy.category", "taxonomy.tag")
IMAGE_MODELS = ("media.image",)
CUSTOM_FIELD_MODELS = ("custom_fields.customfield",)
REPORT_MODELS = ("submissions.mistakereport",)
SOURCE_MODELS = ("transfer.source",)
SITE_MODELS = ("site_profile.siteprofile",)
ACCOUNT_MODELS = ("accounts.user", "accounts.applicationpassword", "auth.group")
TASK_MODELS = ("tasks.backgroundtask",)

WRITE_ACTIONS = ("add", "change", "delete", "view")
PUBLISH_ACTIONS = ("publish",)
# Adding what others see after an approval.
SUBMIT_ACTIONS = ("submit",)
OTHERS_ACTIONS = ("change_others", "delete_others")


def role_label(group: str) -> str:
    """Return the translated label of a role, or the name of another group."""
    return str(ROLE_LABELS.get(group, group))


def permission_set(actions: Iterable[str], models: Iterable[str]) -> frozenset[str]:
    """Return the names of the permissions for every action on every model, such as `events.publish_event`."""
    pairs = [model.split(".") for model in models]
    return frozenset(f"{app}.{action}_{model}" for app, model in pairs for action in actions)


_EDITOR_PERMISSIONS = (
    permission_set(WRITE_ACTIONS + PUBLISH_ACTIONS + OTHERS_ACTIONS, CONTENT_MODELS)
    | permission_set(WRITE_ACTIONS, TERM_MODELS)
    | permission_set(WRITE_ACTIONS + SUBMIT_ACTIONS + OTHERS_ACTIONS, IMAGE_MODELS)
    | permission_set(["view"], CUSTOM_FIELD_MODELS)
    | permission_set(["view", "delete"], REPORT_MODELS)
    | permission_set(WRITE_ACTIONS, SOURCE_MODELS)
)

ROLE_PERMISSIONS: dict[str, frozenset[str]] = {
    ADMINISTRATOR: (
        _EDITOR_PERMISSIONS
        | permission_set(WRITE_ACTIONS, CUSTOM_FIELD_MODELS + ACCOUNT_MODELS)
        | permission_set(["view", "change"], TASK_MODELS + SITE_MODELS)
    ),
    EDITOR: _EDITOR_PERMISSIONS,
    AUTHOR: (
        permission_set(WRITE_ACTIONS + PUBLISH_ACTIONS, CONTENT_MODELS)
        | permission_set(WRITE_ACTIONS, ["taxonomy.category"])
        | permission_set(["view"], ["taxonomy.tag"])
        | permission_set(WRITE_ACTIONS + SUBMIT_ACTIONS, IMAGE_MODELS)
    ),
    CONTRIBUTOR: (
        permission_set(WRITE_ACTIONS, CONTENT_MODELS)
        | permission_set(["view"], TERM_MODELS)
        | permission_set(("view", *SUBMIT_ACTIONS), IMAGE_MODELS)
    ),
    SUBSCRIBER: frozenset(),
}
