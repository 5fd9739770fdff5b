"""The history pages of a record in the admin."""

from typing import Any


def history_path(row: Any, page: str = "") -> str:
    return f"/admin/{row._meta.app_label}/{row._meta.model_name}/{row.pk}/history/{page}"


def differences_in(response) -> list[tuple[Any, ...]]:
    """Return the differences that a page of a revision shows: name, label, before and after."""
    assert response.status_code == 200, response
    return [tuple(difference)[:4] for difference in response.context["differences"]]
