"""Personal data of one person, for a request of that person."""

from __future__ import annotations

import json
from typing import Any, BinaryIO

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Q

from calendar_site.accounts.models import ApplicationPassword, User
from calendar_site.media.models import Image
from calendar_site.submissions.models import MistakeReport, PublicSubmission
from calendar_site.transfer.models import Source
from events.models import Event, Series
from organizers.models import Organizer
from taxonomy.models import Category, Tag
from venues.models import Venue

AUTHORED = (Event, Series, Venue, Organizer, Image)
TRACKED = (Event, Series, Venue, Organizer, Image, Category, Tag)


def write_person(file: BinaryIO, email: str) -> int:
    """Write what is stored about the person with this email address as JSON. Return the number of items."""
    accounts = list(User.objects.filter(email__iexact=email).order_by("pk"))
    found: dict[str, list[Any]] = {
        "accounts": [_account(user) for user in accounts],
        "application_passwords": list(ApplicationPassword.objects.filter(user__in=accounts).values("label")),
        "records": [_record(row) for model in AUTHORED for row in model._default_manager.filter(author__in=accounts)],
        "changes": [change for model in TRACKED for change in _changes(model, accounts)],
        "sources": list(Source.objects.filter(owner__in=accounts).values("name", "url")),
        "submissions": list(
            PublicSubmission.objects.filter(sender_email__iexact=email).values(
                "sender_name", "sender_email", "language", "created_at", "event_id"
            )
        ),
        "reports": list(MistakeReport.objects.filter(email__iexact=email).values("text", "email", "created_at")),
        "organizers": [_record(row) for row in Organizer.objects.filter(email__iexact=email)],
    }
    file.write(json.dumps({"email": email, **found}, cls=DjangoJSONEncoder, indent=1, ensure_ascii=False).encode())
    return sum(map(len, found.values()))


def _account(user: User) -> dict[str, Any]:
    names = ("id", "username", "first_name", "last_name", "email", "date_joined", "last_login", "is_active")
    return {**{name: getattr(user, name) for name in names}, "roles": [group.name for group in user.groups.all()]}


def _record(row: Any) -> dict[str, Any]:
    return {"kind": row._meta.model_name, "id": row.pk, "title": str(row)}


def _changes(model: Any, accounts: list[User]) -> list[dict[str, Any]]:
    by_person = Q(history_user_id__in=[user.pk for user in accounts])
    rows = model.history.filter(by_person).order_by("history_id")
    values = rows.values("id", "history_date", "history_kind", "history_channel", "history_address")
    return [{"record": model._meta.model_name, **row} for row in values]
