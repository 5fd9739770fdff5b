"""`tribe/events/v1` in the shapes of the original."""

from base64 import b64encode

import pytest

from calendar_site.accounts.services import create_application_password
from events.models import Event
from tests.factories import (
    CategoryFactory,
    CustomFieldFactory,
    EventFactory,
    ImageFactory,
    OrganizerFactory,
    TagFactory,
    UserFactory,
    VenueFactory,
)
from tests.support.api_client import JSONClient, api_client_for, invalid_params
from tests.support.api_writes import error_of, event_data

TRIBE = "/wp-json/tribe/events/v1"
CONTRACT = "/cal/events/v1"
URL = f"http://testserver{TRIBE}"
WP = "http://testserver/wp-json/wp/v2"

EVENT_KEYS = [
    "id", "global_id", "global_id_lineage", "author", "status", "date", "date_utc", "modified", "modified_utc", "url",
    "rest_url", "title", "description", "excerpt", "slug", "image", "all_day", "start_date", "start_date_details",
    "end_date", "end_date_details", "utc_start_date", "utc_start_date_details", "utc_end_date",
    "utc_end_date_details", "timezone", "timezone_abbr", "cost", "cost_details", "website", "show_map",
    "show_map_link", "hide_from_listings", "sticky", "featured", "categories", "tags", "venue", "organizer",
    "custom_fields",
]  # fmt: skip
LINKED_KEYS = {
    "id", "author", "status", "date", "date_utc", "modified", "modified_utc", "url", "slug", "global_id",
    "global_id_lineage",
}  # fmt: skip


@pytest.fixture
def linked_concert(db):
    author = UserFactory(id=77)
    return EventFactory(
        title="Concert",
        author=author,
        description="<p>Loud &amp; long</p>",
        cost="$10 – $30",
        cost_symbol="$",
        cost_position="prefix",
        cost_values=["10", "30"],
        venues=[VenueFactory(title="Hall", city="Lima", author=author)],
        organizers=[OrganizerFactory(title="Club", email="c@example.org", author=author)],
        categories=[CategoryFactory(name="Music", parent=CategoryFactory(name="Culture"))],
        tags=[TagFactory(name="Open air")],
    )


def test_event_has_the_keys_of_the_original_only(linked_concert, anonymous, editor_api):
    read = anonymous.get(f"{TRIBE}/events/{linked_concert.pk}").json()
    (listed,) = anonymous.get(f"{TRIBE}/events", {"include": linked_concert.pk}).json()["events"]
    updated = editor_api.post(f"{TRIBE}/events/{linked_concert.pk}", {"title": "Concert"}).json()

    assert sorted(read) == sorted([*EVENT_KEYS, "json_ld"])
    assert sorted(listed) == sorted(updated) == sorted(EVENT_KEYS)
    assert (read["author"], read["global_id"]) == ("77", f"testserver?id={linked_concert.pk}")
    assert read["global_id_lineage"] == [f"testserver?id={linked_concert.pk}"]
    assert read["rest_url"] == f"{URL}/events/{linked_concert.pk}"


def test_venue_and_organizer_have_no_empty_keys_in_any_position(linked_concert, anonymous):
    read = anonymous.get(f"{TRIBE}/events/{linked_concert.pk}").json()
    venue, (organizer,) = read["venue"], read["organizer"]

    assert set(venue) == LINKED_KEYS | {"venue", "city", "show_map", "show_map_link", "json_ld"}
    assert set(organizer) == LINKED_KEYS | {"organizer", "email", "json_ld"}
    assert anonymous.get(f"{TRIBE}/venues/{venue['id']}").json() == venue
    assert anonymous.get(f"{TRIBE}/organizers/{organizer['id']}").json() == organizer
    (listed,) = anonymous.get(f"{TRIBE}/venues").json()["venues"]
    assert listed == {name: value for name, value in venue.items() if name != "json_ld"}


def test_several_venues_are_a_list(anonymous):
    event = EventFactory(venues=[VenueFactory(title="Hall"), VenueFactory(title="Yard")])

    venues = anonymous.get(f"{TRIBE}/events/{event.pk}").json()["venue"]

    assert [venue["venue"] for venue in venues] == ["Hall", "Yard"]
    assert all("image" not in venue for venue in venues)


