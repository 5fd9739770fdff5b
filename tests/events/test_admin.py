"""Events in the admin: times in their own zone, links in their order, tickets, and the list."""

from datetime import UTC, datetime

import pytest

from events.admin import EventAdmin
from events.models import Event, Ticket
from taxonomy.models import Category, Tag
from tests.factories import (
    CategoryFactory,
    EventFactory,
    OrganizerFactory,
    TagFactory,
    TicketFactory,
    VenueFactory,
)
from tests.support.admin import browser_for, column_texts, form_data, form_errors, listed_titles, post_form, submit_form
from tests.support.api_client import API, api_client_for, listed_ids
from tests.support.content_kinds import EVENT
from tests.support.records import reloaded, venue_titles

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

LIST = "/admin/events/event/"
ADD = f"{LIST}add/"
NEW = EVENT.new_form(status="publish")


def utc(*parts):
    return datetime(*parts, tzinfo=UTC)


# --- Times ---------------------------------------------------------------------------------------


def test_times_are_on_the_clock_of_the_event(settings, editor_browser):
    settings.SITE_TIME_ZONE = "America/Toronto"
    event = EventFactory(start="2027-07-01 20:00", end="2027-07-01 22:30", time_zone="Europe/Rome")

    shown = form_data(editor_browser.get(EVENT.page(event)))
    post_form(editor_browser, EVENT.page(event), shown, start="2027-07-02T21:00", end="2027-07-02T23:15")

    assert [shown[name] for name in ("start", "end", "time_zone")] == [
        ["2027-07-01T20:00"],
        ["2027-07-01T22:30"],
        ["Europe/Rome"],
    ]
    event = reloaded(event)
    assert (event.start, event.end) == (utc(2027, 7, 2, 19), utc(2027, 7, 2, 21, 15))
    assert (event.start_local, event.end_local) == ("2027-07-02 21:00:00", "2027-07-02 23:15:00")


def test_a_new_event_is_in_the_zone_of_the_site(settings, author_browser, author):
    settings.SITE_TIME_ZONE = "America/Toronto"

    shown = form_data(author_browser.get(ADD))["time_zone"]
    submit_form(author_browser, ADD, **NEW, time_zone="")

    event = Event.objects.get()
    assert shown == ["America/Toronto"]
    assert (event.time_zone, event.start, event.author) == ("America/Toronto", utc(2027, 3, 10, 15), author)


def test_another_zone_moves_the_moments_not_the_clock(editor_browser):
    event = EventFactory(start="2027-01-05 10:00", end="2027-01-05 11:00", time_zone="UTC")

    submit_form(editor_browser, EVENT.page(event), time_zone="europe/rome")

    event = reloaded(event)
    assert (event.time_zone, event.start_local, event.start) == (
        "Europe/Rome",
        "2027-01-05 10:00:00",
        utc(2027, 1, 5, 9),
    )


def test_whole_days_have_no_times(editor_browser):
    event = EventFactory(start="2027-03-10 10:00", end="2027-03-12 12:00")

    submit_form(editor_browser, EVENT.page(event), all_day="on")
    shown = form_data(editor_browser.get(EVENT.page(event)))
    submit_form(editor_browser, EVENT.page(event), end="2027-03-11")

    assert (shown["start"], shown["end"], shown["all_day"]) == (["2027-03-10"], ["2027-03-12"], ["on"])
    event = reloaded(event)
    assert (event.start_local, event.end_local, event.all_day) == ("2027-03-10 00:00:00", "2027-03-11 23:59:59", True)


def test_a_whole_day_may_be_one_day(author_browser):
    response = post_form(author_browser, ADD, NEW, start="2027-03-10", end="2027-03-10", all_day="on")

    assert response["Location"] == LIST
    assert (Event.objects.get().start_local, Event.objects.get().end_local) == (
        "2027-03-10 00:00:00",
        "2027-03-10 23:59:59",
    )


