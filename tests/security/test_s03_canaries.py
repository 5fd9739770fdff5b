"""S3, leaks: a word that stands in every text of hidden records appears in no output for users who may not see them.

Elsewhere, hidden content came back by one output after another: linked records, search, counts, exports. The outputs
here are all routes of the URL configuration and all pages of the admin, so that a new one is tested without being
listed; the texts are all text columns of the models.
"""

import pytest
from django.db.models import CharField, TextField

from calendar_site.accounts.services import create_user
from events.models import Event, Series
from organizers.models import Organizer
from tests.factories import EventFactory, OrganizerFactory, SeriesFactory, UserFactory, VenueFactory
from tests.support.admin import browser_for
from tests.support.api_client import API, api_client_for
from tests.support.browser.admin_pages import QUERIES, url_names
from tests.support.content_kinds import FAR_AHEAD
from tests.support.routes import named_routes
from venues.models import Venue

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

CANARY = "zqcanary"
# Columns with a format of their own, or that are public, as the UID of a protected event is.
FORMATTED = {
    "slug", "status", "uid", "time_zone", "start_local", "end_local", "previous_start_local", "series_occurrence",
    "cost_symbol", "cost_position",
}  # fmt: skip
HIDDEN = ("draft", "pending", "private", "future", "trash")
VIEWERS = (None, "subscriber", "contributor", "author")
QUERIES_OF_LISTS = ("per_page=100", f"search={CANARY}", f"search={CANARY[:4]}&per_page=100", "_fields=total", "page=1")
MODELS = {"events": Event, "venues": Venue, "organizers": Organizer}
FACTORIES = {"events": EventFactory, "venues": VenueFactory, "organizers": OrganizerFactory}


def text_columns(model):
    return [
        field.name
        for field in model._meta.concrete_fields
        if isinstance(field, CharField | TextField) and not field.choices and field.name not in FORMATTED
    ]


def make_hidden(collection, status, **fields):
    """Create a record with the word in every text column."""
    scheduled = {"published_at": FAR_AHEAD} if status == "future" else {}
    row = FACTORIES[collection](title="Fair", status=status, author=UserFactory(), **scheduled, **fields)
    texts = {name: f"{CANARY} {name}" for name in text_columns(MODELS[collection])}
    if collection == "events" and status == "publish":
        # The title of a protected event is public, and found by search.
        texts |= {"title": "Fair", "search_text": "fair"}
    MODELS[collection].objects.filter(pk=row.pk).update(**texts)
    return row


def make_hidden_series(**fields):
    """Create a public series whose events are hidden, with the word in its title and template."""
    series = SeriesFactory(title="Gala", description=CANARY, author=UserFactory())
    Series.objects.filter(pk=series.pk).update(title=CANARY)
    # A protected event shows its title.
    Event.objects.filter(series=series).update(**fields, description=CANARY if "password" in fields else "")
    return series


@pytest.fixture
def hidden_rows(db):
    """Hidden records of each kind and status, linked by a public event; by their collection."""
    rows = {
        collection: [make_hidden(collection, status) for status in HIDDEN] for collection in ("venues", "organizers")
    }
    links = {"venues": rows["venues"], "organizers": rows["organizers"]}
    rows["events"] = [make_hidden("events", status, **links) for status in HIDDEN]
    rows["events"].append(make_hidden("events", "publish", password="secret"))
    fields = ({"hide_from_listings": True}, {"status": "private"}, {"status": "trash"}, {"password": "secret"})
    rows["series"] = [make_hidden_series(**values) for values in fields]
    for parent in rows["events"][:2]:
        EventFactory(title="Public part", parent=parent, **links)
    return rows


def leaks(response):
    """Return where the word is in a response."""
    found = [f"header {name}" for name, value in response.items() if CANARY in value]
    body = b"".join(response.streaming_content) if response.streaming else response.content
    return found + (["body"] if CANARY.encode() in body else [])


def paths_to(rows):
    """Yield every path outside the admin, for each hidden record."""
    for route in named_routes():
        yield route.path
        for collection, hidden in rows.items():
            for row in hidden:
                if route.path.startswith(f"{API}/{collection}/1"):
                    yield f"{API}/{collection}/{row.pk}"
        for query in QUERIES_OF_LISTS:
            if CANARY[:4] not in query:
                yield f"{route.path}?{query}"
    for hidden in rows.values():
        for row in hidden:
            slug = getattr(row, "slug", "none")
            yield from (route.path for route in named_routes(slug=slug, id=row.pk))


