"""S19, errors that tell internals: no path or query string causes a server error."""

from urllib.parse import quote

import pytest

from tests.support.api_client import API, invalid_params

NASTY = [
    "", " ", "0", "-0", "+1", "-1", "1e309", "NaN", "inf", "9" * 18, "9" * 19, "9" * 40, "0" * 40 + "1", "1_000",
    "½", "²", "١", "true", "null", "undefined", "[]", "{}", "[object Object]", "'", '"', "\\", "%", "_", "*", ";",
    "--", "/*", "../..", "' OR 1=1 --", "\u202e", "\ufeff", "\U0001f600", "a\u0301" * 50, "x" * 501, "x" * 3000,
    "\r\nX-Evil: 1", "<script>", "$(id)", "{{7*7}}", "2027-02-29", "@-99999999999", "+999999999 years",
    "last day of next month", "0001-01-01", "24:00", "(" * 200, "a " * 200, ",".join("1" * 3 for _ in range(900)),
]  # fmt: skip
SORTING = ("orderby", "order", "modified_after", "modified_before", "timezone")
ARGUMENTS = {
    "events": (
        "page", "per_page", "start_date", "end_date", "starts_before", "starts_after", "ends_before", "ends_after",
        "strict_dates", "search", "categories", "tags", "venue", "organizer", "featured", "status", "geoloc",
        "geoloc_lat", "geoloc_lng", "geoloc_radius", "include", "post_parent", "ticketed", "_fields", "_method",
        "password", "event_status", "attendance_mode", "accessibility", "series", "sold_out", "free", *SORTING,
    ),
    "venues": (
        "page", "per_page", "search", "event", "has_events", "only_with_upcoming", "status", "accessibility", "_fields",
        *SORTING,
    ),
    "organizers": (
        "page", "per_page", "search", "event", "has_events", "only_with_upcoming", "status", "_fields", *SORTING,
    ),
    "categories": (
        "page", "per_page", "search", "exclude", "include", "order", "orderby", "hide_empty", "parent", "post", "event",
        "slug", "_fields",
    ),
    "tags": (
        "page", "per_page", "search", "exclude", "include", "order", "orderby", "hide_empty", "post", "event", "slug",
        "_fields",
    ),
}  # fmt: skip


def test_no_argument_makes_a_list_fail(client, resource):
    resource.make("Jazz")
    shapes = [
        *(f"{{}}={quote(value)}" for value in NASTY),
        "{}[]=1",
        "{}[]=x",
        "{}[a][b]=1",
        "{}=1&{}[]=x",
        "{}=x&{}=1",
    ]

    for name in ARGUMENTS[resource.collection]:
        for shape in shapes:
            query = shape.replace("{}", name)
            response = client.get(f"{resource.path}?{query}")
            assert response.status_code in (200, 400, 404), query
            assert "X-Evil" not in response


@pytest.mark.parametrize(
    "query",
    [
        "%00=1", "search=%00", "search=%FF%FE", "%FF=1", "search=%ED%A0%80", "=", "&&&", "[]=1", "[a]=1", "a[=1",
        "a]=1", "search[[]]=1", "page[0][0][0][0][0][0][0]=1", "page=1&page[]=2", "page[]=2&page=1",
        "page[a]=1&page[0]=2", "?", "search=%", "search=%zz", "search=+", "per_page=5;page=2", "#",
        "search=a%0d%0aX-Evil:1", "_fields=" + "a." * 900, "_fields=" + ",".join(["events.id"] * 300),
        "&".join(f"x{number}=1" for number in range(300)),
    ],
)  # fmt: skip
def test_no_query_makes_a_list_fail(client, resource, query):
    resource.make("Jazz")

    response = client.get(f"{resource.path}?{query}")

    assert response.status_code in (200, 400)
    assert "X-Evil" not in response


@pytest.mark.parametrize("slug", [*NASTY[1:], "%00", "%FF", "a%2Fb", "a%00b"])
def test_no_slug_makes_a_read_fail(client, content, slug):
    address = f"{content.path}/by-slug/{slug if slug.startswith('%') and len(slug) > 1 else quote(slug, safe='%')}"

    assert client.get(address).status_code in (400, 404)


def test_every_argument_is_tried(client, resource):
    described = client.options(resource.path).json()["endpoints"][0]["args"]

    assert set(described) <= set(ARGUMENTS[resource.collection])


@pytest.mark.parametrize("name", ["description", "excerpt"])
def test_markup_that_would_keep_the_service_busy_is_refused(editor_api, name):
    event = {"title": "A", "start_date": "2030-01-01", "end_date": "2030-01-02"}

    response = editor_api.post(f"{API}/events", event | {name: "<a><h1>" * 5001})

    assert invalid_params(response) == {name: "The text has more than 10000 HTML tags."}
    assert editor_api.post(f"{API}/events", event | {name: "<p>A</p>" * 600}).status_code == 201
