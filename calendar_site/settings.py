"""Settings of the service. Every value that an installation may change is read from the environment.

docs/settings.md lists them all, and a test compares it with this file.
"""

import hashlib
import re
from datetime import timedelta
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured
from django.templatetags.static import static
from django.urls import get_script_prefix

from calendar_site.accounts.roles import STAFF_ROLES
from calendar_site.configuration import environment as env
from calendar_site.configuration import parsers
from calendar_site.configuration.bundles import pipeline_settings
from calendar_site.configuration.compatibility import compatible_settings
from calendar_site.configuration.listen_address import local_url
from calendar_site.core.database.postgresql_settings import postgresql_settings, replica_settings
from calendar_site.core.database.sqlite_file import existing_file_uri
from calendar_site.core.dates.public_holidays import validate_country, validate_subdivision
from calendar_site.core.observability.error_reports import start_error_reports

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(env.read_text("DATA_DIR", "var", kind="a directory"))
if not DATA_DIR.is_absolute():
    DATA_DIR = BASE_DIR / DATA_DIR
# SQLite creates a database file, but not its folder.
DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)


def _package_folder(name: str) -> Path:
    """Return the folder of an installed package without importing it, because the import may read the settings."""
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        raise ImproperlyConfigured(f"The package {name} is not installed.")
    return Path(spec.origin).parent


# --- Security ------------------------------------------------------------------------------------

DEBUG = env.read_boolean("DEBUG", False)
SECRET_KEY = env.read_secret("SECRET_KEY", DATA_DIR / "secret-key")
if not SECRET_KEY:
    if not DEBUG:
        raise ImproperlyConfigured(
            "Set SECRET_KEY (or SECRET_KEY_FILE) to a long random text, or DEBUG=true for development."
        )
    SECRET_KEY = "for-development-on-this-computer-only-and-known-to-everybody"  # noqa: S105

PUBLIC_URL = env.read_validated(
    "PUBLIC_URL", "a URL such as https://calendar.example.org", "", parsers.parse_public_url
)

# Gunicorn removes this path from the URLs that it receives, and Django adds it to those that it builds. If a proxy
# removes it, only PUBLIC_URL contains it.
FORCE_SCRIPT_NAME = (
    env.read_validated("SCRIPT_NAME", "a path such as /agenda", "", parsers.parse_script_name)
    or urlsplit(PUBLIC_URL).path
    or None
)
ALLOWED_HOSTS = env.read_list(
    "ALLOWED_HOSTS", ["127.0.0.1", "localhost", "[::1]"], "a comma-separated list of hosts", parsers.parse_host
)
public_host = urlsplit(PUBLIC_URL).hostname
if public_host and public_host not in ALLOWED_HOSTS:
    ALLOWED_HOSTS = [*ALLOWED_HOSTS, public_host]
CSRF_TRUSTED_ORIGINS = env.read_list("CSRF_TRUSTED_ORIGINS")

IS_HTTPS = env.read_boolean("HTTPS", PUBLIC_URL.startswith("https://"))
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = IS_HTTPS
HSTS_SECONDS = env.read_integer("HSTS_SECONDS", 31_536_000)
SECURE_HSTS_SECONDS = HSTS_SECONDS if IS_HTTPS else 0
# Only the owner of a domain knows whether all its subdomains use HTTPS.
HSTS_SUBDOMAINS = env.read_boolean("HSTS_SUBDOMAINS", False)
SECURE_HSTS_INCLUDE_SUBDOMAINS = IS_HTTPS and HSTS_SUBDOMAINS
# Browsers ship the preload list, so a host stays on it for months.
HSTS_PRELOAD = env.read_boolean("HSTS_PRELOAD", False)
SECURE_HSTS_PRELOAD = IS_HTTPS and HSTS_PRELOAD
if HSTS_PRELOAD and not (HSTS_SUBDOMAINS and HSTS_SECONDS >= 31_536_000):
    raise ImproperlyConfigured("HSTS_PRELOAD requires HSTS_SUBDOMAINS, and at least 31536000 for HSTS_SECONDS.")
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = 3600 * env.read_integer("SESSION_HOURS", 168, minimum=1, maximum=8760)
CSRF_FAILURE_VIEW = "calendar_site.website.error_pages.csrf_failure"

