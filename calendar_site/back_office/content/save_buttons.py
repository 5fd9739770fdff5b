"""The buttons that save a form and set the status of its record: publish, save draft, submit for review."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _

from calendar_site.core import permissions
from calendar_site.core.choices import PUBLISHED_STATUSES, Status

if TYPE_CHECKING:
    from calendar_site.back_office.content.content_admin import ContentModelAdmin

SAVE = "_save"
PUBLISH = "_publish"
SUBMIT = "_submit"
DRAFT = "_draft"
# The status in the field of a form whose button has set another one.
FIELD_STATUS = "_field_status"
BUTTON_STATUSES = {PUBLISH: Status.PUBLISH, SUBMIT: Status.PENDING, DRAFT: Status.DRAFT}


class SaveButton(NamedTuple):
    """A button of a form: the name that it sends, and its label."""

    name: str
    label: str


def save_buttons_context(
    model_admin: ContentModelAdmin, request: HttpRequest, context: dict[str, Any]
) -> dict[str, Any]:
    """Return the buttons of the form, the most likely one first. A window that was opened by a form has only "Save".

    For users who can choose a status, the labels of the first button by status are returned as well: a script shows
    them when another status is chosen.
    """
    if context.get("is_popup"):
        return {}
    row = context["original"]
    status = row.status if row else Status.DRAFT
    can_publish = permissions.can_publish(request.user, model_admin.model)
    buttons = {"save_buttons": _select_buttons(status, can_publish=can_publish)}
    form = context["adminform"].form
    if not can_publish or "status" not in form.fields:
        return buttons
    labels = {
        Status.PUBLISH: _("Publish"),
        Status.PRIVATE: _("Publish privately"),
        Status.PENDING: _("Save as pending review"),
        Status.DRAFT: _("Switch to draft") if status in PUBLISHED_STATUSES else _("Save draft"),
    }
    return {**buttons, "button_labels": json.dumps(labels), "saved_status": form.initial["status"]}


def show_field_status(model_admin: ContentModelAdmin, request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Show the status in the field of a form with errors again, instead of the one that the button has set."""
    form = context["adminform"].form
    if form.is_bound and FIELD_STATUS in form.data:
        form.data["status"] = form.data[FIELD_STATUS]
    return {}


def _select_buttons(status: str, *, can_publish: bool) -> list[SaveButton]:
    if status == Status.DRAFT:
        first = SaveButton(PUBLISH, _("Publish")) if can_publish else SaveButton(SUBMIT, _("Submit for review"))
        return [first, SaveButton(DRAFT, _("Save draft"))]
    save = SaveButton(SAVE, _("Save"))
    if status == Status.TRASH:
        return [save]
    if status == Status.PENDING and can_publish:
        return [SaveButton(PUBLISH, _("Publish")), save]
    return [save, SaveButton(DRAFT, _("Switch to draft"))]


def set_status_of_button(request: HttpRequest) -> None:
    """Set the status in the data of a form to that of the pressed button.

    The form then validates the status as if the user had chosen it. "Publish" keeps "Private", which is published as
    well.
    """
    data: Any = request.POST
    status = next((status for name, status in BUTTON_STATUSES.items() if name in data), None)
    if status is None or (status == Status.PUBLISH and data.get("status") in PUBLISHED_STATUSES):
        return
    changed: QueryDict = data.copy()
    if "status" in data:
        changed[FIELD_STATUS] = data["status"]
    changed["status"] = status.value
    request.POST = changed  # type: ignore[assignment]
