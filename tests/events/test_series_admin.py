"""Series in the admin: repeating an event in its form, the preview, the list, and the page of a series."""

import re
from urllib.parse import urlencode

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test.utils import CaptureQueriesContext

from calendar_site.review.queue import review_queue
from events.models import Event, Series
from tests.factories import EventFactory, SeriesFactory, VenueFactory
from tests.support.admin import (
    browser_for,
    column_texts,
    form_data,
    form_errors,
    listed_titles,
    messages_in,
    post_form,
    submit_form,
)
from tests.support.background_tasks import run_worker

pytestmark = pytest.mark.django_db

ADD = "/admin/events/event/add/"
PREVIEW = "/admin/events/event/series/preview/"
LIST = "/admin/events/series/"
TIMES = {"start": "2027-03-16T19:00", "end": "2027-03-16T21:00", "time_zone": "Europe/Rome"}
WEEKLY = {"frequency": "WEEKLY", "interval": "1", "days": ["TU"], "ends": "count", "count": "4"}
DATES = ["2027-03-16 19:00:00", "2027-03-23 19:00:00", "2027-03-30 19:00:00", "2027-04-06 19:00:00"]


@pytest.fixture(autouse=True)
def _today(time_machine):
    time_machine.move_to("2027-03-10 12:00", tick=False)


def inputs(**values):
    """The inputs of the recurrence, as a browser sends them."""
    return {f"recurrence-{name}": value for name, value in values.items()}


def make_series(**fields):
    return SeriesFactory(
        **{
            "title": "Choir",
            "start": "2027-03-16 19:00",
            "end": "2027-03-16 21:00",
            "time_zone": "Europe/Rome",
            "rrule": "FREQ=WEEKLY;COUNT=4;BYDAY=TU",
            **fields,
        }
    )


def events_of(series):
    return list(Event.objects.filter(series=series).order_by("series_occurrence"))


def starts_of(series):
    return [event.start_local for event in events_of(series) if event.status != "trash"]


def text_of(response):
    """The text of a page without its markup."""
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


def preview(client, **values):
    response = client.post(PREVIEW, {**TIMES, **inputs(**values)})
    assert response.status_code == 200, response.content
    return response.context


# --- Repeating an event --------------------------------------------------------------------------


def test_form_of_a_new_event_creates_a_series(editor, editor_browser):
    venue = VenueFactory()

    response = submit_form(
        editor_browser,
        ADD,
        title="Choir",
        ordered_venues=[venue.pk],
        **TIMES,
        **inputs(**WEEKLY, rdate="2027-03-18, 2027-03-20T10:00", exdate="2027-03-30"),
    )

    series = Series.objects.get()
    assert response.url == f"{LIST}{series.pk}/change/"
    assert messages_in(response) == ["The series “Choir” was created with 5 events."]
    assert (series.title, series.author, series.status) == ("Choir", editor, "publish")
    assert (series.rrule, series.rdate, series.exdate) == (
        "FREQ=WEEKLY;COUNT=4;BYDAY=TU", ["2027-03-18 19:00:00", "2027-03-20 10:00:00"], ["2027-03-30 19:00:00"]
    )  # fmt: skip
    assert starts_of(series) == sorted({*DATES, *series.rdate} - set(series.exdate))
    assert {event.event_status for event in events_of(series)} == {"scheduled"}
    assert {tuple(event.venues.all()) for event in events_of(series)} == {(venue,)}
    assert Event.objects.count() == 5


def test_values_of_single_events_are_refused_for_a_new_series(editor_browser):
    own = {
        "event_status": "rescheduled",
        "event_status_reason": "Hall is closed",
        "previous_start": "2027-03-15T19:00",
        "sold_out": "on",
    }

    refused = submit_form(editor_browser, ADD, title="Choir", **own, **TIMES, **inputs(**WEEKLY))
    events, series = Event.objects.count(), Series.objects.count()
    submit_form(editor_browser, ADD, title="Talk", slug="first-talk", **own, **TIMES)

    error = "A series has no such value. Create the series without it, and change its events then."
    assert form_errors(refused) == {name: [error] for name in own}
    assert (events, series) == (0, 0)
    event = Event.objects.get()
    assert (event.slug, event.event_status, event.sold_out, event.series) == ("first-talk", "rescheduled", True, None)


def test_slug_that_the_page_suggests_is_not_refused_for_a_new_series(editor_browser):
    submit_form(editor_browser, ADD, title="Choir", slug="choir", **TIMES, **inputs(**WEEKLY))

    slugs = Event.objects.order_by("start_local").values_list("slug", flat=True)
    assert list(slugs[:2]) == ["choir-2027-03-16", "choir-2027-03-23"]


