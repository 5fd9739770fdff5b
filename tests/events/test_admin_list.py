"""The list of events in the admin: filters by time, switches, and lists of any length."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.utils import timezone

from calendar_site.back_office.content.fieldsets import field_name
from calendar_site.back_office.lists.changelist import BoundedPaginator
from events.models import Event
from tests.factories import CategoryFactory, EventFactory, OrganizerFactory, VenueFactory
from tests.support.admin import browser_for, column_texts, listed_titles, messages_in, run_action
from tests.support.history import all_revisions, recorded_changes

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

LIST = "/admin/events/event/"
JSON = {"Accept": "application/json"}


@pytest.fixture
def few_counted(monkeypatch):
    """Lists count no further than five."""
    monkeypatch.setattr(BoundedPaginator, "max_count", 5)
    monkeypatch.setattr("events.admin.EventAdmin.list_max_show_all", 4)


# --- Years, months and days ----------------------------------------------------------------------


def ways(client, **parameters):
    """What leads up and what leads down from a list."""
    shown = client.get(LIST, parameters).context["cl"]
    return [name for name, _address in shown.enclosing_periods], [name for name, _address in shown.contained_periods]


def test_events_are_found_by_year_month_and_day_of_their_own_clocks(editor_browser):
    EventFactory(title="eve", start="2026-12-31 23:30", time_zone="America/Toronto")
    EventFactory(title="new year", start="2027-01-01 00:30", time_zone="Europe/Rome")
    EventFactory(title="december", start="2027-12-31 23:59")
    EventFactory(title="trash", start="2029-12-31 23:59", status="trash")

    assert ways(editor_browser) == ([], ["2026", "2027"])
    assert ways(editor_browser, start="2027") == (["All dates", "2027"], ["January 2027", "December 2027"])
    assert ways(editor_browser, start="2027-01") == (["All dates", "2027", "January 2027"], ["Fri 1 Jan 2027"])
    assert ways(editor_browser, start="2027-01-01") == (
        ["All dates", "2027", "January 2027", "Fri 1 Jan 2027"],
        [],
    )
    assert listed_titles(editor_browser.get(LIST, {"start": "2026"})) == ["eve"]
    assert listed_titles(editor_browser.get(LIST, {"start": "2027"})) == ["new year", "december"]
    assert listed_titles(editor_browser.get(LIST, {"start": "2027-01"})) == ["new year"]
    assert listed_titles(editor_browser.get(LIST, {"start": "2027-01-01"})) == ["new year"]
    assert listed_titles(editor_browser.get(LIST, {"start": "2027-12-31"})) == ["december"]
    assert listed_titles(editor_browser.get(LIST, {"start": "2028"})) == []


def test_period_links_follow_the_status(editor_browser, author_browser, author):
    EventFactory(start="2026-12-31 10:00", status="draft")
    EventFactory(start="2027-01-01 10:00")
    EventFactory(start="2028-02-03 10:00", status="trash")
    EventFactory(start="2029-12-31 10:00", status="trash", author=author)

    assert ways(editor_browser, status="trash") == ([], ["2028", "2029"])
    assert ways(editor_browser, status="trash", start="2028")[1] == ["February 2028"]
    assert ways(editor_browser, status="draft") == ([], ["2026"])
    assert ways(editor_browser, status="private") == ([], [])
    assert ways(editor_browser) == ([], ["2026", "2027"])
    assert ways(author_browser, status="trash") == ([], ["2029"])


def test_period_links_keep_other_filters(editor_browser):
    EventFactory(start="2027-01-01 10:00", featured=True)

    shown = editor_browser.get(LIST, {"start": "2027", "featured": "yes", "p": "1"}).context["cl"]

    assert shown.enclosing_periods == [("All dates", "?featured=yes"), ("2027", "?featured=yes&start=2027")]
    assert shown.contained_periods == [("January 2027", "?featured=yes&start=2027-01")]
    assert [spec.title for spec in shown.filter_specs if spec.title == "start"] == []


def test_period_links_omit_hidden_events(author_browser):
    EventFactory(start="2027-01-01 10:00", status="draft")

    assert ways(author_browser) == ([], [])
    assert ways(author_browser, start="2027") == (["All dates", "2027"], [])


def test_years_far_away_are_left_out(editor_browser):
    EventFactory(title="Old", start="1066-10-14 09:00")
    EventFactory(title="New", start="2027-01-01 10:00")

    assert ways(editor_browser) == ([], ["2027"])
    assert listed_titles(editor_browser.get(LIST, {"start": "1066-10"})) == ["Old"]


@pytest.mark.parametrize("start", ["soon", "20", "2027-1", "2027-01-1", "2027-01-01T10", "２０２７", "2027\0"])
def test_invalid_periods_are_rejected(editor_browser, start):
    assert editor_browser.get(LIST, {"start": start})["Location"].endswith("?e=1")


@pytest.mark.parametrize("start", ["2027-13", "2027-02-31", "0000", "9999", "9999-12-31"])
def test_a_period_that_is_in_no_calendar_holds_nothing(editor_browser, start):
    EventFactory()

    assert listed_titles(editor_browser.get(LIST, {"start": start})) == []


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize(("start", "queries"), [("", 11), ("2027", 9), ("2027-01", 9), ("2027-01-01", 8)])
def test_period_links_query_count(editor_browser, django_assert_num_queries, count, start, queries):
    for day in range(1, count + 1):
        EventFactory(start=f"2027-01-0{day} 10:00", venues=[VenueFactory()], categories=[CategoryFactory()])

    with django_assert_num_queries(queries):
        editor_browser.get(LIST, {"start": start} if start else {})
    with django_assert_num_queries(queries):
        editor_browser.get(LIST, {"start": start, "status": "publish"} if start else {"status": "publish"})


# --- From one day to another ---------------------------------------------------------------------


def test_events_are_found_that_happen_on_any_of_some_days(editor_browser):
    EventFactory(title="before", start="2027-03-09 20:00", end="2027-03-09 23:00")
    EventFactory(title="running", start="2027-01-01 10:00", end="2027-06-01 18:00")
    EventFactory(title="first", start="2027-03-10 00:00", end="2027-03-10 01:00", time_zone="Asia/Tokyo")
    EventFactory(title="last", start="2027-03-12 23:30", end="2027-03-13 02:00", time_zone="America/Toronto")
    EventFactory(title="after", start="2027-03-13 00:00", end="2027-03-13 01:00")

    def found(**days):
        return sorted(listed_titles(editor_browser.get(LIST, days)))

    assert found(**{"from": "2027-03-10", "to": "2027-03-12"}) == ["first", "last", "running"]
    assert found(**{"from": "2027-03-12", "to": "2027-03-10"}) == ["first", "last", "running"]
    assert found(**{"from": "2027-03-13"}) == ["after", "last", "running"]
    assert found(to="2027-03-09") == ["before", "running"]
    assert found(**{"from": "", "to": ""}) == ["after", "before", "first", "last", "running"]
    assert found(**{"from": "0001-01-01", "to": "9999-12-31"}) == ["after", "before", "first", "last", "running"]
    assert found(**{"from": "2027-03-10", "to": "2027-03-12", "q": "running"}) == ["running"]


def test_date_filter_shows_the_chosen_dates(editor_browser):
    page = editor_browser.get(LIST, {"from": "2027-03-10", "to": "", "time": "coming"}).content.decode()

    assert '<input type="date" max="9999-12-31" name="from" value="2027-03-10">' in page
    assert '<input type="date" max="9999-12-31" name="to" value="">' in page
    assert '<a href="?time=coming">Reset dates</a>' in page


@pytest.mark.parametrize("day", ["soon", "2027-02-30", "2027", "\0"])
def test_invalid_dates_are_rejected(editor_browser, day):
    assert editor_browser.get(LIST, {"from": day})["Location"].endswith("?e=1")


# --- Columns -------------------------------------------------------------------------------------


def test_columns_show_the_values_of_the_event(editor_browser, editor):
    EventFactory(
        title="Talk",
        start="2027-03-10 10:00",
        end="2027-03-10 12:00",
        author=editor,
        venues=[VenueFactory(title="Hall"), VenueFactory(title="Club")],
        categories=[CategoryFactory(name="Music"), CategoryFactory(name="Art")],
    )

    page = editor_browser.get(LIST)

    assert listed_titles(page) == ["Talk"]
    names = ("times", "venue_names", "category_names", "status_now", "author_name")
    assert [column_texts(page, name) for name in names] == [
        ["Wed 10 Mar 2027, 10:00 – 12:00"],
        ["Hall, Club"],
        ["Art Music"],
        ["Published"],
        ["editor"],
    ]


def test_columns_omit_values_protected_by_a_password(author_browser):
    EventFactory(title="Protected", password="x", featured=True, categories=[CategoryFactory(name="Music")])
    EventFactory(title="Open", featured=True, categories=[CategoryFactory(name="Art")])

    page = author_browser.get(LIST)

    assert column_texts(page, "category_names") == ["", "Art"]
    assert [text.split() for text in column_texts(page, "flags")] == [[], ["star"]]


# --- Switches ------------------------------------------------------------------------------------


def flag(client, event, name, value="1", **kwargs):
    return client.post(f"{LIST}{event.pk}/flag/{name}/", {"value": value}, **kwargs)


FLAG_MESSAGES = {
    "featured": ("“Talk” is now featured.", "“Talk” is no longer featured."),
    "sticky": ("“Talk” is now sticky.", "“Talk” is no longer sticky."),
    "hide_from_listings": ("“Talk” is now hidden from listings.", "“Talk” is now shown in listings."),
}


@pytest.mark.parametrize("name", FLAG_MESSAGES)
def test_a_switch_sets_one_flag_and_returns_a_message(editor_browser, name):
    event = EventFactory(title="Talk")
    recorded = len(recorded_changes(event))

    on = flag(editor_browser, event, name, headers=JSON)
    again = flag(editor_browser, event, name, headers=JSON)
    off = flag(editor_browser, event, name, "0", headers=JSON)

    assert [(answer.status_code, answer.json()["message"]) for answer in (on, again, off)] == [
        (200, FLAG_MESSAGES[name][0]),
        (200, FLAG_MESSAGES[name][0]),
        (200, FLAG_MESSAGES[name][1]),
    ]
    assert recorded_changes(event)[recorded:] == [("changed", "editor", "admin", [name])] * 2
    assert getattr(Event.objects.get(), name) is False


def test_an_old_list_takes_nothing_back(editor_browser):
    event = EventFactory(title="Talk")
    editor_browser.get(LIST)
    Event.objects.update(title="Newer", sticky=True)

    flag(editor_browser, event, "featured")

    event = Event.objects.get()
    assert (event.title, event.sticky, event.featured) == ("Newer", True, True)


def test_switches_work_without_scripts(editor_browser):
    event = EventFactory(title="Talk", start="2027-03-10 10:00")
    page = editor_browser.get(LIST, {"start": "2027"}).content.decode()
    path = f"{event.pk}/flag/featured/?_changelist_filters=start%3D2027"

    response = editor_browser.post(f"{LIST}{path}", {"value": "1", "action": "", "_selected_action": [event.pk]})

    assert f'formaction="{path}"' in page
    assert 'aria-pressed="false" aria-label="Featured: Talk"' in page
    assert response["Location"] == f"{LIST}?start=2027"
    assert messages_in(response) == ["“Talk” is now featured."]
    assert 'value="0" aria-pressed="true" aria-label="Featured: Talk"' in editor_browser.get(LIST).content.decode()


def test_only_what_one_may_change_has_switches(author_browser, author):
    EventFactory(title="Own", author=author)
    EventFactory(title="Other")

    page = author_browser.get(LIST).content.decode()

    assert page.count('<button class="flag"') == 3
    assert 'aria-label="Featured: Own"' in page
    assert 'aria-label="Featured: Other"' not in page


def test_a_stranger_switches_nothing(author_browser, author):
    published, draft, trashed = (
        EventFactory(title="Other"),
        EventFactory(status="draft"),
        EventFactory(title="Gone", status="trash", author=author),
    )
    before = all_revisions()

    responses = [flag(author_browser, event, "featured", headers=JSON) for event in (published, draft, trashed)]

    assert [(answer.status_code, answer.json()["message"]) for answer in responses] == [
        (403, "You do not have permission to change “Other”."),
        (404, "This event no longer exists."),
        (403, "You do not have permission to change “Gone”."),
    ]
    assert messages_in(flag(author_browser, published, "featured")) == ["You do not have permission to change “Other”."]
    assert not Event.objects.filter(featured=True).exists()
    assert all_revisions() == before


@pytest.mark.parametrize(
    ("name", "value"), [("status", "1"), ("password", "1"), ("featured", "2"), ("featured", ""), ("author", "1")]
)
def test_nothing_else_can_be_switched(editor_browser, name, value):
    event = EventFactory()

    assert flag(editor_browser, event, name, value).status_code == 404
    assert editor_browser.get(f"{LIST}{event.pk}/flag/featured/").status_code == 405


# --- Long lists ----------------------------------------------------------------------------------


def test_a_short_list_shows_the_number_of_records(editor_browser, few_counted):
    EventFactory.create_batch(5)

    page = editor_browser.get(LIST)

    assert (page.context["cl"].result_count, page.context["cl"].paginator.is_long) == (5, False)
    assert "long-list-pages" not in page.content.decode()


def test_filters_have_plain_titles_and_the_number_follows_its_noun(editor_browser):
    EventFactory()

    page = " ".join(editor_browser.get(f"/pl{LIST}").content.decode().split())

    assert page.count(" Wydarzenia: 1 ") == 1
    assert [title in page for title in ("> Status <", ">Kategoria<", "> Wyróżnione <")] == [True] * 3


def test_a_long_list_counts_no_further_and_is_paged_to_its_end(editor_browser, few_counted, monkeypatch):
    monkeypatch.setattr("events.admin.EventAdmin.list_per_page", 2)
    made = [str(event) for event in EventFactory.create_batch(7)]

    pages = [editor_browser.get(LIST, {"p": number}) for number in (1, 2, 3, 4)]

    assert [listed_titles(page) for page in pages] == [made[:2], made[2:4], made[4:6], made[6:]]
    texts = [" ".join(page.content.decode().split()) for page in pages]
    assert ["Events: more than 5" in text for text in texts] == [True] * 4
    assert ['rel="prev"' in text for text in texts] == [False, True, True, True]
    assert ['rel="next"' in text for text in texts] == [True, True, True, False]
    assert [re.search(r"Select all \d", text) for text in texts] == [None] * 4
    assert [re.search(r"\d results", text) for text in texts] == [None] * 4
    assert ["showall" in text for text in texts] == [False] * 4
    for number in ("5", "99999999999999999999", "0", "-1"):
        assert editor_browser.get(LIST, {"p": number})["Location"].endswith("?e=1")


def test_a_long_list_is_not_shown_or_changed_as_a_whole(editor_browser, few_counted, monkeypatch):
    monkeypatch.setattr("events.admin.EventAdmin.list_per_page", 2)
    events = EventFactory.create_batch(6)

    shown = editor_browser.get(LIST, {"all": ""})
    response = run_action(editor_browser, LIST, "move_to_trash", events[:1], select_across="1")

    assert len(listed_titles(shown)) == 2
    assert messages_in(response) == [
        "The action was not run because more than 5 records are selected. Filter the list to select fewer."
    ]
    assert not Event.objects.filter(status="trash").exists()


def test_choices_of_a_long_list_go_on(editor_browser, few_counted):
    EventFactory.create_batch(27)
    path = "/admin/autocomplete/?app_label=events&model_name=event&field_name=parent&page="

    responses = [editor_browser.get(f"{path}{page}").json() for page in (1, 2)]

    assert [(len(answer["results"]), answer["pagination"]["more"]) for answer in responses] == [(20, True), (7, False)]


def test_lists_are_sorted_by_what_has_an_index(editor_browser):
    first, second = EventFactory(title="A", status="draft"), EventFactory(title="B", status="publish")

    shown = editor_browser.get(LIST, {"o": "2"})
    by_status = editor_browser.get(LIST, {"o": "6"})

    assert sorted(map(field_name, shown.context["cl"].sortable_by)) == ["modified", "times", "title"]
    assert listed_titles(shown) == [str(first), str(second)]
    # The usual order.
    assert listed_titles(by_status) == [str(first), str(second)]


def test_users_with_read_only_access_have_no_switches(editor):
    editor.groups.clear()
    editor.user_permissions.set(Permission.objects.filter(codename="view_event"))
    EventFactory(title="Talk", featured=True)

    page = browser_for(editor).get(LIST)

    assert column_texts(page, "flags") == ["star"]
    assert "/flag/" not in page.content.decode()


# --- Order, search and active filters -------------------------------------------------------------


def around_now():
    """Create past, ongoing and coming events, and return the order of the list."""
    now = timezone.now()
    moments = {"long past": (-30, -29), "past": (-3, -2), "ongoing": (-1, 1), "next": (2, 3), "later": (40, 41)}
    for title in ("later", "past", "next", "long past", "ongoing"):
        start, end = (f"{now + timedelta(days=days):%Y-%m-%d %H:%M:%S}" for days in moments[title])
        EventFactory(title=title, start=start, end=end)
    return ["ongoing", "next", "later", "past", "long past"]


def test_coming_events_are_first(editor_browser):
    order = around_now()

    assert listed_titles(editor_browser.get(LIST)) == order
    assert listed_titles(editor_browser.get(LIST, {"o": "2"})) == sorted(order)


@pytest.mark.usefixtures("few_counted")
def test_coming_events_are_first_on_all_pages_of_a_long_list(editor_browser, monkeypatch):
    monkeypatch.setattr("events.admin.EventAdmin.list_per_page", 2)
    order = [*around_now(), "ancient", "oldest"]
    EventFactory(title="oldest", start="2001-01-01 10:00")
    EventFactory(title="ancient", start="2001-01-02 10:00")

    pages = [listed_titles(editor_browser.get(LIST, {"p": page})) for page in (1, 2, 3, 4)]

    assert pages == [order[0:2], order[2:4], order[4:6], order[6:]]
    assert editor_browser.get(LIST, {"p": 5})["Location"].endswith("?e=1")


def test_search_finds_names_of_venues_and_organizers(editor_browser):
    hall, band = VenueFactory(title="Saltworks Café"), OrganizerFactory(title="Night Owls")
    EventFactory(title="At the hall", venues=[hall])
    EventFactory(title="By the band", organizers=[band])
    EventFactory(title="Saltworks tour")
    EventFactory(title="Elsewhere", venues=[VenueFactory(title="Other", description="Near the Saltworks")])
    EventFactory(title="In the trash", venues=[hall], status="trash")

    def found(query):
        return sorted(listed_titles(editor_browser.get(LIST, {"q": query})))

    assert found("saltworks") == ["At the hall", "Saltworks tour"]
    assert found("cafe salt") == ["At the hall"]
    assert found("owls") == ["By the band"]
    assert found("owls saltworks") == []


def test_search_does_not_reveal_venues_of_protected_events(author_browser, editor_browser):
    EventFactory(title="Secret", venues=[VenueFactory(title="Saltworks")], password="hush")

    assert listed_titles(author_browser.get(LIST, {"q": "saltworks"})) == []
    assert listed_titles(editor_browser.get(LIST, {"q": "saltworks"})) == ["Secret"]


def test_active_filters_are_shown_with_links_that_remove_them(editor_browser):
    venue = VenueFactory(title="Hall")
    query = {"q": "talk", "venue": venue.pk, "status": "draft", "from": "2027-03-10"}

    shown = editor_browser.get(LIST, query).context["cl"].active_filters

    assert [label for label, _url in shown] == [
        "Status: Draft", "Date range: Wed 10 Mar 2027 – …", "Venue: Hall", "“talk”"
    ]  # fmt: skip
    assert [url for _label, url in shown if "venue" not in url] == ["?from=2027-03-10&q=talk&status=draft"]
    assert editor_browser.get(LIST).context["cl"].active_filters == []


def test_status_has_a_color(editor_browser):
    EventFactory(status="draft")

    assert '<span class="status is-draft">Draft</span>' in editor_browser.get(LIST).content.decode()
