"""Events that visitors submit without an account: form, limits, review queue, emails, and the link to edit them."""

import json
from base64 import b64encode
from datetime import timedelta

import altcha
import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile

from calendar_site.accounts.models import User
from calendar_site.core.choices import Status
from calendar_site.media.models import Image
from calendar_site.review.models import Review
from calendar_site.review.services import approve, send_back
from calendar_site.submissions import limits
from calendar_site.submissions.limits import Rate
from calendar_site.submissions.models import PublicSubmission
from calendar_site.submissions.retention import delete_addresses_of_senders
from events.models import Event
from events.services import event_services, trash_event
from tests.factories import CategoryFactory, EventFactory, VenueFactory
from tests.support.html_page import parse_page
from tests.support.image_files import plain_image
from tests.support.mail import sent_mail
from venues.models import Venue

pytestmark = [pytest.mark.django_db, pytest.mark.time_machine("2030-05-04 12:00Z", tick=False)]

SITE = "http://testserver"
EVENT = {
    "title": "Choir practice",
    "start_date": "2030-05-10",
    "start_time": "19:00",
    "end_date": "",
    "end_time": "21:00",
    "venue": "Church hall",
    "address": "1 Main St",
    "description": "All <b>voices</b>.\n\nBring water.",
    "category": "",
    "website": "choir.example.org",
    "cost": "Free",
    "homepage": "",
    "sender_name": "Ana Ruiz",
    "sender_email": "ana@example.org",
    "consent": "on",
}


@pytest.fixture(autouse=True)
def open_submissions(settings):
    settings.PUBLIC_SUBMISSIONS = True
    # It has the counter of refused forms.
    cache.clear()


@pytest.fixture
def send(client, time_machine):
    """Return a function that opens the form, waits, and sends it with these values."""

    def post(path="/submit/", *, wait=10, button="send", **values):
        opened = parse_page(client.get(path)).one("input", name="opened")["value"]
        time_machine.shift(wait)
        data = {**EVENT, **values} if path == "/submit/" else values
        return client.post(path, {"opened": opened, button: "", **data})

    return post


def errors_of(response):
    page = parse_page(response)
    return [
        error.text
        for error in [*page.all("span", **{"class": "form-error"}), *page.all("p", **{"class": "form-error"})]
    ]


def path_to(response):
    return response["Location"].partition("?")[0]


# --- Submitting --------------------------------------------------------------------------------


def test_event_waits_for_a_review(client, send):
    music = CategoryFactory(name="Music")

    response = send(category=str(music.pk))

    assert response.status_code == 303
    event = Event.objects.get()
    assert {
        "title": event.title,
        "status": event.status,
        "start": event.start_local,
        "end": event.end_local,
        "description": event.description,
        "website": event.website,
        "cost": event.cost,
        "author": event.author.username,
        "categories": list(event.categories.values_list("name", flat=True)),
        "venues": list(event.venues.values_list("title", "address", "status")),
    } == {
        "title": "Choir practice",
        "status": Status.PENDING,
        "start": "2030-05-10 19:00:00",
        "end": "2030-05-10 21:00:00",
        "description": "<p>All &lt;b&gt;voices&lt;/b&gt;.</p>\n\n<p>Bring water.</p>",
        "website": "https://choir.example.org",
        "cost": "Free",
        "author": "visitors",
        "categories": ["Music"],
        "venues": [("Church hall", "1 Main St", Status.PENDING)],
    }
    review = Review.objects.for_record(event).open().get()
    assert review.submitted_by_name == "Ana Ruiz (ana@example.org)"
    page = parse_page(client.get(response["Location"]))
    assert page.one("p", role="status").one("a")["href"] == f"{SITE}{path_to(response)}"


def test_nothing_unreviewed_is_public(client, send):
    send(title="Unreviewed words")
    event = Event.objects.get()

    paths = [
        "/", "/events/2030-05/", "/events/2030-05-10/", "/events/map/", "/?search=unreviewed", "/events.ics",
        "/sitemap-events-1.xml", "/cal/events/v1/events", "/cal/events/v1/events?search=unreviewed", "/events/feed/",
        "/cal/events/v1/venues", "/cal/events/v1/organizers",
    ]  # fmt: skip
    assert [path for path in paths if b"nreviewed" in client.get(path).content.replace(b"search=unreviewed", b"")] == [
        "/?search=unreviewed"
    ]
    assert [client.get(f"/event/{event.slug}/").status_code, client.get("/venue/church-hall/").status_code] == [
        404,
        404,
    ]
    assert b"ana@example.org" not in client.get(f"/cal/events/v1/events/{event.pk}").content


