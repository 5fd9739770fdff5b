"""Reading and writing the saved views of a user."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.types import AnyUser
from calendar_site.saved_views.models import SavedView


def get_views(user: AnyUser, model_label: str) -> list[SavedView]:
    """Return the user's views of a list by name. One query."""
    views = SavedView.objects.filter(user=user.pk, model_label=model_label)
    return sorted(views, key=lambda view: (view.name.casefold(), view.pk))


def save_view(*, user: AnyUser, model_label: str, name: str, query: str) -> SavedView:
    """Save a view, and replace the view with this name if the user has one. Raises ValidationError."""
    with write_lock():
        view = SavedView(user_id=user.pk, model_label=model_label, name=name)
        # The name as it will be saved.
        view.clean_fields(exclude={"query"})
        known = SavedView.objects.filter(user=user.pk, model_label=model_label)
        replaced = known.filter(name=view.name).first()
        if replaced is None and known.count() >= SavedView.MAX_PER_LIST:
            text = _("You already have %(most)d views of this list. Delete one of them first.")
            raise ValidationError(text % {"most": SavedView.MAX_PER_LIST})
        view = replaced or view
        view.query = query
        view.full_clean()
        view.save()
    return view


def rename_view(view: SavedView, *, name: str) -> SavedView:
    """Give the view another name. Raises ValidationError, also if another view of the list has this name."""
    with write_lock():
        view.name = name
        view.full_clean()
        view.save()
    return view


def delete_view(view: SavedView) -> None:
    with write_lock():
        view.delete()