@pytest.mark.parametrize(
    ("button", "filters", "target"),
    [
        ("_save", "view=week&day=2027-03-10", "/admin/events/event/?view=week&day=2027-03-10"),
        ("_save", "status=draft", None),
        ("_continue", "view=week", None),
        ("_addanother", "view=week", f"{ADD}?_changelist_filters=view%3Dweek"),
        ("_addanother", "status=draft", f"{ADD}?_changelist_filters=status%3Ddraft"),
    ],
)
def test_new_series_leads_back_to_the_calendar_and_keeps_the_filters(editor_browser, button, filters, target):
    form = f"{ADD}?{urlencode({'_changelist_filters': filters})}"

    response = submit_form(editor_browser, form, title="Choir", **TIMES, **inputs(**WEEKLY), **{button: "1"})

    assert response.url == (target or f"{LIST}{Series.objects.get().pk}/change/")


def test_event_without_a_repetition_stays_single(editor_browser):
    submit_form(editor_browser, ADD, title="Talk", **TIMES, **inputs(frequency="", count="4", rule="nonsense"))

    assert Event.objects.get().series is None
    assert not Series.objects.exists()


def test_event_can_be_repeated_later(editor_browser):
    event = EventFactory(title="Choir", start="2027-03-16 19:00", end="2027-03-16 21:00", time_zone="Europe/Rome")
    other = EventFactory()

    submit_form(editor_browser, f"/admin/events/event/{event.pk}/change/", title="Singing", **inputs(**WEEKLY))

    series = Series.objects.get()
    assert (series.title, starts_of(series)) == ("Singing", DATES)
    assert events_of(series)[0].pk == event.pk
    other.refresh_from_db()
    assert other.series is None


def test_date_of_a_repeated_event_is_kept(editor_browser):
    event = EventFactory(start="2027-03-15 19:00", end="2027-03-15 21:00", time_zone="Europe/Rome")

    submit_form(editor_browser, f"/admin/events/event/{event.pk}/change/", **inputs(**WEEKLY))

    series = Series.objects.get()
    assert (series.rdate, starts_of(series)) == (["2027-03-15 19:00:00"], ["2027-03-15 19:00:00", *DATES])


def test_date_of_a_repeated_event_is_not_left_out(editor_browser, editor_api):
    event = EventFactory(start="2027-03-16 19:00", end="2027-03-16 21:00", time_zone="Europe/Rome")

    submit_form(
        editor_browser, f"/admin/events/event/{event.pk}/change/", **inputs(**WEEKLY, exdate="2027-03-16, 2027-03-30")
    )
    series = Series.objects.get()
    editor_api.patch(f"/cal/events/v1/series/{series.pk}", {"rrule": "FREQ=WEEKLY;COUNT=5;BYDAY=TU"})

    series.refresh_from_db()
    event.refresh_from_db()
    assert (series.rdate, series.exdate) == ([], ["2027-03-30 19:00:00"])
    assert (event.series, event.status) == (series, "publish")
    assert starts_of(series) == [*DATES[:2], DATES[3], "2027-04-13 19:00:00"]


def test_event_of_a_series_cannot_be_repeated(editor_browser):
    series = make_series()
    event = events_of(series)[0]
    page = editor_browser.get(f"/admin/events/event/{event.pk}/change/")

    post_form(editor_browser, f"/admin/events/event/{event.pk}/change/", form_data(page), **inputs(**WEEKLY))

    assert "recurrence-frequency" not in page.content.decode()
    assert list(Series.objects.all()) == [series]


def test_contributor_submits_a_series(contributor):
    response = submit_form(browser_for(contributor), ADD, title="Choir", _submit="", **TIMES, **inputs(**WEEKLY))

    assert response.status_code == 302
    assert {event.status for event in events_of(Series.objects.get())} == {"pending"}


@pytest.mark.parametrize(
    ("values", "error"),
    [
        ({"frequency": "WEEKLY", "interval": "0"}, "Every: Ensure this value is greater than or equal to 1."),
        ({"frequency": "WEEKLY", "ends": "until"}, "Enter the last day."),
        ({"frequency": "WEEKLY", "ends": "count"}, "Enter the number of times."),
        ({"frequency": "WEEKLY", "ends": "count", "count": "1001"},
         "Number of times: Ensure this value is less than or equal to 1000."),
        ({"frequency": "DATES"}, "Add at least one date."),
        ({"frequency": "DATES", "rdate": "tomorrow"},
         "Additional dates: tomorrow is not a date. Use year, month and day, such as 2027-03-10."),
        ({"frequency": "DATES", "rdate": "0001-01-01"},
         "Additional dates: 0001-01-01 is not a date. Use year, month and day, such as 2027-03-10."),
        ({**WEEKLY, "exdate": "9999-12-31"},
         "Dates without an event: 9999-12-31 is not a date. Use year, month and day, such as 2027-03-10."),
        ({"frequency": "RULE", "rule": "FREQ=WEEKLY;BYDAY=MO;BYSETPOS=2", "rdate": "2027-03-17"},
         "No day ever matches the recurrence rule “FREQ=WEEKLY;BYSETPOS=2;BYDAY=MO”. Change its conditions, such as "
         "BYDAY, BYMONTHDAY or BYSETPOS."),
        ({"frequency": "DATES", "rdate": ",".join(f"{year}-01-01" for year in range(2000, 3001))},
         "Additional dates: At most 1000 dates."),
        ({"frequency": "RULE"}, "Enter a recurrence rule."),
        ({"frequency": "RULE", "rule": "FREQ=HOURLY"},
         "Not a valid recurrence rule: “FREQ=HOURLY”. Use the format of RFC 5545 with days, weeks, months or years, "
         "such as FREQ=WEEKLY;BYDAY=TU,TH."),
        ({"frequency": "HOURLY"}, "Repeats: Select a valid choice. HOURLY is not one of the available choices."),
        ({"frequency": "WEEKLY", "ends": "until", "until": "2027-03-01"},
         "There are no events with this rule and these dates."),
    ],
)  # fmt: skip
def test_invalid_repetition_is_an_error(editor_browser, values, error):
    response = submit_form(editor_browser, ADD, title="Choir", **TIMES, **inputs(**values))

    assert form_errors(response) == {"recurrence": [error]}
    assert not Event.objects.exists()
    assert editor_browser.post(PREVIEW, {**TIMES, **inputs(**values)}).context["errors"] == [error]


