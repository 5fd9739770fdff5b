"""Request bodies: JSON, forms, and unsupported types; and arguments in the query."""

import json
from urllib.parse import urlencode

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, RequestFactory
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from calendar_site.wsgi import application
from events.models import Event
from taxonomy.models import Tag
from tests.factories import CategoryFactory, EventFactory, OrganizerFactory
from tests.support.api_client import API, invalid_params
from tests.support.api_writes import created_record, error_of, event_data, stored_rows, updated_record
from venues.models import Venue

pytestmark = pytest.mark.django_db

EVENTS = f"{API}/events"
FORM = "application/x-www-form-urlencoded"
MISSING = (400, "rest_missing_callback_param")

writes = pytest.mark.parametrize("method", ["post", "put", "patch"])


def send(client, body, content_type, path=EVENTS, method="POST", **headers):
    return client.generic(method, path, body, content_type, headers=headers)


# --- JSON -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content_type",
    [
        "application/json",
        "application/json; charset=utf-8",
        "application/json;charset=UTF-8",
        "Application/JSON",
        "application/vnd.example+json",
        "application/ld+json; profile=x",
        # What cannot be a charset, or is not that of the body, is passed over: JSON is UTF-8.
        "application/json; charset=latin-1",
        "application/json; charset=no-such-thing",
        "application/json; charset=base64",
    ],
)
def test_json_is_read_whatever_it_is_called(editor_api, content_type):
    body = json.dumps(event_data(title="Fête 音楽"), ensure_ascii=False).encode()

    assert created_record(send(editor_api, body, content_type))["title"] == "Fête 音楽"


@pytest.mark.parametrize("body", [b"", b"  \n", b"[]", b'["title"]', b"null", b"5", b'"title"', b"true", b"{}"])
def test_json_without_an_object_has_no_arguments(editor_api, body):
    event = EventFactory()
    before = stored_rows()

    create = send(editor_api, body, "application/json")
    update = send(editor_api, body, "application/json", f"{EVENTS}/{event.pk}")

    assert error_of(create) == MISSING
    assert updated_record(update)["id"] == event.pk
    assert {model: rows for model, rows in stored_rows().items() if model is not Event} == {
        model: rows for model, rows in before.items() if model is not Event
    }


BROKEN = [
    b"{",
    b'{"title": }',
    b"{'title': 'Open air'}",
    b'{"title": "Open air",}',
    b'{"title": "Open air"} {}',
    b'{"title": NaN}',
    b'{"title": "\xff"}',
    b'{"title": "\\ud800"}',
    b'{"title": "line\nbreak"}',
    b"[" * 100_000,
    b'{"a":' * 5000,
    '{"title": "Fête"}'.encode("latin-1"),
    '{"title": "Fête"}'.encode("utf-16"),
]


@writes
def test_broken_json_is_refused_whoever_sends_it(client, editor_api, method):
    event = EventFactory()
    before = stored_rows()

    for body in BROKEN:
        for caller in (client, editor_api):
            for path in (EVENTS, f"{EVENTS}/{event.pk}", f"{EVENTS}/999999", f"{API}/nowhere"):
                response = send(caller, body, "application/json", path, method.upper())

                assert error_of(response) == (400, "rest_invalid_json")
    assert stored_rows() == before


def test_wrong_account_comes_before_broken_json(client):
    response = send(client, b"{", "application/json", Authorization="Bearer nobody")

    assert error_of(response) == (401, "incorrect_password")


def test_last_of_a_key_that_is_given_twice_counts(editor_api):
    body = json.dumps(event_data())[:-1] + ', "title": "Last"}'

    assert created_record(send(editor_api, body, "application/json"))["title"] == "Last"


@pytest.mark.parametrize("venue", ["a\0b", ["a\0b"], {"id": "a\0b"}, {"a\0b": 1}, {"venue": "x", "y": [{"a": "\0"}]}])
def test_null_character_is_refused_wherever_it_is(editor_api, venue):
    before = stored_rows()

    response = editor_api.post(EVENTS, event_data(venue=venue))

    assert error_of(response) == (400, "rest_invalid_body")
    assert stored_rows() == before


def test_null_character_in_the_name_of_an_argument_is_refused(editor_api):
    response = send(editor_api, '{"a\\u0000": 1}', "application/json")

    assert error_of(response) == (400, "rest_invalid_body")


