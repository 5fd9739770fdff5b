"""The page of a password-protected event: what it shows to whom, its form, and its cookie."""

import re

import pytest
from django.conf import settings
from django.test import Client
from django.test.utils import override_script_prefix

from calendar_site.accounts.services import create_user
from events.models import Event
from events.services import save_event
from tests.factories import (
    OPERATOR,
    CategoryFactory,
    EventFactory,
    OrganizerFactory,
    TagFactory,
    TicketFactory,
    VenueFactory,
)
from tests.support.api_client import API
from tests.support.html_page import details_of, event_titles, listed_events, parse_page

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures("empty_cache"),
    pytest.mark.time_machine("2030-05-04 12:00Z", tick=False),
]

PATH = "/event/members-evening/"
WRONG = "The password is incorrect."


@pytest.fixture
def secret_event(author, wide_image):
    """Return a protected event whose protected fields all contain "ecret"."""
    event = EventFactory(
        author=author,
        title="Members’ evening",
        start="2030-05-04 18:00",
        end="2030-05-04 20:00",
        password="open sesame",
        description="A secret supper",
        excerpt="Secret",
        cost="secret price",
        website="https://secret.example.org/",
        image=wide_image,
        show_map_link=True,
        custom_values={"dress": "secret"},
        parent=EventFactory(title="Secret festival", start="2030-05-04 10:00"),
        venues=[VenueFactory(title="Secret cellar")],
        organizers=[OrganizerFactory(title="Secret society")],
        categories=[CategoryFactory(name="Secret music")],
        tags=[TagFactory(name="Secret tag")],
    )
    TicketFactory(event=event, name="Secret ticket")
    EventFactory(title="Secret part", start="2030-05-04 19:00", parent=event)
    return event


def post_password(client, password, path=PATH):
    return client.post(path, {"password": password})


def form_error_of(page):
    """Return the error message that is linked to the field, as screen readers announce it."""
    field = page.one("input", name="password")
    if "aria-describedby" not in field.attributes:
        return ""
    assert field["aria-invalid"] == "true"
    return page.one("p", id=field["aria-describedby"]).text


# --- Visible fields ------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ["", "subscriber", "contributor", "author"])
def test_page_shows_only_title_and_dates_and_the_password_form(secret_event, role):
    client = Client()
    if role:
        client.force_login(create_user("stranger", role))

    response = client.get(PATH)

    page = parse_page(response)
    form = page.one("form")
    assert response.status_code == 200
    assert page.one("h1").text == "Members’ evening"
    assert details_of(page) == {"When": ["Saturday 4 May 2030, 18:00 to 20:00"]}
    assert page.one("main").all("a", "img") == []
    assert (form.attributes, form.one("label", **{"for": "password"}).text) == ({"method": "post"}, "Password")
    assert form_error_of(page) == ""
    assert page.all("script") == []
    assert [meta for meta in page.all("meta") if "description" in str(meta.attributes)] == []
    assert page.all("meta", property="og:image") == []
    assert page.one("meta", property="og:title")["content"] == "Members’ evening"
    assert "ecret" not in response.content.decode()
    assert response["Cache-Control"] == "private, no-store"
    assert response["Vary"] == "Cookie, Accept-Encoding, Accept-Language"
    assert "form-action 'self'; " in response["Content-Security-Policy"]


def test_protected_all_day_events_are_recognised_by_their_times(client):
    EventFactory(title="Camp", start="2030-05-04", end="2030-05-06", all_day=True, password="open sesame")
    EventFactory(title="Hike", start="2030-05-04", end="2030-05-04", all_day=True, password="open sesame")
    EventFactory(title="Vigil", start="2030-05-04 00:00", end="2030-05-04 23:59", password="open sesame")

    when = [details_of(parse_page(client.get(f"/event/{slug}/")))["When"] for slug in ("camp", "hike", "vigil")]

    assert when == [
        ["Saturday 4 May 2030 to Monday 6 May 2030, all day"],
        ["Saturday 4 May 2030, all day"],
        ["Saturday 4 May 2030, 00:00 to 23:59"],
    ]


