"""`search` in every list: words in any script, ignoring case and accents."""

import pytest
from django.utils.http import urlencode

from tests.support.api_client import api_client_for, invalid_params, listed_ids
from tests.support.resources import EVENTS, ORGANIZERS, VENUES


def found(client, resource, query):
    return listed_ids(client.get(resource.list(urlencode({"search": query, "per_page": 100}))), resource.collection)


@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("Summer Concert", "summer"),
        ("Summer Concert", "SUMMER"),
        ("Summer Concert", "umme"),
        ("Summer Concert", "concert summer"),
        ("Summer Concert", "  Summer \t concert "),
        ("Summer Concert", "sum cert"),
        ("Café Élysée", "cafe elysee"),
        ("Cafe Elysee", "CAFÉ"),
        ("Cafe\u0301", "café"),
        ("Straße", "STRASSE"),
        ("STRASSE", "straße"),
        ("Łódź", "lodz"),
        ("Smørrebrød", "smorrebrod"),
        ("İstanbul", "istanbul"),
        ("ISPARTA ışık", "isik"),
        ("Летний концерт", "летний"),
        ("Летний концерт", "ЛЕТНИЙ"),
        ("Ёлка", "елка"),
        ("Ελλάδα", "ΕΛΛΑΔΑ"),
        ("Ο ΛΟΓΟΣ", "λόγος"),
        ("夏の音楽会", "音楽"),
        ("ﾐｭｰｼﾞｯｸ", "ミュージック"),
        ("여름 콘서트", "콘서트"),
        ("حفلة موسيقية", "موسيقية"),
        ("कॉन्सर्ट", "कॉन्सर्ट"),
        ("ﬁlm night", "film"),
        ("🎉 Party 🎉", "🎉"),
        ("AC/DC tribute", "ac/dc"),
        ("R&B", "r&b"),
        ("50% off", "50%"),
        ("snake_case", "e_c"),
        ("C++ & C#", "c++ c#"),
        ("a.b*c", "b*c"),
        ("(brackets) [and] {braces}", "[and] (br"),
        ("back\\slash ^caret$", "k\\s ^caret$"),
        ("It's", "it's"),
        ('The "Best"', '"best"'),
        ("1 < 2", "1 <"),
        ("Tom &amp; Jerry", "tom & jerry"),
    ],
)
def test_record_is_found_by_words_of_its_name(client, resource, name, query):
    row = resource.make(name)
    resource.make("Something else")

    assert found(client, resource, query) == [row.pk]


@pytest.mark.parametrize(
    "query", ["summer winter", "summerconcert", "%r", "s_", "s_mmer", "s%r", "s.*", "summer.", "s'", "\\s", "^s"]
)
def test_record_is_not_found_by_other_words(client, resource, query):
    resource.make("Summer concert")

    assert found(client, resource, query) == []


def test_total_is_of_what_was_found(client, resource):
    for number in range(3):
        resource.make(f"Jazz {number}")
    resource.make("Rock")

    response = client.get(resource.list("search=jazz&per_page=2"))

    assert (response["X-TEC-Total"], response["X-TEC-TotalPages"]) == ("3", "2")


def test_list_is_no_search(client, resource):
    assert set(invalid_params(client.get(resource.list("search[]=a&search[]=b")))) == {"search"}


# --- Phrases and exclusions


@pytest.mark.parametrize("query", ["summer,lima", "summer+lima", "lima, summer", "summer + lima"])
def test_words_may_be_separated_by_commas_and_plus_signs(client, resource, query):
    row = resource.make("Summer concert in Lima")
    resource.make("Summer concert in Quito")

    assert found(client, resource, query) == [row.pk]


@pytest.mark.parametrize(
    "query",
    ['"summer concert"', '"Summer  CONCERT"', "“mer con”", 'lima "summer con', '"summer concert in lima"'],
)
def test_phrase_matches_as_a_whole(client, resource, query):
    row = resource.make("Summer concert in Lima")
    resource.make("Concert of the summer in Lima")

    assert found(client, resource, query) == [row.pk]


@pytest.mark.parametrize("query", ["summer -lima", "-lima", '-"in lima" summer', "summer –LIMA"])
def test_excluded_words(client, resource, query):
    resource.make("Summer concert in Lima")
    row = resource.make("Summer concert in Quito")

    assert found(client, resource, query) == [row.pk]


@pytest.mark.parametrize(
    ("name", "query"),
    [("O’Reilly’s", "o'reilly"), ("O'Reilly", "o’reilly"), ("Rock–Pop", "rock-pop"), ("“Best” of", '"best"')],
)
def test_typographic_marks_equal_those_on_the_keyboard(client, resource, name, query):
    row = resource.make(name)
    resource.make("Oreilly, Rock and Pop")

    assert found(client, resource, query) == [row.pk]