def test_terms_have_more_keys_inside_events_and_links_alone(linked_concert, anonymous, editor_api):
    (category,) = anonymous.get(f"{TRIBE}/events/{linked_concert.pk}").json()["categories"]
    pk, parent = category["id"], category["parent"]
    url = f"{URL}/categories/{pk}"

    assert category == {
        "id": pk,
        "name": "Music",
        "slug": "music",
        "term_group": 0,
        "term_taxonomy_id": pk,
        "taxonomy": "tribe_events_cat",
        "description": "",
        "parent": parent,
        "count": 1,
        "filter": "raw",
        "urls": {"self": url, "collection": f"{URL}/categories", "up": f"{URL}/categories/{parent}"},
    }
    alone = editor_api.get(f"{TRIBE}/categories/{pk}").json()
    assert sorted(alone) == sorted(
        ["id", "count", "description", "name", "slug", "taxonomy", "parent", "meta", "url", "urls", "_links"]
    )
    assert alone["_links"]["self"] == [
        {
            "href": f"{WP}/tribe_events_cat/{pk}",
            "targetHints": {"allow": ["GET", "POST", "PUT", "PATCH", "DELETE"]},
        }
    ]
    assert alone["_links"]["up"][0]["href"] == f"{WP}/tribe_events_cat/{parent}"
    assert alone["_links"]["wp:post_type"] == [{"href": f"{WP}/tribe_events?tribe_events_cat={pk}"}]
    assert "_links" not in editor_api.delete(f"{TRIBE}/categories/{pk}").json()


def test_new_term_names_its_address_in_wp_v2(editor_api):
    response = editor_api.post(f"{TRIBE}/tags", {"name": "R&amp;B"})

    assert response.json()["name"] == "R&B"
    assert response["Location"] == f"{WP}/tags/{response.json()['id']}"
    assert "parent" not in response.json()


def test_image_has_sizes_only_if_there_are_renditions(anonymous):
    small = EventFactory(image=ImageFactory(renditions={}))
    large = EventFactory(
        image=ImageFactory(
            renditions={
                "medium": {"file": "a-300.png", "width": 300, "height": 200, "media_type": "image/png", "filesize": 9}
            }
        )
    )

    assert "sizes" not in anonymous.get(f"{TRIBE}/events/{small.pk}").json()["image"]
    image = anonymous.get(f"{TRIBE}/events/{large.pk}").json()["image"]
    assert "alt" not in image
    assert image["sizes"] == {
        "medium": {
            "url": "http://testserver/media/a-300.png",
            "width": 300,
            "height": 200,
            "mime-type": "image/png",
            "filesize": 9,
        }
    }


def test_custom_fields_are_an_object_or_an_empty_array(anonymous):
    CustomFieldFactory(resource="event", name="language", label="Language")
    with_value, without = EventFactory(custom_values={"language": "Latin"}), EventFactory()

    assert anonymous.get(f"{TRIBE}/events/{without.pk}").json()["custom_fields"] == []
    assert list(anonymous.get(f"{TRIBE}/events/{with_value.pk}").json()["custom_fields"]) == ["language"]


# --- json_ld


def test_json_ld_of_an_event(linked_concert, anonymous):
    json_ld = anonymous.get(f"{TRIBE}/events/{linked_concert.pk}").json()["json_ld"]

    assert json_ld["description"] == "Loud & long"
    assert json_ld["location"] == {
        "@type": "Place",
        "name": "Hall",
        "description": "",
        "url": "",
        "address": {"@type": "PostalAddress", "addressLocality": "Lima"},
        "telephone": "",
        "sameAs": "",
    }
    assert json_ld["organizer"] == {
        "@type": "Person",
        "name": "Club",
        "description": "",
        "url": "",
        "telephone": "",
        "email": "c@example.org",
        "sameAs": "",
    }
    assert json_ld["performer"] == "Organization"
    assert "image" not in json_ld


