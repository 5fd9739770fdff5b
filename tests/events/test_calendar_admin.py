"""The calendar of the admin: the events of each day that a user may see, and moving events."""

import re
from html import unescape

import pytest
from django.utils import translation

from events.models import Event
from tests.factories import CategoryFactory, EventFactory, VenueFactory
from tests.support.admin import browser_for, submit_form

pytestmark = pytest.mark.django_db

CALENDAR = "/admin/events/event/calendar/"


def shown_days(response):
    """Return the days of a month or a list."""
    assert response.status_code == 200, response
    context = response.context
    return [day for week in context["weeks"] for day in week] if "weeks" in context else context["days"]


def days(response):
    """Return the titles of the events of each day that has any, those of bars under the day on which they begin."""
    return {
        day.day.isoformat(): titles
        for day in shown_days(response)
        if (titles := [str(card.event) for card in [*(bar.card for bar in day.bars), *day.cards, *day.more_cards]])
    }


def all_cards(response):
    return [card for day in shown_days(response) for card in day.cards]


def in_march(client, **parameters):
    return client.get(CALENDAR, {"day": "2027-03-10", **parameters})


def post_move(client, event, old, new, **more):
    return client.post(f"/admin/events/event/{event.pk}/move/", {"from": old, "to": new, **more})


def test_card_of_an_event_elsewhere_names_its_own_time(editor_browser):
    EventFactory(title="Stream", start="2027-03-10 20:00", end="2027-03-10 22:00", time_zone="Europe/Zurich")
    EventFactory(title="Talk", start="2027-03-10 18:00", end="2027-03-10 19:00")

    talk, stream = all_cards(in_march(editor_browser))

    assert [(card.time, card.elsewhere) for card in (talk, stream)] == [("18:00", ""), ("19:00", "20:00 Zurich")]
    assert "20:00 Zurich" in in_march(editor_browser, view="week").text


# --- Looking -------------------------------------------------------------------------------------


def test_month_shows_each_event_on_the_days_of_the_site(editor_browser):
    EventFactory(title="Late", start="2027-03-10 22:00", end="2027-03-11 00:00", time_zone="America/Halifax")
    # On the first day of the page there, and on the last day of the week before here.
    EventFactory(title="Elsewhere", start="2027-02-28 05:00", end="2027-02-28 06:00", time_zone="Asia/Tokyo")
    EventFactory(title="Here", start="2027-02-27 22:00", end="2027-02-27 23:00", time_zone="America/Halifax")
    EventFactory(title="Night", start="2027-03-10 23:00", end="2027-03-11 02:00")
    EventFactory(title="Days", start="2027-03-30", end="2027-04-02", all_day=True)
    EventFactory(title="Moment", start="2027-03-12 00:00", end="2027-03-12 00:00")
    EventFactory(title="Before", start="2027-02-27 10:00", end="2027-02-27 11:00")
    EventFactory(title="After", start="2027-04-04 00:00", end="2027-04-04 01:00")

    # The weeks of March 2027 go from Sunday, 28 February, to Saturday, 3 April.
    assert days(in_march(editor_browser)) == {
        "2027-02-28": ["Here"],
        "2027-03-10": ["Night"],
        "2027-03-11": ["Late"],
        "2027-03-12": ["Moment"],
        "2027-03-30": ["Days"],
    }
    assert days(in_march(editor_browser, view="list")) == {
        "2027-03-10": ["Night"],
        "2027-03-11": ["Late"],
        "2027-03-12": ["Moment"],
        "2027-03-30": ["Days"],
        "2027-03-31": ["Days"],
    }


def bars(response):
    """Return the bars of a month: title, week, column, span, row, and whether they go on before or after the week."""
    return [
        (str(bar.card.event), number, *bar[1:])
        for number, week in enumerate(response.context["weeks"])
        for day in week
        for bar in day.bars
    ]