def test_known_place_is_linked(send):
    hall = VenueFactory(title="Church Hall")
    VenueFactory(title="Draft hall", status="draft")

    send(venue="church hall", address="")
    send(venue="Draft hall", address="")

    assert Event.objects.earliest("pk").venues.get() == hall
    assert Venue.objects.filter(title="Draft hall").count() == 2


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"start_time": "", "end_time": ""}, ("2030-05-10 00:00:00", "2030-05-10 23:59:59", True)),
        ({"start_time": "", "end_date": "2030-05-12"}, ("2030-05-10 00:00:00", "2030-05-12 23:59:59", True)),
        ({"end_time": ""}, ("2030-05-10 19:00:00", "2030-05-10 19:00:00", False)),
        ({"end_date": "2030-05-11", "end_time": "02:00"}, ("2030-05-10 19:00:00", "2030-05-11 02:00:00", False)),
    ],
)
def test_times(send, values, expected):
    assert send(**values).status_code == 303

    event = Event.objects.get()
    assert (event.start_local, event.end_local, event.all_day) == expected


@pytest.mark.parametrize(
    ("values", "errors"),
    [
        ({"title": ""}, ["This field is required."]),
        ({"title": "<b></b>"}, ["This field cannot be blank."]),
        ({"start_date": "10.5."}, ["Enter a valid date."]),
        ({"end_date": "2030-05-09"}, ["The event ends before it starts."]),
        ({"end_time": "18:00"}, ["The event ends before it starts."]),
        ({"end_date": "2032-05-09"}, ["The event takes more than a year."]),
        ({"start_date": "2030-05-03"}, ["The event is over."]),
        ({"description": "https://x.example " * 6}, ["The description can have at most 5 links."]),
        ({"description": "x" * 5001}, ["Ensure this value has at most 5000 characters (it has 5001)."]),
        ({"website": "javascript:alert(1)"}, ["Enter a URL that starts with http:// or https://."]),
        ({"cost": "-5"}, ["A cost cannot be negative."]),
        ({"category": "999"}, ["Select a valid choice. That choice is not one of the available choices."]),
        ({"sender_email": "ana"}, ["Enter a valid email address."]),
        ({"consent": ""}, ["This field is required."]),
        ({"title": "a\0b"}, ["Null characters are not allowed."]),
        ({"homepage": "https://spam.example"}, ["Leave the field “Leave this field empty” empty."]),
    ],
)
def test_invalid_values_lose_nothing(send, values, errors):
    response = send(**values)

    assert (response.status_code, errors_of(response)) == (400, errors)
    page = parse_page(response)
    if "title" not in values:
        assert page.one("input", name="title")["value"] == "Choir practice"
    assert page.one("input", name="sender_name")["value"] == "Ana Ruiz"
    assert not Event.objects.exists()


@pytest.mark.parametrize("wait", [1, 60 * 60 * 13])
def test_form_that_was_open_too_short_or_too_long_can_be_sent_again(client, send, time_machine, wait):
    response = send(wait=wait)

    assert response.status_code == 400
    (error,) = errors_of(response)
    assert error == "The form was sent too soon after it was opened, or too late. Send it again."
    opened = parse_page(response).one("input", name="opened")["value"]
    time_machine.shift(10)
    assert client.post("/submit/", {**EVENT, "opened": opened}).status_code == 303
    assert client.post("/submit/", {**EVENT, "opened": "form:x:y"}).status_code == 400


def test_preview_saves_nothing(send):
    response = send(button="preview")

    section = parse_page(response).one("section", **{"class": "event-preview"})
    assert "Choir practice" in section.text
    assert "Friday 10 May 2030" in section.text
    assert "All <b>voices</b>." in section.text
    assert parse_page(response).one("input", name="title")["value"] == "Choir practice"
    assert not Event.objects.exists()