@pytest.mark.parametrize("role", ["editor", "administrator"])
def test_editors_see_the_whole_page_with_a_notice(secret_event, role):
    client = Client()
    client.force_login(create_user("somebody", role))

    page = parse_page(client.get(PATH))

    assert page.one("p", **{"class": "notice"}).text == (
        "Password-protected: visitors without the password see only the title and dates."
    )
    assert page.one("div", **{"class": "prose"}).text == "A secret supper"
    assert page.all("form") == []


def test_authors_see_the_whole_page_of_their_own_event(client, author, secret_event):
    client.force_login(author)

    assert parse_page(client.get(PATH)).one("div", **{"class": "prose"}).text == "A secret supper"


def test_lists_show_only_title_dates_and_link(client, secret_event):
    others = Event.objects.exclude(pk=secret_event.pk)
    others.update(hide_from_listings=True)

    response = client.get("/")

    page = parse_page(response)
    assert listed_events(page) == [("Saturday 4 May 2030", [("Members’ evening", "18:00 to 20:00")])]
    assert page.one("a", **{"class": "event-title"})["href"] == f"http://testserver{PATH}"
    assert page.all("img") == []
    assert "ecret" not in response.content.decode()


PAGES = ("/venue/secret-cellar/", "/organizer/secret-society/", "/events/category/secret-music/")
PAGES += ("/events/tag/secret-tag/",)


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("now", ["2030-05-04 12:00Z", "2030-05-05 12:00Z"], ids=["coming", "past"])
def test_pages_of_linked_records_do_not_list_the_event(client, author, secret_event, time_machine, now, path):
    time_machine.move_to(now, tick=False)
    links = {name: getattr(secret_event, name).all() for name in ("venues", "organizers", "categories", "tags")}
    EventFactory(title="Fair", start="2030-05-04 18:00", **links)

    for_everybody = event_titles(parse_page(client.get(path)))
    client.force_login(author)

    assert for_everybody == ["Fair"]
    assert sorted(event_titles(parse_page(client.get(path)))) == ["Fair", "Members’ evening"]


def test_page_of_the_parent_category_does_not_list_the_event(client, secret_event):
    category = secret_event.categories.get()
    category.parent = CategoryFactory(name="Art")
    category.save()

    assert event_titles(parse_page(client.get("/events/category/art/"))) == []


# --- The form ------------------------------------------------------------------------------------


def test_right_password_redirects_to_the_whole_page(client, secret_event):
    response = post_password(client, "open sesame")

    assert (response.status_code, response["Location"], response.content) == (303, PATH, b"")
    assert response["Cache-Control"] == "private, no-store"
    whole_page = client.get(response["Location"])
    page = parse_page(whole_page)
    assert list(details_of(page)) == [
        "When", "Where", "Organized by", "Cost", "Tickets", "Website", "Part of", "Categories", "Tags"
    ]  # fmt: skip
    assert page.one("div", **{"class": "prose"}).text == "A secret supper"
    assert event_titles(page) == ["Secret part"]
    assert page.one("meta", property="og:description")["content"] == "Secret"
    assert page.one("script", type="application/ld+json")["type"] == "application/ld+json"
    assert page.all("form") == []
    assert whole_page["Cache-Control"] == "private, no-store"
    assert whole_page["Vary"] == "Cookie, Accept-Encoding, Accept-Language"
    assert "form-action 'none'; " in whole_page["Content-Security-Policy"]