def test_month_shows_an_event_over_several_days_as_a_bar_in_each_week(editor_browser):
    EventFactory(title="Camp", start="2027-03-12 18:00", end="2027-03-15 12:00")
    EventFactory(title="Fair", start="2027-03-13", end="2027-03-14", all_day=True)
    EventFactory(title="Talk", start="2027-03-13 18:00", end="2027-03-13 20:00")
    EventFactory(title="Party", start="2027-03-12 22:00", end="2027-03-13 04:00")

    response = in_march(editor_browser)

    assert bars(response) == [
        ("Camp", 1, 6, 2, 1, False, True),
        ("Fair", 1, 7, 1, 2, False, True),
        ("Camp", 2, 1, 2, 1, True, False),
        ("Fair", 2, 1, 1, 2, True, False),
    ]
    rows = {day.day.day: day.bar_rows for week in response.context["weeks"][1:3] for day in week if day.bar_rows}
    assert rows == {12: 1, 13: 2, 14: 2, 15: 1}
    assert days(response) == {
        "2027-03-12": ["Camp", "Party"],
        "2027-03-13": ["Fair", "Talk"],
        "2027-03-14": ["Camp", "Fair"],
    }


def test_events_without_room_for_a_bar_are_listed_on_each_day(editor_browser):
    for number in range(5):
        EventFactory(title=f"Fair {number}", start="2027-03-09", end="2027-03-10", all_day=True)

    tuesday, wednesday = in_march(editor_browser).context["weeks"][1][2:4]

    assert [str(bar.card.event) for bar in tuesday.bars] == ["Fair 0", "Fair 1", "Fair 2"]
    assert (tuesday.bar_rows, wednesday.bar_rows, wednesday.bars) == (3, 3, [])
    assert [str(card.event) for card in tuesday.cards] == ["Fair 3", "Fair 4"]
    assert [str(card.event) for card in wednesday.cards] == ["Fair 3", "Fair 4"]


def test_what_goes_on_for_longer_stands_above_the_days_once(editor_browser):
    EventFactory(title="Exhibition", start="2026-11-01", end="2027-05-31", all_day=True)
    EventFactory(title="Over", start="2026-11-01", end="2027-02-27", all_day=True)

    response = in_march(editor_browser)

    assert [str(card.event) for card in response.context["long_events"]] == ["Exhibition"]
    assert days(response) == {}


def test_weeks_begin_as_the_language_has_it(editor_browser):
    def week(response):
        return [column.day.isoformat() for column in response.context["columns"]]

    english = week(in_march(editor_browser, view="week"))
    with translation.override("de"):
        german = week(in_march(editor_browser, view="week"))

    assert (english[0], english[-1]) == ("2027-03-07", "2027-03-13")
    assert (german[0], german[-1]) in [("2027-03-08", "2027-03-14"), (english[0], english[-1])]


@pytest.mark.parametrize(
    ("view", "earlier", "later"),
    [
        ("month", "2027-02-01", "2027-04-01"),
        ("week", "2027-03-03", "2027-03-17"),
        ("day", "2027-03-09", "2027-03-11"),
        ("list", "2027-02-01", "2027-04-01"),
    ],
)
def test_calendar_leads_to_what_is_before_and_after(editor_browser, view, earlier, later):
    ways = in_march(editor_browser, view=view).context["navigation"]

    assert [ways[0][2], ways[2][2]] == [f"?day={earlier}&view={view}", f"?day={later}&view={view}"]


def test_calendar_is_filtered_and_searched_as_the_list_is(editor_browser):
    jazz, hall = CategoryFactory(name="Jazz"), VenueFactory(title="Hall")
    EventFactory(title="Jam", start="2027-03-10 20:00", end="2027-03-10 22:00", categories=[jazz], venues=[hall])
    EventFactory(title="Talk", start="2027-03-10 21:00", end="2027-03-10 22:00", status="draft")
    EventFactory(title="Gone", start="2027-03-10 21:00", end="2027-03-10 22:00", status="trash")

    def shown(**parameters):
        return days(in_march(editor_browser, **parameters)).get("2027-03-10", [])

    assert shown() == ["Jam", "Talk"]
    assert shown(category=jazz.pk) == ["Jam"]
    assert shown(venue=hall.pk) == ["Jam"]
    assert shown(status="draft") == ["Talk"]
    assert shown(status="trash") == ["Gone"]
    assert shown(q="talk") == ["Talk"]


