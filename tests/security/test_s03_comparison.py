"""S3, leaks: hidden records change no response to users who may not see them, not by a byte.

The same requests are made of the same public records, once alone, and once with hidden records of every kind beside
them. Counts, orders, suggestions, pickers, totals and headers are compared with everything else, so a new output is
tested without anybody having to think of what it could tell.
"""

import re
from datetime import UTC, datetime

import pytest
from django.core.cache import cache
from django.urls import NoReverseMatch

from calendar_site.accounts.models import User
from calendar_site.accounts.services import create_user
from events.models import Event
from events.services import save_event
from organizers.models import Organizer
from taxonomy.models import Category, Tag
from tests.factories import (
    OPERATOR,
    EventFactory,
    ImageFactory,
    OrganizerFactory,
    SeriesFactory,
    TicketFactory,
    VenueFactory,
)
from tests.support.admin import browser_for
from tests.support.api_client import API, api_client_for
from tests.support.browser.admin_pages import QUERIES, page_path, url_names
from tests.support.content_kinds import FAR_AHEAD
from tests.support.routes import named_routes
from venues.models import Venue

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

VIEWERS = (None, "subscriber", "contributor", "author")
STATUSES = ({"status": "draft"}, {"status": "pending"}, {"status": "private"}, {"status": "trash"},
            {"status": "future", "published_at": FAR_AHEAD})  # fmt: skip
# What differs between two requests of the same page.
RANDOM = re.compile(rb'((?:csrfmiddlewaretoken|_form_draft)" value="|nonce=|"csrf_token": ")"?[\w+/=-]+')
RANDOM_HEADERS = {"Content-Security-Policy", "Set-Cookie", "X-Request-ID"}
# The event of each role, by its key in `shown_records.py`.
OWN_EVENTS = {"author": "authors_event", "contributor": "pending_event"}
# Of the URL names of the admin those that end the session.
ENDING = {"logout", "sign_out_elsewhere"}
WORD = "observatory"
LISTS = ("events", "venues", "organizers", "categories", "tags", "series")
QUERIES_OF_LISTS = (
    "per_page=50", f"search={WORD}", "search=observatry", "orderby=title", "page=2&per_page=2", "hide_empty=true",
    "start_date=2000-01-01&end_date=2100-01-01", "has_events=true", "only_with_upcoming=true", "featured=true",
    "geoloc=1&geoloc_lat=44.6&geoloc_lng=-63.6", "status=publish", "post_parent={event}", "event={event}",
    "venue={venue}", "organizer={organizer}", "categories={category}", "tags={tag}", "include={event}",
)  # fmt: skip
ADMIN_QUERIES = {
    "search": ("s=observatory", "s=unannounced", "s=hall"),
    "media_image_picker": (None, "q=unannounced"),
    "media_image_autocomplete": ("term=", "term=unannounced"),
    "autocomplete": tuple(
        f"app_label=events&model_name=event&field_name={name}&term={term}"
        for name in ("venues", "organizers", "categories", "tags", "image", "parent")
        for term in ("", WORD, "unannounced")
    ),
    "events_event_summary": (None,),
    "venues_venue_map": (None,),
}


@pytest.fixture
def public_world(time_machine, shown_ids):
    """Records that everybody sees, at a time that stands still; returns the ids by kind."""
    time_machine.move_to(datetime(2030, 5, 4, 12, tzinfo=UTC), tick=False)
    image = ImageFactory(name="hall")
    links = {
        "venues": [Venue.objects.get(pk=shown_ids["venue"])],
        "organizers": [Organizer.objects.get(pk=shown_ids["organizer"])],
        "categories": [Category.objects.get(pk=shown_ids["category"])],
        "tags": [Tag.objects.get(pk=shown_ids["tag"])],
    }
    for number in range(5):
        EventFactory(title=f"Open {WORD} {number}", image=image, **links)
    # A protected event shows its title and dates to everybody, and nothing else.
    protected = EventFactory(title=f"Closed {WORD}", password="secret")
    return {**links, "image": image, "protected": protected, "ids": shown_ids}


