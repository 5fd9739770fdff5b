"""Which fields of an event somebody may see: decided here for every output.

An event with a password is listed for everybody, but shows its title and dates alone to whoever may neither
edit it nor knows the password.
"""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import timedelta
from typing import Any, NamedTuple

from django.core.signing import BadSignature, TimestampSigner
from django.utils.crypto import constant_time_compare
from redis.exceptions import RedisError
from rest_framework.exceptions import Throttled

from calendar_site.api.throttles import LenientThrottle
from calendar_site.content import rules
from events.models import Event

NULL = (
    "all_day", "show_map", "show_map_link", "hide_from_listings", "sticky", "featured", "ticketed"
)  # fmt: skip
EMPTY_TEXT = ("description", "excerpt", "cost", "website")
EMPTY_LIST = ("categories", "tags", "venue", "organizer", "tickets", "custom_fields")

# How long a browser that was told the password once is not asked again.
PASS_LASTS = timedelta(days=7)
# For how many events: what a browser keeps goes along with every request.
MOST_PASSES = 8
_PASS = re.compile(r"[0-9]{1,19}:[0-9A-Za-z]{1,9}:[-_0-9A-Za-z]{43}")
# How long the link to a preview opens it.
PREVIEW_LASTS = timedelta(days=7)
PREVIEW = "events.access.preview"


class Reader(NamedTuple):
    """Who reads, and the password of an event that came along."""

    user: Any
    password: str = ""


def hides_fields(event: Any, reader: Reader) -> bool:
    """Whether the reader is shown no more of the event than `without_protected_fields` leaves.

    `event` is an instance or a row of values with the same names.
    """
    if not event.password:
        return False
    if reader.password and constant_time_compare(event.password, reader.password):
        return False
    return not rules.can_edit(reader.user, event, Event)


class AttemptThrottle(LenientThrottle):
    """Counts the wrong passwords that come from one address for one event."""

    scope = "event_password"

    def __init__(self, event: Event) -> None:
        self.event = event
        # Where the store of attempts does not answer, there are none.
        self.history: list[float] = []
        self.now = self.timer()
        super().__init__()

    def get_cache_key(self, request: Any, view: Any) -> str:
        return self.cache_format % {"scope": self.scope, "ident": f"{self.event.pk}_{self.get_ident(request)}"}

    def throttle_success(self) -> bool:
        # Only what turns out to be wrong counts.
        return True

    def count(self) -> None:
        with suppress(RedisError):
            self.cache.set(self.key, [self.now, *self.history], self.duration)


def opens(event: Event, password: str, request: Any) -> bool:
    """Whether this is the event's password. Raises Throttled after too many wrong ones."""
    throttle = AttemptThrottle(event)
    if not throttle.allow_request(request, None):
        raise Throttled(throttle.wait())
    is_right = bool(password) and constant_time_compare(event.password, password)
    if password and not is_right and throttle.rate:
        throttle.count()
    return is_right


def with_pass(event: Event, kept: str) -> str:
    """What a browser keeps from now on: a pass for this event, and those it had for others, the latest first.

    A pass is good for its event alone, and until the event's password changes.
    """
    others = [one for one in kept.split(".") if _PASS.fullmatch(one) and not _is_for(event, one)]
    return ".".join([_signer(event).sign(str(event.pk)), *others][:MOST_PASSES])


def has_pass(event: Event, kept: str) -> bool:
    """Whether there is a pass for this event among those that a browser kept."""
    return any(_is_for(event, one) and _is_good(event, one) for one in kept.split("."))


def _is_for(event: Event, given: str) -> bool:
    return given.startswith(f"{event.pk}:")


def _is_good(event: Event, given: str) -> bool:
    try:
        return _signer(event).unsign(given, max_age=PASS_LASTS) == str(event.pk)
    except BadSignature:
        return False


def preview_token(event: Event) -> str:
    """What opens the event's preview to whoever has it, until `PREVIEW_LASTS` is over; see `previewed`."""
    return TimestampSigner(salt=PREVIEW).sign(str(event.pk))


def previewed(token: str) -> int | None:
    """The id of the event that the token opens; None where it opens none, or no longer."""
    try:
        return int(TimestampSigner(salt=PREVIEW).unsign(token, max_age=PREVIEW_LASTS))
    except BadSignature:
        return None


def _signer(event: Event) -> TimestampSigner:
    return TimestampSigner(salt=f"events.access:{event.pk}:{event.password}")


def without_protected_fields(record: dict[str, Any]) -> dict[str, Any]:
    """An event's answer with its protected fields blanked (contract.md, "Passwords of events")."""
    blank: dict[str, Any] = {
        **dict.fromkeys(EMPTY_TEXT, ""),
        **dict.fromkeys(NULL),
        **{name: [] for name in EMPTY_LIST},
        "image": False,
        "cost_details": {**dict.fromkeys(record["cost_details"], ""), "values": []},
    }
    return {**record, **blank}