def test_calendar_shows_no_more_than_the_user_may_see(author_browser, author):
    EventFactory(title="Others draft", start="2027-03-10 20:00", end="2027-03-10 22:00", status="draft")
    EventFactory(title="Mine", start="2027-03-10 20:00", end="2027-03-10 22:00", status="draft", author=author)
    EventFactory(
        title="Secret",
        start="2027-03-10 21:00",
        end="2027-03-10 22:00",
        password="x",
        categories=[CategoryFactory(name="Hidden kind")],
        venues=[VenueFactory(title="Hidden hall")],
    )

    response = in_march(author_browser)
    page = response.content.decode()

    assert days(response) == {"2027-03-10": ["Mine", "Secret"]}
    assert "Hidden" not in page
    assert [card.can_move for card in all_cards(response)] == [True, False]


def test_a_day_leads_to_the_form_of_a_new_event_on_it(editor_browser):
    response = in_march(editor_browser)
    path = response.context["weeks"][1][3].add_url
    form = editor_browser.get(path).content.decode()

    back = "_changelist_filters=day%3D2027-03-10%26view%3Dmonth"
    assert path == f"/admin/events/event/add/?{back}&start=2027-03-10T19:00&end=2027-03-10T21:00"
    assert 'value="2027-03-10T19:00"' in form
    assert 'value="2027-03-10T21:00"' in form


def test_calendar_is_refused_to_subscribers(subscriber):
    response = browser_for(subscriber).get(CALENDAR)

    assert response.status_code in (302, 403)


@pytest.mark.parametrize(
    "parameters",
    [
        {"day": "x"},
        {"day": "0001-01-01"},
        {"day": "9999-12-31", "view": "week"},
        {"day": "9999-12-31", "view": "list"},
        {"day": "0001-01-01", "view": "week"},
        {"day": "9999-12-31", "view": "day"},
        {"day": "0001-01-01", "view": "day"},
        {"view": "x"},
        {"p": "x"},
        {"day": "\0"},
    ],
)
def test_calendar_ignores_invalid_periods(editor_browser, parameters):
    assert editor_browser.get(CALENDAR, parameters).status_code == 200


def test_calendar_shows_active_filters_with_links_that_keep_the_period(editor_browser):
    period = {"view": "week", "day": "2027-03-10"}

    page = editor_browser.get(CALENDAR, {**period, "status": "draft", "q": "talk"})

    assert page.context["cl"].active_filters == [
        ("Status: Draft", "?day=2027-03-10&q=talk&view=week"),
        ("“talk”", "?day=2027-03-10&status=draft&view=week"),
    ]
    reset = re.search(r'<a class="is-reset" href="([^"]*)">Reset filters</a>', page.content.decode())[1]
    assert unescape(reset) == "?view=week&day=2027-03-10"
    assert editor_browser.get(CALENDAR, period).context["cl"].active_filters == []


def test_calendar_offers_saved_views_of_the_list_without_filters_by_time(editor_browser):
    views = {"Coming": "time=coming", "Drafts": "status=draft", "Soon": "featured=yes&time=coming"}
    for name, query in views.items():
        editor_browser.post("/admin/saved-views/", {"list": "events.event", "name": name, "query": query})

    page = in_march(editor_browser, view="week", featured="yes")

    period = "view=week&day=2027-03-10"
    assert [(link.view.name, link.url, link.is_active) for link in page.context["cl"].saved_views.links] == [
        ("Drafts", f"?{period}&status=draft", False),
        ("Soon", f"?{period}&featured=yes", True),
    ]
    form = {"list": "events.event", "name": "Hidden", "query": "status=private", "kept": period}
    saved = editor_browser.post("/admin/saved-views/", form)
    assert saved["Location"] == f"/admin/events/event/?{period}&status=private"
    assert editor_browser.get(saved["Location"])["Location"] == f"{CALENDAR}?{period}&status=private"