# --- The preview ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        (WEEKLY, "Every week on Tuesday, 4 times"),
        ({"frequency": "WEEKLY", "interval": "2", "days": ["TU", "TH"], "ends": "until", "until": "2027-06-30"},
         "Every 2 weeks on Tuesday and Thursday until 30 Jun 2027"),
        ({"frequency": "DAILY"}, "Every day"),
        ({"frequency": "DAILY", "interval": "3", "rdate": "2027-03-17"}, "Every 3 days, and on 1 more date"),
        ({"frequency": "MONTHLY"}, "Every month on day 16"),
        ({"frequency": "MONTHLY", "month_day": "-1"}, "Every month on the last day"),
        ({"frequency": "MONTHLY", "month_by": "weekday", "position": "-1", "weekday": "SU", "interval": "2"},
         "Every 2 months on the last Sunday"),
        ({"frequency": "YEARLY"}, "Every year on 16 March"),
        ({"frequency": "DATES", "rdate": "2027-03-20, 2027-04-02"}, "On 3 dates"),
        ({"frequency": "RULE", "rule": "FREQ=MONTHLY;BYDAY=MO,TU;COUNT=3"},
         "By the rule FREQ=MONTHLY;COUNT=3;BYDAY=MO,TU, 3 times"),
    ],
)  # fmt: skip
def test_preview_describes_the_repetition(editor_browser, values, sentence):
    assert preview(editor_browser, **values)["preview"].sentence == sentence


def test_preview_lists_the_dates_and_marks_public_holidays(editor_browser, settings):
    settings.HOLIDAYS_COUNTRY, settings.HOLIDAYS_SUBDIVISION = "IT", ""
    values = {**WEEKLY, "days": ["SU"], "exdate": "2027-04-04, 8999-12-31", "rdate": "2027-03-20T10:00"}

    shown = preview(editor_browser, **values)["preview"]

    assert [(date.value, date.label, date.is_added, date.is_excluded, date.holiday) for date in shown.dates] == [
        ("2027-03-20 10:00:00", "Sat 20 Mar 2027, 10:00", True, False, ""),
        ("2027-03-21", "Sun 21 Mar 2027", False, False, ""),
        ("2027-03-28", "Sun 28 Mar 2027", False, False, "Easter Sunday"),
        ("2027-04-04", "Sun 4 Apr 2027", False, True, ""),
        ("2027-04-11", "Sun 11 Apr 2027", False, False, ""),
    ]
    assert shown.summary == "4 events, the last one on 11 Apr 2027."
    assert shown.warning == "1 event is on a public holiday."


def test_preview_of_a_long_series_is_short(editor_browser):
    shown = preview(editor_browser, frequency="DAILY")["preview"]
    every = editor_browser.post(PREVIEW, {**TIMES, **inputs(frequency="DAILY"), "all": "1"}).context["preview"]

    assert (len(shown.dates), len(shown.dates) + shown.more, len(every.dates), every.more) == (60, 731, 731, 0)
    assert shown.summary == "731 events for now, up to 15 Mar 2029. Later ones are created as time goes by."


@pytest.mark.parametrize(
    ("changes", "errors"),
    [
        ({"start": ""}, ["Enter when the first event starts and ends."]),
        ({"start": "2027-02-30T19:00"}, ["Not a valid date."]),
        ({"time_zone": "Moon"}, ["Not a valid time zone. Use a name such as Europe/Rome, UTC or UTC+2."]),
    ],
)
def test_preview_of_invalid_times_is_an_error(editor_browser, changes, errors):
    response = editor_browser.post(PREVIEW, {**TIMES, **inputs(**WEEKLY), **changes})

    assert response.status_code == 200
    assert len(response.context["errors"]) == len(errors)
    assert "preview" not in response.context


