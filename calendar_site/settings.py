"""Settings of the service. Every value that an installation may change is read from the environment.

docs/settings.md lists them all; a test holds that page and this file together.
"""

from datetime import timedelta
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured
from django.templatetags.static import static
from django.urls import get_script_prefix

from calendar_site import environment as env
from calendar_site.accounts.roles import STAFF_ROLES
from calendar_site.content.dates import parse_zone

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(env.text("DATA_DIR", "var", kind="a folder"))
if not DATA_DIR.is_absolute():
    DATA_DIR = BASE_DIR / DATA_DIR
# SQLite makes a database file, but no folder for it.
DATA_DIR.mkdir(parents=True, exist_ok=True)

# --- Security -----------------------------------------------------------------------------------

DEBUG = env.boolean("DEBUG", False)
SECRET_KEY = env.secret("SECRET_KEY", DATA_DIR / "secret-key")
if not SECRET_KEY:
    if not DEBUG:
        raise ImproperlyConfigured(
            "Set SECRET_KEY (or SECRET_KEY_FILE) to a long random text, or DEBUG=true for development."
        )
    SECRET_KEY = "for-development-on-this-computer-only-and-known-to-everybody"  # noqa: S105


def _public_url(raw: str) -> str:
    parts = urlsplit(raw)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment:
        raise ValueError("It begins with http:// or https:// and has no query.")
    return raw.rstrip("/")


PUBLIC_URL = env.checked("PUBLIC_URL", "the address of a site", "", _public_url)


def _path(raw: str) -> str:
    if not raw.startswith("/") or raw.endswith("/"):
        raise ValueError("It begins with a slash and ends without one.")
    return raw


# Gunicorn takes this path off the addresses that it gets, Django puts it on those that it makes. Where a proxy takes
# it off, PUBLIC_URL alone says what it was.
FORCE_SCRIPT_NAME = env.checked("SCRIPT_NAME", "a path such as /agenda", "", _path) or urlsplit(PUBLIC_URL).path or None
ALLOWED_HOSTS = env.texts("ALLOWED_HOSTS", ["127.0.0.1", "localhost", "[::1]"])
if PUBLIC_URL and urlsplit(PUBLIC_URL).hostname not in ALLOWED_HOSTS:
    ALLOWED_HOSTS = [*ALLOWED_HOSTS, urlsplit(PUBLIC_URL).hostname]
CSRF_TRUSTED_ORIGINS = env.texts("CSRF_TRUSTED_ORIGINS")

IS_HTTPS = env.boolean("HTTPS", PUBLIC_URL.startswith("https://"))
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = IS_HTTPS
HSTS_SECONDS = env.integer("HSTS_SECONDS", 31_536_000)
SECURE_HSTS_SECONDS = HSTS_SECONDS if IS_HTTPS else 0
# Only the owner of a domain knows whether all the hosts below it speak HTTPS.
HSTS_SUBDOMAINS = env.boolean("HSTS_SUBDOMAINS", False)
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = IS_HTTPS and HSTS_SUBDOMAINS
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = 3600 * env.integer("SESSION_HOURS", 168, minimum=1, maximum=8760)
CSRF_FAILURE_VIEW = "calendar_site.pages.csrf_failure"

PROXY_COUNT = env.integer("PROXY_COUNT", 0)
if PROXY_COUNT:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
elif IS_HTTPS and PUBLIC_URL.startswith("https://"):
    raise ImproperlyConfigured(
        "PUBLIC_URL begins with https://, which a proxy answers: set PROXY_COUNT to the number of proxies. Without it "
        "every request would be redirected to itself."
    )

# --- Applications -------------------------------------------------------------------------------

INSTALLED_APPS = [
    "unfold.apps.BasicAppConfig",
    "calendar_site.accounts.apps.BackOfficeConfig",
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
    # Its script is all that is used of it: see calendar_site/content/admin/rich_text.py.
    "django_prose_editor",
    "calendar_site.content",
    "calendar_site.accounts",
    "taxonomy",
    "venues",
    "organizers",
    "events",
]