@pytest.mark.parametrize("parameters", [{"status": "x"}, {"category": "x"}, {"author__password": "x"}])
def test_calendar_refuses_unknown_filters(editor_browser, parameters):
    assert editor_browser.get(CALENDAR, parameters).status_code in (302, 400)


@pytest.fixture
def crowded_days(monkeypatch):
    """Three days with 6, 1 and 3 events, one of which began before the week, on a page for 6 events."""
    monkeypatch.setattr("events.admin.calendar.selection.MAX_EVENTS", 6)
    EventFactory(title="Camp", start="2027-03-05 10:00", end="2027-03-07 10:00")
    for number in range(5):
        EventFactory(title=f"Sunday {number}", start=f"2027-03-07 1{number}:00", end="2027-03-07 22:00")
    EventFactory(title="Monday", start="2027-03-08 20:00", end="2027-03-08 22:00")
    for number in range(3):
        EventFactory(title=f"Saturday {number}", start=f"2027-03-13 1{number}:00", end="2027-03-13 22:00")


@pytest.mark.usefixtures("crowded_days")
def test_days_with_too_many_events_show_the_first_ones_and_lead_to_the_others(editor_browser):
    response = in_march(editor_browser, view="week")

    context = response.context
    shown = [bar.card for bar in context["bars"]]
    shown += [block.card for column in context["columns"] for block in column.blocks]
    titles = [str(card.event) for card in shown]
    assert titles == ["Camp", "Sunday 0", "Monday", "Saturday 0", "Saturday 1"]
    assert [column.left_out for column in context["columns"]] == [4, 0, 0, 0, 0, 0, 1]
    page = response.content.decode()
    assert 'class="calendar-left-out" href="?day=2027-03-07&amp;view=day">4 more</a>' in page
    assert "This page shows at most" in page


@pytest.mark.usefixtures("crowded_days")
@pytest.mark.parametrize(
    ("view", "left_out"),
    [("month", {"2027-03-05": 0, "2027-03-07": 3, "2027-03-08": 0, "2027-03-13": 1}), ("list", None)],
)
def test_months_and_lists_leave_no_day_empty_either(editor_browser, view, left_out):
    response = in_march(editor_browser, view=view)

    found = {day.day.isoformat(): day.left_out for day in shown_days(response) if day.cards or day.bars}
    assert found == (left_out or {**found})
    assert {"2027-03-07", "2027-03-08", "2027-03-13"} <= set(found)
    assert sum(found.values()) == 4


@pytest.mark.usefixtures("crowded_days")
def test_day_with_too_many_events_asks_for_a_filter(editor_browser):
    page = in_march(editor_browser, view="day", day="2027-03-07").content.decode()

    assert ("This page shows at most" in page, "calendar-left-out" in page) == (False, False)
    EventFactory(title="One more", start="2027-03-07 20:00", end="2027-03-07 22:00")
    page = in_march(editor_browser, view="day", day="2027-03-07").content.decode()
    assert ("This page shows at most" in page, "calendar-left-out" in page) == (True, False)


@pytest.mark.usefixtures("crowded_days")
def test_crowded_days_within_the_filters_and_rights(author_browser, editor_browser):
    EventFactory.create_batch(3, title="Draft", start="2027-03-12 20:00", end="2027-03-12 22:00", status="draft")

    def left_out(client, **parameters):
        return [column.left_out for column in in_march(client, view="week", **parameters).context["columns"]]

    assert left_out(author_browser) == [4, 0, 0, 0, 0, 0, 1]
    assert left_out(editor_browser) == [5, 0, 0, 0, 0, 2, 2]
    assert left_out(editor_browser, q="sunday") == [0] * 7