def test_null_character_in_the_query_is_refused(editor_api, client):
    for path in (f"{EVENTS}?title=a%00b", f"{EVENTS}?a%00b=1"):
        assert error_of(editor_api.post(path, {})) == (400, "rest_invalid_body")
        assert error_of(client.get(path)) == (400, "rest_invalid_body")


@pytest.mark.parametrize("method", ["get", "post", "delete"])
def test_no_record_has_a_slug_with_a_null_character(editor_api, method):
    call = getattr(editor_api, method)

    assert error_of(call(f"{EVENTS}/by-slug/a%00b")) == (404, "rest-event-not-found")
    assert error_of(call(f"{API}/venues/by-slug/%00")) == (404, "venue-not-found")


@pytest.mark.parametrize("depth", [31, 40, 500])
def test_data_that_are_nested_without_end_are_refused(editor_api, depth):
    opened, closed = "[" * depth, "]" * depth

    response = send(editor_api, f'{{"categories": {opened}{closed}}}', "application/json")

    assert error_of(response) == (MISSING if depth < 32 else (400, "rest_invalid_body"))


# --- Forms ----------------------------------------------------------------------------------------


@writes
def test_form_is_read_in_the_bracket_notation_of_php(editor_api, method):
    first, second = CategoryFactory(name="Cabaret"), CategoryFactory(name="Dance")
    choir = OrganizerFactory(title="Choir")
    event = EventFactory()
    form = urlencode(
        [
            ("title", "Fête"),
            ("start_date", "1904000000"),
            ("end_date", "2030-05-04 20:00"),
            ("featured", "1"),
            ("sticky", "false"),
            ("show_map", "TRUE"),
            ("categories[]", str(first.pk)),
            ("categories[]", str(second.pk)),
            ("tags[0]", "Jazz"),
            ("tags[1]", "Folk"),
            ("venue[venue]", "Hall"),
            ("venue[city]", "Lima"),
            ("venue[show_map]", "no"),
            ("organizer[1][id]", str(choir.pk)),
            ("organizer[0][organizer]", "Band"),
            ("cost[]", "10"),
            ("cost[]", "20"),
        ]
    )

    answer = updated_record(send(editor_api, form, FORM, f"{EVENTS}/{event.pk}", method.upper()))

    assert (answer["title"], answer["start_date"]) == ("Fête", "2030-05-03 00:53:20")
    assert (answer["featured"], answer["sticky"], answer["show_map"]) == (True, False, True)
    assert [term["id"] for term in answer["categories"]] == [first.pk, second.pk]
    assert [term["name"] for term in answer["tags"]] == ["Folk", "Jazz"]
    assert (answer["venue"]["venue"], answer["venue"]["city"], answer["venue"]["show_map"]) == ("Hall", "Lima", False)
    assert [organizer["organizer"] for organizer in answer["organizer"]] == ["Band", "Choir"]
    assert answer["cost_details"]["values"] == ["10", "20"]


@pytest.mark.parametrize(
    "tags",
    [
        "tags=Jazz,Folk",
        "tags=Jazz&tags=Folk",
        "tags[]=Jazz&tags[]=Folk",
        "tags%5B%5D=Jazz&tags%5B%5D=Folk",
        "tags[0]=Folk&tags[1]=Jazz",
        "tags[7]=Jazz&tags[3]=Folk",
    ],
)
def test_lists_are_read_from_forms_in_every_spelling(editor_api, tags):
    event = EventFactory()

    answer = updated_record(send(editor_api, tags, FORM, f"{EVENTS}/{event.pk}", "PUT"))

    assert [term["name"] for term in answer["tags"]] == ["Folk", "Jazz"]


@pytest.mark.parametrize("form", ["tags=", "tags[]=", "venue=&organizer[]="])
def test_empty_keys_of_forms_clear(editor_api, form):
    event = EventFactory(organizers=[OrganizerFactory()])
    updated_record(editor_api.post(f"{EVENTS}/{event.pk}", {"tags": ["Jazz"], "venue": {"venue": "Hall"}}))

    answer = updated_record(send(editor_api, form, FORM, f"{EVENTS}/{event.pk}", "PUT"))

    left = {"tags": bool(answer["tags"]), "venue": bool(answer["venue"]), "organizer": bool(answer["organizer"])}
    assert left == {name: f"{name}=" not in form and f"{name}[]=" not in form for name in left}