def test_image_is_stored_with_the_event(send, media_folder):
    image = SimpleUploadedFile("choir.png", plain_image(size=(40, 30)), content_type="image/png")

    assert send(image=image).status_code == 303

    assert Event.objects.get().image == Image.objects.get()


def test_file_that_is_no_image_is_refused(send, media_folder):
    response = send(image=SimpleUploadedFile("choir.png", b"no image", content_type="image/png"))

    assert response.status_code == 400
    assert len(errors_of(response)) == 1
    assert not Event.objects.exists()
    assert not Image.objects.exists()


def test_closed_submissions_are_not_found(client, settings):
    settings.PUBLIC_SUBMISSIONS = False

    assert [client.get(path).status_code for path in ("/submit/", "/submit/abc/")] == [404, 404]
    assert "Submit an event" not in client.get("/").content.decode()


def test_pages_lead_to_the_form(client):
    (link,) = [link for link in parse_page(client.get("/")).all("a") if link.text == "Submit an event"]

    assert link["href"] == f"{SITE}/submit/"
    assert client.get("/submit/")["X-Robots-Tag"] == "noindex, nofollow"


def test_account_of_visitors_cannot_sign_in_or_publish(client, send):
    send()

    account = User.objects.get(username="visitors")
    assert not account.has_usable_password()
    assert not account.has_perm("events.publish_event")
    account.is_active = False
    account.save()
    assert send(title="Second").status_code == 403
    assert Event.objects.count() == 1


# --- Limits ------------------------------------------------------------------------------------


def test_address_has_a_limit_and_loses_nothing(send, monkeypatch):
    monkeypatch.setattr(limits, "BY_ADDRESS", Rate(2, 3600))
    assert [send().status_code for _ in range(2)] == [303, 303]

    response = send()

    assert response.status_code == 429
    assert errors_of(response) == ["Too much was sent in. Try again in 60 minutes."]
    assert parse_page(response).one("input", name="title")["value"] == "Choir practice"
    assert Event.objects.count() == 2


@pytest.mark.parametrize(
    ("limit", "same", "other"), [("BY_NETWORK", "192.0.2.7", "198.51.100.7"), ("ALL", "198.51.100.7", None)]
)
def test_networks_and_the_queue_have_limits(client, send, monkeypatch, settings, limit, same, other):
    settings.PROXY_COUNT = 1
    monkeypatch.setattr(limits, limit, Rate(1, 3600))
    client.defaults["HTTP_X_FORWARDED_FOR"] = "192.0.2.1"
    assert send().status_code == 303

    client.defaults["HTTP_X_FORWARDED_FOR"] = same
    assert send().status_code == 429
    if other:
        client.defaults["HTTP_X_FORWARDED_FOR"] = other
        assert send().status_code == 303


def test_limit_ends_after_an_hour(send, monkeypatch, time_machine):
    monkeypatch.setattr(limits, "ALL", Rate(1, 3600))
    send()
    assert send().status_code == 429

    time_machine.shift(3700)

    assert send().status_code == 303


def test_refused_forms_cost_no_query_but_those_of_the_page(client, send, django_assert_num_queries):
    send()

    # The categories, the places, and the site.
    with django_assert_num_queries(3):
        client.post("/submit/", {**EVENT, "homepage": "x"})


def test_flood_of_refused_forms_is_answered_without_the_form(client, send, monkeypatch, django_assert_num_queries):
    monkeypatch.setattr(limits, "REFUSED", Rate(2, 60))
    EventFactory(title="Fair", start="2030-05-08 10:00")
    assert [send(homepage="x").status_code for _ in range(2)] == [400, 400]

    with django_assert_num_queries(0):
        refused = client.post("/submit/", {**EVENT, "homepage": "x"})

    assert (refused.status_code, refused.content.decode()) == (
        429,
        "Too much was sent in. Go back, wait a minute, and send the form again.\n",
    )
    assert client.post("/event/fair/report/", {"text": "x"}).status_code == 429
    assert send().status_code == 303


# --- The link ----------------------------------------------------------------------------------