PROXY_COUNT = env.read_integer("PROXY_COUNT", 0)
if PROXY_COUNT:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
elif IS_HTTPS and PUBLIC_URL.startswith("https://"):
    raise ImproperlyConfigured(
        "PUBLIC_URL starts with https://, so set PROXY_COUNT to the number of reverse proxies that terminate "
        "TLS. Otherwise, every request is redirected to itself."
    )

# For `/.well-known/security.txt`.
SECURITY_CONTACT = env.read_validated(
    "SECURITY_CONTACT", "a URL such as mailto:security@example.org", "", parsers.parse_contact
)
SECURITY_POLICY_URL = env.read_validated(
    "SECURITY_POLICY_URL", "a URL such as https://example.org/security", "", parsers.parse_contact
)
SECURITY_ENCRYPTION_URL = env.read_validated(
    "SECURITY_ENCRYPTION_URL", "a URL such as https://example.org/key.asc", "", parsers.parse_contact
)
SECURITY_LANGUAGES = env.read_list("SECURITY_LANGUAGES")

# --- Applications --------------------------------------------------------------------------------

INSTALLED_APPS = [
    "unfold.apps.BasicAppConfig",
    "calendar_site.accounts.apps.AdminSiteConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "corsheaders",
    "rest_framework",
    "django_filters",
    "drf_spectacular_sidecar",
    "axes",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
    "django_tasks",
    "django_tasks_db",
    "django_altcha",
    # Only its script is used: see calendar_site/back_office/forms/html_editor.py.
    "django_prose_editor",
    "pipeline",
    "calendar_site.tasks",
    "calendar_site.derived",
    "calendar_site.audit",
    "calendar_site.limits",
    "calendar_site.idempotency",
    "calendar_site.saved_views",
    "calendar_site.former_slugs",
    "calendar_site.form_drafts",
    "calendar_site.media",
    "calendar_site.custom_fields",
    "calendar_site.site_profile",
    "calendar_site.review",
    "calendar_site.back_office",
    "calendar_site.mail",
    "calendar_site.accounts",
    "taxonomy",
    "venues",
    "organizers",
    "events",
    "calendar_site.submissions",
    "calendar_site.transfer",
    "calendar_site.site_check",
]

