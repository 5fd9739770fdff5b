"""S7, cross-site scripting: a hostile text in every text column runs on no page.

Elsewhere, one of many outputs forgot to escape: names in notices, labels of custom fields, structured data, the admin.
The columns come from the models and the pages from the URL configuration and the admin.
"""

import pytest
from django.apps import apps
from django.db.models import CharField, TextField

from calendar_site.accounts.models import User
from calendar_site.audit.models import Revision
from events.models import Event, Ticket
from organizers.models import Organizer
from tests.factories import EventFactory, OrganizerFactory, TicketFactory, VenueFactory
from tests.support.admin import browser_for
from tests.support.api_client import API, api_client_for
from tests.support.api_writes import updated_record
from tests.support.browser.admin_pages import admin_pages, page_path
from tests.support.html_page import details_of, parse_page
from tests.support.markup_scan import active_markup
from tests.support.routes import named_routes
from venues.models import Venue

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

MARKER = "xss"
# The texts of a group are shown one after another in each column. One that begins a comment is the last of its group.
PAYLOADS = {
    "url": 'javascript:xss()//"onmouseover="xss()',
    "element": "\"'><script>xss()</script><img src=x onerror=xss()>",
    "alpine": '\'+xss()+\'" x-data x-init="xss()" @click="xss()',
    "entities": "&lt;img src=x onerror=xss()&gt;&#60;script&#62;xss()",
    "library": "{{constructor.constructor('xss()')()}}<div hx-get=/xss hx-trigger=load>",
    "end of script": "</script></textarea></title><svg/onload=xss()>--><!--",
}
GROUPS = {
    "attributes": PAYLOADS["url"] + PAYLOADS["element"] + PAYLOADS["alpine"],
    "texts": PAYLOADS["entities"] + PAYLOADS["library"] + PAYLOADS["end of script"],
}
APPS = (
    "events",
    "venues",
    "organizers",
    "taxonomy",
    "media",
    "custom_fields",
    "site_profile",
    "accounts",
    "review",
    "auth",
)
# Columns whose values have a format that the database or the code relies on, and secrets.
FORMATTED = {
    "slug", "time_zone", "start_local", "end_local", "search_text", "name_key", "file", "media_type", "digest",
    "password", "codename", "content_type", "key", "status", "rrule", "color",
    # Of the site: colors, links and HTML are checked or sanitized when they are saved.
    "link_color", "background_color", "text_color", "dark_link_color", "dark_background_color", "dark_text_color",
    "custom_css", "header_links", "footer_links", "intro", "imprint", "privacy", "contact",
}  # fmt: skip
# HTML, which is sanitized when it is saved: sent through the API.
HTML_COLUMNS = {"description", "excerpt"}
HTML_MODELS = {"events": "event", "venues": "venue", "organizers": "organizer"}
KEYS = {
    "events.Event": "event", "venues.Venue": "venue", "organizers.Organizer": "organizer",
    "taxonomy.Category": "category", "taxonomy.Tag": "tag", "media.Image": "image", "accounts.User": "user",
    "accounts.ApplicationPassword": "application_password", "auth.Group": "group",
    "custom_fields.CustomField": "custom_field", "site_profile.SiteProfile": "site_profile",
}  # fmt: skip


def hostile_columns():
    """Return the text columns of each model."""
    return {
        model: columns
        for model in apps.get_models()
        if model._meta.app_label in APPS and not issubclass(model, Revision)
        if (
            columns := [
                field
                for field in model._meta.concrete_fields
                if isinstance(field, CharField | TextField)
                and not field.choices
                and not field.primary_key
                and field.name not in FORMATTED
                and not (
                    model._meta.label in ("events.Event", "venues.Venue", "organizers.Organizer")
                    and field.name in HTML_COLUMNS
                )
            ]
        )
    }


def poison(ids, payload):
    """Write the payload into every text column of the shown records past validation, and into their HTML by the API."""
    client = api_client_for(User.objects.get(username="administrator"))
    for collection, kind in HTML_MODELS.items():
        data = {"description": payload, **({"excerpt": payload} if kind == "event" else {})}
        updated_record(client.patch(f"{API}/{collection}/{ids[kind]}", data))
    TicketFactory(event=Event.objects.get(pk=ids["event"]))
    for model, columns in hostile_columns().items():
        rows = model._base_manager.all()
        if model._meta.label in KEYS:
            rows = rows.filter(pk=ids[KEYS[model._meta.label]])
        elif rows.count() > 1:
            rows = rows.filter(pk=rows.order_by("pk").values_list("pk", flat=True)[0])
        rows.update(**{field.name: payload[: field.max_length] for field in columns})