def test_sender_edits_the_event(client, send):
    path = path_to(send())
    form = parse_page(client.get(path)).all("form")[0]
    values = {
        field["name"]: field.attributes.get("value") or "" for field in form.all("input") if "name" in field.attributes
    }
    assert (values["title"], values["start_date"], values["start_time"], values["end_time"]) == (
        "Choir practice", "2030-05-10", "19:00", "21:00",
    )  # fmt: skip
    assert "All &lt;b&gt;voices&lt;/b&gt;.\n\nBring water.</textarea>" in client.get(path).content.decode()

    response = client.post(path, {**EVENT, "title": "Choir rehearsal", "send": ""})

    assert response.status_code == 303
    event = Event.objects.get()
    assert (event.title, event.status, event.venues.count()) == ("Choir rehearsal", Status.PENDING, 1)
    assert Review.objects.for_record(event).open().get().submitted_by_name == "Ana Ruiz (ana@example.org)"


def test_sent_back_event_is_sent_again(client, send, editor):
    path = path_to(send())
    event = Event.objects.get()
    send_back(event, services=event_services, user=editor, note="Which hall?")
    assert "needs a change" in parse_page(client.get(path)).one("main").text

    client.post(path, {**EVENT, "venue": "Big hall", "send": ""})

    event.refresh_from_db()
    assert event.status == Status.PENDING
    assert Review.objects.for_record(event).open().exists()


def test_published_event_can_be_withdrawn_and_not_edited(client, send, editor):
    path = path_to(send())
    event = Event.objects.get()
    approve(event, services=event_services, user=editor)
    page = parse_page(client.get(path))
    assert page.one("main").one("a", href=f"{SITE}/event/choir-practice/").text == "Open page"
    assert page.all("input", name="title") == []
    client.post(path, {**EVENT, "title": "Changed", "send": ""})
    event.refresh_from_db()
    assert (event.title, event.status) == ("Choir practice", Status.PUBLISH)

    client.post(path, {"withdraw": ""})

    event.refresh_from_db()
    assert event.status == Status.TRASH
    assert "withdrawn" in parse_page(client.get(path)).one("main").text


def test_link_ends_with_the_event(client, send, time_machine):
    path = path_to(send())

    time_machine.move_to("2030-05-11 00:00Z", tick=False)

    assert client.get(path).status_code == 404
    assert client.post(path, {"withdraw": ""}).status_code == 404
    assert Event.objects.get().status == Status.PENDING


def test_other_links_are_not_found(client, send):
    send()
    stored = PublicSubmission.objects.get().token_hash

    assert [client.get(f"/submit/{token}/").status_code for token in ("x", stored)] == [404, 404]


# --- Emails and addresses ----------------------------------------------------------------------


def test_sender_gets_the_link_and_the_decision(send, editor):
    path = path_to(send())
    (receipt,) = [message for message in sent_mail() if message.to == ["ana@example.org"]]
    assert receipt.subject == "Received: Choir practice"
    assert f"http://127.0.0.1:8000{path.rstrip('/')}" in receipt.text

    approve(Event.objects.get(), services=event_services, user=editor, note="Nice!")

    (decision,) = [message for message in sent_mail() if message.to == ["ana@example.org"]]
    assert decision.subject == "Approved: Choir practice"
    assert "Nice!" in decision.text
    assert "http://127.0.0.1:8000/event/choir-practice" in decision.text


def test_sender_hears_of_a_refusal_but_not_of_the_own_withdrawal(client, send, editor):
    first = path_to(send(title="First"))
    send(title="Second")
    client.post(first, {"withdraw": ""})
    trash_event(Event.objects.get(title="Second"), user=editor)

    subjects = [message.subject for message in sent_mail() if message.to == ["ana@example.org"]]

    assert subjects == ["Not published: Second", "Received: First", "Received: Second"]


def test_addresses_are_deleted_ninety_days_after_the_event(send, time_machine):
    send()
    time_machine.move_to("2030-08-08 12:00Z", tick=False)
    delete_addresses_of_senders.call()
    assert PublicSubmission.objects.get().sender_email == "ana@example.org"

    time_machine.shift(timedelta(days=1))
    delete_addresses_of_senders.call()

    submission = PublicSubmission.objects.get()
    assert (submission.sender_name, submission.sender_email) == ("", "")
    assert Review.objects.get(model_label="events.event").submitted_by_name == "visitors"


# --- Mistakes ----------------------------------------------------------------------------------