@pytest.mark.parametrize(
    ("cost", "price", "currency"),
    [
        ("10", "10", "USD"),
        ("Free", "0", "USD"),
        ("0", "0", "USD"),
        ("10 - 30 €", "10 – 30", "EUR"),
        ("CHF 12.50", "12.50", "CHF"),
        ("Pay what you like", "Pay what you like", ""),
    ],
)
def test_price_of_the_offer(editor_api, anonymous, cost, price, currency):
    pk = editor_api.post(f"{TRIBE}/events", event_data(cost=cost)).json()["id"]

    offer = anonymous.get(f"{TRIBE}/events/{pk}").json()["json_ld"]["offers"]

    assert offer["price"] == price
    assert offer["priceCurrency"] == currency or price == "0"
    assert (offer["availability"], offer["category"]) == ("inStock", "primary")


def test_offer_is_valid_from_the_day_of_publication_in_the_zone_of_the_event(settings, editor_api, anonymous):
    settings.SITE_TIME_ZONE = "Europe/Berlin"
    data = event_data(cost="5", timezone="America/New_York", date="2025-01-05 08:00:00")
    pk = editor_api.post(f"{TRIBE}/events", data).json()["id"]

    json_ld = anonymous.get(f"{TRIBE}/events/{pk}").json()["json_ld"]

    assert json_ld["offers"]["validFrom"] == "2025-01-05T00:00:00-05:00"
    assert json_ld["startDate"] == "2030-05-04T18:00:00-04:00"


def test_all_day_event_has_times_in_its_json_ld(editor_api, anonymous):
    pk = editor_api.post(f"{TRIBE}/events", event_data(all_day=True)).json()["id"]

    json_ld = anonymous.get(f"{TRIBE}/events/{pk}").json()["json_ld"]

    assert (json_ld["startDate"], json_ld["endDate"]) == ("2030-05-04T00:00:00+00:00", "2030-05-04T23:59:59+00:00")
    assert "offers" not in json_ld


# --- What clients send


@pytest.mark.parametrize(
    ("sent", "stored"),
    [
        ("It&#8217;s R&amp;D", "It’s R&D"),
        ("5 &lt; 6", "5 < 6"),
        ("&lt;b&gt;Bold&lt;/b&gt; move", "Bold move"),
        ("&amp;amp; once", "&amp; once"),
        ("&#" + "9" * 4400 + "; digits", "\N{REPLACEMENT CHARACTER} digits"),
    ],
)
def test_entities_in_titles_are_decoded_once(editor_api, sent, stored):
    assert editor_api.post(f"{TRIBE}/events", event_data(title=sent)).json()["title"] == stored


def test_names_inside_an_event_are_decoded(editor_api):
    data = event_data(venue={"venue": "Joe&#8217;s"}, organizer=[{"organizer": "A &amp; B"}])

    event = editor_api.post(f"{TRIBE}/events", data).json()

    assert (event["venue"]["venue"], event["organizer"][0]["organizer"]) == ("Joe’s", "A & B")


def test_title_that_was_read_does_not_change_when_it_is_sent_back(editor_api):
    event = EventFactory(title="How to write &amp;")

    updated = editor_api.post(f"{TRIBE}/events/{event.pk}", {"title": "How to write &amp;"}).json()

    assert updated["title"] == "How to write &amp;"


def test_whole_record_sent_back_changes_nothing(linked_concert, editor_api):
    before = editor_api.get(f"{TRIBE}/events/{linked_concert.pk}").json()

    response = editor_api.put(f"{TRIBE}/events/{linked_concert.pk}", before)

    unchanged = {name: value for name, value in before.items() if name in EVENT_KEYS}
    ignored = ("modified", "modified_utc", "venue", "organizer")
    assert {n: v for n, v in response.json().items() if n not in ignored} == {
        n: v for n, v in unchanged.items() if n not in ignored
    }
    assert response.get("X-Ignored-Fields") is None
    assert Event.objects.get(pk=linked_concert.pk).venues.count() == 1


@pytest.mark.parametrize("value", ["Public Homepage", "PUBLIC homepage", "[public-homepage", '"public--homepage" '])
def test_terms_are_found_by_unclean_slugs_and_names(anonymous, value):
    event, _other = EventFactory(), EventFactory()
    event.categories.add(CategoryFactory(name="Public Homepage"))

    listed = anonymous.get(f"{TRIBE}/events", {"categories": value, "start_date": "2000-01-01"}).json()

    assert [record["id"] for record in listed["events"]] == [event.pk]