@pytest.mark.parametrize("password", ["Open Sesame", "open", "open sesame!", "x" * 5000, "\x00", "öffne dich", "'"])
def test_wrong_password_shows_an_error_at_the_field(client, secret_event, password):
    response = post_password(client, password)

    page = parse_page(response)
    assert response.status_code == 403
    assert form_error_of(page) == WRONG
    assert "autofocus" in page.one("input", name="password").attributes
    assert (response["Cache-Control"], "event_passes" in response.cookies) == ("private, no-store", False)
    assert "ecret" not in response.content.decode()
    assert parse_page(client.get(PATH)).all("form") != []


def test_password_is_not_repeated(client, secret_event):
    page = parse_page(post_password(client, "not it"))

    assert "value" not in page.one("input", name="password").attributes


def test_spaces_around_the_password_are_stripped_unless_it_has_some(client, secret_event):
    EventFactory(title="Blank", password=" open ")

    assert post_password(client, " open sesame\n").status_code == 303
    assert [post_password(client, text, "/event/blank/").status_code for text in ("open", " open ")] == [403, 303]


@pytest.mark.parametrize("data", [{}, {"password": ""}, {"password": "  "}, {"other": "open sesame"}])
def test_empty_password_is_refused_and_not_counted(client, secret_event, data):
    responses = [client.post(PATH, data) for _ in range(12)]

    assert {response.status_code for response in responses} == {403}
    assert post_password(client, "open sesame").status_code == 303


def test_password_in_the_query_string_is_ignored(client, secret_event):
    assert parse_page(client.get(f"{PATH}?password=open+sesame")).all("form") != []
    assert client.post(f"{PATH}?password=open+sesame").status_code == 403


def test_form_needs_a_csrf_token(secret_event):
    client = Client(enforce_csrf_checks=True)
    token = parse_page(client.get(PATH)).one("input", name="csrfmiddlewaretoken")["value"]

    refused = post_password(client, "open sesame")
    taken = client.post(PATH, {"password": "open sesame", "csrfmiddlewaretoken": token})

    assert (refused.status_code, parse_page(refused).one("h1").text) == (403, "The form could not be submitted")
    assert "event_passes" not in refused.cookies
    assert taken.status_code == 303


def test_wrong_passwords_are_throttled(client, secret_event, time_machine):
    wrong = [post_password(client, f"guess {number}").status_code for number in range(10)]
    time_machine.move_to("2030-05-04 12:00:20Z", tick=False)

    response = post_password(client, "open sesame")

    assert wrong == [403] * 10
    assert (response.status_code, response["Retry-After"]) == (429, "40")
    assert form_error_of(parse_page(response)) == "Too many incorrect passwords. Try again in 40 seconds."
    assert "event_passes" not in response.cookies
    time_machine.move_to("2030-05-04 12:01:00Z", tick=False)
    assert post_password(client, "open sesame").status_code == 303


def test_page_and_api_share_the_throttle_of_an_event_and_address(client, secret_event):
    EventFactory(title="Other", password="open sesame")
    for number in range(5):
        post_password(client, f"guess {number}")
        client.get(f"{API}/events/{secret_event.pk}?password=guess+{number}")

    responses = [
        post_password(client, "open sesame"),
        client.get(f"{API}/events/{secret_event.pk}?password=open+sesame"),
        post_password(client, "open sesame", "/event/other/"),
        client.post(PATH, {"password": "open sesame"}, REMOTE_ADDR="192.0.2.7"),
    ]

    assert [response.status_code for response in responses] == [429, 429, 303, 303]


@pytest.mark.parametrize(
    ("rate", "wait"),
    [("1/min", "in 60 seconds"), ("1/hour", "in 60 minutes"), ("1/day", "in 24 hours")],
)
def test_throttle_message_names_the_time_to_wait(client, secret_event, settings, rate, wait):
    settings.THROTTLE_EVENT_PASSWORD = rate
    post_password(client, "guess")

    assert (
        form_error_of(parse_page(post_password(client, "open sesame")))
        == f"Too many incorrect passwords. Try again {wait}."
    )


