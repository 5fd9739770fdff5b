"""The page of an event with a password: what it shows to whom, how it asks, and what browsers keep."""

import re

import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import Client
from django.test.utils import override_script_prefix

from calendar_site.accounts.services import create_user
from events.models import Event
from events.services import save_event
from tests.api import API
from tests.factories import (
    OPERATOR,
    CategoryFactory,
    EventFactory,
    OrganizerFactory,
    TagFactory,
    TicketFactory,
    VenueFactory,
)
from tests.pages.reading import facts, listed, read, titles

pytestmark = pytest.mark.django_db

PATH = "/event/members-evening/"
WRONG = "This is not the password of the event."


@pytest.fixture(autouse=True)
def no_attempts_before():
    cache.clear()


@pytest.fixture(autouse=True)
def noon(time_machine):
    time_machine.move_to("2030-05-04 12:00Z", tick=False)


@pytest.fixture
def event(author, image):
    """All but its title and its dates is secret, and says so."""
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
        image=image,
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


def enter(client, password, path=PATH):
    return client.post(path, {"password": password})


def fault(page):
    """What the page says beside the field, as those hear it who cannot see it."""
    field = page.one("input", name="password")
    if "aria-describedby" not in field.attributes:
        return ""
    assert field["aria-invalid"] == "true"
    return page.one("p", id=field["aria-describedby"]).text


# --- What is shown -------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ["", "subscriber", "contributor", "author"])
def test_page_shows_title_and_dates_alone_and_asks_for_the_password(event, role):
    client = Client()
    if role:
        client.force_login(create_user("stranger", role))

    response = client.get(PATH)

    page = read(response)
    form = page.one("form")
    assert response.status_code == 200
    assert page.one("h1").text == "Members’ evening"
    assert facts(page) == {"When": ["Saturday 4 May 2030, 18:00 to 20:00"]}
    assert page.one("main").all("a", "img") == []
    assert (form.attributes, form.one("label", **{"for": "password"}).text) == ({"method": "post"}, "Password")
    assert fault(page) == ""
    assert page.all("script") == []
    assert [meta for meta in page.all("meta") if "description" in str(meta.attributes)] == []
    assert page.all("meta", property="og:image") == []
    assert page.one("meta", property="og:title")["content"] == "Members’ evening"
    assert "ecret" not in response.content.decode()
    assert (response["Cache-Control"], response["Vary"]) == ("private, no-store", "Cookie, Accept-Language")
    assert "form-action 'self'; " in response["Content-Security-Policy"]


def test_days_of_an_event_that_lasts_whole_days_are_told_as_such(client):
    EventFactory(title="Camp", start="2030-05-04", end="2030-05-06", all_day=True, password="open sesame")
    EventFactory(title="Hike", start="2030-05-04", end="2030-05-04", all_day=True, password="open sesame")
    EventFactory(title="Vigil", start="2030-05-04 00:00", end="2030-05-04 23:59", password="open sesame")

    when = [facts(read(client.get(f"/event/{slug}/")))["When"] for slug in ("camp", "hike", "vigil")]

    assert when == [
        ["Saturday 4 May 2030 to Monday 6 May 2030, all day"],
        ["Saturday 4 May 2030, all day"],
        ["Saturday 4 May 2030, 00:00 to 23:59"],
    ]


@pytest.mark.parametrize("role", ["editor", "administrator"])
def test_editors_see_the_whole_page_without_the_password_and_are_told_that_others_do_not(event, role):
    client = Client()
    client.force_login(create_user("somebody", role))

    page = read(client.get(PATH))

    assert page.one("p", **{"class": "notice"}).text == (
        "Protected by a password: whoever does not know it sees the title and the dates alone."
    )
    assert page.one("div", **{"class": "prose"}).text == "A secret supper"
    assert page.all("form") == []


def test_authors_see_the_whole_page_of_their_own(client, author, event):
    client.force_login(author)

    assert read(client.get(PATH)).one("div", **{"class": "prose"}).text == "A secret supper"


def test_lists_show_title_dates_and_link_alone(client, event):
    others = Event.objects.exclude(pk=event.pk)
    others.update(hide_from_listings=True)

    response = client.get("/")

    page = read(response)
    assert listed(page) == [("Saturday 4 May 2030", [("Members’ evening", "18:00 to 20:00")])]
    assert page.one("a", **{"class": "title"})["href"] == f"http://testserver{PATH}"
    assert page.all("img") == []
    assert "ecret" not in response.content.decode()