def test_unknown_term_is_an_error(anonymous, db):
    assert list(invalid_params(anonymous.get(f"{TRIBE}/events", {"tags": "nobody"}))) == ["tags"]


# --- Errors


@pytest.mark.parametrize("collection", ["venues", "organizers", "categories", "tags"])
@pytest.mark.parametrize("method", ["get", "post", "put", "patch", "delete"])
def test_unknown_linked_record_is_an_invalid_id(editor_api, collection, method):
    response = getattr(editor_api, method)(f"{TRIBE}/{collection}/999")

    assert list(invalid_params(response)) == ["id"]


def test_unknown_slug(editor_api):
    assert list(invalid_params(editor_api.get(f"{TRIBE}/venues/by-slug/nobody"))) == ["slug"]
    assert list(invalid_params(editor_api.get(f"{TRIBE}/events/by-slug/nobody"))) == ["slug"]
    assert list(invalid_params(editor_api.delete(f"{TRIBE}/events/by-slug/nobody"))) == ["slug"]
    assert error_of(editor_api.post(f"{TRIBE}/events/by-slug/nobody")) == (404, "rest-event-not-found")


def test_unknown_event(editor_api, anonymous):
    assert error_of(anonymous.get(f"{TRIBE}/events/999")) == (404, "rest-event-not-found")
    assert error_of(editor_api.patch(f"{TRIBE}/events/999")) == (404, "rest-event-not-found")
    # Permission comes first (D17).
    assert error_of(anonymous.patch(f"{TRIBE}/events/999")) == (401, "rest_forbidden")


def test_trashed_venue_is_gone(editor_api):
    venue = VenueFactory(status="trash")

    assert error_of(editor_api.delete(f"{TRIBE}/venues/{venue.pk}")) == (410, "venue-is-in-trash")


# --- Lists


def test_rest_url_of_a_list_names_the_parameters_in_force(time_machine, anonymous, db):
    time_machine.move_to("2027-03-10T12:00:00Z", tick=False)
    CategoryFactory(name="Music")

    def rest_url(path: str) -> str:
        return anonymous.get(f"{TRIBE}{path}").json()["rest_url"].removeprefix(URL)

    assert rest_url("/events?categories=music") == (
        "/events/?page=1&per_page=9&status=publish&categories=music"
        "&start_date=2027-03-09+00%3A00%3A00&end_date=2029-03-10+23%3A59%3A59"
    )
    assert rest_url("/events?starts_after=2027-01-01") == (
        "/events/?page=1&per_page=9&status=publish&starts_after=2027-01-01+00%3A00%3A00"
    )
    assert rest_url("/venues?per_page=5") == "/venues/?page=1&per_page=5&status=publish"
    assert rest_url("/tags") == "/tags/?page=1"


def test_links_to_other_pages(anonymous):
    EventFactory.create_batch(3)

    listed = anonymous.get(f"{TRIBE}/events", {"per_page": 1, "page": 2, "start_date": "2000-01-01"})

    body = listed.json()
    assert "page=" not in body["previous_rest_url"].replace("per_page=", "")
    assert "&page=3" in body["next_rest_url"]
    assert listed["Link"] == (
        f'<{body["next_rest_url"]}>; rel="next", <{body["previous_rest_url"]}>; rel="prev", '
        '<http://testserver/wp-json/>; rel="https://api.w.org/"'
    )


def test_selected_keys_of_a_list(linked_concert, anonymous):
    keys = "events.id,events.categories.taxonomy,events.venue.city,total"

    listed = anonymous.get(f"{TRIBE}/events", {"include": linked_concert.pk, "_fields": keys})

    assert listed.json() == {
        "events": [
            {"id": linked_concert.pk, "categories": [{"taxonomy": "tribe_events_cat"}], "venue": {"city": "Lima"}},
        ],
        "total": 1,
    }