def test_preview_is_for_users_who_may_save_events(subscriber, client):
    assert browser_for(subscriber).post(PREVIEW, {**TIMES, **inputs(**WEEKLY)}).status_code == 302
    assert client.post(PREVIEW, {**TIMES, **inputs(**WEEKLY)}).status_code == 302


# --- The list ------------------------------------------------------------------------------------


def test_list_of_series(editor_browser):
    make_series()
    make_series(title="Old", start="2026-01-01 10:00", end="2026-01-01 11:00", rrule="FREQ=DAILY;COUNT=2")

    page = editor_browser.get(LIST)

    assert listed_titles(page) == ["Old", "Choir"]
    assert column_texts(page, "sentence") == ["Every day, 2 times", "Every week on Tuesday, 4 times"]
    assert column_texts(page, "next_event") == ["", "Tue 16 Mar 2027, 19:00"]
    assert column_texts(page, "number_of_events") == ["2", "4"]
    assert column_texts(page, "series_status") == ["Published", "Published"]
    assert listed_titles(editor_browser.get(f"{LIST}?q=cho")) == ["Choir"]
    assert listed_titles(editor_browser.get(f"{LIST}?author=me")) == []


def test_list_counts_only_events_that_the_user_sees(author, editor):
    series = make_series(author=editor)
    events = events_of(series)
    Event.objects.filter(pk=events[0].pk).update(status="draft")
    Event.objects.filter(pk=events[1].pk).update(status="trash")

    page = browser_for(author).get(LIST)

    assert column_texts(page, "number_of_events") == ["2"]
    assert column_texts(page, "next_event") == ["Tue 30 Mar 2027, 19:00"]


def test_list_hides_series_that_the_user_may_not_read(author, editor):
    make_series(title="Draft", author=editor, status="draft")
    make_series(title="Secret", author=editor, password="x")
    make_series(title="Own", author=author, status="draft")

    assert listed_titles(browser_for(author).get(LIST)) == ["Own"]
    assert listed_titles(browser_for(editor).get(LIST)) == ["Own", "Secret", "Draft"]


def test_number_of_queries_of_the_list_is_fixed(editor_browser, django_assert_num_queries):
    make_series()
    editor_browser.get(LIST)
    with CaptureQueriesContext(connection) as few:
        editor_browser.get(LIST)
    make_series()
    make_series()

    with django_assert_num_queries(len(few)):
        editor_browser.get(LIST)


def test_events_can_be_filtered_by_series(editor_browser):
    series = make_series()
    EventFactory()

    page = editor_browser.get(f"/admin/events/event/?series={series.pk}")

    assert listed_titles(page) == ["Choir"] * 4


# --- The page of a series ------------------------------------------------------------------------


def occurrences(response):
    """The rows of the page of a series: the date of each, and its marks."""
    assert response.status_code == 200, response
    return [(row.when, [mark.label for mark in row.marks]) for row in response.context["occurrences"]]


def page_of(series):
    return f"{LIST}{series.pk}/change/"


def test_page_of_a_series_lists_its_events_with_their_deviations(editor_browser):
    series = make_series(rrule="FREQ=WEEKLY;COUNT=6;BYDAY=TU", exdate=["2027-04-13 19:00:00"])
    events = events_of(series)
    page = f"/admin/events/event/{events[1].pk}/change/"
    submit_form(editor_browser, page, start="2027-03-24T18:00", end="2027-03-24T20:00")
    submit_form(editor_browser, f"/admin/events/event/{events[2].pk}/change/", title="Concert")
    editor_browser.post(f"/admin/events/event/{events[3].pk}/cancel/")
    Event.objects.filter(pk=events[4].pk).update(status="trash")

    response = editor_browser.get(page_of(series))

    assert response.context["sentence"] == "Every week on Tuesday, 6 times"
    assert occurrences(response) == [
        ("Tue 16 Mar 2027, 19:00 – 21:00 (Europe/Rome)", []),
        ("Wed 24 Mar 2027, 18:00 – 20:00 (Europe/Rome)", ["Moved from Tue 23 Mar 2027, 19:00"]),
        ("Tue 30 Mar 2027, 19:00 – 21:00 (Europe/Rome)", ["Changed"]),
        ("Tue 6 Apr 2027, 19:00 – 21:00 (Europe/Rome)", ["Cancelled"]),
        ("Tue 13 Apr 2027, 19:00", ["Removed"]),
        ("Tue 20 Apr 2027, 19:00 – 21:00 (Europe/Rome)", ["In the trash"]),
    ]


def test_page_of_a_long_series_opens_at_the_next_event(editor_browser):
    series = make_series(start="2026-12-01 19:00", end="2026-12-01 20:00", rrule="FREQ=DAILY;COUNT=120")

    response = editor_browser.get(page_of(series))

    assert response.context["occurrence_page"].number == 2
    assert len(occurrences(response)) == 50
    assert len(occurrences(editor_browser.get(page_of(series) + "?page=3"))) == 20