@pytest.mark.usefixtures("crowded_days")
def test_crowded_calendar_query_count(editor_browser, django_assert_num_queries):
    # as below, then the number of events of each day, the selected events, their venues, their categories
    with django_assert_num_queries(14):
        in_march(editor_browser, view="week")


@pytest.mark.parametrize("view", ["month", "week", "day", "list"])
@pytest.mark.parametrize("count", [1, 3])
def test_calendar_query_count(editor_browser, django_assert_num_queries, count, view):
    for number in range(count):
        EventFactory(
            start="2027-03-10 20:00",
            end="2027-03-10 22:00",
            venues=[VenueFactory()],
            categories=[CategoryFactory(name=f"Kind {number}")],
        )

    # session, user, permissions, long events, events, their venues, their categories; long events and events of other
    # time zones
    with django_assert_num_queries(10):
        in_march(editor_browser, view=view)


def test_adding_an_event_leads_back_to_the_calendar(editor_browser):
    page = editor_browser.get(CALENDAR, {"view": "week", "day": "2027-03-10"})
    path = page.context["columns"][0].add_url

    saved = submit_form(editor_browser, path, title="New")
    back = editor_browser.get(saved["Location"])

    assert back["Location"] == f"{CALENDAR}?day=2027-03-10&view=week"


def test_events_say_that_they_do_not_take_place_or_are_sold_out(editor_browser):
    EventFactory(title="Off", start="2027-03-10 10:00", end="2027-03-10 11:00", event_status="cancelled")
    EventFactory(title="Later", start="2027-03-10 11:00", end="2027-03-10 12:00", event_status="postponed")
    EventFactory(title="Full", start="2027-03-10 12:00", end="2027-03-10 13:00", sold_out=True)
    EventFactory(title="Fine", start="2027-03-10 13:00", end="2027-03-10 14:00")

    response = in_march(editor_browser)
    cards = all_cards(response)

    assert [(card.event.title, card.marks, card.is_struck) for card in cards] == [
        ("Off", ["Cancelled"], True),
        ("Later", ["Postponed"], True),
        ("Full", ["Sold out"], False),
        ("Fine", [], False),
    ]
    assert '<span class="calendar-mark">Cancelled</span>' in response.content.decode()


def test_marks_of_events_with_a_password_are_hidden(author_browser):
    EventFactory(start="2027-03-10 10:00", end="2027-03-10 11:00", event_status="cancelled", password="x")

    card = all_cards(in_march(author_browser))[0]

    assert (card.marks, card.is_struck, card.is_repeated) == ([], False, False)


# --- Time grid -----------------------------------------------------------------------------------


def blocks(response):
    """Return the events among the hours: title, minutes, lane, span and number of lanes; links as their number."""
    return [
        [
            (str(block.card.event) if block.card else block.hidden, block.top, block.bottom, block.lane, block.span)
            for block in column.blocks
        ]
        for column in response.context["columns"]
    ]


def test_day_places_overlapping_events_side_by_side(editor_browser):
    for title, start, end in (
        ("Long", "09:00", "12:00"),
        ("Early", "09:30", "10:30"),
        ("Late", "10:30", "11:30"),
        ("After", "12:00", "12:10"),
    ):
        EventFactory(title=title, start=f"2027-03-10 {start}", end=f"2027-03-10 {end}")
    EventFactory(title="Other day", start="2027-03-11 09:00", end="2027-03-11 10:00")

    shown = blocks(in_march(editor_browser, view="day"))

    assert shown == [
        [
            ("Long", 540, 720, 0, 1),
            ("Early", 570, 630, 1, 1),
            ("Late", 630, 690, 1, 1),
            ("After", 720, 750, 0, 1),
        ]
    ]


