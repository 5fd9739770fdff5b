"""Submitting and reviewing records in tests."""

from typing import Any

from django.test import Client

from tests.support.records import save_as

QUEUE = "/admin/review/"


def submit_for_review(user: Any, kind: Any, title: str = "Mine", **fields: Any) -> Any:
    """Create a draft of the user, submit it, and return it as it was created."""
    row = kind.factory(title=title, status="draft", author=user, **fields)
    save_as(user, row, status="pending")
    return row


def decide(client: Client, kind: Any, row: Any, decision: str = "approve", note: str = "", **fields: Any) -> Any:
    """Return the response to a decision on the review page of a record."""
    return client.post(kind.page(row, "review"), {"decision": decision, "note": note, **fields})