PAGES = ("/venue/secret-cellar/", "/organizer/secret-society/", "/events/category/secret-music/")
PAGES += ("/events/tag/secret-tag/",)


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("now", ["2030-05-04 12:00Z", "2030-05-05 12:00Z"], ids=["coming", "past"])
def test_lists_of_what_an_event_links_to_do_not_tell_of_it(client, author, event, time_machine, now, path):
    time_machine.move_to(now, tick=False)
    links = {name: getattr(event, name).all() for name in ("venues", "organizers", "categories", "tags")}
    EventFactory(title="Fair", start="2030-05-04 18:00", **links)

    for_everybody = titles(read(client.get(path)))
    client.force_login(author)

    assert for_everybody == ["Fair"]
    assert sorted(titles(read(client.get(path)))) == ["Fair", "Members’ evening"]


def test_category_above_does_not_tell_of_it_either(client, event):
    category = event.categories.get()
    category.parent = CategoryFactory(name="Art")
    category.save()

    assert titles(read(client.get("/events/category/art/"))) == []


# --- The form ------------------------------------------------------------------------------------


def test_right_password_leads_to_the_whole_page(client, event):
    response = enter(client, "open sesame")

    assert (response.status_code, response["Location"], response.content) == (303, PATH, b"")
    assert response["Cache-Control"] == "private, no-store"
    whole = client.get(response["Location"])
    page = read(whole)
    assert list(facts(page)) == [
        "When", "Where", "Organized by", "Cost", "Tickets", "Website", "Part of", "Categories", "Tags"
    ]  # fmt: skip
    assert page.one("div", **{"class": "prose"}).text == "A secret supper"
    assert titles(page) == ["Secret part"]
    assert page.one("meta", property="og:description")["content"] == "Secret"
    assert page.one("script")["type"] == "application/ld+json"
    assert page.all("form") == []
    assert (whole["Cache-Control"], whole["Vary"]) == ("private, no-store", "Cookie, Accept-Language")
    assert "form-action 'none'; " in whole["Content-Security-Policy"]


@pytest.mark.parametrize("password", ["Open Sesame", "open", "open sesame!", "x" * 5000, "\x00", "öffne dich", "'"])
def test_wrong_password_is_said_beside_the_field(client, event, password):
    response = enter(client, password)

    page = read(response)
    assert response.status_code == 403
    assert fault(page) == WRONG
    assert "autofocus" in page.one("input", name="password").attributes
    assert (response["Cache-Control"], "event_passes" in response.cookies) == ("private, no-store", False)
    assert "ecret" not in response.content.decode()
    assert read(client.get(PATH)).all("form") != []


def test_password_is_not_sent_back(client, event):
    page = read(enter(client, "not it"))

    assert "value" not in page.one("input", name="password").attributes


def test_blanks_around_a_pasted_password_do_not_count_unless_it_has_such(client, event):
    EventFactory(title="Blank", password=" open ")

    assert enter(client, " open sesame\n").status_code == 303
    assert [enter(client, text, "/event/blank/").status_code for text in ("open", " open ")] == [403, 303]


@pytest.mark.parametrize("data", [{}, {"password": ""}, {"password": "  "}, {"other": "open sesame"}])
def test_form_without_a_password_opens_nothing_and_is_no_attempt(client, event, data):
    answers = [client.post(PATH, data) for _ in range(12)]

    assert {answer.status_code for answer in answers} == {403}
    assert enter(client, "open sesame").status_code == 303


def test_password_in_the_address_opens_nothing(client, event):
    assert read(client.get(f"{PATH}?password=open+sesame")).all("form") != []
    assert client.post(f"{PATH}?password=open+sesame").status_code == 403


def test_form_needs_its_token(event):
    client = Client(enforce_csrf_checks=True)
    token = read(client.get(PATH)).one("input", name="csrfmiddlewaretoken")["value"]

    refused = enter(client, "open sesame")
    taken = client.post(PATH, {"password": "open sesame", "csrfmiddlewaretoken": token})

    assert (refused.status_code, read(refused).one("h1").text) == (403, "The form was not accepted")
    assert "event_passes" not in refused.cookies
    assert taken.status_code == 303


