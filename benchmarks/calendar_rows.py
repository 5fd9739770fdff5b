"""The rows of a calendar that has been used for years, made from a fixed sequence of random numbers.

The texts, dates and costs come from pools of values that the code of the service has prepared, so that a row costs
microseconds. Most events are past. Events with a password are past, too: lists of upcoming events contain none.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from bulk_insert import prepared

from calendar_site.accounts.models import User
from calendar_site.core.choices import PUBLIC_STATUSES, Status
from calendar_site.core.dates.conversion import from_local, parse_zone
from calendar_site.core.slugs import slugify
from calendar_site.core.text.plain_text import searchable_text
from events.models import Event
from events.schedule import set_schedule
from events.services import set_cost
from events.uids import first_uid
from organizers.models import Organizer
from taxonomy.models import Category, Tag
from venues.models import Venue

SEED = 20270310
YEARS_BACK, DAYS_AHEAD = 6, 900
PAST_EVENT_SHARE = 0.85
LONG_EVENT_SHARE = 0.003
# How many values each pool has at most.
POOL_SIZE = 20_000
LONG_TEXTS = 50

ZONES = ["Europe/Berlin"] * 8 + ["Europe/Paris", "Europe/London", "America/New_York", "America/Los_Angeles"] * 3
ZONES += ["UTC", "UTC+2", "Asia/Tokyo", "Asia/Kathmandu", "Australia/Sydney", "Pacific/Auckland", "Pacific/Honolulu"]
STATUSES = [Status.PUBLISH] * 93 + [Status.DRAFT] * 3 + [Status.FUTURE, Status.PENDING, Status.PRIVATE, Status.TRASH]
HOURS = [9, 10, 11, 14, 17, 18, 18, 19, 19, 19, 20, 20, 21]
LENGTHS = [60, 90, 90, 120, 120, 120, 150, 180, 240, 480]
COSTS = ["", "", "Free", "0", "8", "12", "$15", "20 – 35 €", "10,50 €", "pay what you want"]

KINDS = ["Concert", "Reading", "Workshop", "Lecture", "Exhibition", "Festival", "Market", "Walk", "Screening", "Match"]
STYLES = ["jazz", "chamber", "folk", "early", "electronic", "choral", "modern", "outdoor", "family", "late-night"]
CITIES = {
    "Berlin": (52.52, 13.4), "Paris": (48.86, 2.35), "London": (51.51, -0.13), "Lyon": (45.76, 4.84),
    "Boston": (42.36, -71.06), "Osaka": (34.69, 135.5), "Zürich": (47.37, 8.54), "Leeds": (53.8, -1.55),
    "Porto": (41.15, -8.61), "Graz": (47.07, 15.44), "Turin": (45.07, 7.69), "Aarhus": (56.16, 10.2),
}  # fmt: skip
NOUNS = """
garden river library harbour museum bakery theatre school orchestra poetry science history kitchen market forest
bicycle chess pottery robotics gospel tango swing puppet astronomy gardening climate radio printing
"""
PHRASES = """
the doors open half an hour before and seats are not numbered bring friends neighbours children or an instrument of
your own everybody is welcome there will be tea coffee cake and a short break in the middle our guests come from Łódź
São Paulo and Malmö and talk about their work afterwards please book early since the room is small in good weather we
meet in the courtyard otherwise inside on the first floor
"""
WORDS, NAMES = PHRASES.split(), NOUNS.split()
SYLLABLES = "ba bel cor dan el fi gra hol in jor ka lin mo nes or pra qui ros sti tor ul ven wi xa yor zen"

# In one title of ten, one excerpt of a thousand, and RARE_EVENTS upcoming events of any number.
COMMON_WORD, OCCASIONAL_WORD, RARE_WORD = "jazz", "zitherklang", "quetzalcoatl"
RARE_EVENTS = 12

SCHEDULE = ("start", "end", "start_local", "end_local", "time_zone", "all_day", "is_long")
COST = ("cost", "cost_symbol", "cost_position", "cost_values")
EVENT_COLUMNS = (
    *("id", "title", "slug", "status", "published_at", "created_at", "modified_at"),
    *("description", "excerpt", "search_text", "website", "featured", "hide_from_listings", "password"),
    *SCHEDULE,
    *COST,
    "uid",
)
TICKET_COLUMNS = ("event_id", "name", "price", "currency", "position")


class Calendar:
    """The rows of a calendar with a number of events."""

    def __init__(self, amount: int, author: User) -> None:
        self.amount = amount
        self.author = author
        self.random = random.Random(SEED)
        self.today = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
        syllables = SYLLABLES.split()
        # Words of which most are rare, as in natural language.
        self.vocabulary = [
            "".join(self.random.choices(syllables, k=self.random.choice((2, 3, 4)))) for _ in range(8000)
        ]

    # --- Venues, organizers, categories and tags, as instances

    def venues(self) -> Iterator[Venue]:
        cities = list(CITIES)
        for number in range(max(self.amount // 100, 20)):
            city = self.random.choice(cities)
            latitude, longitude = CITIES[city]
            yield Venue(
                **self._content(f"{self._name()} hall {number}", number),
                address=f"{self.random.randrange(1, 200)} {self.random.choice(NAMES).capitalize()} Street",
                city=city,
                country="Somewhere",
                zip=str(self.random.randrange(10_000, 99_999)),
                geo_lat=round(self.random.gauss(latitude, 0.1), 5),
                geo_lng=round(self.random.gauss(longitude, 0.1), 5),
            )

    def organizers(self) -> Iterator[Organizer]:
        for number in range(max(self.amount // 200, 10)):
            name = f"{self._name()} society {number}"
            yield Organizer(**self._content(name, number), email=f"box-{number}@example.org")

    def _content(self, title: str, number: int) -> dict[str, Any]:
        return {
            "title": title,
            "slug": slugify(title),
            "author": self.author,
            "status": Status.DRAFT if number % 40 == 39 else Status.PUBLISH,
            "published_at": self._publication(),
            "description": f"<p>{self._text(25)}</p>",
        }

    def categories(self) -> Iterator[Category]:
        """Yield categories in three levels."""
        for number in range(60):
            name, parent = KINDS[number] if number < len(KINDS) else "", None
            if not name:
                name = f"{self.random.choice(KINDS)}: {self.random.choice(NAMES)} {number}"
                parent = self.random.randrange(len(KINDS) if number < 40 else 40) + 1
            yield Category(name=name, slug=slugify(name), pk=number + 1, parent_id=parent)

    def tags(self) -> Iterator[Tag]:
        for number in range(200):
            name = f"{self._name()} {number}"
            yield Tag(name=name, slug=slugify(name))

    # --- Events, as tuples of EVENT_COLUMNS

    def events(self) -> Iterator[tuple[Any, ...]]:
        pick = self.random.choice
        size = min(self.amount, POOL_SIZE)
        past, upcoming = ([self._schedule(is_past) for _ in range(size)] for is_past in (True, False))
        costs = [self._cost(text) for text in COSTS]
        openings, bodies = ([self._searchable(words) for _ in range(size // 4)] for words in (25, 30))
        long_bodies = [self._searchable(1500) for _ in range(LONG_TEXTS)]
        excerpts = [self._searchable(12) for _ in range(size // 4)]
        occasional, rare = (self._searchable(12, word) for word in (OCCASIONAL_WORD, RARE_WORD))
        scheduled = self._moment(self.today + timedelta(days=30))
        true, false = (prepared(Event, "all_day", value) for value in (True, False))
        rare_step = max(self.amount // RARE_EVENTS, 1)
        for number in range(self.amount):
            is_rare = number % rare_step == 0 and number < rare_step * RARE_EVENTS
            is_past = self.random.random() < PAST_EVENT_SHARE and not is_rare
            title, slug, title_search = _title(pick(KINDS), pick(STYLES), pick(NAMES), pick(list(CITIES)))
            status = Status.PUBLISH.value if is_rare else pick(STATUSES).value
            publication = self._publication()
            opening, opening_search = pick(openings)
            body, body_search = pick(long_bodies) if number % 200 == 11 else pick(bodies)
            excerpt, excerpt_search = rare if is_rare else occasional if number % 1000 == 5 else pick(excerpts)
            schedule, uid = pick(past) if is_past else pick(upcoming)
            yield (
                *(number + 1, title, f"{slug}-{number}", status),
                scheduled if status == Status.FUTURE else self._moment(publication),
                self._moment(publication),
                self._moment(publication + timedelta(seconds=self.random.randrange(86_400))),
                f"{opening}\n{body}",
                excerpt,
                f"{title_search}\n{opening_search} {body_search}\n{excerpt_search}",
                f"https://example.org/{number}" if number % 3 else "",
                false if number % 20 else true,
                true if number % 50 == 7 and not is_rare else false,
                "letmein" if is_past and number % 500 == 3 else "",
                *schedule,
                *pick(costs),
                uid if status in PUBLIC_STATUSES else "",
            )

    def _schedule(self, is_past: bool) -> tuple[tuple[Any, ...], str]:
        """Return the values of the SCHEDULE columns, and the identifier in calendars of public events."""
        zone = parse_zone(self.random.choice(ZONES))
        day = self.random.randrange(-YEARS_BACK * 365, -2) if is_past else self.random.randrange(DAYS_AHEAD)
        date = self.today + timedelta(days=day)
        start = from_local(
            f"{date:%Y-%m-%d} {self.random.choice(HOURS):02}:{self.random.choice((0, 0, 30)):02}:00", zone
        )
        if self.random.random() < LONG_EVENT_SHARE:
            length = timedelta(days=self.random.randrange(10, 120))
        else:
            length = timedelta(minutes=self.random.choice(LENGTHS))
        event = Event()
        set_schedule(
            event,
            {"start": start, "end": start + length, "time_zone": zone.name, "all_day": self.random.random() < 0.1},
        )
        return tuple(prepared(Event, name, getattr(event, name)) for name in SCHEDULE), first_uid(event)

    def _cost(self, text: str) -> tuple[Any, ...]:
        """Return the values of the COST columns."""
        event = Event()
        set_cost(event, text)
        return tuple(prepared(Event, name, getattr(event, name)) for name in COST)

    def _searchable(self, words: int, word: str = "") -> tuple[str, str]:
        """Return a paragraph of HTML as it is stored, and as it is searched."""
        event = Event(description=f"<p>{self._text(words)} {word}</p>")
        _title, search_text, _excerpt = event.search_values()
        return event.description, search_text

    # --- Links, as tuples of ids

    def links(self, targets: list[int], amounts: tuple[int, ...]) -> Iterator[tuple[int, int, int]]:
        """Yield ids of events and of some targets, the first ones more often, and the position of the target."""
        pick, chance, count = self.random.choice, self.random.random, len(targets)
        for event_id in range(1, self.amount + 1):
            picked = {targets[int(count * chance() ** 2)] for _ in range(pick(amounts))}
            for position, target in enumerate(sorted(picked)):
                yield event_id, target, position

    def tickets(self) -> Iterator[tuple[Any, ...]]:
        """Yield one or two kinds of tickets of every seventh event, as tuples of TICKET_COLUMNS."""
        for event_id in range(1, self.amount + 1, 7):
            for position, name in enumerate(["Regular", "Reduced"][: self.random.choice((1, 2))]):
                yield event_id, name, f"{self.random.randrange(5, 60)}.00", "EUR", position

    # --- Values

    def _text(self, words: int) -> str:
        count = len(self.vocabulary)
        chosen = [
            self.vocabulary[int(count * self.random.random() ** 4)]
            if self.random.random() < 0.2
            else self.random.choice(WORDS + NAMES)
            for _ in range(words)
        ]
        return " ".join(chosen).capitalize() + "."

    def _name(self) -> str:
        return f"{self.random.choice(STYLES)} {self.random.choice(NAMES)}".capitalize()

    def _publication(self) -> datetime:
        return self.today - timedelta(seconds=self.random.randrange(2 * 86_400, YEARS_BACK * 366 * 86_400))

    def _moment(self, moment: datetime) -> Any:
        return prepared(Event, "published_at", moment)


@cache
def _title(kind: str, style: str, name: str, city: str) -> tuple[str, str, str]:
    """Return a title, its slug, and the title as it is searched."""
    title = f"{kind}: {style.capitalize()} {name} in {city}"
    return title, slugify(title), searchable_text(title)