def hide_records(world):
    """Create hidden records of every kind, linked to all that is public."""
    keeper = create_user("keeper", "editor")
    public = {name: world[name] for name in ("venues", "organizers", "categories", "tags", "image")}
    text = f'<p>unannounced {WORD}</p><p><img src="/media/{world["image"].file}" alt=""></p>'
    parent = Event.objects.get(pk=world["ids"]["event"])
    for fields in STATUSES:
        image = ImageFactory(name="unannounced", author=keeper)
        more = {"author": keeper, "description": text, **fields}
        place = {"latitude": 44.6, "longitude": -63.6, "city": "Unannounced", "country": "Canada"}
        venue = VenueFactory(title=f"Unannounced {WORD}", image=image, **place, **more)
        organizer = OrganizerFactory(title=f"Unannounced {WORD}", image=image, **more)
        for links in (public, {**public, "venues": [venue], "organizers": [organizer], "image": image}):
            event = EventFactory(title=f"Unannounced {WORD}", cost="25", featured=True, parent=parent, **links, **more)
            TicketFactory(event=event)
        # Hidden records also hide among the links of public ones.
        parent.venues.add(venue)
        parent.organizers.add(organizer)
    save_event(
        world["protected"],
        changes={**public, "venues": [venue], "description": text, "cost": "25", "featured": True},
        user=OPERATOR,
    )
    for status in ("draft", "pending", "private"):
        SeriesFactory(title=f"Unannounced {WORD}", author=keeper, status=status, **public)


def paths_of_everybody(ids):
    """Yield every path outside the admin, for the public records."""
    slugs = {kind: path.rstrip("/").rpartition("/")[2] for kind, path in ids["public"].items()}
    for kind, slug in slugs.items():
        yield from (route.path for route in named_routes(slug=slug, id=ids[kind]))
    yield from (f"{path}?ical=1" for path in ("/", *ids["public"].values()))
    for name in LISTS:
        for query in QUERIES_OF_LISTS:
            yield f"{API}/{name}?{query.format(**ids)}"
    yield from (f"/?{query}" for query in (f"search={WORD}", "page=2", "search=unannounced"))


def paths_of_the_admin(ids, role):
    """Yield every path of the admin that a GET shows, for the public records and an event of the viewer."""
    own = {**ids, "event": ids.get(OWN_EVENTS.get(role), ids["event"])}
    for name in sorted(url_names() - ENDING):
        for query in ADMIN_QUERIES.get(name, QUERIES.get(name, (None, "q=unannounced"))):
            try:
                yield from (page_path(name, query, ids), page_path(name, query, own))
            except NoReverseMatch:
                # It needs what only exists in a session of its own, as a saved view.
                continue


def ask(client, path):
    """Return the status, headers and body of a response, without what is random."""
    response = client.get(path)
    body = b"".join(response.streaming_content) if response.streaming else response.content
    headers = {name: value for name, value in response.items() if name not in RANDOM_HEADERS}
    return response.status_code, headers, RANDOM.sub(rb"\1", body)


def ask_all(clients, paths):
    cache.clear()
    return {(number, path): ask(client, path) for path in paths for number, client in enumerate(clients)}


@pytest.mark.parametrize("role", VIEWERS)
def test_hidden_records_change_no_response(public_world, role):
    ids = public_world["ids"]
    viewer = User.objects.get(username=role) if role else None
    clients = (api_client_for(viewer), browser_for(viewer))
    paths = [*dict.fromkeys([*paths_of_everybody(ids), *(paths_of_the_admin(ids, role) if role else ())])]
    assert len(paths) > 200
    # The first request of a page may store it, or set what the next one shows.
    ask_all(clients, paths)
    # The contract answers 403 where a hidden record has the id or slug, so paths to no record differ.
    alone = {key: response for key, response in ask_all(clients, paths).items() if response[0] != 404}

    hide_records(public_world)

    beside_hidden = ask_all(clients, paths)
    assert {key: (alone[key], beside_hidden[key]) for key in alone if alone[key] != beside_hidden[key]} == {}


def test_editors_see_the_hidden_records(public_world):
    """Otherwise, the test above would prove nothing."""
    clients = (api_client_for(User.objects.get(username="editor")),)
    path = f"{API}/events?search=unannounced&status=draft"
    alone = ask_all(clients, [path])

    hide_records(public_world)

    assert ask_all(clients, [path]) != alone