def test_excluded_words_do_not_reveal_fields_behind_a_password(client, db):
    hidden = EVENTS.factory(title="Summer", description="secret", password="x")
    shown = EVENTS.factory(title="Summer", description="open")
    EVENTS.factory(title="Secret summer")

    assert set(found(client, EVENTS, "summer -secret")) == {hidden.pk, shown.pk}


# --- Fields

SEARCHED = [
    *((EVENTS, field) for field in ("title", "description", "excerpt")),
    *(
        (VENUES, field)
        for field in (
            "title", "description", "phone", "address", "city", "province", "state", "state_province", "zip"
        )
    ),
    *((ORGANIZERS, field) for field in ("title", "description", "phone", "email", "website")),
]  # fmt: skip


@pytest.mark.parametrize(("searched", "field"), SEARCHED)
def test_each_searched_field_is_looked_into(client, db, searched, field):
    value = "https://needle.example.org/" if field == "website" else "The Needle Point"
    row = searched.factory(**{field: value})
    searched.factory()

    assert found(client, searched, "needle") == [row.pk]


@pytest.mark.parametrize(
    ("searched", "field"),
    [(EVENTS, "website"), (EVENTS, "cost"), (VENUES, "country"), (VENUES, "website"), (VENUES, "excerpt")],
)
def test_other_fields_are_not_looked_into(client, db, searched, field):
    value = "https://needle.example.org/" if field == "website" else "Needle"
    searched.factory(**{field: value})

    assert found(client, searched, "needle") == []


def test_words_may_be_in_different_fields_of_an_event(client, db):
    row = EVENTS.factory(title="Summer", description="A concert", excerpt="In the park")
    EVENTS.factory(title="Summer", description="A concert")

    assert found(client, EVENTS, "park summer concert") == [row.pk]


@pytest.mark.parametrize("query", ["grand lima", "lima grand", "gran lim"])
def test_words_are_in_one_field_of_a_venue(client, db, query):
    row = VENUES.factory(title="Grand Hall of Lima")
    path = VENUES.factory(title="Hall", address="Lima street, Grand corner")
    VENUES.factory(title="Grand Hall", city="Lima")

    assert set(found(client, VENUES, query)) == {row.pk, path.pk}


def test_words_are_in_one_field_of_an_organizer(client, db):
    row = ORGANIZERS.factory(title="Ann", description="<p>Sings</p><p>and dances</p>")
    ORGANIZERS.factory(title="Sings", description="dances")

    assert found(client, ORGANIZERS, "dances sings") == [row.pk]


def test_words_may_be_in_name_and_slug_of_a_term(client, terms):
    row = terms.make("Jazz", slug="blue-notes")
    terms.make("Jazz", slug="red-notes")

    assert found(client, terms, "jazz blue") == [row.pk]
    assert found(client, terms, "blue-n") == [row.pk]


def test_description_of_a_term_is_not_looked_into(client, terms):
    terms.make("Jazz", description="needle")

    assert found(client, terms, "needle") == []


# --- Markup


@pytest.mark.parametrize("query", ["strong", "href", "example.com", "<p>", "class", "nbsp", "&amp;", "noopener"])
def test_markup_is_not_found(client, content, query):
    content.make(
        "A",
        description='<p class="a">Some <strong>loud</strong>&nbsp;<a href="https://example.com">band</a> &amp; us</p>',
    )

    assert found(client, content, query) == []


@pytest.mark.parametrize("query", ["loud band", "some loud", "& us", "band &"])
def test_text_between_markup_is_found(client, content, query):
    row = content.make(
        "A", description='<p>Some <strong>loud</strong>&nbsp;<a href="https://example.com">band</a> &amp; us</p>'
    )

    assert found(client, content, query) == [row.pk]


def test_word_with_markup_inside_is_found(client, content):
    row = content.make("A", description="<p><strong>O</strong>nce upon H<sub>2</sub>O</p><p>time</p>")

    assert found(client, content, "once h2o") == [row.pk]
    assert found(client, content, "h2otime") == []


def test_record_is_found_by_its_words_of_today(client, content, editor):
    row = content.make("Before")
    api_client_for(editor).post(content.item(row), {"title" if content is EVENTS else content.kind: "After"})

    assert found(client, content, "before") == []
    assert found(client, content, "after") == [row.pk]


def test_long_search_of_many_words_is_answered(client, resource):
    row = resource.make("a b c d e f g h i j k l m n o p q r s t u v w x y z")
    resource.make("a b c")

    assert found(client, resource, " ".join("zyxwvutsrqponmlkjihgfedcba")) == [row.pk]


@pytest.mark.parametrize("sign", ["", "-"])
def test_words_and_phrases_of_a_search_are_limited(client, resource, sign):
    resource.make("Jazz")
    terms = [f"{sign}{number:x}" for number in range(51)]

    refused = client.get(resource.list(), {"search": " ".join(terms)})

    assert client.get(resource.list(), {"search": " ".join(terms[:-1])}).status_code == 200
    assert invalid_params(refused) == {"search": "Must have at most 50 words and phrases."}