def test_events_take_the_free_room_beside_them(editor_browser):
    for title, start, end in (
        ("A", "09:00", "12:00"),
        ("B", "09:00", "10:00"),
        ("C", "09:00", "10:00"),
        ("D", "11:00", "12:00"),
    ):
        EventFactory(title=title, start=f"2027-03-10 {start}", end=f"2027-03-10 {end}")

    shown = blocks(in_march(editor_browser, view="day"))[0]

    assert [(title, lane, span) for title, _top, _bottom, lane, span in shown] == [
        ("A", 0, 1),
        ("B", 1, 1),
        ("C", 2, 1),
        ("D", 1, 2),
    ]


def test_events_without_room_are_behind_a_link_to_the_day(editor_browser):
    for number in range(5):
        EventFactory(title=f"Talk {number}", start=f"2027-03-10 1{number}:00", end="2027-03-10 16:00")

    response = in_march(editor_browser, view="week")

    assert blocks(response)[3] == [
        ("Talk 0", 600, 960, 0, 1),
        ("Talk 1", 660, 960, 1, 1),
        (3, 720, 960, 2, 1),
    ]
    assert '<a href="?day=2027-03-10&amp;view=day">3 more</a>' in response.content.decode()


def test_events_past_midnight_are_shown_once(editor_browser):
    EventFactory(title="Party", start="2027-03-10 23:45", end="2027-03-11 02:00")
    EventFactory(title="Camp", start="2027-03-09 22:00", end="2027-03-11 18:00")

    response = in_march(editor_browser, view="week")

    assert blocks(response) == [[], [], [], [("Party", 1410, 1440, 0, 1)], [], [], []]
    assert [(str(bar.card.event), bar.column, bar.span) for bar in response.context["bars"]] == [("Camp", 3, 3)]
    assert 'aria-label="until 02:00 the next day"' in response.content.decode()


def test_days_without_hours_have_bars_that_end_with_the_week(editor_browser):
    EventFactory(title="Whole", start="2027-03-10", end="2027-03-10", all_day=True)
    EventFactory(title="Before", start="2027-03-05", end="2027-03-08", all_day=True)
    EventFactory(title="Beyond", start="2027-03-08", end="2027-03-14", all_day=True)
    EventFactory(title="Gone", start="2027-03-05", end="2027-03-06", all_day=True)

    shown = in_march(editor_browser, view="week").context["bars"]

    assert [(str(bar.card.event), *bar[1:]) for bar in shown] == [
        ("Before", 1, 2, 1, True, False),
        ("Beyond", 2, 6, 2, False, True),
        ("Whole", 4, 1, 1, False, False),
    ]


def test_time_grid_marks_the_present_time_of_the_site(editor, settings, time_machine):
    settings.SITE_TIME_ZONE = "America/Halifax"
    time_machine.move_to("2027-03-10T12:00:00+00:00", tick=False)

    context = browser_for(editor).get(CALENDAR, {"view": "day"}).context

    assert (context["columns"][0].is_today, context["columns"][0].day.isoformat()) == (True, "2027-03-10")
    assert context["now_minute"] == 8 * 60


# --- Moving --------------------------------------------------------------------------------------


def test_moving_keeps_time_and_length_and_can_be_undone(editor_browser):
    # Between the two days Halifax sets its clocks forward.
    event = EventFactory(start="2027-03-10 20:00", end="2027-03-11 01:30", time_zone="America/Halifax")
    before = Event.objects.values().get()

    # It is at midnight on the clock of the site.
    answer = post_move(editor_browser, event, "2027-03-11", "2027-03-21")
    moved = Event.objects.get()

    assert answer.json() == {
        "message": f"“{event}” was moved to Sunday 21 March 2027 (21:00 Halifax).",
        "warnings": [],
        "from": "2027-03-21",
        "to": "2027-03-11",
    }
    assert (moved.start_local, moved.end_local) == ("2027-03-20 21:00:00", "2027-03-21 02:30:00")

    assert post_move(editor_browser, event, "2027-03-21", "2027-03-11").status_code == 200
    after = Event.objects.values().get()
    assert {**after, "modified_at": before["modified_at"]} == before


