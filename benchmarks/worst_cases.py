"""The requests that take the most CPU time and memory of those that the service accepts, and some that it refuses."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import urlencode

API = "/cal/events/v1"
JSON = "application/json"
FORM = "application/x-www-form-urlencoded"
BODY_SIZE = 2 * 1024 * 1024 - 2000
MAX_DESCRIPTION = 64_000
MAX_EXCERPT = 5000
MAX_TICKETS = 20_000
# Of the descriptions of all new venues, and of all new organizers, of an event.
MAX_NEW_DESCRIPTIONS = 500_000
MAX_NEW_TAGS = 10_000
EVENT = {"title": "Open air", "start_date": "2030-05-04 18:00:00", "end_date": "2030-05-04 20:00:00"}


# Recurrence rules that match seldom, never, or with many conditions.
RULES = {
    "a rule that never matches": "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
    "a position that no week has": "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS="
    + ",".join(map(str, range(8, 105))),
    "a rule that never matches from its start": "FREQ=MONTHLY;INTERVAL=12;BYMONTH=8;BYMONTHDAY=31;BYDAY=MO,TU,WE,TH,FR",
    "a rare day": "FREQ=YEARLY;INTERVAL=1000;BYMONTH=2;BYMONTHDAY=29",
    "a rare weekday": "FREQ=DAILY;INTERVAL=999;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO",
    "many conditions": "FREQ=YEARLY;BYMONTH=1,2,3,4,5,6,7,8,9,10,11,12;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS="
    + ",".join(map(str, range(1, 90))),
    "many week numbers": "FREQ=YEARLY;BYWEEKNO=" + ",".join(map(str, range(1, 54))) + ";BYDAY=MO,TU,WE,TH,FR,SA,SU",
}


class WorstRequest(NamedTuple):
    """A request, and the role of its user, None for an anonymous one."""

    name: str
    role: str | None
    method: str
    path: str
    body: bytes = b""
    content_type: str = JSON


def repeated(text: str, size: int = BODY_SIZE) -> str:
    """Return the text as often as it fits into `size` bytes."""
    return text * (size // len(text.encode()))


def long_texts() -> dict[str, str]:
    """Texts of descriptions at their limit, as they are stored, each of another kind that takes much work or memory."""
    return {
        "ampersands": "&" * (MAX_DESCRIPTION // len("&amp;")),
        "spaces": "\xa0" * (MAX_DESCRIPTION // len("&nbsp;")),
        "marks": "a" + "\u0301\u0323" * (MAX_DESCRIPTION // 2),
        "short runs of marks": ("a" + "\u0301\u0323" * 15)[:30] * (MAX_DESCRIPTION // 30),
        "marks beyond U+FFFF": ("a" + "\U0001d165" * 29) * (MAX_DESCRIPTION // 30),
        "ligatures": "\ufdfa" * MAX_DESCRIPTION,
        "hangul": "\uac01" * MAX_DESCRIPTION,
        "emoji": "\U0001f600" * MAX_DESCRIPTION,
        "references": "&#x301;" * MAX_DESCRIPTION,
        "digits": "&#" + "9" * 60_000 + ";",
        "lines": "x\n" * (MAX_DESCRIPTION // len("x<br>\n")),
        "quotation marks": '"' * MAX_DESCRIPTION,
        "tags": "<br>x" * 10_000,
        "links": "<a></a>" * 4900,
        "nested tags": "<ul><li>" * 99 + "x" * 60_000,
        "tags in attributes": '<ul title="</ul>"><li>' * 2900,
        "formatting": "<p>" + "".join(f'<b title="{number}">' for number in range(90)) + "<p>x" * 9000,
        "formatting in text areas": "<p>" + '<b title="x"><textarea></b></textarea>' * 1000 + "<p>x" * 5000,
        "long link": '<p><a href="http://x.example/' + "y" * 30_000 + '">' + "<p>x" * 1000,
        "brackets": "<" * (MAX_DESCRIPTION // len("&lt;")),
    }


def write_requests() -> Iterator[WorstRequest]:
    def post(label: str, collection: str = "events", role: str = "author", **data: Any) -> WorstRequest:
        required = EVENT if collection == "events" else {}
        body = json.dumps({**required, **data}, ensure_ascii=False).encode()
        return WorstRequest(f"{collection}: {label}", role, "POST", f"{API}/{collection}", body)

    for name, text in long_texts().items():
        yield post(name, role="contributor", description=text, excerpt=text[:MAX_EXCERPT])
        linked = {linked: new_records(linked, text) for linked in ("venue", "organizer")}
        yield post(f"new venues and organizers, {name}", description=text, excerpt=text[:MAX_EXCERPT], **linked)
        yield post(name, "categories", "editor", name="Music", description=text[:5000])
    yield post("longest text", description=repeated("&"))
    yield post("longest text of ligatures", description=repeated("\ufdfa"))
    yield post("longest title", title=repeated("<"))
    yield post("longest title of script tags", title=repeated("<script>"))
    yield post("longest slug", slug=repeated("%e6"))
    yield post("longest date", start_date=repeated("next "))
    yield post("longest time zone", timezone=repeated("UTC+"))
    yield post("longest cost", cost=repeated("1,"))
    yield post("longest URL", website="http://" + repeated("a."))
    yield post("many costs", cost=[1] * 500_000)
    yield post("many empty tags", tags=[None] * 300_000)
    yield post("many ids", tags=list(range(1, 250_000)))
    yield post("many ids in a string", venue=",".join(map(str, range(1, 300_000))))
    yield post("many names", tags=[f"{number}" + "\ufdfa" * 180 for number in range(100)], role="editor")
    yield post("many tickets", tickets=[{"name": "x" * 200, "price": 1, "currency": "EUR"} for _ in range(100)])
    yield post("too many tickets", tickets=[{}] * 500_000)
    yield post("many custom fields", custom_fields={str(number): "x" for number in range(90_000)})
    yield post("many unknown keys", **{f"key{number}": 1 for number in range(130_000)})
    yield post("deep path in _fields", _fields=repeated("a."))
    yield post("many paths in _fields", _fields=",".join(str(number) for number in range(280_000)))
    yield post("list of _fields", _fields=[str(number) for number in range(200_000)])
    yield post("NUL characters", tags=["\0"] * 150_000)
    for name, rule in RULES.items():
        # A date of its own: otherwise, a series without a match is refused.
        old = {"start_date": "1930-05-04 18:00:00", "end_date": "1930-05-04 20:00:00", "rdate": ["1930-05-05 18:00:00"]}
        yield post(f"preview of {name}", "series/preview", "contributor", rrule=rule, **EVENT)
        yield post(f"preview of {name} since 1930", "series/preview", "contributor", rrule=rule, **old)
        yield post(f"saving {name} since 1930", "series", "contributor", title="Rule", rrule=rule, **old)
    daily = {"start_date": "2030-01-05 18:00:00", "end_date": "2030-01-05 19:00:00", "rrule": "FREQ=DAILY;COUNT=1000"}
    linked = {name: list(range(1, 21)) for name in ("venue", "organizer")}
    longest = {"description": "\U0001f600" * MAX_DESCRIPTION, "excerpt": "\U0001f600" * MAX_EXCERPT}
    longest = {"description": "\U0001f600" * MAX_DESCRIPTION, "excerpt": "\U0001f600" * MAX_EXCERPT}
    for label, texts in (("short texts", {}), ("long texts", longest)):
        yield post(f"longest, {label}", "series", "author", title="Daily", **daily, **texts)
        yield post(f"longest with links, {label}", "series", "author", title="Daily", **daily, **texts, **linked)
    deep = b'{"title":' + b"[" * 1_000_000 + b"]" * 1_000_000 + b"}"
    yield WorstRequest("events: deep JSON", "author", "POST", f"{API}/events", deep)
    wide = b'{"tags":[' + b"[]," * 690_000 + b"[]]}"
    yield WorstRequest("events: wide JSON", "author", "POST", f"{API}/events", wide)
    form = "&".join(f"tags[{number}][name]={'x' * 900}" for number in range(1900)).encode()
    yield WorstRequest("events: long form", "author", "POST", f"{API}/events", form, FORM)
    form = "&".join(f"a{'[b]' * 5}[]=x" for _number in range(2000)).encode()
    yield WorstRequest("events: nested form", "author", "POST", f"{API}/events", form, FORM)
    yield WorstRequest("events: many fields", "author", "POST", f"{API}/events", repeated("a=1&").encode(), FORM)


def new_records(name: str, text: str) -> list[dict[str, str]]:
    """Return as many new records as an event may have with such a description, each with another one."""
    # Two thirds of the body are left for the other field and the texts of the event.
    fitting = BODY_SIZE // 3 // len(json.dumps(text, ensure_ascii=False).encode())
    count = min(20, fitting, MAX_NEW_DESCRIPTIONS // len(text), MAX_NEW_TAGS // max(1, text.count("<")))
    return [{name: f"New {number}", "description": f"{text[:-2]}{number:02}"} for number in range(count)]


def read_requests() -> Iterator[WorstRequest]:
    def get(path: str, role: str | None = None, **query: Any) -> WorstRequest:
        shown = ", ".join(f"{name}={str(value)[:20]}" for name, value in query.items())
        url = f"{API}/{path}" if not path.startswith("/") else path
        return WorstRequest(f"GET {path} {shown}", role, "GET", f"{url}?{urlencode(query)}" if query else url)

    yield get("events")
    # A hundred events with the longest description, excerpt and tickets have 30 MB of text of their own. Only what fits
    # into a response is included.
    yield get("events", per_page=100)
    yield get("events", per_page=100, _fields="events.description,events.excerpt,events.venue,events.tags")
    yield get("events/1")
    yield get("venues", per_page=100)
    yield get("categories", per_page=100, hide_empty="false")
    yield get("tags", per_page=100, hide_empty="false")
    letters = " ".join("abcdefghijklmnopqrstuvwxyz"[number % 26] + str(number % 10) for number in range(130))
    for collection in ("events", "venues", "organizers", "categories", "tags"):
        yield get(collection, search=letters)
        yield get(collection, search=" ".join("abcdefghijklmnopqrstuvwxyz")[:500])
        yield get(collection, search=" ".join(f"-{letter}" for letter in letters.split())[:500])
        yield get(collection, search="\ufdfa" * 500)
        yield get(collection, page=10**17)
        yield get(collection, _fields="a." * 3500)
        yield get(collection, _fields=",".join(map(str, range(1500))))
    yield get("events", venue=",".join(map(str, range(1, 1500))))
    yield get("events", tags=",".join("\ufdfa" * 3 for _ in range(100)))
    yield get("events", geoloc="true", geoloc_lat=1, geoloc_lng=1, geoloc_radius=20_000, per_page=100)
    yield get("/events/")
    yield get("/events/", ical=1)
    yield get("/events/", ical=1, series="rule")
    yield get("series", per_page=100)
