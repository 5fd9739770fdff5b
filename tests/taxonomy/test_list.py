"""The lists of categories and tags: filters and orders."""

import pytest

from tests.factories import CategoryFactory, EventFactory
from tests.support.api_client import API, invalid_params, listed_ids
from tests.support.resources import TERMS

pytestmark = pytest.mark.django_db


def shown_names(client, terms, query=""):
    """The names in the list, empty ones included; the totals agree with them."""
    response = client.get(terms.list(f"per_page=100&{query}"))
    assert response.status_code == 200, response.content
    names = [record["name"] for record in response.json()[terms.collection]]
    assert (response.json()["total"], response["X-TEC-Total"]) == (len(names), str(len(names)))
    return names


def event_with(terms, *rows, **fields):
    return EventFactory(**{terms.collection: list(rows)}, **fields)


# --- Empty ones


def test_terms_without_published_events_are_hidden_by_default(client, editor_api, terms):
    busy, drafted, _idle = (terms.make(name) for name in ("Busy", "Drafted", "Idle"))
    event_with(terms, busy, drafted, status="draft")
    event_with(terms, busy, start="2001-01-01 10:00")
    # Anonymous visitors do not find these by the term (D32).
    event_with(terms, busy, drafted, hide_from_listings=True)
    event_with(terms, busy, drafted, password="secret")

    for asking in (client, editor_api):
        body = asking.get(terms.path).json()
        assert [(record["name"], record["count"]) for record in body[terms.collection]] == [("Busy", 1)]
        assert body["total"] == 1


@pytest.mark.parametrize("value", ["false", "0", "False"])
def test_empty_terms_are_shown_on_request(client, terms, value):
    event_with(terms, terms.make("Busy"))
    terms.make("Idle")

    records = client.get(f"{terms.path}?hide_empty={value}").json()[terms.collection]

    assert [(record["name"], record["count"]) for record in records] == [("Busy", 1), ("Idle", 0)]


@pytest.mark.parametrize("value", ["true", "1", "TRUE"])
def test_empty_terms_are_hidden_on_request(client, terms, value):
    event_with(terms, terms.make("Busy"))
    terms.make("Idle")

    assert listed_ids(client.get(f"{terms.path}?hide_empty={value}"), terms.collection) == [
        terms.factory._meta.model.objects.get(name="Busy").pk
    ]


@pytest.mark.parametrize("value", ["", "2", "yes", "null"])
def test_what_is_no_boolean_is_refused(client, terms, value):
    assert set(invalid_params(client.get(f"{terms.path}?hide_empty={value}"))) == {"hide_empty"}


# --- By id, slug, parent and event


@pytest.mark.parametrize(
    "query", ["include={0},{1}", "include[]={0}&include[]={1}", "include={0}&include={1}", "include= {0} ,{1},{0}"]
)
def test_terms_by_their_ids(client, terms, query):
    rows = [terms.make(name) for name in ("A", "B", "C")]

    assert shown_names(client, terms, query.format(*(row.pk for row in rows))) == ["A", "B"]


@pytest.mark.parametrize("query", ["exclude={0},{1}", "exclude[]={0}&exclude[]={1}", "exclude={0}&exclude={1}"])
def test_terms_but_those_with_these_ids(client, terms, query):
    rows = [terms.make(name) for name in ("A", "B", "C")]

    assert shown_names(client, terms, query.format(*(row.pk for row in rows))) == ["C"]


def test_include_and_exclude_together(client, terms):
    a, b, c = (terms.make(name).pk for name in ("A", "B", "C"))

    assert shown_names(client, terms, f"include={a},{b}&exclude={b},{c}") == ["A"]


def test_include_leaves_the_default_of_empty_terms(client, terms):
    idle = terms.make("Idle")

    assert listed_ids(client.get(f"{terms.path}?include={idle.pk}"), terms.collection) == []


@pytest.mark.parametrize("value", ["", "0", "-1", "1.5", "music", "Music", "{known},music", "{known},999999999"])
def test_unknown_ids_are_refused(client, terms, value):
    value = value.format(known=terms.make("Music").pk)

    assert set(invalid_params(client.get(f"{terms.list()}&include={value}&exclude={value}"))) == {"include", "exclude"}


