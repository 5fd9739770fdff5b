"""Submitting records for review in the admin, and deciding on them, in tests."""

from typing import Any

from django.contrib.auth import get_user
from django.test import Client

from tests.support.admin import submit_form

QUEUE = "/admin/review/"


def submit_for_review(client: Client, kind: Any, title: str = "Mine", **fields: Any) -> Any:
    """Create a draft of the user who is signed in, submit it by its form, and return it as it was created."""
    row = kind.factory(title=title, status="draft", author=get_user(client), **fields)
    submit_form(client, kind.page(row), status="pending")
    return row


def decide(client: Client, kind: Any, row: Any, decision: str = "approve", note: str = "", **fields: Any) -> Any:
    """Return the response to a decision on the review page of a record."""
    return client.post(kind.page(row, "review"), {"decision": decision, "note": note, **fields})