def test_moving_within_the_zone_of_the_site_keeps_the_time_on_the_clock(editor_browser, settings):
    settings.TIME_ZONE = settings.SITE_TIME_ZONE = "America/Halifax"
    event = EventFactory(start="2027-03-10 20:00", end="2027-03-11 01:30", time_zone="America/Halifax")

    post_move(editor_browser, event, "2027-03-10", "2027-03-20")

    moved = Event.objects.get()
    assert (moved.start_local, moved.end_local) == ("2027-03-20 20:00:00", "2027-03-21 01:30:00")


def test_moving_to_another_time_can_be_undone(editor_browser):
    event = EventFactory(title="Talk", start="2027-03-10 20:00:30", end="2027-03-11 01:30")

    answer = post_move(editor_browser, event, "2027-03-10T20:00", "2027-03-11T20:15")
    moved = Event.objects.get()

    assert answer.json() == {
        "message": "“Talk” was moved to Thursday 11 March 2027, 20:15.",
        "warnings": [],
        "from": "2027-03-11 20:15",
        "to": "2027-03-10 20:00",
    }
    assert (moved.start_local, moved.end_local) == ("2027-03-11 20:15:30", "2027-03-12 01:45:00")
    post_move(editor_browser, event, "2027-03-11 20:15", "2027-03-10 20:00")
    assert Event.objects.get().start_local == "2027-03-10 20:00:30"


def test_changing_the_end_can_be_undone(editor_browser):
    event = EventFactory(title="Talk", start="2027-03-10 20:00", end="2027-03-10 21:00", time_zone="America/Halifax")

    # Four hours later on the clock of the site.
    answer = post_move(editor_browser, event, "2027-03-11T00:00", "2027-03-11T00:00", end="2027-03-11T02:15")
    undo = answer.json()

    assert undo == {
        "message": "“Talk” ends at 02:15 now.",
        "warnings": [],
        "from": "2027-03-11 00:00",
        "to": "2027-03-11 00:00",
        "end": "2027-03-11 01:00:00",
    }
    assert Event.objects.get().end_local == "2027-03-10 22:15:00"
    del undo["message"], undo["warnings"]
    editor_browser.post(f"/admin/events/event/{event.pk}/move/", undo)
    assert Event.objects.get().end_local == "2027-03-10 21:00:00"


@pytest.mark.parametrize("end", ["2027-03-10T19:00", "x", "2027-03-10T22:00+01:00", "2027-03-10T22:00Z"])
def test_an_impossible_end_changes_nothing(editor_browser, end):
    event = EventFactory(start="2027-03-10 20:00", end="2027-03-10 21:00")

    answer = post_move(editor_browser, event, "2027-03-10T20:00", "2027-03-10T20:00", end=end)

    assert (answer.status_code, Event.objects.get().end_local) == (400, "2027-03-10 21:00:00")


def test_whole_days_have_no_times_to_move_to(editor_browser):
    event = EventFactory(start="2027-03-10", end="2027-03-10", all_day=True)

    post_move(editor_browser, event, "2027-03-10T00:00", "2027-03-11T10:15", end="2027-03-11T12:00")
    moved = Event.objects.get()

    assert (moved.start_local, moved.end_local) == ("2027-03-11 00:00:00", "2027-03-11 23:59:59")


def test_another_time_that_somebody_else_has_set_is_kept(editor_browser):
    event = EventFactory(title="Talk", start="2027-03-10 20:15", end="2027-03-10 22:00")

    answer = post_move(editor_browser, event, "2027-03-10T20:00", "2027-03-10T21:00")

    assert (answer.status_code, Event.objects.get().start_local) == (409, "2027-03-10 20:15:00")


def test_moving_keeps_whole_days(editor_browser):
    event = EventFactory(start="2027-03-10", end="2027-03-12", all_day=True)

    post_move(editor_browser, event, "2027-03-10", "2027-02-28")
    moved = Event.objects.get()

    assert (moved.start_local, moved.end_local, moved.all_day) == ("2027-02-28 00:00:00", "2027-03-02 23:59:59", True)