MIDDLEWARE = [
    # The outermost, so that it sees every response.
    "calendar_site.middleware.log_request",
    # Before everything that reads the host, the session or the language.
    "calendar_site.middleware.serve_monitoring",
    # Outside of what compares the client's ETags.
    "calendar_site.api.throttles.count_changed_responses",
    # Stores complete responses, but for the headers above. Before all that costs time.
    "calendar_site.response_cache.middleware.response_cache",
    # For every response, and for static files as well.
    "calendar_site.middleware.security_headers",
    "calendar_site.middleware.force_utf8",
    # Before all middleware that builds URLs or translates strings.
    "calendar_site.localization.languages.language_middleware",
    "django.middleware.security.SecurityMiddleware",
    "calendar_site.middleware.StaticFilesMiddleware",
    # Compresses for clients that accept it.
    "calendar_site.middleware.CompressionMiddleware",
    # Hashes the uncompressed response.
    "calendar_site.middleware.conditional_responses",
    "corsheaders.middleware.CorsMiddleware",
    "calendar_site.middleware.limit_body_size",
    # Before all middleware that uses the database.
    "calendar_site.replica.routing.read_from_replica",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "calendar_site.accounts.sign_in.views.require_second_factor",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "calendar_site.back_office.site.site_time_zone",
    "calendar_site.middleware.record_channel",
    "calendar_site.website.error_handlers.DatabaseErrorMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "calendar_site.urls"
WSGI_APPLICATION = "calendar_site.wsgi.application"
# Every URL works with and without a trailing slash, without a redirect.
APPEND_SLASH = False

# Templates that replace those of the service.
THEME_DIR = env.read_validated("THEME_DIR", "a directory that exists", "", parsers.parse_directory)
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [*([THEME_DIR] if THEME_DIR else []), BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

# --- Data ----------------------------------------------------------------------------------------

# The server uses it (server.py), and all but two threads may wait for the write lock (core/database/write_lock.py).
WEB_THREADS = env.read_integer("WEB_THREADS", 4, minimum=1)
# How long a write waits for the write lock before it fails with a 503.
WRITE_WAIT_SECONDS = env.read_integer("WRITE_WAIT_SECONDS", 20, minimum=1)
DATABASES = {"default": env.read_database("DATABASE_URL", f"sqlite:///{DATA_DIR / 'calendar.sqlite3'}")}
# How many writes of a process are at work at the same time (core/database/write_permits.py). SQLite lets one in.
WRITE_PERMITS = 1 if DATABASES["default"]["ENGINE"].endswith("sqlite3") else max(2, WEB_THREADS // 2)
# The responses to public reads come from it while it is up to date (replica/routing.py).
DATABASE_REPLICA = env.read_replica("DATABASE_REPLICA_URL")
if DATABASE_REPLICA and DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    raise ImproperlyConfigured("DATABASE_REPLICA_URL requires a PostgreSQL database in DATABASE_URL.")
# How long a request waits for one query, and PostgreSQL for the next query of a transaction (core/database/limits.py).
DATABASE_TIMEOUT_SECONDS = env.read_integer("DATABASE_TIMEOUT_SECONDS", 25)
DATABASE_CONN_MAX_AGE = env.read_integer("DATABASE_CONN_MAX_AGE", 60)
# How many connections the threads of a process share. 0: each thread keeps its own.
DATABASE_POOL_SIZE = env.read_integer("DATABASE_POOL_SIZE", 0)
# Whether a pooler such as PgBouncer gives each transaction any of its connections, so that there are no sessions.
DATABASE_TRANSACTION_POOLING = env.read_boolean("DATABASE_TRANSACTION_POOLING", False)
# Whether SQLite waits for the disk at the end of each write.
SQLITE_SYNCHRONOUS = env.read_choice("SQLITE_SYNCHRONOUS", "NORMAL", ("NORMAL", "FULL"))
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    if not DEBUG and DATABASES["default"]["NAME"] != ":memory:":
        DATABASES["default"]["NAME"] = existing_file_uri(DATABASES["default"]["NAME"])
    DATABASES["default"]["OPTIONS"] = {
        # Take the lock when a write transaction begins, so that others wait instead of failing.
        "transaction_mode": "IMMEDIATE",
        "timeout": WRITE_WAIT_SECONDS,
        "init_command": (f"PRAGMA journal_mode=WAL;PRAGMA synchronous={SQLITE_SYNCHRONOUS};PRAGMA temp_store=MEMORY;"),
    }
    DATABASES["default"]["CONN_MAX_AGE"] = DATABASE_CONN_MAX_AGE
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
else:
    if 0 < DATABASE_TIMEOUT_SECONDS <= WRITE_WAIT_SECONDS:
        raise ImproperlyConfigured(
            f"DATABASE_TIMEOUT_SECONDS ({DATABASE_TIMEOUT_SECONDS}) must be greater than WRITE_WAIT_SECONDS "
            f"({WRITE_WAIT_SECONDS}), because a write waits for others inside a query."
        )
    DATABASES["default"] = postgresql_settings(
        DATABASES["default"],
        max_age=DATABASE_CONN_MAX_AGE,
        pool_size=DATABASE_POOL_SIZE,
        has_sessions=not DATABASE_TRANSACTION_POOLING,
    )
    if DATABASE_REPLICA:
        DATABASES["replica"] = replica_settings(
            DATABASE_REPLICA, max_age=DATABASE_CONN_MAX_AGE, has_sessions=not DATABASE_TRANSACTION_POOLING
        )
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = env.read_redis_url("REDIS_URL")
CACHES = {"default": env.read_cache("CACHE_URL", REDIS_URL or "locmemcache://")}
if CACHES["default"]["BACKEND"].endswith("RedisCache"):
    # An unreachable cache must not delay responses.
    CACHES["default"]["OPTIONS"] = {
        "socket_connect_timeout": 1,
        "socket_timeout": 1,
        **CACHES["default"].get("OPTIONS", {}),
    }
elif CACHES["default"]["BACKEND"].endswith("LocMemCache"):
    # Django's default is 300, after which counters of requests would be dropped.
    CACHES["default"].setdefault("OPTIONS", {}).setdefault("MAX_ENTRIES", 10_000)

# --- Background tasks ----------------------------------------------------------------------------

TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend"}}
# How often an idle worker looks for tasks.
TASK_POLL_SECONDS = env.read_integer("TASK_POLL_SECONDS", 2, minimum=1, maximum=3600)
# How far ahead the events of series are created.
SERIES_HORIZON_DAYS = env.read_integer("SERIES_HORIZON_DAYS", 730, minimum=1, maximum=3650)
# Whose public holidays the preview of a series marks.
HOLIDAYS_COUNTRY = env.read_validated("HOLIDAYS_COUNTRY", "the code of a country, such as CA", "", validate_country)
HOLIDAYS_SUBDIVISION = env.read_validated(
    "HOLIDAYS_SUBDIVISION",
    "the code of a part of the country, such as NS",
    "",
    partial(validate_subdivision, HOLIDAYS_COUNTRY),
)
# Daily clean-up; 0 keeps everything.
TRASH_DAYS = env.read_integer("TRASH_DAYS", 0, maximum=36500)
HISTORY_DAYS = env.read_integer("HISTORY_DAYS", 0, maximum=36500)
ORPHANED_FILE_DAYS = env.read_integer("ORPHANED_FILE_DAYS", 30, maximum=36500)
FORM_DRAFT_DAYS = env.read_integer("FORM_DRAFT_DAYS", 30, maximum=36500)
# How long the history contains the addresses of clients.
HISTORY_ADDRESS_DAYS = env.read_integer("HISTORY_ADDRESS_DAYS", 90, maximum=36500)

# --- Accounts ------------------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
API_ALLOW_ACCOUNT_PASSWORD = env.read_boolean("API_ALLOW_ACCOUNT_PASSWORD", False)
AUTHENTICATION_BACKENDS = [
    # Checks no password after too many wrong ones.
    "axes.backends.AxesStandaloneBackend",
    "calendar_site.accounts.backends.CompiledPermissionsBackend",
]
# Wrong passwords for one username from one IP address, for one username, and from one IP address.
SIGN_IN_TRIES = env.read_integer("SIGN_IN_TRIES", 5, minimum=1)
SIGN_IN_TRIES_BY_NAME = env.read_integer("SIGN_IN_TRIES_BY_NAME", 30, minimum=1)
SIGN_IN_TRIES_BY_ADDRESS = env.read_integer("SIGN_IN_TRIES_BY_ADDRESS", 30, minimum=1)
AXES_COOLOFF_TIME = timedelta(minutes=env.read_integer("SIGN_IN_LOCK_MINUTES", 15, minimum=1, maximum=1440))
# The handler has the limits, and reports 1 failure if one is reached.
AXES_HANDLER = "calendar_site.accounts.sign_in.lockout.LockoutHandler"
AXES_FAILURE_LIMIT = 1
AXES_RESET_ON_SUCCESS = True
# Further attempts during a lockout do not extend it.
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_USERNAME_CALLABLE = "calendar_site.accounts.sign_in.lockout.counted_username"
AXES_CLIENT_IP_CALLABLE = "calendar_site.core.http.client_address.client_network"
AXES_LOCKOUT_CALLABLE = "calendar_site.accounts.sign_in.views.render_lockout"
# Not logged, because users type passwords into the username field by mistake.
AXES_SENSITIVE_PARAMETERS = ["username", "csrfmiddlewaretoken"]
AXES_DISABLE_ACCESS_LOG = True
AXES_ENABLE_ADMIN = False
AXES_VERBOSE = False
REQUIRE_SECOND_FACTOR = env.read_choices("REQUIRE_SECOND_FACTOR", STAFF_ROLES)

# The lifetime of links with which users set a password.
INVITATION_DAYS = env.read_integer("INVITATION_DAYS", 14, minimum=1, maximum=90)
PASSWORD_RESET_HOURS = env.read_integer("PASSWORD_RESET_HOURS", 24, minimum=1, maximum=168)
# Requests for such a link from one IP address.
THROTTLE_PASSWORD_RESET = env.read_rate("THROTTLE_PASSWORD_RESET", "10/hour")

# --- Email ---------------------------------------------------------------------------------------

EMAIL_SERVER = env.read_mail_server("EMAIL_URL")
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.read_validated(
    "DEFAULT_FROM_EMAIL", "an email address such as Calendar <calendar@example.org>", "", parsers.parse_sender
)
if EMAIL_SERVER and not (DEFAULT_FROM_EMAIL and PUBLIC_URL):
    raise ImproperlyConfigured("If you set EMAIL_URL, also set DEFAULT_FROM_EMAIL and PUBLIC_URL, for links in emails.")
# Without it, the service offers nothing that needs emails.
MAIL_ENABLED = bool(EMAIL_SERVER) or DEBUG
# All links in emails begin with it.
MAIL_BASE_URL = PUBLIC_URL or local_url()
# A mail server that does not respond must not hold a background task for minutes.
EMAIL_TIMEOUT = 20
if EMAIL_SERVER:
    EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    EMAIL_HOST, EMAIL_PORT = EMAIL_SERVER.host, EMAIL_SERVER.port
    EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = EMAIL_SERVER.user, EMAIL_SERVER.password
    EMAIL_USE_TLS, EMAIL_USE_SSL = EMAIL_SERVER.uses_starttls, EMAIL_SERVER.uses_tls
elif DEBUG:
    # Files, to look at in development.
    EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    EMAIL_FILE_PATH = DATA_DIR / "mail"
    DEFAULT_FROM_EMAIL = SERVER_EMAIL = DEFAULT_FROM_EMAIL or "calendar@localhost"
else:
    EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"

# When reviewers get emails about submissions, unless they choose otherwise.
SUBMISSION_EMAILS = env.read_choice("SUBMISSION_EMAILS", "at_once", ("at_once", "daily", "never"))

# --- The site ------------------------------------------------------------------------------------

# Each language by its name in that language.
LANGUAGES = [
    ("en", "English"),
    ("de", "Deutsch"),
    ("fr", "Français"),
    ("es", "Español"),
    ("it", "Italiano"),
    ("nl", "Nederlands"),
    ("pt", "Português (Portugal)"),
    ("pl", "Polski"),
]
LANGUAGE_CODE = env.read_choice("SITE_LANGUAGE", "en", tuple(code for code, _name in LANGUAGES))
LOCALE_PATHS = [BASE_DIR / "calendar_site" / "locale"]
FORMAT_MODULE_PATH = "calendar_site.localization.formats"
USE_I18N = True
USE_TZ = True

SITE_NAME = env.read_text("SITE_NAME", "Event calendar")
# They win over what the owner sets on the page Site of the admin (site_profile/current.py).
VARIABLES_OF_SITE = env.set_variables("SITE_NAME", "HOME_VIEW")
LOGIN_REDIRECT_URL = "admin:index"
# The name of this site in authenticator apps.
OTP_TOTP_ISSUER = SITE_NAME
# `make run` keeps the time zone of the first start here.
kept_time_zone = DATA_DIR / "time-zone"
SITE_TIME_ZONE = env.read_validated(
    "SITE_TIME_ZONE",
    "a time zone such as Europe/Rome or UTC+2",
    kept_time_zone.read_text().strip() if kept_time_zone.is_file() else "UTC",
    parsers.parse_zone_name,
)
# Django's own time zone is UTC: times are stored in UTC, and calendar_site.core.dates.conversion converts them.
TIME_ZONE = "UTC"
DEFAULT_CURRENCY_SYMBOL = env.read_text("DEFAULT_CURRENCY_SYMBOL", "$")
DEFAULT_CURRENCY_POSITION = env.read_choice("DEFAULT_CURRENCY_POSITION", "prefix", ("prefix", "postfix"))

# What visitors see first.
HOME_VIEW = env.read_choice("HOME_VIEW", "list", ("list", "month"))
# The sites that may show the calendar in a frame: sources of a content security policy.
EMBED_HOSTS = env.read_list("EMBED_HOSTS", kind="a comma-separated list of sites", validate=parsers.parse_frame_source)
# Whether visitors can submit events for review.
PUBLIC_SUBMISSIONS = env.read_boolean("PUBLIC_SUBMISSIONS", False)
# Whether their browsers have to solve a puzzle first, which costs programs that send many forms.
SUBMISSION_CHALLENGE = env.read_boolean("SUBMISSION_CHALLENGE", False)
ALTCHA_HMAC_KEY = hashlib.sha256(f"altcha {SECRET_KEY}".encode()).hexdigest()
ALTCHA_INCLUDE_TRANSLATIONS = True
# Calendars list events that last more days once, as events that go on.
LONG_EVENT_DAYS = env.read_integer("LONG_EVENT_DAYS", 3, minimum=1, maximum=365)

# Whether the first start loads sample content into an empty database.
SAMPLE_CONTENT = env.read_boolean("SAMPLE_CONTENT", True)

# --- The admin -----------------------------------------------------------------------------------

# The look of the admin. Colours are lightness, chroma and hue.
UNFOLD = {
    "SITE_TITLE": SITE_NAME,
    "SITE_HEADER": SITE_NAME,
    # With the script name and the language of the request.
    "SITE_URL": lambda _request: get_script_prefix(),
    "SITE_SYMBOL": "calendar_month",
    "DASHBOARD_CALLBACK": "events.admin.overview.first_page",
    "SITE_FAVICONS": [
        {"rel": "icon", "type": "image/svg+xml", "href": lambda _request: static("pages/icon.svg")},
    ],
    "COLORS": {
        "primary": {
            "50": "oklch(97% .014 254)",
            "100": "oklch(93% .032 254)",
            "200": "oklch(88% .059 254)",
            "300": "oklch(81% .095 254)",
            "400": "oklch(72% .13 254)",
            "500": "oklch(62% .15 254)",
            "600": "oklch(48% .15 254)",
            "700": "oklch(42% .14 254)",
            "800": "oklch(36% .12 254)",
            "900": "oklch(31% .10 254)",
            "950": "oklch(23% .07 254)",
        }
    },
}
# The tiles of the map on the form of a venue. Without them the map sends no requests.
MAP_TILES_URL = env.read_validated(
    "MAP_TILES_URL", "a URL template such as https://tiles.example.org/{z}/{x}/{y}.png", "", parsers.parse_tiles_url
)
MAP_TILES_ATTRIBUTION = env.read_text("MAP_TILES_ATTRIBUTION")
if MAP_TILES_URL and not MAP_TILES_ATTRIBUTION:
    raise ImproperlyConfigured(
        "If you set MAP_TILES_URL, also set MAP_TILES_ATTRIBUTION to the copyright notice of the map."
    )

# --- The API -------------------------------------------------------------------------------------

API_NAMESPACE = "cal/events/v1"
REST_ROOT = env.read_validated("REST_ROOT", "a path such as api", "", parsers.parse_api_path)
NAMESPACE_ALIASES = env.read_list(
    "NAMESPACE_ALIASES", kind="a comma-separated list of paths", validate=parsers.parse_api_path
)
PER_PAGE_DEFAULT = env.read_integer("PER_PAGE_DEFAULT", 9, minimum=1)
PER_PAGE_LIMIT = env.read_integer("PER_PAGE_LIMIT", 100, minimum=1)
# How much memory stored responses take in each process; 0 stores none.
RESPONSE_CACHE_MB = env.read_integer("RESPONSE_CACHE_MB", 16)
CALENDAR_COMPRESSION = env.read_boolean("CALENDAR_COMPRESSION", True)
# How long shared caches may use a public response without asking. Changes are seen as much later.
SHARED_CACHE_SECONDS = env.read_integer("SHARED_CACHE_SECONDS", 0)
THROTTLE_ANONYMOUS = env.read_rate("THROTTLE_ANONYMOUS", "")
THROTTLE_USER = env.read_rate("THROTTLE_USER", "")
THROTTLE_ANONYMOUS_WRITES = env.read_rate("THROTTLE_ANONYMOUS_WRITES", "")
THROTTLE_USER_WRITES = env.read_rate("THROTTLE_USER_WRITES", "")
# Wrong passwords for one event from one IP address.
THROTTLE_EVENT_PASSWORD = env.read_rate("THROTTLE_EVENT_PASSWORD", "10/min")
# Maximum bytes of a request body: without files, and with files.
DATA_UPLOAD_MAX_MEMORY_SIZE = env.read_integer("BODY_LIMIT", 2 * 1024 * 1024, minimum=1024)
UPLOAD_LIMIT = env.read_integer("UPLOAD_LIMIT", 12 * 1024 * 1024, minimum=1024)
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2000

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "calendar_site.accounts.authentication.BasicAuthentication",
        "calendar_site.accounts.authentication.BearerAuthentication",
        "calendar_site.accounts.authentication.SessionAuthentication",
    ],
    "DEFAULT_RENDERER_CLASSES": ["calendar_site.api.output.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": [
        "calendar_site.api.input.parsers.JSONParser",
        "calendar_site.api.input.parsers.FormParser",
        "calendar_site.api.input.parsers.MultiPartParser",
        "calendar_site.api.input.parsers.NoArgumentsParser",
    ],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "calendar_site.api.input.parsers.ContractNegotiation",
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_METADATA_CLASS": "calendar_site.api.description.index.RouteMetadata",
    "DEFAULT_THROTTLE_CLASSES": [
        "calendar_site.api.throttles.AnonymousThrottle",
        "calendar_site.api.throttles.UserThrottle",
        "calendar_site.api.throttles.AnonymousWriteThrottle",
        "calendar_site.api.throttles.UserWriteThrottle",
    ],
    "EXCEPTION_HANDLER": "calendar_site.api.error_responses.handle_exception",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}

# Any origin may use the API, but without the cookies of this site.
CORS_ALLOW_ALL_ORIGINS = True
CORS_ALLOW_CREDENTIALS = False
CORS_URLS_REGEX = "^.*/(?:{})(?:/|$)".format("|".join(map(re.escape, [API_NAMESPACE, *NAMESPACE_ALIASES])))
CORS_ALLOW_HEADERS = [
    "accept",
    "authorization",
    "content-type",
    "x-http-method-override",
    "x-requested-with",
    "idempotency-key",
    "x-event-password",
    "if-match",
    "if-none-match",
    "if-unmodified-since",
    # Clients that are shared with other services send it with each request, even if it has no effect here.
    "x-wp-nonce",
]
CORS_EXPOSE_HEADERS = [
    "X-TEC-Total",
    "X-TEC-TotalPages",
    "Link",
    "ETag",
    "Last-Modified",
    "X-Ignored-Fields",
    "X-Did-You-Mean",
    "X-Shortened-Records",
    "Retry-After",
    "RateLimit-Limit",
    "RateLimit-Remaining",
    "RateLimit-Reset",
    "RateLimit-Policy",
    "X-Request-ID",
    "Idempotent-Replayed",
    "Allow",
    "Location",
]

# --- Images --------------------------------------------------------------------------------------

MEDIA_ROOT = DATA_DIR / "media"
# The URL of the images: a path of this site, or another site where a store or a proxy serves them.
MEDIA_URL = env.read_text("MEDIA_URL", "media/").rstrip("/") + "/"
MEDIA_PATH = "" if urlsplit(MEDIA_URL).netloc else MEDIA_URL.strip("/")
if MEDIA_PATH:
    # Absolute: a relative path would be below the language of the request.
    MEDIA_URL = f"{FORCE_SCRIPT_NAME or ''}/{MEDIA_PATH}/"
# How many images each process of the service reads at once, and how much memory and CPU time each of them may take.
IMAGE_PROCESSES = env.read_integer("IMAGE_PROCESSES", 1, minimum=1)
IMAGE_MEMORY_MB = env.read_integer("IMAGE_MEMORY_MB", 300, minimum=100)
IMAGE_CPU_SECONDS = env.read_integer("IMAGE_CPU_SECONDS", 5, minimum=1)
S3_BUCKET = env.read_text("S3_BUCKET")
S3_OPTIONS = {
    "bucket_name": S3_BUCKET,
    "endpoint_url": env.read_text("S3_ENDPOINT_URL") or None,
    "region_name": env.read_text("S3_REGION") or None,
    "access_key": env.read_secret("S3_ACCESS_KEY") or None,
    "secret_key": env.read_secret("S3_SECRET_KEY") or None,
    "location": env.read_text("S3_FOLDER"),
    # File names cannot be guessed, so the URLs need no signature and do not expire.
    "querystring_auth": False,
    "file_overwrite": False,
    "object_parameters": {"CacheControl": "public, max-age=31536000, immutable"},
}
if S3_BUCKET:
    # Takes half a second to import.
    from botocore.config import Config as S3Config

    # A store that does not respond must not hold a request for minutes.
    S3_OPTIONS["client_config"] = S3Config(connect_timeout=3, read_timeout=5, retries={"total_max_attempts": 2})
if S3_BUCKET and MEDIA_PATH:
    raise ImproperlyConfigured("If you set S3_BUCKET, set MEDIA_URL to the public URL of the bucket.")

# --- Outgoing requests ---------------------------------------------------------------------------

# The ports to which the HTTP client connects. Others belong to services that are not meant for browsers.
HTTP_CLIENT_PORTS = env.read_ports("HTTP_CLIENT_PORTS", [80, 443])

# --- Static files --------------------------------------------------------------------------------

STATIC_URL = f"{FORCE_SCRIPT_NAME or ''}/static/"

STATICFILES_DIRS = [
    BASE_DIR / "calendar_site" / "static",
    # Only its files: as an app it would require a GIS database, and load maps from other servers.
    ("leaflet", _package_folder("leaflet") / "static" / "leaflet"),
]
STATIC_ROOT = DATA_DIR / "static"
# In development files are served from their source folders, without collectstatic.
WHITENOISE_AUTOREFRESH = WHITENOISE_USE_FINDERS = DEBUG
STORAGES = {
    "default": (
        {"BACKEND": "storages.backends.s3.S3Storage", "OPTIONS": S3_OPTIONS}
        if S3_BUCKET
        else {"BACKEND": "django.core.files.storage.FileSystemStorage"}
    ),
    "staticfiles": {
        "BACKEND": (
            "django.contrib.staticfiles.storage.StaticFilesStorage"
            if DEBUG
            else "calendar_site.serving.static_files.StaticFilesStorage"
        )
    },
}

# Admin pages request bundles, except in development.
PIPELINE = pipeline_settings(are_bundled=not DEBUG)

# --- Documentation -------------------------------------------------------------------------------

# `make docs` builds it here. The service serves it if it exists when the process starts.
DOCS_ROOT = DATA_DIR / "docs"
DOCS_PATH = "docs" if (DOCS_ROOT / "index.html").is_file() else ""
# The target of all links to the documentation. Without it, no link is shown.
DOCS_URL = env.read_validated("DOCS_URL", "a URL such as https://docs.example.org/", "", parsers.parse_docs_url)
if DOCS_PATH and not DOCS_URL:
    DOCS_URL = f"{FORCE_SCRIPT_NAME or ''}/{DOCS_PATH}/"

# --- Monitoring -----------------------------------------------------------------------------------------

LOG_LEVEL = env.read_choice("LOG_LEVEL", "INFO", ("DEBUG", "INFO", "WARNING", "ERROR"))
# Protects /metrics, which exists only with this setting.
METRICS_TOKEN = env.read_secret("METRICS_TOKEN")

# Where errors are reported; nowhere by default.
SENTRY_DSN = env.read_validated("SENTRY_DSN", "a URL such as https://key@sentry.example.org/1", "", parsers.parse_dsn)
if SENTRY_DSN:
    start_error_reports(SENTRY_DSN)

LOG_FORMAT = env.read_choice("LOG_FORMAT", "text", ("text", "json"))
# A line for each request.
ACCESS_LOG = env.read_boolean("ACCESS_LOG", False)
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "text": {"()": "calendar_site.core.observability.log_formats.TextFormatter"},
        "json": {"()": "calendar_site.core.observability.log_formats.JSONFormatter"},
    },
    "filters": {"faults": {"()": "calendar_site.core.observability.log_formats.FaultFilter"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT}},
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
    "loggers": {
        "django.server": {"handlers": ["console"], "level": "INFO", "propagate": False},
        "django.request": {"filters": ["faults"]},
        "django.security.DisallowedHost": {"filters": ["faults"]},
        # It logs every step at lower levels.
        "axes": {"level": "WARNING"},
        "django_tasks_db": {"level": "WARNING"},
    },
}

# --- Compatibility mode --------------------------------------------------------------------------

# Whether clients of The Events Calendar find its addresses here.
COMPATIBILITY_MODE = env.read_boolean("COMPATIBILITY_MODE", False)
if COMPATIBILITY_MODE:
    globals().update(compatible_settings(globals()))
