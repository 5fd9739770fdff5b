"""What clients may send: odd values of every kind, for tests that no request is a fault of the service."""

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from tests.support.programs import ROOT

# Values take as long to generate as requests take: each is sent to all collections.
# The database is rolled back once for all examples of a test: what they write stays for the next, which is welcome.
bounded = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)

FIELDS = [
    *("title", "venue", "organizer", "name", "start_date", "end_date", "author", "date", "date_utc", "description"),
    *("slug", "excerpt", "status", "timezone", "all_day", "image", "cost", "website", "show_map", "show_map_link"),
    *("hide_from_listings", "sticky", "featured", "categories", "tags", "post_parent", "parent", "password", "id"),
    *("address", "city", "state", "stateprovince", "zip", "phone", "email", "_fields", "post_password", "tickets"),
    *("geo_lat", "geo_lng", "custom_fields", "event_status", "event_status_reason", "previous_start_date", "sold_out"),
    *("attendance_mode", "online_url", "hide_online_url", "accessibility"),
]
PARAMETERS = [
    *("page", "per_page", "start_date", "end_date", "starts_before", "starts_after", "ends_before", "ends_after"),
    *("strict_dates", "search", "categories", "tags", "venue", "organizer", "featured", "status", "geoloc"),
    *("geoloc_lat", "geoloc_lng", "geoloc_radius", "include", "exclude", "post_parent", "ticketed", "event", "post"),
    *("has_events", "only_with_upcoming", "order", "orderby", "hide_empty", "parent", "slug", "_fields", "password"),
    *("event_status", "attendance_mode", "accessibility"),
]
# What has gone wrong somewhere, sometime.
ODD = st.sampled_from(
    [
        *("", " ", "0", "-1", "1e400", "NaN", "Infinity", "null", "true", "٣", "²", "1,2", ",", "%", "%%", "\\", "'"),
        *("2030-02-30", "@99999999999999", "+999999999 days", "9999-12-31 23:59:59", "0001-01-01", "@-99999999999"),
        *("9223372036854775808", "-9223372036854775809", "9" * 30, "UTC+99", "../../etc/passwd", "CON", "%s", "{0}"),
        *("a,rand()*(SELECT(0)FROM(SELECT(SLEEP(5)))a)#,a", "' OR 1=1 --", "<script>x()</script>", "<!--", "<b"),
        *("\u202e", "\ufeff", "\ud7ff", "\U0010ffff", "e\u0301" * 50, "İ" * 300, "ﬃ" * 200, "\r\nX: y", "x" * 10_000),
    ]
)
TEXT = ODD | st.text(st.characters(exclude_categories=("Cs",)), max_size=30)
SCALAR = (
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False) | TEXT
)
VALUE = st.recursive(
    SCALAR,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(FIELDS) | TEXT, inner, max_size=4),
    max_leaves=8,
)
BODY = st.dictionaries(st.sampled_from(FIELDS) | TEXT, VALUE, max_size=6)

# Parts of messages of Python, of databases and of paths.
INTERNALS = ("Traceback", ".py", "site-packages", "sqlite3", "psycopg", "SELECT ", "INSERT INTO", str(ROOT))