@pytest.mark.parametrize(
    ("fields", "status", "text"),
    [
        ({}, 403, "You do not have permission to change “Talk”."),
        ({"status": "draft"}, 404, None),
    ],
)
def test_nobody_moves_the_events_of_others(author_browser, fields, status, text):
    event = EventFactory(title="Talk", start="2027-03-10 20:00", end="2027-03-10 22:00", **fields)
    before = Event.objects.values().get()

    answer = post_move(author_browser, event, "2027-03-10", "2027-03-11")

    assert answer.status_code == status
    assert text is None or answer.json() == {"message": text}
    assert Event.objects.values().get() == before


def test_events_in_the_trash_are_not_moved(editor_browser):
    event = EventFactory(title="Talk", start="2027-03-10 20:00", end="2027-03-10 22:00", status="trash")

    answer = post_move(editor_browser, event, "2027-03-10", "2027-03-11")

    assert (answer.status_code, Event.objects.get().start_local) == (403, "2027-03-10 20:00:00")


def test_event_that_was_moved_meanwhile_is_not_moved_again(editor_browser):
    event = EventFactory(title="Talk", start="2027-03-10 20:00", end="2027-03-10 22:00")
    post_move(editor_browser, event, "2027-03-10", "2027-03-11")

    answer = post_move(editor_browser, event, "2027-03-10", "2027-03-12")

    assert (answer.status_code, answer.json()) == (
        409,
        {"message": "Someone else has moved “Talk” in the meantime."},
    )
    assert Event.objects.get().start_local == "2027-03-11 20:00:00"


@pytest.mark.parametrize(
    ("old", "new"),
    [("2027-03-10", "x"), ("", "2027-03-10"), ("2027-03-10", "9999-12-31"), ("2027-03-10", "0001-01-01")],
)
def test_move_to_an_invalid_day_changes_nothing(editor_browser, old, new):
    event = EventFactory(start="2027-03-10 20:00", end="2027-03-11 22:00")

    answer = post_move(editor_browser, event, old, new)

    assert (answer.status_code, Event.objects.get().start_local) == (400, "2027-03-10 20:00:00")


@pytest.mark.parametrize("pk", ["0", "x", "99999999999999999999"])
def test_move_of_an_unknown_event_is_not_found(editor_browser, pk):
    answer = editor_browser.post(f"/admin/events/event/{pk}/move/", {"from": "2027-03-10", "to": "2027-03-11"})

    assert answer.status_code == 404


def test_move_requires_a_post_request_and_a_user(editor_browser):
    event = EventFactory()

    assert editor_browser.get(f"/admin/events/event/{event.pk}/move/").status_code == 405
    assert post_move(browser_for(None), event, "2027-03-10", "2027-03-11").status_code == 302


def test_a_night_is_shown_on_the_day_on_which_it_begins(editor_browser):
    EventFactory(title="Party", start="2027-03-10 22:00", end="2027-03-11 04:00")
    EventFactory(title="Camp", start="2027-03-10 22:00", end="2027-03-11 18:00")

    days = editor_browser.get(CALENDAR, {"view": "list", "day": "2027-03-10"}).context["days"]

    shown = [(day.day.day, sorted(card.event.title for card in day.cards)) for day in days]
    assert shown == [(10, ["Camp", "Party"]), (11, ["Camp"])]


def test_the_form_of_an_event_leads_back_to_the_calendar(editor_browser):
    event = EventFactory(start="2027-03-10 22:00", end="2027-03-10 23:00")
    page = editor_browser.get(CALENDAR, {"view": "week", "day": "2027-03-10", "featured": "no"}).content.decode()
    url = re.search(rf'href="(/admin/events/event/{event.pk}/change/[^"]*)"', page)[1].replace("&amp;", "&")

    saved = submit_form(editor_browser, url, title="Renamed")
    back = editor_browser.get(saved["Location"])

    assert Event.objects.get().title == "Renamed"
    assert back["Location"] == f"{CALENDAR}?day=2027-03-10&featured=no&view=week"