@pytest.mark.parametrize("password", ["", "open sesame", "anything"])
def test_form_of_an_event_without_a_password_redirects_to_its_page(client, secret_event, password):
    save_event(secret_event, changes={"password": ""}, user=OPERATOR)

    response = post_password(client, password)

    assert (response.status_code, response["Location"]) == (303, PATH)
    assert "event_passes" not in response.cookies


@pytest.mark.parametrize("status", ["draft", "private", "trash"])
def test_password_does_not_open_unpublished_events(client, author, status):
    EventFactory(title="Plans", password="open sesame", status=status, author=author)

    response = post_password(client, "open sesame", "/event/plans/")

    assert response.status_code == 404


# --- The cookie ----------------------------------------------------------------------------------


def cookie_of(client, event):
    """Return the cookie of a browser that submitted the password."""
    return post_password(client, "open sesame", f"/event/{event.slug}/").cookies["event_passes"]


def asks_for_password(event, cookie):
    """Return whether the event's page asks a browser with this cookie for the password."""
    client = Client()
    client.cookies["event_passes"] = cookie
    return parse_page(client.get(f"/event/{event.slug}/")).all("form") != []


def test_cookie_is_hidden_from_scripts_and_other_sites(client, secret_event):
    cookie = cookie_of(client, secret_event)

    attributes = {name: value for name, value in cookie.items() if value}
    assert attributes == {
        "path": "/",
        "max-age": 7 * 24 * 3600,
        "expires": "Sat, 11 May 2030 12:00:00 GMT",
        "httponly": True,
        "samesite": "Lax",
    }
    assert "sesame" not in cookie.value


def test_cookie_is_secure_on_https(client, secret_event):
    response = client.post(PATH, {"password": "open sesame"}, secure=True)

    assert response.cookies["event_passes"]["secure"] is True


@pytest.mark.parametrize("code", ["", "/de", "/pl"])
def test_cookie_is_valid_in_every_language(client, secret_event, code):
    response = post_password(client, "open sesame", f"{code}{PATH}")

    # Django's test client ignores the path of a cookie.
    assert response.cookies["event_passes"]["path"] == "/"
    paths = [PATH, PATH.rstrip("/"), *(f"/{other}{PATH}" for other, _name in settings.LANGUAGES)]
    assert [path for path in paths if parse_page(client.get(path)).all("form")] == []


@pytest.mark.parametrize("code", ["", "/de"])
def test_cookie_path_is_the_script_name(client, code):
    EventFactory(title="上野の夜", password="open sesame")
    path = re.sub("^http://testserver", "", client.get(f"{API}/events").json()["events"][0]["url"])

    with override_script_prefix("/agenda/"):
        response = post_password(client, "open sesame", f"{code}{path}")
        pages = [parse_page(client.get(f"/{other}{path}")) for other in ("en", "fr")]

    assert response["Location"] == f"/agenda{code}{path}"
    assert response["Location"].isascii()
    assert response.cookies["event_passes"]["path"] == "/agenda/"
    assert [page.all("form") for page in pages] == [[], []]


def test_cookie_expires_after_seven_days(client, secret_event, time_machine):
    cookie = cookie_of(client, secret_event).value

    time_machine.move_to("2030-05-11 11:59:59Z", tick=False)
    before = asks_for_password(secret_event, cookie)
    time_machine.move_to("2030-05-11 12:00:01Z", tick=False)

    assert (before, asks_for_password(secret_event, cookie)) == (False, True)


def test_cookie_is_invalid_after_the_password_changes(client, secret_event):
    cookie = cookie_of(client, secret_event).value
    save_event(secret_event, changes={"password": "shut sesame"}, user=OPERATOR)
    changed = asks_for_password(secret_event, cookie)
    save_event(secret_event, changes={"password": "open sesame"}, user=OPERATOR)

    assert (changed, asks_for_password(secret_event, cookie)) == (True, False)