@pytest.mark.usefixtures("unrendered_pages")
@pytest.mark.parametrize(
    ("start", "end", "all_day", "is_refused"),
    [
        ("2027-03-10T10:00", "2027-03-10T09:59", None, True),
        ("2027-03-10T10:00", "2027-03-10T10:00", None, False),
        ("2027-03-10T10:00", "2027-03-10T09:00", "on", False),
        ("2027-03-10", "2027-03-09", "on", True),
    ],
)
def test_an_end_before_the_start_is_refused_beside_it(author_browser, start, end, all_day, is_refused):
    response = post_form(author_browser, ADD, NEW, start=start, end=end, all_day=all_day)

    assert Event.objects.exists() != is_refused
    if is_refused:
        assert form_errors(response) == {"end": ["An event cannot end before it starts."]}


@pytest.mark.usefixtures("unrendered_pages")
def test_invalid_times_are_reported_at_their_fields(author_browser):
    response = post_form(author_browser, ADD, NEW, start="soon", end="", time_zone="Europe/Atlantis")
    again = post_form(author_browser, ADD, NEW, start="soon", end="2027-02-30T10:00")

    assert form_errors(response) == {
        "end": ["This field is required."],
        "time_zone": ["Not a valid time zone. Use a name such as Europe/Rome, UTC or UTC+2."],
    }
    assert form_errors(again) == {
        "start": ["Not a valid date. Use a format such as 2027-03-10, 10 March 2027 or tomorrow 9am."],
        "end": ["2027-02-30 is not a valid date."],
    }
    assert not Event.objects.exists()


def test_second_occurrence_of_a_repeated_hour_is_kept(editor_browser):
    # 2:30 for the second time, when summer time has ended.
    event = EventFactory(start="2027-10-31T01:30:00Z", end="2027-10-31T01:45:30Z", time_zone="Europe/Rome")
    assert event.start_local == "2027-10-31 02:30:00"

    shown = form_data(editor_browser.get(EVENT.page(event)))
    post_form(editor_browser, EVENT.page(event), shown, title="changed")

    assert shown["end"] == ["2027-10-31T02:45:30"]
    event = reloaded(event)
    assert (event.title, event.start, event.end) == ("changed", utc(2027, 10, 31, 1, 30), utc(2027, 10, 31, 1, 45, 30))


# --- Cost ----------------------------------------------------------------------------------------


def test_a_cost_is_taken_apart(author_browser):
    post_form(author_browser, ADD, NEW, cost="10 - 30")

    event = Event.objects.get()
    assert (event.cost, event.cost_values) == ("$10 – $30", ["10", "30"])
    assert form_data(author_browser.get(EVENT.page(event)))["cost"] == ["$10 – $30"]


@pytest.mark.usefixtures("unrendered_pages")
def test_a_cost_that_is_none_is_refused_beside_it(author_browser):
    response = post_form(author_browser, ADD, NEW, cost="-5")

    assert form_errors(response) == {"cost": ["A cost cannot be negative."]}
    assert not Event.objects.exists()


# --- Links ---------------------------------------------------------------------------------------


def test_venues_and_organizers_keep_their_order(editor_browser):
    venues, organizers = VenueFactory.create_batch(3), OrganizerFactory.create_batch(2)
    event = EventFactory()

    submit_form(
        editor_browser,
        EVENT.page(event),
        ordered_venues=[venues[2].pk, venues[0].pk, venues[1].pk, venues[0].pk],
        ordered_organizers=[organizers[1].pk, organizers[0].pk],
    )
    shown = form_data(editor_browser.get(EVENT.page(event)))
    post_form(editor_browser, EVENT.page(event), shown, ordered_venues=[venues[1].pk, venues[2].pk])

    assert shown["ordered_venues"] == [str(venues[2].pk), str(venues[0].pk), str(venues[1].pk)]
    assert shown["ordered_organizers"] == [str(organizers[1].pk), str(organizers[0].pk)]
    assert venue_titles(event) == [venues[1].title, venues[2].title]


def test_all_links_can_be_taken_away(editor_browser):
    event = EventFactory(
        venues=[VenueFactory()], organizers=[OrganizerFactory()], categories=[CategoryFactory()], tags=[TagFactory()]
    )
    names = ("ordered_venues", "ordered_organizers", "categories", "tags")

    response = submit_form(editor_browser, EVENT.page(event), **dict.fromkeys(names))

    assert response["Location"] == LIST
    event = reloaded(event)
    assert [rows.count() for rows in (event.venues, event.organizers, event.categories, event.tags)] == [0, 0, 0, 0]