def test_number_of_queries_of_the_page_is_fixed(editor_browser, django_assert_num_queries):
    series, longer = make_series(rrule="FREQ=DAILY;COUNT=1"), make_series(rrule="FREQ=DAILY;COUNT=5")
    editor_browser.get(page_of(series))
    with CaptureQueriesContext(connection) as few:
        editor_browser.get(page_of(series))

    with django_assert_num_queries(len(few)):
        editor_browser.get(page_of(longer))


def test_form_of_a_series_changes_when_it_repeats(editor_browser):
    series = make_series(rdate=["2027-03-18 19:00:00"], exdate=["2027-03-30 19:00:00"])

    response = submit_form(
        editor_browser,
        page_of(series),
        title="Choir practice",
        start="2027-03-16T20:00",
        end="2027-03-16T21:30",
        **inputs(days=["TU", "FR"]),
    )

    series.refresh_from_db()
    assert response.status_code == 302
    assert messages_in(response)[0] == "The series has 5 events now."
    assert (series.title, series.rrule) == ("Choir practice", "FREQ=WEEKLY;COUNT=4;BYDAY=TU,FR")
    assert (series.rdate, series.exdate) == (["2027-03-18 20:00:00"], ["2027-03-30 20:00:00"])
    assert starts_of(series) == [
        "2027-03-16 20:00:00", "2027-03-18 20:00:00", "2027-03-19 20:00:00", "2027-03-23 20:00:00",
        "2027-03-26 20:00:00",
    ]  # fmt: skip
    assert {(event.title, event.end_local[11:]) for event in events_of(series)} == {("Choir practice", "21:30:00")}


@pytest.mark.parametrize(
    "rrule",
    [
        "FREQ=DAILY;INTERVAL=3;COUNT=3",
        "FREQ=WEEKLY;UNTIL=20270630;BYDAY=TU,TH",
        "FREQ=MONTHLY;COUNT=3",
        "FREQ=MONTHLY;COUNT=3;BYMONTHDAY=-1",
        "FREQ=MONTHLY;INTERVAL=2;COUNT=3;BYDAY=-1SU",
        "FREQ=YEARLY;COUNT=2",
        "FREQ=MONTHLY;COUNT=3;BYDAY=MO;BYSETPOS=2",
        "",
    ],
)
def test_saving_the_form_of_a_series_keeps_its_rule(editor_browser, rrule):
    series = make_series(rrule=rrule, rdate=["2027-04-01 10:30:00", "2027-04-02 19:00:00"])
    before = starts_of(series)

    submit_form(editor_browser, page_of(series), title="New")

    series.refresh_from_db()
    assert (series.title, series.rrule, starts_of(series)) == ("New", rrule, before)


def test_series_is_ended_and_extended(editor_browser):
    series = make_series()

    response = editor_browser.post(f"{LIST}{series.pk}/end/", {"last_day": "2027-03-23"})
    ended = starts_of(series)
    editor_browser.post(f"{LIST}{series.pk}/end/", {"last_day": "2027-04-13"})

    assert response.url == page_of(series)
    assert messages_in(response) == ["The series ends on 23 Mar 2027. It has 2 events now."]
    assert ended == DATES[:2]
    assert starts_of(series) == [*DATES, "2027-04-13 19:00:00"]
    error = editor_browser.post(f"{LIST}{series.pk}/end/", {"last_day": "2027-03-01"}).context["form"].errors
    assert error == {"last_day": ["There are no events with this rule and these dates."]}


def test_series_is_split(editor_browser):
    series = make_series()

    response = editor_browser.post(f"{LIST}{series.pk}/split/", {"occurrence": DATES[2]})

    following = Series.objects.exclude(pk=series.pk).get()
    assert response.url == page_of(following)
    assert messages_in(response) == ["The series was split. This new one begins on Tuesday 30 March 2027."]
    assert (starts_of(series), starts_of(following)) == (DATES[:2], DATES[2:])


@pytest.mark.parametrize("occurrence", ["", "2027-03-17 19:00:00", "nonsense"])
def test_series_cannot_be_split_elsewhere(editor_browser, occurrence):
    series = make_series()

    response = editor_browser.post(f"{LIST}{series.pk}/split/", {"occurrence": occurrence})

    assert messages_in(response) == ["The series has no event at this time."]
    assert Series.objects.count() == 1


def test_events_of_a_series_are_detached(editor_browser):
    series, other = make_series(), make_series()

    asked = editor_browser.get(f"{LIST}{series.pk}/detach/")
    response = editor_browser.post(f"{LIST}{series.pk}/detach/")

    assert "The series “Choir” will be deleted. Its 4 events stay, as single events." in text_of(asked)
    assert messages_in(response) == ["The series “Choir” was deleted. Its 4 events are single events now."]
    assert list(Series.objects.all()) == [other]
    assert Event.objects.filter(series=None).count() == 4


@pytest.mark.parametrize("action", ["end", "detach"])
def test_actions_of_a_missing_series_lead_to_the_start_page(editor_browser, action):
    assert editor_browser.get(f"{LIST}999/{action}/").url == "/admin/"