def test_mistake_reaches_the_editors(client, send, editor_browser, author_browser):
    event = EventFactory(title="Fair", start="2030-05-08 10:00")
    page = parse_page(client.get("/event/fair/"))
    (link,) = [link for link in page.all("a") if link.text == "Report a mistake"]
    assert (link["href"], link["rel"]) == (f"{SITE}/event/fair/report/", "nofollow")

    response = send("/event/fair/report/", text="It begins at 11.", email="bob@example.org")

    assert response.status_code == 303
    assert "Thank you" in parse_page(client.get(response["Location"])).one("main").text
    queue = parse_page(editor_browser.get("/admin/review/")).one("section", id="mistakes")
    assert "It begins at 11." in queue.text
    listed = parse_page(editor_browser.get("/admin/submissions/mistakereport/"))
    assert "It begins at 11." in listed.one("main").text
    assert author_browser.get("/admin/submissions/mistakereport/").status_code == 403
    assert parse_page(author_browser.get("/admin/review/")).all("section", id="mistakes") == []
    assert event.title == "Fair"


@pytest.mark.parametrize(
    ("values", "status"), [({"text": ""}, 400), ({"text": "x", "email": "y"}, 400), ({"text": "x" * 2001}, 400)]
)
def test_invalid_reports_are_explained(send, values, status):
    EventFactory(title="Fair", start="2030-05-08 10:00")

    response = send("/event/fair/report/", **values)

    assert (response.status_code, len(errors_of(response))) == (400, 1)


def test_only_public_events_take_reports(client):
    EventFactory(title="Draft", status="draft")
    EventFactory(title="Secret", password="x")

    assert [client.get(f"/event/{slug}/report/").status_code for slug in ("draft", "secret", "nothing")] == [404] * 3


# --- The puzzle of ALTCHA ------------------------------------------------------------------------


@pytest.fixture
def with_puzzle(settings):
    settings.SUBMISSION_CHALLENGE = True


def solve(client):
    """Return what a browser sends for a puzzle."""
    puzzle = client.get("/submit/challenge/").json()
    solution = altcha.solve_challenge(puzzle["challenge"], puzzle["salt"], puzzle["algorithm"], puzzle["max_number"])
    payload = {name: puzzle[name] for name in ("algorithm", "challenge", "salt", "signature")}
    return b64encode(json.dumps({**payload, "number": solution.number}).encode()).decode()


@pytest.fixture
def real_time(time_machine):
    """The present of the library, which reads the clock itself."""
    time_machine.move_to("2030-05-04T12:00:00Z", tick=False)


@pytest.mark.usefixtures("with_puzzle", "real_time")
@pytest.mark.parametrize("payload", ["", "nonsense", b64encode(b"{}").decode()])
def test_form_without_the_solution_of_its_puzzle_is_kept(send, payload):
    response = send(altcha=payload)

    assert response.status_code == 400
    assert errors_of(response) == ["Wait until your browser has finished the check below, and send the form again."]
    assert parse_page(response).one("input", name="title")["value"] == "Choir practice"
    assert not Event.objects.exists()


@pytest.mark.usefixtures("with_puzzle", "real_time")
def test_solution_counts_once(client, send):
    solution = solve(client)

    assert send(altcha=solution).status_code == 303
    assert send(altcha=solution).status_code == 400
    assert Event.objects.count() == 1


@pytest.mark.usefixtures("with_puzzle")
def test_preview_needs_no_solution(send):
    assert send(button="preview").status_code == 200


@pytest.mark.usefixtures("with_puzzle", "real_time")
def test_report_of_a_mistake_needs_a_solution(client, send):
    EventFactory(title="Concert")

    assert send("/event/concert/report/", text="Wrong time", email="").status_code == 400
    assert send("/event/concert/report/", text="Wrong time", email="", altcha=solve(client)).status_code == 303


@pytest.mark.usefixtures("with_puzzle")
def test_page_with_a_puzzle_loads_nothing_from_other_hosts(client):
    response = client.get("/submit/")

    policy = response["Content-Security-Policy"]
    assert "connect-src 'self'; worker-src blob:" in policy
    assert "default-src 'none'" in policy
    widget = parse_page(response).one("altcha-widget")
    assert widget["challengeurl"] == "/submit/challenge/"
    assert b"https://altcha" not in response.content


def test_without_the_setting_there_is_no_puzzle(client):
    assert client.get("/submit/challenge/").status_code == 404
    assert b"altcha" not in client.get("/submit/").content