@pytest.mark.parametrize("status", ["draft", "trash"])
def test_what_the_user_may_not_see_is_neither_linked_nor_lost(author_browser, author, status):
    seen, hidden = VenueFactory(title="Seen"), VenueFactory(title="Hidden", status="draft")
    unseen = VenueFactory(title="Unseen", status=status)
    event = EventFactory(author=author, venues=[hidden, seen])

    shown = form_data(author_browser.get(EVENT.page(event)))
    refused = post_form(author_browser, EVENT.page(event), shown, ordered_venues=[seen.pk, unseen.pk])
    post_form(author_browser, EVENT.page(event), shown, title="changed")
    kept = venue_titles(event)
    post_form(author_browser, EVENT.page(event), shown, ordered_venues=None)

    assert shown["ordered_venues"] == [str(seen.pk)]
    assert list(form_errors(refused)) == ["ordered_venues"]
    assert kept == ["Hidden", "Seen"]
    assert venue_titles(event) == ["Hidden"]


def test_a_hidden_whole_stays_until_another_is_chosen(author_browser, author):
    hidden, seen = EventFactory(status="draft"), EventFactory()
    part = EventFactory(author=author, parent=hidden)

    shown = form_data(author_browser.get(EVENT.page(part)))
    refused = submit_form(author_browser, EVENT.page(EventFactory(author=author)), parent=hidden.pk)
    post_form(author_browser, EVENT.page(part), shown, title="changed")
    kept = reloaded(part).parent
    post_form(author_browser, EVENT.page(part), shown, parent=seen.pk)

    assert shown["parent"] == [""]
    assert list(form_errors(refused)) == ["parent"]
    assert (kept, reloaded(part).parent) == (hidden, seen)


@pytest.mark.usefixtures("unrendered_pages")
def test_an_event_is_no_part_of_itself(editor_browser):
    whole = EventFactory()
    part = EventFactory(parent=whole)

    response = post_form(editor_browser, EVENT.page(whole), EVENT.saved_form(whole), parent=part.pk)

    assert form_errors(response) == {"parent": ["An event cannot be part of itself."]}
    assert reloaded(whole).parent is None


def test_the_counts_of_terms_are_kept(editor_browser):
    category, tag = CategoryFactory(), TagFactory()
    event = EventFactory(status="draft")

    form = EVENT.saved_form(event, categories=[category.pk], tags=[tag.pk])
    post_form(editor_browser, EVENT.page(event), form)
    as_draft = Category.objects.get().event_count, Tag.objects.get().event_count
    post_form(editor_browser, EVENT.page(event), form, status="publish")

    assert as_draft == (0, 0)
    assert (Category.objects.get().event_count, Tag.objects.get().event_count) == (1, 1)
    editor_browser.post(f"{LIST}{event.pk}/trash/")
    assert (Category.objects.get().event_count, Tag.objects.get().event_count) == (0, 0)


def test_an_event_comes_back_from_the_trash_whole(editor_browser):
    event = EventFactory(venues=[VenueFactory(title="Hall")])

    editor_browser.post(f"{LIST}{event.pk}/trash/")
    editor_browser.post(f"{LIST}{event.pk}/restore/")

    assert (reloaded(event).status, venue_titles(event)) == ("publish", ["Hall"])


def test_links_changed_by_two_at_once_are_for_the_user_to_decide(editor_browser):
    old, mine, theirs = VenueFactory(), VenueFactory(title="Mine"), VenueFactory(title="Theirs")
    event = EventFactory(venues=[old])
    old_page = form_data(editor_browser.get(EVENT.page(event)))

    submit_form(editor_browser, EVENT.page(event), ordered_venues=[theirs.pk])
    untouched = editor_browser.post(EVENT.page(event), {**old_page, "title": "changed"})
    asked = editor_browser.post(EVENT.page(event), {**old_page, "title": "changed", "ordered_venues": [str(mine.pk)]})

    assert (untouched["Location"], venue_titles(event)) == (LIST, ["Theirs"])
    assert form_errors(asked) == {
        "ordered_venues": ["Someone else has changed this to: Theirs. Save again to replace it with your value."]
    }
    editor_browser.post(EVENT.page(event), form_data(asked))
    assert venue_titles(event) == ["Mine"]