def test_term_of_a_slug(client, terms):
    for name in ("Jazz", "Jazz Rock", "音楽"):
        terms.make(name)

    assert shown_names(client, terms, "slug=jazz") == ["Jazz"]
    assert shown_names(client, terms, "slug=jazz-rock") == ["Jazz Rock"]
    assert shown_names(client, terms, "slug=音楽") == ["音楽"]
    assert shown_names(client, terms, "slug=jaz") == []
    assert shown_names(client, terms, "slug=JAZZ") == []


def test_empty_slug_is_refused(client, terms):
    assert set(invalid_params(client.get(f"{terms.path}?slug="))) == {"slug"}


def test_categories_below_a_category(client):
    music = CategoryFactory(name="Music")
    jazz = CategoryFactory(name="Jazz", parent=music)
    CategoryFactory(name="Bebop", parent=jazz)
    CategoryFactory(name="Sports")
    categories = TERMS[0]

    assert shown_names(client, categories, f"parent={music.pk}") == ["Jazz"]
    assert shown_names(client, categories, f"parent={jazz.pk}") == ["Bebop"]
    assert shown_names(client, categories, f"parent={jazz.pk}&search=jazz") == []


@pytest.mark.parametrize("value", ["", "-1", "music", "999999999", "1,2"])
def test_unknown_parent_is_refused(client, value):
    CategoryFactory(name="Music")

    assert set(invalid_params(client.get(f"{API}/categories?parent={value}"))) == {"parent"}


def test_tags_have_no_parents(client):
    tags = TERMS[1]
    tag = tags.make("Tag")

    response = client.get(tags.list(f"parent={tag.pk}"))

    assert listed_ids(response, "tags") == [tag.pk]
    assert response["X-Ignored-Fields"] == "parent"


@pytest.mark.parametrize("name", ["event", "post"])
def test_terms_of_one_event(client, terms, name):
    jazz, rock, _other = (terms.make(word) for word in ("Jazz", "Rock", "Other"))
    event = event_with(terms, rock, jazz)
    event_with(terms, rock)

    assert shown_names(client, terms, f"{name}={event.pk}") == ["Jazz", "Rock"]
    assert shown_names(client, terms, f"{name}={EventFactory().pk}") == []


def test_event_wins_over_post(client, terms):
    jazz, rock = terms.make("Jazz"), terms.make("Rock")
    first, second = event_with(terms, jazz), event_with(terms, rock)

    assert shown_names(client, terms, f"post={first.pk}&event={second.pk}") == ["Rock"]


@pytest.mark.parametrize("value", ["", "0", "-1", "word", "999999999"])
def test_terms_of_no_event_are_refused(client, terms, value):
    terms.make("Any")

    assert set(invalid_params(client.get(f"{terms.path}?event={value}&post={value}"))) == {"event", "post"}


def test_terms_of_an_event_with_a_password_are_shown_to_who_may_edit_it(client, editor_api, terms):
    event = event_with(terms, terms.make("Secret"), password="sesame")

    for name in ("event", "post"):
        assert shown_names(client, terms, f"{name}={event.pk}") == []
        assert shown_names(editor_api, terms, f"{name}={event.pk}") == ["Secret"]


# --- Order


def test_order_is_by_name_without_regard_to_capitals_and_accents(client, terms):
    names = [
        "zither",
        "Accordion",
        "Émile",
        "banjo",
        "Étude",
        "drums",
        "eel",
        "Über",
        "ufo",
        "Łódź",
        "lute",
        "2027",
        "音楽",
        "а",
    ]
    for name in names:
        terms.make(name)

    expected = [
        "2027", "Accordion", "banjo", "drums", "eel", "Émile", "Étude", "Łódź", "lute", "Über", "ufo", "zither", "а",
        "音楽",
    ]  # fmt: skip
    assert shown_names(client, terms) == expected
    assert shown_names(client, terms, "orderby=name&order=asc") == expected
    assert shown_names(client, terms, "order=desc") == expected[::-1]