@pytest.mark.parametrize("role", ["contributor", "author"])
def test_series_of_others_can_only_be_viewed(request, role, editor):
    series = make_series(author=editor)
    client = browser_for(request.getfixturevalue(role))

    page = client.get(page_of(series))
    responses = [
        client.post(page_of(series), {"title": "Mine"}),
        client.get(f"{LIST}{series.pk}/end/"),
        client.post(f"{LIST}{series.pk}/end/", {"last_day": "2027-03-23"}),
        client.post(f"{LIST}{series.pk}/split/", {"occurrence": DATES[2]}),
        client.post(f"{LIST}{series.pk}/detach/"),
        client.get(f"{LIST}{series.pk}/history/"),
    ]

    assert page.status_code == 200
    assert not page.context["can_change_series"]
    assert {answer.status_code for answer in responses} == {403}
    assert (starts_of(series), Series.objects.get().title) == (DATES, "Choir")


def test_author_changes_own_series_as_long_as_its_events_are_own(author, editor):
    series = make_series(author=author)
    client = browser_for(author)
    allowed = client.get(page_of(series)).context["can_change_series"]
    Event.objects.filter(pk=events_of(series)[0].pk).update(author=editor)

    assert allowed
    assert not client.get(page_of(series)).context["can_change_series"]
    assert client.post(f"{LIST}{series.pk}/split/", {"occurrence": DATES[2]}).status_code == 403


def test_history_of_a_series(editor_browser):
    series = make_series()
    submit_form(editor_browser, page_of(series), title="New")

    response = editor_browser.get(f"{LIST}{series.pk}/history/")

    assert response.status_code == 200
    assert "History: New" in text_of(response)


# --- Changing an event of a series ---------------------------------------------------------------


def form_of(event):
    return f"/admin/events/event/{event.pk}/change/"


def titles_of(series):
    return [event.title for event in events_of(series)]


def test_form_of_an_event_names_its_series_and_offers_the_scopes(editor_browser):
    series = make_series()
    events = events_of(series)
    Event.objects.filter(pk=events[3].pk).update(status="trash")

    page = editor_browser.get(form_of(events[1]))

    assert "Part of a series: Choir – Every week on Tuesday, 4 times" in text_of(page)
    assert page.context["save_choice"].field.choices == [
        ("this", "Only this event"),
        ("following", "This and following events (2 events)"),
        ("all", "All events of the series (3 events)"),
    ]
    assert "save_choice" not in editor_browser.get(form_of(events[3])).context
    assert "save_choice" not in editor_browser.get(form_of(EventFactory())).context


def test_change_of_one_event_stays_in_it(editor_browser):
    series = make_series()

    response = submit_form(editor_browser, form_of(events_of(series)[1]), title="Concert", scope="this")

    assert len(messages_in(response)) == 1
    assert titles_of(series) == ["Choir", "Concert", "Choir", "Choir"]
    assert Series.objects.get().title == "Choir"


def test_change_of_the_following_events_splits_the_series(editor_browser):
    series = make_series()

    response = submit_form(editor_browser, form_of(events_of(series)[1]), title="Concert", scope="following")

    following = Series.objects.exclude(pk=series.pk).get()
    (message,) = messages_in(response)
    assert message.startswith("The series was changed. It has 3 events. <a")
    assert (titles_of(series), titles_of(following)) == (["Choir"], ["Concert"] * 3)
    assert (starts_of(series), starts_of(following)) == (DATES[:1], DATES[1:])


def test_change_of_all_events_keeps_single_changes(editor_browser):
    venue, series = VenueFactory(), make_series(featured=False)
    events = events_of(series)
    submit_form(editor_browser, form_of(events[2]), title="Concert")
    other = make_series()

    response = submit_form(
        editor_browser,
        form_of(events[1]),
        title="Singing",
        featured="on",
        ordered_venues=[venue.pk],
        slug="only-this-one",
        sold_out="on",
        start="2027-03-23T20:00",
        end="2027-03-23T21:30",
        scope="all",
    )

    changed = events_of(series)
    assert messages_in(response)[0].startswith("The series was changed. It has 4 events. <a")
    assert titles_of(series) == ["Singing", "Singing", "Concert", "Singing"]
    assert starts_of(series) == [date.replace("19:00", "20:00") for date in DATES]
    assert {event.end_local[11:] for event in changed} == {"21:30:00"}
    assert {(event.featured, tuple(event.venues.all())) for event in changed} == {(True, (venue,))}
    assert [event.sold_out for event in changed] == [False, True, False, False]
    assert [event.slug == "only-this-one" for event in changed] == [False, True, False, False]
    assert titles_of(other) == ["Choir"] * 4