@pytest.mark.parametrize("nonsense", ["abc", "9" * 30, "-1", "\0", "1,2"])
def test_invalid_ids_are_refused(editor_browser, nonsense):
    event = EventFactory(title="Concert")
    names = ("ordered_venues", "ordered_organizers", "categories", "tags", "parent")

    response = editor_browser.post(EVENT.page(event), EVENT.saved_form(event, **dict.fromkeys(names, nonsense)))
    action = editor_browser.post(LIST, {"action": "move_to_trash", "_selected_action": [event.pk, nonsense]})
    asked = editor_browser.get(ADD, {"parent": nonsense})

    assert sorted(form_errors(response)) == sorted(names)
    assert (action.status_code, asked.status_code, reloaded(event).status) == (400, 200, "publish")


# --- Tickets -------------------------------------------------------------------------------------

TICKET = {
    "tickets-TOTAL_FORMS": "1",
    "tickets-0-name": "Day pass",
    "tickets-0-price": "12.50",
    "tickets-0-currency": "EUR",
    "tickets-0-url": "",
    "tickets-0-available_from": "2027-03-01T09:00",
    "tickets-0-available_until": "",
    "tickets-0-position": "0",
}


def test_a_ticket_is_on_the_clock_of_its_event(author_browser):
    post_form(author_browser, ADD, {**NEW, **TICKET}, time_zone="Europe/Rome")

    ticket = Ticket.objects.get()
    shown = form_data(author_browser.get(EVENT.page(ticket.event)))
    assert (ticket.name, str(ticket.price), ticket.available_from) == ("Day pass", "12.50", utc(2027, 3, 1, 8))
    assert ticket.available_until is None
    assert shown["tickets-0-available_from"] == ["2027-03-01T09:00"]


def test_tickets_are_changed_and_taken_away(editor_browser):
    event = EventFactory()
    kept, gone = TicketFactory(event=event, name="Kept"), TicketFactory(event=event, name="Gone")

    response = submit_form(editor_browser, EVENT.page(event), **{"tickets-0-price": "15", "tickets-1-DELETE": "on"})

    assert response["Location"] == LIST
    assert [(ticket.pk, ticket.price) for ticket in event.tickets.all()] == [(kept.pk, 15)]
    assert gone.name == "Gone"


@pytest.mark.usefixtures("unrendered_pages")
@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"tickets-0-price": "-1"}, {"price": ["A price cannot be negative."]}),
        ({"tickets-0-name": ""}, {"name": ["This field is required."]}),
        ({"tickets-0-url": "nowhere"}, {"url": ["Enter a URL that starts with http:// or https://."]}),
        (
            {"tickets-0-available_until": "2027-02-01T09:00"},
            {"available_until": ["“Available until” cannot be before “Available from”."]},
        ),
    ],
)
def test_errors_of_tickets_are_reported_at_their_fields(author_browser, changes, wrong):
    response = post_form(author_browser, ADD, {**NEW, **TICKET, **changes})

    (ticket,) = response.context["inline_admin_formsets"][0].formset.forms
    assert ticket.errors == wrong
    assert not Event.objects.exists()


def test_tickets_have_a_place_without_the_section_that_they_stand_behind(editor_browser, monkeypatch):
    event = EventFactory()
    others = [(name, section) for name, section in EventAdmin.fieldsets if "cost" not in section["fields"]]
    monkeypatch.setattr(EventAdmin, "fieldsets", others)

    submit_form(editor_browser, EVENT.page(event), **TICKET)

    assert [ticket.name for ticket in event.tickets.all()] == ["Day pass"]