@pytest.mark.parametrize("collection", ["events", "venues", "organizers", "categories", "tags"])
def test_lists_take_as_many_queries_as_those_of_the_contract(
    linked_concert, anonymous, django_assert_num_queries, collection
):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    anonymous.get(f"{CONTRACT}/{collection}")
    with CaptureQueriesContext(connection) as contract:
        anonymous.get(f"{CONTRACT}/{collection}")

    with django_assert_num_queries(len(contract)):
        anonymous.get(f"{TRIBE}/{collection}")


# --- Headers and credentials


def test_headers(linked_concert, anonymous, editor_api):
    read, own = (
        anonymous.get(f"{TRIBE}/events/{linked_concert.pk}"),
        editor_api.get(f"{TRIBE}/events/{linked_concert.pk}"),
    )

    assert read["Link"] == '<http://testserver/wp-json/>; rel="https://api.w.org/"'
    assert (read["X-Robots-Tag"], read["X-Content-Type-Options"]) == ("noindex", "nosniff")
    assert "X-TEC-Total" not in read
    assert own["Cache-Control"] == "no-cache, must-revalidate, max-age=0, no-store, private"


def test_other_sites_may_use_it_without_credentials(anonymous, db):
    response = anonymous.get(f"{TRIBE}/events", headers={"Origin": "https://app.example.org"})

    assert response["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in response
    assert {"X-WP-Total", "X-WP-TotalPages", "Link"} <= set(response["Access-Control-Expose-Headers"].split(", "))


def test_envelope_has_status_and_headers_in_the_body(anonymous, db):
    response = anonymous.get(f"{TRIBE}/events/999?_envelope=1")

    assert response.status_code == 200
    body = response.json()
    assert (body["status"], body["body"]["code"]) == (404, "rest-event-not-found")
    assert body["headers"]["X-Robots-Tag"] == "noindex"


def test_unknown_token_is_no_account(db):
    client = JSONClient(headers={"Authorization": "Bearer of another service"})

    assert client.get(f"{TRIBE}/events").status_code == 200
    assert error_of(client.post(f"{TRIBE}/events")) == (401, "rest_forbidden")


def test_account_is_named_by_its_username_or_its_email_address(db):
    user = UserFactory(role="editor", username="mia", email="mia@example.org")
    _password, secret = create_application_password(user, "app")

    def status_for(name: str, path: str = "/wp-json/wp/v2/users/me") -> int:
        credentials = b64encode(f"{name}:{secret}".encode()).decode()
        return JSONClient(headers={"Authorization": f"Basic {credentials}"}).get(path).status_code

    assert [status_for(name) for name in ("mia", "mia@example.org", "nobody", "")] == [200, 200, 401, 401]
    # The contract's own API takes usernames only.
    assert status_for("mia@example.org", f"{CONTRACT}/me") == 401


def test_document_describes_the_records_of_the_original(anonymous, db):
    document = anonymous.get(f"{TRIBE}/doc").json()

    example = document["components"]["examples"]["event"]["value"]
    assert sorted(example) == sorted([*EVENT_KEYS, "json_ld"])
    assert isinstance(example["author"], str)


def test_own_namespace_keeps_its_shapes(linked_concert, anonymous):
    record = anonymous.get(f"{CONTRACT}/events/{linked_concert.pk}").json()

    assert (record["author"], record["venue"]["image"]) == (77, False)
    assert error_of(anonymous.get(f"{CONTRACT}/venues/999")) == (404, "venue-not-found")


def test_hidden_records_stay_hidden(anonymous, author_api):
    draft = EventFactory(status="draft")
    protected = EventFactory(password="secret", description="Quiet")

    assert error_of(anonymous.get(f"{TRIBE}/events/{draft.pk}")) == (403, "event-not-accessible")
    assert error_of(author_api.get(f"{TRIBE}/events/{draft.pk}")) == (403, "event-not-accessible")
    assert error_of(anonymous.get(f"{TRIBE}/events/{protected.pk}")) == (403, "event-password-protected")
    opened = anonymous.get(f"{TRIBE}/events/{protected.pk}?password=secret").json()
    assert "Quiet" in opened["description"]
    assert error_of(api_client_for(UserFactory(role="subscriber")).post(f"{TRIBE}/events", event_data())) == (
        403,
        "rest_forbidden",
    )