def test_tickets_of_all_events_are_changed(editor_browser):
    series = make_series()
    ticket = {
        "tickets-0-name": "Admission",
        "tickets-0-price": "12",
        "tickets-0-currency": "EUR",
        "tickets-0-position": "0",
    }

    submit_form(editor_browser, form_of(events_of(series)[0]), **{"tickets-TOTAL_FORMS": "1"}, **ticket, scope="all")

    assert [[row.name for row in event.tickets.all()] for event in events_of(series)] == [["Admission"]] * 4


def test_submitted_series_is_published_from_one_of_its_events(contributor, editor_browser):
    submit_form(browser_for(contributor), ADD, title="Choir", _submit="", **TIMES, **inputs(**WEEKLY))
    series = Series.objects.get()

    submit_form(editor_browser, form_of(events_of(series)[1]), scope="all", _publish="")

    assert {event.status for event in events_of(series)} == {"publish"}
    assert Series.objects.get().status == "publish"
    assert not review_queue(contributor).exists()


@pytest.mark.parametrize("scope", ["following", "all"])
def test_several_events_are_not_moved_to_another_day(editor_browser, scope):
    series = make_series()

    response = submit_form(
        editor_browser, form_of(events_of(series)[1]), start="2027-03-24T19:00", end="2027-03-24T21:00", scope=scope
    )

    assert form_errors(response) == {"start": ["To move several events to other days, change when the series repeats."]}
    assert starts_of(series) == DATES


def test_scope_needs_permission_for_all_events(author, editor):
    series = make_series(author=author)
    own, others = events_of(series)[:2]
    Event.objects.filter(pk=others.pk).update(author=editor)
    client = browser_for(author)

    page = client.get(form_of(own))
    post_form(client, form_of(own), form_data(page), title="Mine", scope="all")

    assert "save_choice" not in page.context
    assert titles_of(series) == ["Mine", "Choir", "Choir", "Choir"]


# --- Trash, calendar, detaching ------------------------------------------------------------------


def trash_url(event):
    return f"/admin/events/event/{event.pk}/trash/"


def test_trash_asks_which_events_to_move(editor_browser):
    series = make_series()

    asked = editor_browser.post(trash_url(events_of(series)[1]))

    assert asked.status_code == 200
    assert [value for value, _label in asked.context["choices"]] == ["this", "following", "all"]
    assert starts_of(series) == DATES


def test_one_event_of_a_series_is_moved_to_the_trash(editor_browser):
    series = make_series()

    response = editor_browser.post(trash_url(events_of(series)[1]), {"scope": "this"})

    assert messages_in(response) == ["Moved to trash: Choir."]
    assert starts_of(series) == [DATES[0], *DATES[2:]]


@pytest.mark.parametrize(("position", "scope", "left"), [(1, "following", 1), (0, "following", 0), (2, "all", 0)])
def test_several_events_of_a_series_are_moved_to_the_trash(editor_browser, position, scope, left):
    series, single = make_series(), EventFactory()

    response = editor_browser.post(trash_url(events_of(series)[position]), {"scope": scope})

    count = 4 - left
    assert messages_in(response) == [f"{count} events of the series were moved to the trash."]
    assert starts_of(series) == DATES[:left]
    assert Series.objects.count() == (1 if left else 0)
    assert Event.objects.filter(status="trash", series=None).count() == count
    single.refresh_from_db()
    assert single.status == "publish"


def test_many_events_follow_to_the_trash_in_the_background(editor_browser):
    series = make_series(rrule="FREQ=DAILY;COUNT=151")
    run_worker()
    events = Event.objects.filter(pk__in=[event.pk for event in events_of(series)])
    other = EventFactory()

    response = editor_browser.post(trash_url(events_of(series)[0]), {"scope": "all"})
    at_once = events.filter(status="trash").count()
    run_worker()

    assert messages_in(response) == [
        "151 events of the series were moved to the trash.",
        "The others follow in the background, within about a minute.",
    ]
    assert at_once == 150
    assert list(Event.objects.exclude(status="trash")) == [other]
    assert events.filter(series=None).count() == 151


def test_trash_does_not_ask_about_a_single_event(editor_browser):
    event = EventFactory(title="Talk")

    assert messages_in(editor_browser.post(trash_url(event), {"scope": "all"})) == ["Moved to trash: Talk."]


def test_calendar_says_that_only_one_event_was_moved(editor_browser):
    series = make_series()
    event = events_of(series)[1]

    moved = editor_browser.post(f"/admin/events/event/{event.pk}/move/", {"from": "2027-03-23", "to": "2027-03-24"})

    assert moved.json()["message"] == (
        "“Choir” was moved to Wednesday 24 March 2027 (19:00 Rome). Only this event of the series was moved."
    )
    assert starts_of(series) == [DATES[0], "2027-03-24 19:00:00", *DATES[2:]]


def test_event_is_detached(editor_browser):
    series = make_series()
    event = events_of(series)[1]

    response = editor_browser.post(f"/admin/events/event/{event.pk}/detach/")
    again = editor_browser.post(f"/admin/events/event/{event.pk}/detach/")

    event.refresh_from_db()
    series.refresh_from_db()
    assert messages_in(response) == ["Detached from its series: Choir."]
    assert messages_in(again)[-1:] == ["Skipped (not in a series): Choir."]
    assert (event.series, event.status, series.exdate) == (None, "publish", [DATES[1]])