def test_orders(client, terms):
    # In the order made: id.
    a = terms.make("B", slug="one", description="x")
    b = terms.make("C", slug="three", description="z")
    c = terms.make("A", slug="two", description="y")
    event_with(terms, c)
    event_with(terms, c, a)

    for by, expected in {
        "id": "BCA",
        "name": "ABC",
        "slug": "BCA",
        "description": "BAC",
        "count": "CBA",
        "include": "ABC",  # by name, where no ids are given
    }.items():
        assert "".join(shown_names(client, terms, f"orderby={by}")) == expected
        assert "".join(shown_names(client, terms, f"orderby={by}&order=asc")) == expected
        assert "".join(shown_names(client, terms, f"orderby={by}&order=desc")) == expected[::-1]
        assert "".join(shown_names(client, terms, f"orderby={by.title()}&order=DESC")) == expected[::-1]
    value = f"include={b.pk},{c.pk},{a.pk}&orderby=include"
    assert "".join(shown_names(client, terms, value)) == "CAB"
    assert "".join(shown_names(client, terms, f"{value}&order=desc")) == "BAC"


def test_ties_are_in_the_order_made(client, terms):
    rows = [terms.make(f"Term {number}", description="same") for number in (3, 1, 2)]

    for order in ("asc", "desc"):
        pages = [
            listed_ids(
                client.get(terms.list(f"per_page=1&page={page}&orderby=description&order={order}")), terms.collection
            )
            for page in (1, 2, 3)
        ]
        assert pages == [[row.pk] for row in rows]


@pytest.mark.parametrize("name", ["order", "orderby"])
@pytest.mark.parametrize("value", ["", "sideways", "luck", "pk", "name,id", "-name", "event_count"])
def test_unknown_orders_are_refused(client, terms, name, value):
    assert set(invalid_params(client.get(f"{terms.path}?{name}={value}"))) == {name}


# --- Together


def test_filters_together_narrow_the_list(client, terms):
    wanted = terms.make("Jazz")
    other = terms.make("Jazz rock")
    event = event_with(terms, wanted, other)
    event_with(terms, terms.make("Jazz trio"))
    listed = ",".join(str(row.pk) for row in (wanted, other))

    assert shown_names(
        client, terms, f"search=jazz&event={event.pk}&include={listed}&exclude={other.pk}&slug=jazz"
    ) == ["Jazz"]


def test_every_fault_is_named_in_one_answer(client, terms):
    query = "page=0&per_page=x&search=&include=x&exclude=x&order=x&orderby=x&hide_empty=x&post=x&event=x&slug=" + (
        "&parent=x" if terms.kind == "category" else ""
    )

    assert set(invalid_params(client.get(f"{terms.path}?{query}"))) == {
        part.partition("=")[0] for part in query.split("&")
    }


def test_links_keep_what_was_asked_for(client, terms):
    rows = [terms.make(f"Jazz {number}") for number in (1, 2, 3)]
    event = event_with(terms, *rows)
    query = f"search=jazz&event={event.pk}&exclude={rows[0].pk}&orderby=count&order=desc&per_page=1"

    url = client.get(f"{terms.path}?{query}").json()["next_rest_url"]

    assert url == f"http://testserver{terms.path}?{query}&page=2"
    assert listed_ids(client.get(url), terms.collection) == [rows[2].pk]


# --- Queries


@pytest.mark.parametrize("count", [1, 3])
def test_filtered_list_costs_the_same_for_few_and_many(client, terms, django_assert_num_queries, count):
    rows = [terms.make(f"Jazz {number}") for number in range(count)]
    event = event_with(terms, *rows)
    listed = ",".join(str(row.pk) for row in rows)

    # The scheduled events that have come, the terms to include, the event and what it shows, count, page.
    with django_assert_num_queries(6):
        response = client.get(f"{terms.path}?search=jazz&include={listed}&event={event.pk}&orderby=include")

    assert response["X-TEC-Total"] == str(count)


@pytest.mark.parametrize("count", [1, 3])
def test_single_read_costs_the_same_for_few_and_many_events(client, terms, django_assert_num_queries, count):
    row = terms.make("Jazz")
    for _ in range(count):
        event_with(terms, row)

    with django_assert_num_queries(2):  # the scheduled events that have come, the term
        response = client.get(terms.item(row))

    assert response.json()["count"] == count