def test_last_of_a_repeated_key_counts_where_no_list_is_meant(editor_api):
    event = EventFactory()

    answer = updated_record(send(editor_api, "title=First&title=Last", FORM, f"{EVENTS}/{event.pk}"))

    assert answer["title"] == "Last"


@pytest.mark.parametrize(
    "key",
    [
        "venue[venue]x",
        "venue[",
        "venue]",
        "[venue]",
        "[]",
        "",
        "venue[a][b][c][d][e][f]",
        "venue[" + "9" * 5000 + "]",
        "venue[²]",
        "venue[٣]",
    ],
    ids=lambda key: key[:12],
)
def test_odd_keys_of_forms_do_no_harm(editor_api, key):
    event = EventFactory()

    response = send(editor_api, urlencode([("title", "Title"), (key, "Odd")]), FORM, f"{EVENTS}/{event.pk}")

    assert response.status_code in (200, 400)
    assert Venue.objects.count() == 0


def test_key_of_a_form_is_a_value_and_a_branch(editor_api):
    event = EventFactory()

    response = send(editor_api, "venue=5&venue[venue]=Hall&venue[venue][x]=1", FORM, f"{EVENTS}/{event.pk}")

    assert invalid_params(response) == {
        "venue": "venue.venue: Must be a string.",
        "venue.venue": "Must be a string.",
    }


def test_octets_of_a_form_that_are_not_utf_8_are_latin_1(editor_api):
    event = EventFactory()

    record = updated_record(send(editor_api, "title=Fête".encode("latin-1"), FORM, f"{EVENTS}/{event.pk}"))

    assert record["title"] == "Fête"


@pytest.mark.parametrize("charset", ["latin-1", "utf-16", "no-such-thing"])
def test_charset_of_a_form_is_passed_over(editor_api, charset):
    event = EventFactory()
    path, content_type = f"{EVENTS}/{event.pk}?slug=%C3%A9t%C3%A9", f"{FORM}; charset={charset}"

    answer = updated_record(send(editor_api, urlencode({"title": "Fête"}), content_type, path))

    assert (answer["title"], answer["slug"]) == ("Fête", "ete")


@writes
def test_multipart_form_is_read_as_any_other(editor_api, method):
    event = EventFactory()
    data = {"title": "Fête", "venue[venue]": "Hall", "tags[]": ["Jazz", "Folk"], "organizer[0][organizer]": "Band"}
    body = encode_multipart(BOUNDARY, data)

    answer = updated_record(send(editor_api, body, MULTIPART_CONTENT, f"{EVENTS}/{event.pk}", method.upper()))

    assert (answer["title"], answer["venue"]["venue"]) == ("Fête", "Hall")
    assert [term["name"] for term in answer["tags"]] == ["Folk", "Jazz"]
    assert [organizer["organizer"] for organizer in answer["organizer"]] == ["Band"]


def test_file_where_a_text_belongs_is_refused(editor_api):
    event = EventFactory()
    before = stored_rows()
    body = encode_multipart(
        BOUNDARY, {"title": SimpleUploadedFile("title.txt", b"Title"), "venue": SimpleUploadedFile("v", b"1")}
    )

    response = send(editor_api, body, MULTIPART_CONTENT, f"{EVENTS}/{event.pk}")

    assert sorted(invalid_params(response)) == ["title", "venue"]
    assert stored_rows() == before


PART = b'--b\r\nContent-Disposition: form-data; name="title"\r\n%s\r\nTitle\r\n--b--'


@pytest.mark.parametrize(
    ("parameters", "body"),
    [
        ("", b"x"),
        ("; boundary=", b"x"),
        ("; boundary=\xff", b"x"),
        ("; boundary=b", PART[:-5] % b""),
        ("; boundary=b", PART % b"Content-Transfer-Encoding: base64\r\n"),
        ("; boundary=b; charset=base64", PART % b""),
        ("; boundary=b; charset=utf-16", PART % b""),
        ("; boundary=b", PART.replace(b'name="title"', b"name*=base64''%%41") % b""),
        ("; boundary=b", PART.replace(b'name="title"', b"name*=no-such-thing''%%41") % b""),
    ],
)
def test_odd_multipart_bodies_do_no_harm(editor_api, parameters, body):
    event = EventFactory(title="Before")

    response = send(editor_api, body, f"multipart/form-data{parameters}", f"{EVENTS}/{event.pk}")

    assert response.status_code == 200 or error_of(response)[0] == 400
    assert Event.objects.get().title in ("Before", "Title")