def test_strangers_do_not_detach_events(author, editor):
    series = make_series(author=editor)
    event = events_of(series)[1]

    response = browser_for(author).post(f"/admin/events/event/{event.pk}/detach/")

    assert messages_in(response) == ["Skipped (no permission to change): Choir."]
    assert len(events_of(series)) == 4


def test_list_of_events_marks_those_of_series(editor_browser):
    series = make_series(rrule="FREQ=DAILY;COUNT=1")
    EventFactory()

    page = editor_browser.get("/admin/events/event/").content.decode()

    assert page.count(f'href="{page_of(series)}" title="Part of a series"') == 1


# --- Input that no form sends --------------------------------------------------------------------


@pytest.mark.parametrize("day", ["9999-12-31", "0001-01-01"])
def test_series_does_not_end_in_a_year_that_rules_cannot_have(editor_browser, day):
    series = make_series()

    response = editor_browser.post(f"{LIST}{series.pk}/end/", {"last_day": day})

    assert response.context["form"].errors == {"last_day": ["Not a valid date."]}
    assert Series.objects.get().rrule == "FREQ=WEEKLY;COUNT=4;BYDAY=TU"


@pytest.mark.parametrize("occurrence", ["", "soon", "2027-03-23 19:00:00\0", "2027-03-24 19:00:00"])
def test_series_is_not_split_at_another_time(editor_browser, occurrence):
    series = make_series()

    response = editor_browser.post(f"{LIST}{series.pk}/split/", {"occurrence": occurrence})

    assert messages_in(response) == ["The series has no event at this time."]
    assert len(events_of(Series.objects.get())) == 4


@pytest.mark.parametrize("text", ["weekly", "FREQ=NEVER||", "||"])
def test_form_of_an_event_ignores_a_recurrence_in_its_url(editor_browser, text):
    response = editor_browser.get(ADD, {"recurrence": text})

    assert form_data(response)["recurrence-frequency"] == [""]


# --- What others may not see ---------------------------------------------------------------------


def test_page_of_a_series_leaves_out_events_that_the_user_may_not_see(author):
    series = make_series()
    hidden, trashed, *_others = events_of(series)
    Event.objects.filter(pk=hidden.pk).update(title="Secret", status="private")
    Event.objects.filter(pk=trashed.pk).update(title="Gone", status="trash")

    page = browser_for(author).get(f"{LIST}{series.pk}/change/")

    assert [row.occurrence for row in page.context["occurrences"]] == DATES[2:]


def test_viewers_do_not_learn_that_a_protected_event_is_of_a_series(author):
    series = make_series()
    protected, *others = events_of(series)
    Event.objects.filter(pk=protected.pk).update(password="secret", event_status="cancelled")
    client = browser_for(author)

    listed = client.get("/admin/events/event/", {"series": series.pk})
    rows = client.get(page_of(series)).context["occurrences"]
    forms = [client.get(form_of(event)).context for event in (protected, others[0])]
    pages = [client.get(f"/admin/events/event/{event.pk}/series/") for event in (protected, others[0])]

    assert len(listed_titles(listed)) == 3
    assert column_texts(client.get(LIST), "number_of_events") == ["3"]
    assert column_texts(client.get(LIST), "next_event") == ["Tue 23 Mar 2027, 19:00"]
    assert [row.occurrence for row in rows] == DATES[1:]
    assert ["series" in context for context in forms] == [False, True]
    assert [page.status_code for page in pages] == [403, 302]


def test_actions_of_a_series_are_shown_to_users_who_may_run_them(author, editor):
    series = make_series(author=author)
    client = browser_for(author)

    def is_offered():
        return "Detach all events" in client.get(page_of(series)).content.decode()

    before = is_offered()
    Event.objects.filter(pk=events_of(series)[1].pk).update(author=editor)

    assert (before, is_offered()) == (True, False)
    assert client.get(f"{LIST}{series.pk}/detach/").status_code == 403


def test_several_events_are_trashed_only_with_permission_for_all_of_them(author, editor):
    series = make_series()
    author.user_permissions.add(Permission.objects.get(codename="change_others_event"))
    own = events_of(series)[1]
    Event.objects.filter(pk=own.pk).update(author=author)

    response = browser_for(author).post(f"/admin/events/event/{own.pk}/trash/", {"scope": "all"})

    assert response.status_code == 403
    assert starts_of(series) == DATES


def test_sentence_of_a_series_that_was_split_ends_before_the_next_one(editor_browser):
    series = make_series()

    editor_browser.post(f"{LIST}{series.pk}/split/", {"occurrence": DATES[2]})

    page = editor_browser.get(f"{LIST}{series.pk}/change/")
    assert page.context["sentence"] == "Every week on Tuesday until 29 Mar 2027"
