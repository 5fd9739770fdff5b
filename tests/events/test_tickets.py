"""Tickets of events, as clients write and read them."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from events.models import Event, Ticket
from tests.factories import EventFactory, TicketFactory
from tests.support.api_client import API, invalid_arguments, listed_ids

pytestmark = pytest.mark.django_db

EVENTS = f"{API}/events"
EVENT = {
    "title": "Concert",
    "start_date": "2030-07-04 18:00",
    "end_date": "2030-07-04 20:00",
    "timezone": "Europe/Rome",
}
SEAT = {
    "name": "Seat",
    "price": "12.50",
    "currency": "EUR",
    "url": "https://tickets.example.org/seat",
    "available_from": "2030-05-01 09:00:00",
    "available_until": "2030-07-04 18:00:00",
    "sold_out": False,
}
STANDING = {
    "name": "Standing",
    "price": "0.00",
    "currency": "EUR",
    "url": "",
    "available_from": "",
    "available_until": "",
    "sold_out": True,
}


def test_tickets_are_answered_as_they_were_sent(author_api, client):
    event = author_api.post(EVENTS, {**EVENT, "tickets": [SEAT, STANDING]}).json()

    published = datetime.fromisoformat(f"{event['date_utc']}+00:00")
    assert (event["ticketed"], event["tickets"]) == (True, [SEAT, STANDING])
    assert client.get(f"{EVENTS}/{event['id']}").json()["json_ld"]["offers"] == [
        {
            "@type": "Offer",
            "name": "Seat",
            "price": "12.50",
            "priceCurrency": "EUR",
            "url": "https://tickets.example.org/seat",
            "category": "primary",
            "availability": "https://schema.org/InStock",
            "validFrom": "2030-05-01T09:00:00+02:00",
            "validThrough": "2030-07-04T18:00:00+02:00",
        },
        {
            "@type": "Offer",
            "name": "Standing",
            "price": "0.00",
            "priceCurrency": "EUR",
            "url": event["url"],
            "category": "primary",
            "availability": "https://schema.org/SoldOut",
            "validFrom": published.astimezone(ZoneInfo("Europe/Rome")).isoformat(timespec="seconds"),
        },
    ]


def test_event_without_tickets_says_so(author_api, client):
    event = author_api.post(EVENTS, EVENT).json()

    assert (event["ticketed"], event["tickets"]) == (False, [])
    assert "offers" not in client.get(f"{EVENTS}/{event['id']}").json()["json_ld"]


def test_tickets_come_in_other_spellings(author_api):
    value = [{"name": " <b>Seat</b> ", "price": 12.5, "currency": "eur", "sold_out": "0", "url": None}]

    event = author_api.post(EVENTS, {**EVENT, "tickets": value}).json()

    assert event["tickets"] == [SEAT | {"url": "", "available_from": "", "available_until": ""}]


def test_tickets_come_in_a_form(author_api):
    response = author_api.post(
        EVENTS,
        "title=Concert&start_date=2030-07-04+18:00&end_date=2030-07-04+20:00"
        "&tickets[0][name]=Seat&tickets[0][price]=5&tickets[0][currency]=USD"
        "&tickets[1][name]=Box&tickets[1][price]=9&tickets[1][currency]=USD",
        content_type="application/x-www-form-urlencoded",
    )

    assert [(ticket["name"], ticket["price"]) for ticket in response.json()["tickets"]] == [
        ("Seat", "5.00"),
        ("Box", "9.00"),
    ]


def test_answer_sent_back_changes_no_ticket(editor_api):
    event = EventFactory()
    TicketFactory(event=event)
    before = list(Ticket.objects.values())
    record = editor_api.get(f"{EVENTS}/{event.pk}").json()

    assert editor_api.put(f"{EVENTS}/{event.pk}", record).json()["tickets"] == record["tickets"]

    assert list(Ticket.objects.values()) == before


# 2:30 in Rome, for the first time and for the second, when summer time has ended.
FIRST_TURN, SECOND_TURN = datetime(2030, 10, 27, 0, 30, tzinfo=UTC), datetime(2030, 10, 27, 1, 30, tzinfo=UTC)


def turns(event):
    """Whether the sales begin and end in the second turn, by the names of the tickets."""
    return {
        ticket.name: (ticket.available_from == SECOND_TURN, ticket.available_until == SECOND_TURN)
        for ticket in event.tickets.all()
    }


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda tickets: tickets, {"early": (False, False), "late": (False, True), "later": (True, True)}),
        (lambda tickets: tickets[::-1], {"early": (False, False), "late": (False, True), "later": (True, True)}),
        (lambda tickets: tickets[2:], {"later": (True, True)}),
        (
            lambda tickets: [tickets[0], {**tickets[1], "price": "20.00"}, {**tickets[2], "name": "last"}],
            {"early": (False, False), "late": (False, True), "last": (True, True)},
        ),
        (lambda tickets: [{**tickets[2], "available_from": ""}], {"later": (False, True)}),
        # Whoever names the turn gets it.
        (
            lambda tickets: [{**tickets[2], "available_from": "2030-10-27 02:30:00 +02:00"}],
            {"later": (False, True)},
        ),
    ],
)
def test_hour_that_summer_time_doubles_keeps_its_turn(editor_api, change, expected):
    event = EventFactory(start="2030-11-01", time_zone="Europe/Rome")
    for position, (name, first, last) in enumerate(
        [("early", FIRST_TURN, FIRST_TURN), ("late", FIRST_TURN, SECOND_TURN), ("later", SECOND_TURN, SECOND_TURN)]
    ):
        TicketFactory(event=event, name=name, position=position, available_from=first, available_until=last)
    record = editor_api.get(f"{EVENTS}/{event.pk}").json()

    response = editor_api.patch(f"{EVENTS}/{event.pk}", {"tickets": change(record["tickets"])})

    assert response.status_code == 200, response.content
    assert turns(event) == expected


@pytest.mark.parametrize("empty", ["", None, []])
def test_tickets_are_taken_off(editor_api, empty):
    ticket = TicketFactory()

    assert editor_api.patch(f"{EVENTS}/{ticket.event_id}", {"tickets": empty}).json()["tickets"] == []
    assert not Ticket.objects.exists()


def test_tickets_that_are_not_named_stay(editor_api):
    ticket = TicketFactory()

    assert len(editor_api.patch(f"{EVENTS}/{ticket.event_id}", {"title": "New"}).json()["tickets"]) == 1


@pytest.mark.parametrize(
    "value",
    [
        "Seat",
        5,
        ["Seat"],
        [{}],
        [{**SEAT, "name": ""}],
        [{**SEAT, "name": "x" * 201}],
        [{**SEAT, "price": "-0.01"}],
        [{**SEAT, "price": "1.234"}],
        [{**SEAT, "price": "free"}],
        [{**SEAT, "price": "99999999999.00"}],
        [{**SEAT, "price": "NaN"}],
        [{**SEAT, "currency": "EURO"}],
        [{**SEAT, "currency": "€"}],
        [{**SEAT, "url": "javascript:alert(1)"}],
        [{**SEAT, "available_from": "soonish"}],
        [{**SEAT, "available_until": "2030-04-30"}],
        [{**SEAT, "sold_out": "maybe"}],
        [SEAT] * 101,
    ],
)
def test_bad_tickets_are_refused_and_nothing_is_saved(author_api, value):
    response = author_api.post(EVENTS, {**EVENT, "tickets": value})

    assert invalid_arguments(response) == ["tickets"]
    assert not Event.objects.exists()


def test_ticketed_filters(client):
    event, without = TicketFactory().event, EventFactory()

    assert listed_ids(client.get(EVENTS, {"ticketed": "true"}), "events") == [event.pk]
    assert listed_ids(client.get(EVENTS, {"ticketed": "false"}), "events") == [without.pk]