# --- Other bodies, and none -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "content_type",
    ["text/plain", "application/xml", "text/json", "application/octet-stream", "", "nonsense", "application/x+json+x"],
)
def test_other_media_types_carry_no_arguments(editor_api, content_type):
    body = json.dumps(event_data())

    assert error_of(send(editor_api, body, content_type)) == MISSING


def test_json_that_is_said_to_be_a_form_is_none(editor_api):
    assert error_of(send(editor_api, json.dumps(event_data()), FORM)) == MISSING


def test_arguments_may_stand_in_the_query(editor_api):
    query = urlencode({"title": "Query", "start_date": "2030-05-04", "end_date": "2030-05-05", "venue[venue]": "Hall"})

    event = created_record(send(editor_api, b"", "text/plain", f"{EVENTS}?{query}&tags[]=Jazz&tags[]=Folk"))

    assert (event["title"], event["venue"]["venue"]) == ("Query", "Hall")
    assert [term["name"] for term in event["tags"]] == ["Folk", "Jazz"]


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (json.dumps({"title": "Body"}), "application/json"),
        ("title=Body", FORM),
        (encode_multipart(BOUNDARY, {"title": "Body"}), MULTIPART_CONTENT),
    ],
)
def test_body_wins_over_the_query(editor_api, body, content_type):
    event = EventFactory()

    answer = updated_record(
        send(editor_api, body, content_type, f"{EVENTS}/{event.pk}?title=Query&excerpt=<p>Query</p>")
    )

    assert (answer["title"], answer["excerpt"]) == ("Body", "<p>Query</p>")


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_body_of_other_methods_is_not_looked_at(editor_api, method):
    event = EventFactory()

    broken = send(editor_api, b"{", "application/json", f"{EVENTS}/{event.pk}", method)

    assert broken.status_code == 200
    assert broken.json()["id"] == event.pk


# --- Limits ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("content_type", ["application/json", FORM, "text/plain", "application/vnd.x+json"])
def test_body_over_the_limit_is_refused(editor_api, settings, content_type):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 2000
    before = stored_rows()
    filler = "x" * 3000

    bodies = {FORM: urlencode(event_data(description=filler))}
    response = send(editor_api, bodies.get(content_type, json.dumps(event_data(description=filler))), content_type)

    assert error_of(response) == (413, "rest_content_too_large")
    assert stored_rows() == before


@pytest.mark.parametrize("settings_name", ["UPLOAD_LIMIT", "DATA_UPLOAD_MAX_MEMORY_SIZE"])
def test_multipart_body_over_the_limit_is_refused(editor_api, settings, settings_name):
    setattr(settings, settings_name, 2000)
    before = stored_rows()

    response = send(editor_api, encode_multipart(BOUNDARY, event_data(description="x" * 3000)), MULTIPART_CONTENT)

    assert error_of(response) == (413, "rest_content_too_large")
    assert stored_rows() == before


def test_body_at_the_limit_is_read(editor_api, settings):
    body = json.dumps(event_data(description="x" * 3000))
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = len(body)

    assert created_record(send(editor_api, body, "application/json"))["description"] == f"<p>{'x' * 3000}</p>"


def test_form_with_too_many_fields_is_refused(editor_api, settings):
    settings.DATA_UPLOAD_MAX_NUMBER_FIELDS = 20
    form = urlencode([*event_data().items(), *(("tags[]", f"Tag {number}") for number in range(20))])
    before = stored_rows()

    for body, content_type in (
        (form, FORM),
        (encode_multipart(BOUNDARY, {f"x{n}": n for n in range(21)}), MULTIPART_CONTENT),
    ):
        response = send(editor_api, body, content_type)

        assert error_of(response) == (400, "rest_invalid_body")
    assert stored_rows() == before


# --- The content type itself ----------------------------------------------------------------------


def test_codec_that_is_for_no_text_is_refused():
    # Django reads this header before any of its handlers, so that its test client cannot send it.
    environ = RequestFactory().post(f"{EVENTS}?title=%41", content_type=FORM).environ
    environ["CONTENT_TYPE"] = f"{FORM}; charset=base64"
    started = []

    body = b"".join(application(environ, lambda status, headers: started.append((status, dict(headers)))))

    headers = {
        "Content-Type": "application/json; charset=utf-8",
        "Content-Language": "en",
        "Content-Length": str(len(body)),
    }
    assert len(started[0][1].pop("X-Request-ID")) == 32
    assert started == [("400 Bad Request", headers)]
    assert json.loads(body) == {
        "code": "rest_invalid_body",
        "message": "The request body cannot be read.",
        "data": {"status": 400},
    }