def test_cookie_of_one_event_does_not_open_another(client, secret_event):
    other = EventFactory(title="Other", password="open sesame")

    cookie = cookie_of(client, secret_event).value

    assert (asks_for_password(secret_event, cookie), asks_for_password(other, cookie)) == (False, True)


def test_cookie_does_not_open_an_event_whose_id_begins_alike(client, secret_event):
    other = EventFactory(pk=int(f"{secret_event.pk}0"), title="Other", password="open sesame")

    assert asks_for_password(secret_event, cookie_of(client, other).value)


def test_cookie_keeps_tokens_of_several_events(client, secret_event):
    other = EventFactory(title="Other", password="open sesame")
    cookie_of(client, secret_event)

    cookie = cookie_of(client, other).value

    assert (asks_for_password(secret_event, cookie), asks_for_password(other, cookie)) == (False, False)


def test_changed_password_leaves_the_tokens_of_other_events(client, secret_event):
    other = EventFactory(title="Other", password="open sesame")
    cookie_of(client, other), cookie_of(client, secret_event)
    save_event(secret_event, changes={"password": "shut sesame"}, user=OPERATOR)

    cookie = post_password(client, "shut sesame").cookies["event_passes"].value

    assert [one.partition(":")[0] for one in cookie.split(".")] == [str(secret_event.pk), str(other.pk)]
    assert (asks_for_password(secret_event, cookie), asks_for_password(other, cookie)) == (False, False)


def test_cookie_keeps_at_most_eight_tokens(client, secret_event):
    events = [secret_event, *(EventFactory(title=f"Evening {number}", password="open sesame") for number in range(8))]
    for one in events:
        cookie = cookie_of(client, one).value

    assert [one.title for one in events if asks_for_password(one, cookie)] == ["Members’ evening"]
    assert len(cookie) < 600


def test_invalid_tokens_are_dropped(client, secret_event):
    client.cookies["event_passes"] = f"x.{secret_event.pk}:1:y.{'1' * 3000}.1:1:{'ü' * 43}"

    assert re.fullmatch(r"\d+:\w+:[\w-]{43}", cookie_of(client, secret_event).value)


def test_forged_cookie_is_invalid(client, secret_event, settings):
    cookie = cookie_of(client, secret_event).value
    forged = [
        "",
        "1",
        str(secret_event.pk),
        cookie[:-1],
        f"{cookie}x",
        cookie.replace(":", ""),
        ":::",
        "é",
        "open sesame",
    ]

    assert [text for text in forged if not asks_for_password(secret_event, text)] == []
    settings.SECRET_KEY = "another one, that is long enough for a test"
    assert asks_for_password(secret_event, cookie)


def test_cookie_does_not_open_the_api(client, secret_event):
    cookie_of(client, secret_event)

    assert client.get(f"{API}/events/{secret_event.pk}").status_code == 403
    assert client.get(f"{API}/events").json()["events"][1]["description"] == ""


def test_cookie_does_not_show_fields_of_events_in_lists(client, secret_event):
    cookie_of(client, secret_event)
    EventFactory(
        title="Other part", start="2030-05-04 19:30", parent=secret_event, password="open sesame", cost="secret too"
    )

    page = parse_page(client.get(PATH))

    assert listed_events(page) == [
        ("Saturday 4 May 2030", [("Secret part", "19:00"), ("Other part", "19:30")]),
    ]


# --- Queries -------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 3])
def test_password_page_costs_two_queries(client, django_assert_num_queries, count):
    event = EventFactory(title="Members’ evening", password="open sesame", venues=VenueFactory.create_batch(count))
    EventFactory.create_batch(count, parent=event)

    # The event and the site.
    with django_assert_num_queries(2):
        client.get(PATH)
    # The event, the count of wrong passwords, a transaction that increments it and looks for old counters; the site.
    with django_assert_num_queries(7):
        post_password(client, "wrong")
    with django_assert_num_queries(2):
        post_password(client, "open sesame")