def pages_of(ids, role):
    """Yield a client and the path of each page."""
    user = User.objects.filter(username=role).first()
    browser = browser_for(user)
    if user:
        for name, query in admin_pages():
            yield browser, page_path(name, query, ids)
    for route in named_routes(id=ids["event"]):
        yield browser, route.path
    for path in ids["public"].values():
        yield browser, path


@pytest.mark.parametrize("payload", GROUPS.values(), ids=GROUPS)
def test_hostile_texts_run_on_no_page(shown_ids, payload):
    poison(shown_ids, payload)
    found, shown = {}, 0

    for role in ("administrator", "nobody"):
        for client, path in pages_of(shown_ids, role):
            response = client.get(path, headers={"Accept": "text/html"})
            assert response.status_code < 500, path
            if response.get("Content-Type", "").startswith("text/html"):
                html = response.content.decode()
                shown += MARKER in html
                found[role, path] = active_markup(html, MARKER)

    assert {where: markup for where, markup in found.items() if markup} == {}
    # The texts are really shown.
    assert shown > 30


def test_responses_of_the_api_are_no_pages(shown_ids):
    poison(shown_ids, "".join(GROUPS.values()))

    for route in named_routes(id=shown_ids["event"]):
        if route.path.startswith(API):
            response = api_client_for(None).get(route.path)

            assert response["Content-Type"].startswith("application/json"), route.path
            assert response["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("payload", PAYLOADS.values(), ids=PAYLOADS)
@pytest.mark.parametrize("field", ["description", "excerpt"])
def test_stored_html_contains_nothing_that_runs(editor_api, payload, field):
    record = editor_api.post(
        f"{API}/events",
        {"title": "Fair", "start_date": "2030-05-04", "end_date": "2030-05-04", field: f"<p>{payload}</p>"},
    ).json()

    assert active_markup(record[field], MARKER) == []


@pytest.mark.parametrize(
    "url",
    ["javascript:xss()", "JaVaScRiPt:xss()", "java\tscript:xss()", "\x01javascript:xss()", "data:text/html,<script>",
     "vbscript:x", "//evil.example\n", "file:///etc/passwd", "blob:x"],
)  # fmt: skip
@pytest.mark.parametrize(
    ("collection", "data"),
    [
        ("events", {"title": "Fair", "start_date": "2030-05-04", "end_date": "2030-05-04"}),
        ("venues", {"venue": "Hall"}),
        ("organizers", {"organizer": "Club"}),
    ],
)
def test_urls_have_a_web_scheme(editor_api, collection, data, url):
    response = editor_api.post(f"{API}/{collection}", {**data, "website": url})

    website = response.json().get("website", "")
    assert response.status_code == 400 or website.startswith(("http://", "https://")) or website == ""


@pytest.mark.parametrize("url", ["javascript:xss()", "JaVaScRiPt:xss()", " java\tscript:xss()", "data:text/html,x"])
def test_url_saved_past_validation_is_no_link(client, url):
    venue, organizer = VenueFactory(slug="hall"), OrganizerFactory(slug="club")
    event = EventFactory(slug="fair", venues=[venue], organizers=[organizer])
    TicketFactory(event=event)
    for model in (Event, Venue, Organizer):
        model.objects.update(website=url)
    Ticket.objects.update(url=url)

    pages = [parse_page(client.get(path)) for path in ("/event/fair/", "/venue/hall/", "/organizer/club/")]

    assert [url in [link["href"] for link in page.all("a")] for page in pages] == [False] * 3
    assert [details_of(page)["Website"] for page in pages] == [[" ".join(url.split())]] * 3


def test_every_model_with_texts_has_a_shown_record():
    """A new model needs a record on a page: add it to `shown_records.py` and to KEYS."""
    labels = {model._meta.label for model in hostile_columns()}

    assert labels - set(KEYS) == {
        # Email addresses, which are shown in emails only.
        "accounts.PendingEmail",
        "auth.Permission",
        "events.CategoryTally",
        "events.EventRendering",
        "events.EventTally",
        "events.LinkedRecordsVersion",
        "events.SampleRecord",
        "media.EmbeddedImage",
        # Only the API shows series.
        "events.Series",
        "events.TagTally",
        "events.Ticket",
        # Calendar programs get its UID, which no page shows.
        "events.WithdrawnEvent",
        "review.Review",
    }