def test_tickets_changed_by_two_at_once_are_not_lost(editor_browser):
    event = EventFactory()
    ticket = TicketFactory(event=event, name="Old", price=10)
    old_page = form_data(editor_browser.get(EVENT.page(event)))

    post_form(editor_browser, EVENT.page(event), old_page, **{"tickets-0-name": "New"})
    merged = editor_browser.post(EVENT.page(event), {**old_page, "tickets-0-price": "20"})
    asked = editor_browser.post(EVENT.page(event), {**old_page, "tickets-0-name": "Mine"})
    ticket.delete()
    stale = editor_browser.post(EVENT.page(event), {**old_page, "tickets-0-name": "Mine"})
    given_up = editor_browser.post(EVENT.page(event), {**old_page, "tickets-0-name": "Mine", "tickets-0-DELETE": "on"})

    assert merged["Location"] == LIST
    assert (ticket.name, list(asked.context["inline_admin_formsets"][0].formset.forms[0].errors)) == ("Old", ["name"])
    assert stale.context["inline_admin_formsets"][0].formset.forms[0].non_field_errors() == [
        "Someone else has deleted this ticket. Select “Delete” for it, then save again."
    ]
    assert (given_up["Location"], Ticket.objects.count()) == (LIST, 0)


# --- Who may only look ---------------------------------------------------------------------------


def test_read_only_form_shows_local_times_and_no_hidden_fields(settings, author_browser):
    settings.SITE_TIME_ZONE = "America/Toronto"
    event = EventFactory(
        start="2027-07-01 20:00",
        end="2027-07-01 22:30",
        time_zone="Europe/Rome",
        venues=[VenueFactory(title="Hall"), VenueFactory(title="Hidden hall", status="draft")],
        organizers=[OrganizerFactory(title="Club"), OrganizerFactory(title="Hidden club", status="draft")],
        parent=EventFactory(title="Hidden whole", status="draft"),
    )
    TicketFactory(event=event, available_from=utc(2027, 3, 1, 8))

    text = author_browser.get(EVENT.page(event)).content.decode()

    assert "Thu 1 Jul 2027, 20:00 – 22:30 (Europe/Rome)" in text
    assert "Mon 1 Mar 2027, 09:00 – …" in text
    assert ">Hall</div>" in text
    assert ">Club</div>" in text
    assert "Hidden" not in text
    assert '<input type="text" name="title"' not in text


# --- List ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 3])
def test_event_list_query_count(editor_browser, django_assert_num_queries, count):
    for _ in range(count):
        EventFactory(
            venues=VenueFactory.create_batch(2),
            organizers=[OrganizerFactory()],
            categories=[CategoryFactory()],
            tags=[TagFactory()],
            parent=EventFactory(status="trash"),
        )

    # session, user, permissions, count, page with its authors, its venues, its categories, first and last year,
    # years with events
    with django_assert_num_queries(11):
        response = editor_browser.get(LIST)

    assert len(listed_titles(response)) == count


@pytest.mark.parametrize("count", [1, 3])
def test_event_form_query_count(editor_browser, django_assert_num_queries, count):
    event = EventFactory(
        venues=VenueFactory.create_batch(count),
        organizers=OrganizerFactory.create_batch(count),
        categories=CategoryFactory.create_batch(count),
        tags=TagFactory.create_batch(count),
        parent=EventFactory(),
    )
    TicketFactory.create_batch(count, event=event)

    # The first look at any form of events remembers their content type.
    editor_browser.get(EVENT.page(event))

    # session, user, permissions; event, its venues and organizers; categories and tags; whether the whole is
    # seen; tickets; what the five controls show; author; the declared custom fields; the newest revision and drafts of
    # the form; the currency of the last ticket
    with django_assert_num_queries(20):
        editor_browser.get(EVENT.page(event))


@pytest.mark.parametrize(
    ("dates", "text"),
    [
        (("2027-03-10 10:00", "2027-03-10 12:30"), "Wed 10 Mar 2027, 10:00 – 12:30"),
        (("2027-03-10 10:00", "2027-03-10 10:00"), "Wed 10 Mar 2027, 10:00"),
        (("2027-03-10 22:00", "2027-03-11 02:00"), "Wed 10 Mar 2027, 22:00 – Thu 11 Mar 2027, 02:00"),
    ],
)
def test_event_list_shows_when_and_where(editor_browser, dates, text):
    start, end = dates
    EventFactory(
        start=start, end=end, venues=[VenueFactory(title="B"), VenueFactory(title="A"), VenueFactory(title="C")]
    )

    response = editor_browser.get(LIST)

    assert column_texts(response, "times") == [text]
    assert column_texts(response, "venue_names") == ["B, A, C"]


