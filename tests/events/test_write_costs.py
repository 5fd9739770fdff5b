"""The cost of an event, from the request to the response. For all formats, see test_costs.py."""

import pytest

from tests.factories import EventFactory
from tests.support.api_client import API, invalid_params
from tests.support.api_writes import created_record, event_data, stored_rows, updated_record

EVENTS = f"{API}/events"

# What is given: what is answered as cost, currency symbol, its position, and values.
COSTS = [
    ("", "", "", "", []),
    ([], "", "", "", []),
    (None, "", "", "", []),
    ("10", "$10", "", "", ["10"]),
    (25, "$25", "", "", ["25"]),
    ("10.50", "$10.50", "", "", ["10.50"]),
    (7.25, "$7.25", "", "", ["7.25"]),
    ("1,000", "$1,000", "", "", ["1000"]),
    ("$10", "$10", "$", "prefix", ["10"]),
    ("$ 15", "$15", "$", "prefix", ["15"]),
    ("€25", "€25", "€", "prefix", ["25"]),
    ("15 $", "15$", "$", "postfix", ["15"]),
    ("25€", "25€", "€", "postfix", ["25"]),
    ("EUR 25", "EUR25", "EUR", "prefix", ["25"]),
    ("25 CHF", "25CHF", "CHF", "postfix", ["25"]),
    ("Free", "Free", "", "", ["free"]),
    ("Donation", "Donation", "", "", ["donation"]),
    ("$0", "Free", "$", "prefix", ["0"]),
    ("0", "Free", "", "", ["0"]),
    (0, "Free", "", "", ["0"]),
    ("10 - 30", "$10 – $30", "", "", ["10", "30"]),
    ("$10 - $30", "$10 – $30", "", "", ["10", "30"]),
    (["20", "10", "15"], "$10 – $20", "", "", ["10", "15", "20"]),
    (["0$", "20$", "30$"], "Free – 30$", "$", "postfix", ["0", "20", "30"]),
    ("$1,000.50", "$1,000.50", "$", "prefix", ["1000.50"]),
]


def cost_of(event):
    details = event["cost_details"]
    assert details["currency_code"] == ""
    return event["cost"], details["currency_symbol"], details["currency_position"], details["values"]


def test_cost_is_answered_as_the_contract_says(editor_api):
    events = [created_record(editor_api.post(EVENTS, event_data(cost=value))) for value, *_answered in COSTS]

    assert [cost_of(event) for event in events] == [tuple(answered) for _given, *answered in COSTS]


def test_cost_of_an_update_is_read_alike(editor_api):
    event = EventFactory(cost="£99")

    changed = [updated_record(editor_api.post(f"{EVENTS}/{event.pk}", {"cost": value})) for value, *_answered in COSTS]

    assert [cost_of(event) for event in changed] == [tuple(answered) for _given, *answered in COSTS]


@pytest.mark.parametrize(
    ("form", "answered"),
    [
        ("cost=10", ("$10", "", "", ["10"])),
        ("cost[]=10", ("$10", "", "", ["10"])),
        ("cost[]=10&cost[]=20", ("$10 – $20", "", "", ["10", "20"])),
        ("cost=10&cost=20", ("$10 – $20", "", "", ["10", "20"])),
        ("cost=", ("", "", "", [])),
        ("cost[]=", ("", "", "", [])),
    ],
)
def test_cost_is_read_from_forms(editor_api, form, answered):
    event = EventFactory(cost="£99")

    response = editor_api.put(f"{EVENTS}/{event.pk}", form, content_type="application/x-www-form-urlencoded")

    assert cost_of(updated_record(response)) == answered


def test_cost_that_is_not_sent_stays(editor_api):
    event = EventFactory(cost="€25")

    assert cost_of(updated_record(editor_api.post(f"{EVENTS}/{event.pk}", {"title": "New"}))) == (
        "€25",
        "€",
        "prefix",
        ["25"],
    )


def test_default_currency_is_that_of_the_settings(editor_api, settings):
    settings.DEFAULT_CURRENCY_SYMBOL, settings.DEFAULT_CURRENCY_POSITION = "€", "postfix"

    event = created_record(editor_api.post(EVENTS, event_data(cost="10")))

    assert cost_of(event) == ("10€", "", "", ["10"])


NO_COSTS = [True, False, {}, {"price": 10}, ["10", True], ["10", "€20", "$30"], -5, "-5", "x" * 201, [["10"]], 1e300]


def test_what_is_no_cost_is_refused(editor_api):
    event = EventFactory(cost="€25")
    before = stored_rows()

    creates = [editor_api.post(EVENTS, event_data(cost=value)) for value in NO_COSTS]
    updates = [editor_api.post(f"{EVENTS}/{event.pk}", {"cost": value}) for value in NO_COSTS]

    assert [list(invalid_params(response)) for response in creates] == [["cost"]] * len(NO_COSTS)
    assert [list(invalid_params(response)) for response in updates] == [["cost"]] * len(NO_COSTS)
    assert stored_rows() == before