MIDDLEWARE = [
    "calendar_site.middleware.utf8_only",
    # Before all that makes an address or says something.
    "calendar_site.languages.in_its_language",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "calendar_site.middleware.limited_bodies",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "calendar_site.accounts.sign_in.second_factor_first",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "calendar_site.content.admin.site.on_the_sites_clock",
    "calendar_site.middleware.recorded_by_door",
    "calendar_site.faults.BusyPages",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "calendar_site.urls"
WSGI_APPLICATION = "calendar_site.wsgi.application"
# Every address answers with and without a slash at its end; nothing is redirected.
APPEND_SLASH = False

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
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

# --- Data ---------------------------------------------------------------------------------------

# How long a writer waits for those before him; then he is asked to come back.
WRITE_WAIT_SECONDS = env.integer("WRITE_WAIT_SECONDS", 20, minimum=1)
DATABASES = {"default": env.database("DATABASE_URL", f"sqlite:///{DATA_DIR / 'calendar.sqlite3'}")}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["OPTIONS"] = {
        # A writer takes the lock when its transaction begins, so that others wait instead of failing.
        "transaction_mode": "IMMEDIATE",
        "timeout": WRITE_WAIT_SECONDS,
        "init_command": (
            "PRAGMA journal_mode=WAL;"
            "PRAGMA synchronous=NORMAL;"
            "PRAGMA temp_store=MEMORY;"
            # For each thread of each worker; the operating system keeps more of the file in memory by itself.
            "PRAGMA cache_size=-4000;"
        ),
    }
DATABASES["default"]["CONN_MAX_AGE"] = env.integer("DATABASE_CONN_MAX_AGE", 60)
DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

CACHES = {"default": env.cache("CACHE_URL", "locmemcache://")}
if CACHES["default"]["BACKEND"].endswith("RedisCache"):
    # Nobody's answer waits long for a cache that is out of reach.
    CACHES["default"]["OPTIONS"] = {
        "socket_connect_timeout": 1,
        "socket_timeout": 1,
        **CACHES["default"].get("OPTIONS", {}),
    }

# --- Accounts -----------------------------------------------------------------------------------

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
API_ALLOW_ACCOUNT_PASSWORD = env.boolean("API_ALLOW_ACCOUNT_PASSWORD", False)
AUTHENTICATION_BACKENDS = [
    # Looks at no password after too many wrong ones.
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
# Wrong passwords for one name from one address, for one name, and from one address.
SIGN_IN_TRIES = env.integer("SIGN_IN_TRIES", 5, minimum=1)
SIGN_IN_TRIES_BY_NAME = env.integer("SIGN_IN_TRIES_BY_NAME", 30, minimum=1)
SIGN_IN_TRIES_BY_ADDRESS = env.integer("SIGN_IN_TRIES_BY_ADDRESS", 30, minimum=1)
AXES_COOLOFF_TIME = timedelta(minutes=env.integer("SIGN_IN_LOCK_MINUTES", 15, minimum=1, maximum=1440))
# The handler has the limits, and says 1 where one is reached.
AXES_HANDLER = "calendar_site.accounts.guessing.WrongPasswords"
AXES_FAILURE_LIMIT = 1
AXES_RESET_ON_SUCCESS = True
# Who tries on while nothing is looked at does not make it last longer.
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_USERNAME_CALLABLE = "calendar_site.accounts.guessing.counted_name"
AXES_CLIENT_IP_CALLABLE = "calendar_site.accounts.guessing.client_address"
AXES_LOCKOUT_CALLABLE = "calendar_site.accounts.sign_in.locked_out"
# Not logged: people type passwords where their names belong.
AXES_SENSITIVE_PARAMETERS = ["username", "csrfmiddlewaretoken"]
AXES_DISABLE_ACCESS_LOG = True
AXES_ENABLE_ADMIN = False
AXES_VERBOSE = False
REQUIRE_SECOND_FACTOR = env.choices("REQUIRE_SECOND_FACTOR", STAFF_ROLES)

# --- The site -----------------------------------------------------------------------------------

# Each under its own name.
LANGUAGES = [
    ("en", "English"),
    ("de", "Deutsch"),
    ("fr", "Français"),
    ("es", "Español"),
    ("it", "Italiano"),
    ("nl", "Nederlands"),
    ("pt", "Português"),
    ("pl", "Polski"),
]
LANGUAGE_CODE = env.choice("SITE_LANGUAGE", "en", tuple(code for code, _name in LANGUAGES))
LOCALE_PATHS = [BASE_DIR / "calendar_site" / "locale"]
FORMAT_MODULE_PATH = "calendar_site.formats"
USE_I18N = True
USE_TZ = True


def _zone_name(raw: str) -> str:
    try:
        return parse_zone(raw).name
    except ValueError as error:
        # In English, as all that is said about settings.
        raise ValueError("This is not a time zone. Name one like Europe/Rome, UTC or UTC+2.") from error


SITE_NAME = env.text("SITE_NAME", "Event calendar")
LOGIN_REDIRECT_URL = "admin:index"
# What an app that shows codes calls this site.
OTP_TOTP_ISSUER = SITE_NAME
# The look of the admin; colours by their lightness, chroma and hue.
UNFOLD = {
    "SITE_TITLE": SITE_NAME,
    "SITE_HEADER": SITE_NAME,
    # Under the path and in the language that the site is asked under.
    "SITE_URL": lambda _request: get_script_prefix(),
    "SITE_SYMBOL": "calendar_month",
    "DASHBOARD_CALLBACK": "events.admin.overview.first_page",
    "SITE_FAVICONS": [
        {"rel": "icon", "type": "image/svg+xml", "href": lambda _request: static("pages/icon.svg")},
    ],
    "STYLES": [lambda _request: static("back_office/controls.css")],
    "SCRIPTS": [lambda _request: static("back_office/controls.js")],
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
SITE_TIME_ZONE = env.checked("SITE_TIME_ZONE", "a time zone such as Europe/Rome or UTC+2", "UTC", _zone_name)
# Django's own zone stays UTC: times are kept in UTC, and calendar_site.content.dates turns them.
TIME_ZONE = "UTC"
DEFAULT_CURRENCY_SYMBOL = env.text("DEFAULT_CURRENCY_SYMBOL", "$")
DEFAULT_CURRENCY_POSITION = env.choice("DEFAULT_CURRENCY_POSITION", "prefix", ("prefix", "postfix"))


def _tiles(raw: str) -> str:
    if not raw.startswith(("https://", "http://")) or not all(part in raw for part in ("{z}", "{x}", "{y}")):
        raise ValueError("It begins with https:// or http:// and has places for {z}, {x} and {y}.")
    return raw


# The tiles of the map on the form of a venue; without any the map asks nobody.
MAP_TILES_URL = env.checked(
    "MAP_TILES_URL", "the address of map tiles such as https://tiles.example.org/{z}/{x}/{y}.png", "", _tiles
)
MAP_TILES_ATTRIBUTION = env.text("MAP_TILES_ATTRIBUTION")
if MAP_TILES_URL and not MAP_TILES_ATTRIBUTION:
    raise ImproperlyConfigured("Where MAP_TILES_URL is set, MAP_TILES_ATTRIBUTION must say whose map it is.")
# Whether the first start fills an empty database with sample content.
SAMPLE_CONTENT = env.boolean("SAMPLE_CONTENT", True)

# --- The API ------------------------------------------------------------------------------------

API_NAMESPACE = "cal/events/v1"
REST_ROOT = env.text("REST_ROOT").strip("/")
NAMESPACE_ALIASES = [alias.strip("/") for alias in env.texts("NAMESPACE_ALIASES")]
PER_PAGE_DEFAULT = env.integer("PER_PAGE_DEFAULT", 9, minimum=1)
PER_PAGE_LIMIT = env.integer("PER_PAGE_LIMIT", 100, minimum=1)
THROTTLE_ANONYMOUS = env.rate("THROTTLE_ANONYMOUS", "")
THROTTLE_USER = env.rate("THROTTLE_USER", "")
# Wrong passwords for one event from one address.
THROTTLE_EVENT_PASSWORD = env.rate("THROTTLE_EVENT_PASSWORD", "10/min")
# Bytes of a request's body: without files, and with them.
DATA_UPLOAD_MAX_MEMORY_SIZE = env.integer("BODY_LIMIT", 2 * 1024 * 1024, minimum=1024)
UPLOAD_LIMIT = env.integer("UPLOAD_LIMIT", 12 * 1024 * 1024, minimum=1024)
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2000

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "calendar_site.accounts.authentication.BasicAuthentication",
        "calendar_site.accounts.authentication.BearerAuthentication",
        "calendar_site.accounts.authentication.SessionAuthentication",
    ],
    "DEFAULT_RENDERER_CLASSES": ["calendar_site.api.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": [
        "calendar_site.api.parsers.JSONParser",
        "calendar_site.api.parsers.FormParser",
        "calendar_site.api.parsers.MultiPartParser",
        "calendar_site.api.parsers.NoArgumentsParser",
    ],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "calendar_site.api.parsers.ContractNegotiation",
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_METADATA_CLASS": "calendar_site.api.schema.RouteDescription",
    "DEFAULT_SCHEMA_CLASS": "calendar_site.api.openapi.ContractSchema",
    "DEFAULT_THROTTLE_CLASSES": [
        "calendar_site.api.throttles.AnonymousThrottle",
        "calendar_site.api.throttles.UserThrottle",
    ],
    "DEFAULT_THROTTLE_RATES": {
        "anon": THROTTLE_ANONYMOUS or None,
        "user": THROTTLE_USER or None,
        "event_password": THROTTLE_EVENT_PASSWORD or None,
    },
    "NUM_PROXIES": PROXY_COUNT,
    "EXCEPTION_HANDLER": "calendar_site.api.errors.answer_exception",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}

# `calendar_site.api.openapi` describes the views itself, and takes from drf-spectacular what puts them together.
SPECTACULAR_SETTINGS = {"OAS_VERSION": "3.1.0", "POSTPROCESSING_HOOKS": []}

# Any origin may use the API, but never with the cookies of this site.
CORS_ALLOW_ALL_ORIGINS = True
CORS_ALLOW_CREDENTIALS = False
CORS_URLS_REGEX = "^.*/(?:{})(?:/|$)".format("|".join([API_NAMESPACE, *NAMESPACE_ALIASES]))
CORS_ALLOW_HEADERS = ["accept", "authorization", "content-type", "x-http-method-override", "x-requested-with"]
CORS_EXPOSE_HEADERS = [
    "X-TEC-Total",
    "X-TEC-TotalPages",
    "Link",
    "ETag",
    "X-Ignored-Fields",
    "Retry-After",
    "Allow",
]

# --- Images -------------------------------------------------------------------------------------

MEDIA_ROOT = DATA_DIR / "media"
# Where the images are; an address of its own where a store or a proxy serves them.
MEDIA_URL = env.text("MEDIA_URL", "media/").rstrip("/") + "/"
MEDIA_PATH = "" if urlsplit(MEDIA_URL).netloc else MEDIA_URL.strip("/")
if MEDIA_PATH:
    # From the root on: relative to the address of a request it would be under that one's language.
    MEDIA_URL = f"{FORCE_SCRIPT_NAME or ''}/{MEDIA_PATH}/"
S3_BUCKET = env.text("S3_BUCKET")
S3_OPTIONS = {
    "bucket_name": S3_BUCKET,
    "endpoint_url": env.text("S3_ENDPOINT_URL") or None,
    "region_name": env.text("S3_REGION") or None,
    "access_key": env.secret("S3_ACCESS_KEY") or None,
    "secret_key": env.secret("S3_SECRET_KEY") or None,
    "location": env.text("S3_FOLDER"),
    # Names are made so that nobody guesses them: the addresses need no signature, and stay.
    "querystring_auth": False,
    "file_overwrite": False,
    "object_parameters": {"CacheControl": "public, max-age=31536000, immutable"},
}
if S3_BUCKET and MEDIA_PATH:
    raise ImproperlyConfigured("Where S3_BUCKET is set, MEDIA_URL must be the address at which its files are read.")

# --- Static files -------------------------------------------------------------------------------

STATIC_URL = f"{FORCE_SCRIPT_NAME or ''}/static/"
STATICFILES_DIRS = [
    BASE_DIR / "calendar_site" / "static",
    # Its files alone: as an app it would want a database of maps, and ask others for theirs.
    ("leaflet", Path(find_spec("leaflet").origin).parent / "static" / "leaflet"),
]
STATIC_ROOT = DATA_DIR / "static"
# In development files are served from where they are written; nothing needs to be collected.
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
            else "whitenoise.storage.CompressedManifestStaticFilesStorage"
        )
    },
}

# --- Log ----------------------------------------------------------------------------------------

LOG_LEVEL = env.choice("LOG_LEVEL", "INFO", ("DEBUG", "INFO", "WARNING", "ERROR"))
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name} {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
    "loggers": {
        "django.server": {"handlers": ["console"], "level": "INFO", "propagate": False},
        # It has a line for every step of its own.
        "axes": {"level": "WARNING"},
    },
}