@pytest.mark.parametrize("role", VIEWERS)
def test_no_route_shows_hidden_texts(hidden_rows, role):
    viewer = create_user("viewer", role) if role else None
    clients = (api_client_for(viewer), browser_for(viewer))
    paths = set(paths_to(hidden_rows))

    found = {path: leaks(client.get(path)) for path in paths for client in clients}

    assert {path: places for path, places in found.items() if places} == {}
    assert len(paths) > 100


@pytest.mark.parametrize("role", VIEWERS)
@pytest.mark.parametrize("collection", MODELS)
@pytest.mark.parametrize("text", [CANARY, CANARY[:4], f'"{CANARY}"', f"{CANARY} description", "Fair -public"])
def test_search_does_not_find_hidden_texts(hidden_rows, role, collection, text):
    viewer = create_user("viewer", role) if role else None

    response = api_client_for(viewer).get(f"{API}/{collection}", {"search": text, "start_date": "1970-01-01"})

    # The protected event is found by its title only.
    expected = 1 if text.startswith("Fair") and collection == "events" else 0
    assert (response.json()["total"], response["X-TEC-Total"]) == (expected, str(expected))
    for record in response.json()[collection]:
        assert CANARY not in str({name: value for name, value in record.items() if name != "rest_url"})


@pytest.mark.parametrize("role", VIEWERS)
def test_refused_records_have_no_validators(hidden_rows, role):
    viewer = create_user("viewer", role) if role else None
    client = api_client_for(viewer)
    found = {}

    for collection, rows in hidden_rows.items():
        for row in rows:
            response = client.get(f"{API}/{collection}/{row.pk}")
            found[collection, row.status, row.pk] = (
                response.status_code,
                "ETag" in response,
                "Last-Modified" in response,
            )

    assert set(found.values()) == {(403, False, False)}


@pytest.mark.parametrize("role", ["contributor", "author"])
def test_no_page_of_the_admin_shows_hidden_texts(hidden_rows, role):
    client = browser_for(create_user("viewer", role))
    pages = {"changelist": "", "add": "add/", "calendar": "calendar/"}
    lists = {name: f"/admin/{name}/{name[:-1]}/" for name in MODELS}
    paths = ["/admin/", "/admin/review/", "/admin/changes/", "/admin/trash/", f"/admin/search/?s={CANARY}"]
    for collection, path in lists.items():
        paths += [
            path + page for name, page in pages.items() if f"{collection}_{collection[:-1]}_{name}" in url_names()
        ]
        paths += [f"{path}?q={CANARY[:4]}", f"{path}?status=trash"]
        paths += [f"{path}?{query}" for query in QUERIES.get(f"{collection}_{collection[:-1]}_changelist", ()) if query]
        paths += [
            f"{path}{row.pk}/{page}/" for row in hidden_rows[collection] for page in ("change", "history", "delete")
        ]
    series = "/admin/events/series/"
    paths += [series, f"{series}?q={CANARY[:4]}"]
    paths += [f"{series}{row.pk}/{page}/" for row in hidden_rows["series"] for page in ("change", "history", "end")]
    for field in ("venues", "organizers", "parent"):
        for term in ("", "Fair", CANARY[:4]):
            paths.append(f"/admin/autocomplete/?app_label=events&model_name=event&field_name={field}&term={term}")

    found = {path: leaks(client.get(path)) for path in paths}

    # The page repeats the search.
    assert {path: places for path, places in found.items() if places and CANARY not in path} == {}


def test_viewer_with_permission_sees_the_texts(hidden_rows, editor):
    """The word is really there: otherwise, nothing above would prove anything."""
    client = api_client_for(editor)

    found = {
        (collection, row.status): leaks(client.get(f"{API}/{collection}/{row.pk}"))
        for collection, rows in hidden_rows.items()
        for row in rows
        if row.status != "trash"
    }

    assert set(map(tuple, found.values())) == {("body",)}
