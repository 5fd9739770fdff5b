"""The parts of a request that its response depends on, and the envelope of lists."""

from __future__ import annotations

import base64
import hashlib
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

from benchmarks.floor.database import fetch_rows, sql_moment

BASE = "/cal/events/v1"


class FloorRequest:
    """The parts of a request that responses depend on: URLs, arguments, and what the user may see."""

    def __init__(self, host: str, arguments: dict[str, str], sees_drafts: bool) -> None:
        self.host = host
        self.site = f"http://{host}"
        self.api = f"{self.site}{BASE}"
        self.arguments = arguments
        self.page = int(arguments.pop("page", 1))
        self.per_page = int(arguments.get("per_page", 9))
        self.sees_drafts = sees_drafts
        self.now = datetime.now(UTC)

    def visible(self, table: str) -> tuple[str, list[Any]]:
        """Return an SQL condition for the rows that the user may see, and its parameters."""
        if self.sees_drafts:
            return f"{table}.status <> 'trash'", []
        return f"{table}.status IN ('publish', 'future') AND {table}.published_at <= %s", [sql_moment(self.now)]


def sees_drafts(authorization: str) -> bool:
    """Return whether the account of the application password may edit the events of others."""
    if not authorization:
        return False
    _user, secret = base64.b64decode(authorization.removeprefix("Basic ")).decode().split(":", 1)
    digest = hashlib.sha256(secret.replace(" ", "").encode()).hexdigest()
    found = fetch_rows(
        "SELECT EXISTS (SELECT 1 FROM accounts_user_groups g"
        " JOIN auth_group_permissions gp ON gp.group_id = g.group_id JOIN auth_permission p ON p.id = gp.permission_id"
        " WHERE g.user_id = u.id AND p.codename = 'change_others_event')"
        " FROM accounts_applicationpassword a JOIN accounts_user u ON u.id = a.user_id"
        " WHERE a.digest = %s AND u.is_active",
        [digest],
    )
    return bool(found[0][0])


def envelope(
    floor: FloorRequest, collection: str, records: list[Any], total: int, effective: dict[str, str]
) -> tuple[dict[str, str], dict[str, Any]]:
    """Return the headers and the body of a list."""
    pages = -(-total // floor.per_page)
    query = urlencode(effective)
    url = f"{floor.api}/{collection}"

    def page(number: int) -> str:
        arguments = "&".join(part for part in (query, f"page={number}" if number > 1 else "") if part)
        return f"{url}?{arguments}" if arguments else url

    links = {}
    body = {collection: records, "rest_url": page(floor.page)}
    if floor.page < pages:
        body["next_rest_url"] = links["next"] = page(floor.page + 1)
    if floor.page > 1:
        body["previous_rest_url"] = links["prev"] = page(floor.page - 1)
    body |= {"total": total, "total_pages": pages}
    headers = {"X-TEC-Total": str(total), "X-TEC-TotalPages": str(pages)}
    if links:
        headers["Link"] = ", ".join(f'<{link}>; rel="{name}"' for name, link in links.items())
    return headers, body