@pytest.mark.parametrize(
    ("end", "text"),
    [("2027-03-10", "Wed 10 Mar 2027, all day"), ("2027-03-12", "Wed 10 Mar 2027 – Fri 12 Mar 2027, all day")],
)
def test_event_list_shows_whole_days_and_other_zones(editor_browser, end, text):
    EventFactory(start="2027-03-10", end=end, all_day=True, time_zone="Europe/Rome")

    assert f"{text} (Europe/Rome)" in editor_browser.get(LIST).content.decode()


def test_event_list_names_no_venue_that_is_hidden(author_browser):
    EventFactory(venues=[VenueFactory(title="Hidden", status="draft"), VenueFactory(title="Hall")])

    assert column_texts(author_browser.get(LIST), "venue_names") == ["Hall"]


@pytest.mark.usefixtures("unrendered_pages")
def test_event_list_is_filtered_by_time(editor_browser):
    for title, start, end in (
        ("past", "-3 days", "-2 days"),
        ("long past", "-30 days", "-29 days"),
        ("under way", "-1 day", "+1 day"),
        ("next", "+2 days", "+3 days"),
        ("later", "+20 days", "+21 days"),
    ):
        EventFactory(title=title, start=start, end=end)

    assert listed_titles(editor_browser.get(LIST, {"time": "coming"})) == ["under way", "next", "later"]
    assert listed_titles(editor_browser.get(LIST, {"time": "past"})) == ["past", "long past"]
    assert listed_titles(editor_browser.get(LIST)) == ["under way", "next", "later", "past", "long past"]


def test_event_list_is_filtered_by_what_it_links_to(editor_browser):
    music = CategoryFactory(name="Music")
    jazz = CategoryFactory(name="Jazz", parent=music)
    tag, venue, organizer = TagFactory(), VenueFactory(title="Hall"), OrganizerFactory()
    EventFactory(title="music", categories=[music])
    EventFactory(title="jazz", categories=[jazz])
    EventFactory(title="linked", tags=[tag], venues=[VenueFactory(), venue], organizers=[organizer])
    EventFactory(title="featured", featured=True)

    assert listed_titles(editor_browser.get(LIST, {"category": music.pk})) == ["music", "jazz"]
    assert listed_titles(editor_browser.get(LIST, {"category": jazz.pk})) == ["jazz"]
    assert listed_titles(editor_browser.get(LIST, {"tag": tag.pk})) == ["linked"]
    assert listed_titles(editor_browser.get(LIST, {"venue": venue.pk})) == ["linked"]
    assert listed_titles(editor_browser.get(LIST, {"organizer": organizer.pk})) == ["linked"]
    assert listed_titles(editor_browser.get(LIST, {"featured": "yes"})) == ["featured"]
    page = editor_browser.get(LIST, {"venue": venue.pk, "time": "coming"}).content.decode()
    assert f'<option value="{venue.pk}" selected>Hall</option>' in page
    assert '<input type="hidden" name="time" value="coming">' in page


@pytest.mark.usefixtures("unrendered_pages")
def test_event_list_is_filtered_by_no_venue_that_is_hidden(author_browser):
    hidden = VenueFactory(status="draft")
    EventFactory(venues=[hidden])

    for value in (hidden.pk, 0, "x", "9" * 30):
        assert author_browser.get(LIST, {"venue": value})["Location"].endswith("?e=1")


# --- Choosing ------------------------------------------------------------------------------------


def choices(client, field, term=""):
    parameters = {"app_label": "events", "model_name": "event", "field_name": field, "term": term}
    return [choice["text"] for choice in client.get("/admin/autocomplete/", parameters).json()["results"]]


def test_choices_are_what_the_user_may_see(author_browser, editor_browser, author):
    VenueFactory(title="beta"), VenueFactory(title="Alpha", status="draft", author=author)
    VenueFactory(title="Draft", status="draft"), VenueFactory(title="Gone", status="trash", author=author)

    assert choices(author_browser, "venues") == ["Alpha", "beta"]
    assert choices(editor_browser, "venues") == ["Alpha", "beta", "Draft"]
    assert choices(editor_browser, "venues", "BET") == ["beta"]
    assert choices(editor_browser, "venues", "\0 bet") == ["beta"]