def test_too_many_wrong_passwords_have_to_wait(client, event, time_machine):
    wrong = [enter(client, f"guess {number}").status_code for number in range(10)]
    time_machine.move_to("2030-05-04 12:00:20Z", tick=False)

    response = enter(client, "open sesame")

    assert wrong == [403] * 10
    assert (response.status_code, response["Retry-After"]) == (429, "40")
    assert fault(read(response)) == "There were too many wrong passwords. Try again in 40 seconds."
    assert "event_passes" not in response.cookies
    time_machine.move_to("2030-05-04 12:01:00Z", tick=False)
    assert enter(client, "open sesame").status_code == 303


def test_attempts_count_for_one_event_and_one_address_through_page_and_api_alike(client, event):
    EventFactory(title="Other", password="open sesame")
    for number in range(5):
        enter(client, f"guess {number}")
        client.get(f"{API}/events/{event.pk}?password=guess+{number}")

    answers = [
        enter(client, "open sesame"),
        client.get(f"{API}/events/{event.pk}?password=open+sesame"),
        enter(client, "open sesame", "/event/other/"),
        client.post(PATH, {"password": "open sesame"}, REMOTE_ADDR="192.0.2.7"),
    ]

    assert [answer.status_code for answer in answers] == [429, 429, 303, 303]


@pytest.mark.parametrize(
    ("rate", "words"),
    [("1/min", "in 60 seconds"), ("1/hour", "in 60 minutes"), ("1/day", "in 24 hours")],
)
def test_wait_is_told_in_words(client, event, monkeypatch, rate, words):
    monkeypatch.setattr("events.access.AttemptThrottle.rate", rate, raising=False)
    enter(client, "guess")

    assert fault(read(enter(client, "open sesame"))) == f"There were too many wrong passwords. Try again {words}."


@pytest.mark.parametrize("password", ["", "open sesame", "anything"])
def test_form_of_an_event_that_needs_no_password_any_more_leads_to_its_page(client, event, password):
    save_event(event, {"password": ""}, OPERATOR)

    response = enter(client, password)

    assert (response.status_code, response["Location"]) == (303, PATH)
    assert "event_passes" not in response.cookies


@pytest.mark.parametrize("status", ["draft", "private", "trash"])
def test_password_opens_no_event_that_is_not_public(client, author, status):
    EventFactory(title="Plans", password="open sesame", status=status, author=author)

    response = enter(client, "open sesame", "/event/plans/")

    assert response.status_code == 404


# --- What browsers keep --------------------------------------------------------------------------


def kept(client, event):
    """The pass that somebody has who entered the password."""
    return enter(client, "open sesame", f"/event/{event.slug}/").cookies["event_passes"]


def asks(event, given):
    """Whether the event's page asks a browser for the password that keeps this pass."""
    client = Client()
    client.cookies["event_passes"] = given
    return read(client.get(f"/event/{event.slug}/")).all("form") != []


def test_pass_is_out_of_reach_of_scripts_and_other_sites(client, event):
    cookie = kept(client, event)

    attributes = {name: value for name, value in cookie.items() if value}
    assert attributes == {
        "path": "/",
        "max-age": 7 * 24 * 3600,
        "expires": "Sat, 11 May 2030 12:00:00 GMT",
        "httponly": True,
        "samesite": "Lax",
    }
    assert "sesame" not in cookie.value


def test_pass_goes_over_https_alone_where_the_site_does(client, event):
    response = client.post(PATH, {"password": "open sesame"}, secure=True)

    assert response.cookies["event_passes"]["secure"] is True


@pytest.mark.parametrize("code", ["", "/de", "/pl"])
def test_pass_holds_for_the_page_in_every_language(client, event, code):
    response = enter(client, "open sesame", f"{code}{PATH}")

    # The client of tests looks at no path of a cookie.
    assert response.cookies["event_passes"]["path"] == "/"
    paths = [PATH, PATH.rstrip("/"), *(f"/{other}{PATH}" for other, _name in settings.LANGUAGES)]
    assert [path for path in paths if read(client.get(path)).all("form")] == []