# --- The session of the admin, for which the check of the token reads forms first ------------------


@pytest.fixture
def editor_csrf_browser(editor):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(editor)
    browser.cookies["csrftoken"] = "a" * 32
    return browser


def test_forms_of_a_session_are_read_alike(editor_csrf_browser):
    event = EventFactory()
    fields = {"title": "Fête", "venue[venue]": "Hall", "tags[]": "Jazz", "csrfmiddlewaretoken": "a" * 32}

    for body, content_type in ((urlencode(fields), FORM), (encode_multipart(BOUNDARY, fields), MULTIPART_CONTENT)):
        response = send(editor_csrf_browser, body, content_type, f"{EVENTS}/{event.pk}")

        answer = updated_record(response)
        assert "X-Ignored-Fields" not in response
        assert (answer["title"], answer["venue"]["venue"]) == ("Fête", "Hall")
        assert [term["name"] for term in answer["tags"]] == ["Jazz"]


def test_json_of_a_session_is_read_alike(editor_csrf_browser):
    event = EventFactory()
    token = {"X-CSRFToken": "a" * 32}

    answer = send(editor_csrf_browser, '{"title": "New"}', "application/json", f"{EVENTS}/{event.pk}", **token)

    assert updated_record(answer)["title"] == "New"
    assert error_of(send(editor_csrf_browser, "{", "application/json", **token)) == (400, "rest_invalid_json")


@pytest.mark.parametrize(
    ("content_type", "body", "refused"),
    [
        (FORM, "title=" + "x" * 3000, (413, "rest_content_too_large")),
        (MULTIPART_CONTENT, encode_multipart(BOUNDARY, {"title": "x" * 3000}), (413, "rest_content_too_large")),
        ("multipart/form-data", "x", (400, "rest_invalid_body")),
        (FORM, "&".join(f"x{number}=" for number in range(30)), (400, "rest_invalid_body")),
        (FORM, "title=a%00b&csrfmiddlewaretoken=" + "a" * 32, (400, "rest_invalid_body")),
    ],
)
def test_bad_forms_of_a_session_are_refused_alike(editor_csrf_browser, settings, content_type, body, refused):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE, settings.DATA_UPLOAD_MAX_NUMBER_FIELDS = 2000, 20
    before = stored_rows()

    assert error_of(send(editor_csrf_browser, body, content_type)) == refused
    assert stored_rows() == before


def test_upload_of_a_session_over_its_limit_is_refused_alike(editor_csrf_browser, settings):
    settings.UPLOAD_LIMIT = 2000
    before = stored_rows()

    body = encode_multipart(BOUNDARY, {"image": SimpleUploadedFile("a.png", b"x" * 3000)})

    assert error_of(send(editor_csrf_browser, body, MULTIPART_CONTENT)) == (413, "rest_content_too_large")
    assert stored_rows() == before


# --- Encodings -----------------------------------------------------------------------------------


def test_json_may_begin_with_a_byte_order_mark(editor_api):
    body = b"\xef\xbb\xbf" + json.dumps(event_data(title="Marked")).encode()

    assert created_record(send(editor_api, body, "application/json"))["title"] == "Marked"


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        (FORM, b"name=Caf%E9"),
        (FORM, b"na%E9me=Cafe"),
        (
            "multipart/form-data; boundary=b",
            b'--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nCaf\xe9\r\n--b--\r\n',
        ),
        ("application/json", b'{"name": "Caf\xe9"}'),
    ],
)
def test_text_that_is_not_utf_8_is_refused(editor_api, content_type, body):
    response = send(editor_api, body, content_type, path=f"{API}/tags")

    assert response.status_code == 400
    assert not Tag.objects.exists()


def test_query_that_is_not_utf_8_is_refused(client):
    response = client.get(f"{EVENTS}?search=Caf%E9")

    assert error_of(response) == (400, "rest_invalid_body")
    assert response.json()["message"] == "The request contains text that is not UTF-8. Encode it as UTF-8."
    assert client.get(f"{EVENTS}?search=Caf%C3%A9").status_code == 200