def test_choices_of_wholes_are_the_latest_first(editor_browser):
    EventFactory(title="Festival 2026", start="2026-06-01")
    EventFactory(title="Festival 2027", start="2027-06-01")
    EventFactory(title="Concert", start="2028-06-01")

    assert choices(editor_browser, "parent", "festival") == ["Festival 2027", "Festival 2026"]


def test_choices_are_closed_to_those_without_work_here(subscriber):
    subscriber.is_staff = True
    subscriber.save()
    parameters = {"app_label": "events", "model_name": "event", "field_name": "venues"}

    assert browser_for(subscriber).get("/admin/autocomplete/", parameters).status_code == 403
    assert browser_for(None).get("/admin/autocomplete/", parameters).status_code == 302


# --- Passwords -----------------------------------------------------------------------------------


@pytest.fixture
def protected():
    """A published event with a password and with everything that it protects."""
    event = EventFactory(
        title="Meeting",
        description="Behind the curtain",
        password="sesame",
        start="2027-03-10",
        all_day=True,
        cost="$99",
        featured=True,
        venues=[VenueFactory(title="Backroom")],
        organizers=[OrganizerFactory(title="Conspirators")],
        categories=[CategoryFactory(name="Plots")],
        tags=[TagFactory(name="Hushed")],
    )
    TicketFactory(event=event, name="Mask included")
    return event


PROTECTED_WORDS = ("curtain", "sesame", "all day", "$99", "Backroom", "Conspirators", "Plots", "Hushed", "Mask")


def test_a_protected_event_shows_title_and_dates_alone_to_strangers(author_browser, editor_browser, protected):
    page_of_stranger, page_of_editor = (
        client.get(EVENT.page(protected)).content.decode() for client in (author_browser, editor_browser)
    )
    list_of_stranger = author_browser.get(LIST).content.decode().partition('id="changelist-filter"')[0]

    assert "Wed 10 Mar 2027, 00:00 – 23:59" in page_of_stranger
    assert "Wed 10 Mar 2027, 00:00 – 23:59" in list_of_stranger
    assert [word for word in PROTECTED_WORDS if word in page_of_stranger + list_of_stranger] == []
    assert [word for word in PROTECTED_WORDS if word not in page_of_editor] == []


@pytest.mark.usefixtures("unrendered_pages")
def test_a_protected_event_is_found_by_nothing_that_it_hides(author_browser, editor_browser, author, editor, protected):
    EventFactory(title="Open")
    links = {
        "category": Category.objects.get().pk,
        "tag": Tag.objects.get().pk,
        "venue": protected.venues.get().pk,
        "organizer": protected.organizers.get().pk,
        "featured": "yes",
        "q": "curtain",
    }

    for name, value in links.items():
        assert listed_titles(author_browser.get(LIST, {name: value})) == []
        assert listed_titles(editor_browser.get(LIST, {name: value})) == ["Meeting"]
    assert listed_titles(author_browser.get(LIST, {"q": "meet"})) == ["Meeting"]
    for user, shown in ((author, []), (editor, [protected.pk])):
        api = api_client_for(user)
        for asked in ({"search": "curtain"}, {"venue": links["venue"]}, {"featured": "true"}):
            assert listed_ids(api.get(f"{API}/events", {"start_date": "2027-01-01", **asked}), "events") == shown
    assert choices(author_browser, "parent", "curtain") == []
    for lookup in ("password__startswith", "description__contains", "featured__exact", "venues__id__exact"):
        assert author_browser.get(LIST, {lookup: "1"}).status_code == 400
        assert editor_browser.get(LIST, {lookup: "1"}).status_code == 400


def test_a_password_is_set_and_taken_off(author_browser, author):
    event = EventFactory(author=author)

    post_form(author_browser, EVENT.page(event), EVENT.saved_form(event), password=" Sésame ")
    argument = reloaded(event).password
    submit_form(author_browser, EVENT.page(event), title="changed")
    kept = reloaded(event).password
    post_form(author_browser, EVENT.page(event), EVENT.saved_form(event), password="")

    assert (argument, kept, reloaded(event).password) == (" Sésame ", " Sésame ", "")