@pytest.mark.parametrize("code", ["", "/de"])
def test_pass_lies_under_the_path_that_the_site_is_served_under(client, code):
    EventFactory(title="上野の夜", password="open sesame")
    path = re.sub("^http://testserver", "", client.get(f"{API}/events").json()["events"][0]["url"])

    with override_script_prefix("/agenda/"):
        response = enter(client, "open sesame", f"{code}{path}")
        pages = [read(client.get(f"/{other}{path}")) for other in ("en", "fr")]

    assert response["Location"] == f"/agenda{code}{path}"
    assert response["Location"].isascii()
    assert response.cookies["event_passes"]["path"] == "/agenda/"
    assert [page.all("form") for page in pages] == [[], []]


def test_pass_holds_for_seven_days(client, event, time_machine):
    given = kept(client, event).value

    time_machine.move_to("2030-05-11 11:59:59Z", tick=False)
    before = asks(event, given)
    time_machine.move_to("2030-05-11 12:00:01Z", tick=False)

    assert (before, asks(event, given)) == (False, True)


def test_pass_ends_with_the_password(client, event):
    given = kept(client, event).value
    save_event(event, {"password": "shut sesame"}, OPERATOR)
    changed = asks(event, given)
    save_event(event, {"password": "open sesame"}, OPERATOR)

    assert (changed, asks(event, given)) == (True, False)


def test_pass_of_one_event_opens_no_other(client, event):
    other = EventFactory(title="Other", password="open sesame")

    given = kept(client, event).value

    assert (asks(event, given), asks(other, given)) == (False, True)


def test_pass_of_an_event_whose_id_begins_alike_opens_no_other(client, event):
    other = EventFactory(pk=int(f"{event.pk}0"), title="Other", password="open sesame")

    assert asks(event, kept(client, other).value)


def test_passes_of_several_events_hold_beside_each_other(client, event):
    other = EventFactory(title="Other", password="open sesame")
    kept(client, event)

    given = kept(client, other).value

    assert (asks(event, given), asks(other, given)) == (False, False)


def test_password_that_changed_takes_no_other_pass_with_it(client, event):
    other = EventFactory(title="Other", password="open sesame")
    kept(client, other), kept(client, event)
    save_event(event, {"password": "shut sesame"}, OPERATOR)

    given = enter(client, "shut sesame").cookies["event_passes"].value

    assert [one.partition(":")[0] for one in given.split(".")] == [str(event.pk), str(other.pk)]
    assert (asks(event, given), asks(other, given)) == (False, False)


def test_passes_do_not_pile_up(client, event):
    events = [event, *(EventFactory(title=f"Evening {number}", password="open sesame") for number in range(8))]
    for one in events:
        given = kept(client, one).value

    assert [one.title for one in events if asks(one, given)] == ["Members’ evening"]
    assert len(given) < 600


def test_what_is_no_pass_is_not_kept(client, event):
    client.cookies["event_passes"] = f"x.{event.pk}:1:y.{'1' * 3000}.1:1:{'ü' * 43}"

    assert re.fullmatch(r"\d+:\w+:[\w-]{43}", kept(client, event).value)


def test_pass_that_was_made_up_opens_nothing(client, event, settings):
    given = kept(client, event).value
    made_up = ["", "1", str(event.pk), given[:-1], f"{given}x", given.replace(":", ""), ":::", "é", "open sesame"]

    assert [text for text in made_up if not asks(event, text)] == []
    settings.SECRET_KEY = "another one, that is long enough for a test"
    assert asks(event, given)


def test_pass_opens_the_page_and_not_the_api(client, event):
    kept(client, event)

    assert client.get(f"{API}/events/{event.pk}").status_code == 403
    assert client.get(f"{API}/events").json()["events"][1]["description"] == ""


def test_password_that_was_entered_shows_no_other_event_of_the_lists(client, event):
    kept(client, event)
    EventFactory(title="Other part", start="2030-05-04 19:30", parent=event, password="open sesame", cost="secret too")

    page = read(client.get(PATH))

    assert listed(page) == [
        ("Saturday 4 May 2030", [("Secret part", "19:00"), ("Other part", "19:30")]),
    ]


# --- Queries -------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 3])
def test_asking_costs_one_query_whatever_the_event_has(client, django_assert_num_queries, count):
    event = EventFactory(title="Members’ evening", password="open sesame", venues=VenueFactory.create_batch(count))
    EventFactory.create_batch(count, parent=event)

    with django_assert_num_queries(1):
        client.get(PATH)
    with django_assert_num_queries(1):
        enter(client, "wrong")
    with django_assert_num_queries(1):
        enter(client, "open sesame")
