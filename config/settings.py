"""Every setting, from the environment; by default SQLite, and mail into a folder."""

import base64
import hashlib
import secrets
from ipaddress import ip_network
from pathlib import Path
from urllib.parse import quote

import environ
from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from config import database
from config.environment import insist
from config.forms import *  # noqa: F403
from config.hooks import *  # noqa: F403
from config.lib import redis
from config.lib.masking import hide
from config.limits import *  # noqa: F403
from config.place import RECEIVER  # noqa: F401 (a setting)
from config.private import keep_private, kept
from games.rules import add, folders

insist()
env = environ.Env()

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = Path(env("VAR_DIR", default="") or BASE_DIR / "var").absolute()
keep_private(VAR_DIR)


def _key_of(secret: bytes) -> str:
    """Return 32 bytes as a key of Fernet."""
    return base64.urlsafe_b64encode(secret).decode()


# The site
DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = env("SECRET_KEY", default="") or kept(VAR_DIR / "secret_key", lambda: secrets.token_urlsafe(50))
SITE_URL = env("SITE_URL", default="http://localhost:8000")
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
SITE_NAME = "Club Y"
# Who runs it, and whom to tell of a weakness
IMPRINT_FILE = env("IMPRINT_FILE", default="")
SECURITY_CONTACT = env.list("SECURITY_CONTACT", default=[])
SOURCE_URL = env("SOURCE_URL", default="")  # of the code that runs here
EXTRA_GAMES = env.list("EXTRA_GAMES", default=[])  # packages of games beside those of games.rules
for package in EXTRA_GAMES:
    add(package)

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "django.contrib.sitemaps",
    "csp",
    "anymail",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "accounts",
    "games",
    "leaderboards",
    "games.moderation",
    "games.competitions",
    "games.ladders",
    "games.clubs",
    "games.api",
]

MIDDLEWARE = [
    "config.logs.RequestLog",
    "django.middleware.security.SecurityMiddleware",
    "config.errors.ContentPolicy",
    "config.errors.RightHost",
    "config.static_files.StaticFiles",  # before GZip: a part of a file, and its length, stay as they are
    "django.middleware.gzip.GZipMiddleware",
    "games.api.door.Door",  # before whatever looks at cookies
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.middleware.Preferences",
    "accounts.middleware.GuestDoor",
    "accounts.middleware.Present",
    "accounts.middleware.CountedDoors",
    "accounts.middleware.CountedPosts",
    "accounts.middleware.ClosedMeanwhile",
    "games.moderation.middleware.Suspended",
    "games.moderation.middleware.Traces",
    "django.contrib.messages.middleware.MessageMiddleware",
    "accounts.middleware.TextsWait",
    "accounts.middleware.Sessions",
    "accounts.middleware.StaffDoor",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "accounts.middleware.LogInFirst",
    "config.errors.WrongMethod",
    "games.views.unreadable.CannotBeShown",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"

HOMES = [BASE_DIR / "config", *folders().values()]  # of translations and static files
TEMPLATE_DIRS = [BASE_DIR / "templates", *(folder / "templates" for folder in folders().values())]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": TEMPLATE_DIRS,
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
                "accounts.middleware.preferences",
                "accounts.middleware.marks",
                "games.context.waiting",
                "config.about.foot",
                "games.moderation.middleware.sanctions",
            ],
            "builtins": ["config.lib.fixed_tags", "config.lib.formats"],
        },
    },
    {
        "NAME": "jinja",
        "BACKEND": "django.template.backends.jinja2.Jinja2",
        "DIRS": TEMPLATE_DIRS,
        "APP_DIRS": False,
        "OPTIONS": {"environment": "config.jinja.environment"},
    },
]

# Data
# How long to wait for what another process holds. A web server waits less (config/asgi.py), as it then says so, and
# threads that wait answer nobody else.
LOCK_SECONDS = env.float("LOCK_SECONDS", default=20)
database_url = env("DATABASE_URL", default="")  # no setting: it holds a password, and reports show settings
DATABASES = {"default": database.of(database_url, VAR_DIR, LOCK_SECONDS)}
BACKUP_DIR = env("BACKUP_DIR", default="")  # where a copy of database and keys is put each night
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Redis: one address, a numbered database for each use; Celery's stands in config/celery.py
# By default that of the site that runs with this data folder; without one it is away, and is missed by no command.
redis.use(env("REDIS_URL", default="") or f"unix://{quote(str(VAR_DIR / 'redis.sock'))}")
CACHES = {"default": {"BACKEND": "config.cache.PatientRedisCache", "LOCATION": redis.address(redis.CACHE)}}
CELERY_TASK_IGNORE_RESULT = True
# Whatever Redis has against a command (it is full, read-only, loading), worker and beat try again, as long as it is.
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = CELERY_BROKER_CHANNEL_ERROR_RETRY = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_TRANSPORT_OPTIONS = {"socket_timeout": 10, "socket_connect_timeout": 5}
CELERY_WORKER_HIJACK_ROOT_LOGGER = CELERY_WORKER_REDIRECT_STDOUTS = False
CELERY_TIMEZONE = "UTC"

# Members
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["accounts.backends.QuickBackend"]
SESSION_ENGINE = "config.sessions"
MESSAGE_STORAGE = "config.kept_messages.Storage"  # no cookie beside the three
SESSION_COOKIE_AGE = 60 * 60 * 24 * 90  # from the last day of use: accounts.services.sessions
IS_HTTPS = SITE_URL.startswith("https:")
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = IS_HTTPS
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = LANGUAGE_COOKIE_HTTPONLY = True
COOKIE_PREFIX = "__Host-" if IS_HTTPS else ""  # no other host of the domain can set cookies of such a name
SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = f"{COOKIE_PREFIX}sessionid", f"{COOKIE_PREFIX}csrftoken"
LANGUAGE_COOKIE_NAME, DEVICE_COOKIE_NAME = f"{COOKIE_PREFIX}django_language", f"{COOKIE_PREFIX}device"
LOGIN_REDIRECT_URL = "/"
LOGIN_URL = "account_login"
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ("username", "email")},
    },
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 8}},
    {"NAME": "accounts.passwords.CommonPasswordValidator"},
    {"NAME": "accounts.passwords.SiteNameValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
# The second is that of before, until their next log-in.
PASSWORD_HASHERS = ["accounts.passwords.Hasher", "django.contrib.auth.hashers.PBKDF2PasswordHasher"]
ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*"]
ACCOUNT_USERNAME_MIN_LENGTH = 3
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_EMAIL_VERIFICATION = "optional"  # nobody waits for a mail to play; codes need "mandatory"
ACCOUNT_PREVENT_ENUMERATION = "strict"  # any address may sign up; only its reader can confirm it
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_LOGIN_BY_CODE_SUPPORTS_RESEND = True
ACCOUNT_PASSWORD_RESET_BY_CODE_ENABLED = True
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
ACCOUNT_LOGIN_BY_CODE_TIMEOUT = ACCOUNT_PASSWORD_RESET_BY_CODE_TIMEOUT = 10 * 60
POSTS_A_MINUTE = 600  # of a person, at one web server
SOCKETS_OF_PERSON = 30  # open pages, at one web server
FRAMES_A_SECOND = 10.0  # that a person's pages may send: thirty of them beat six times a second
SOCKETS_OF_ADDRESS = env.int("SOCKETS_OF_ADDRESS", default=120)
BOT_MATCHES_OF_PERSON = 20  # running, with bots alone
ALLAUTH_USER_CODE_FORMAT = {"numeric": True, "length": 8, "dashed": True}
MFA_ADAPTER = "accounts.adapter.SecondFactorAdapter"
USERSESSIONS_ADAPTER = "accounts.adapter.SessionsAdapter"
# They encrypt the secrets of authenticators: the first what is new, any what is there. One in the data folder, unless
# the site outgrew it: then SECRET_KEY is the same everywhere, and so is what is derived from it.
AUTHENTICATOR_KEYS = env.list("AUTHENTICATOR_KEYS", default=[]) or (
    [_key_of(hashlib.sha256(b"authenticators" + SECRET_KEY.encode()).digest())]
    if env("SECRET_KEY", default="")
    else kept(VAR_DIR / "authenticator_keys", lambda: _key_of(secrets.token_bytes(32))).split()
)
# It signs what is pushed to devices, which take nothing signed by another; kept or derived like the keys above.
VAPID_KEY = env("VAPID_KEY", default="") or (
    _key_of(hashlib.sha256(b"push" + SECRET_KEY.encode()).digest())
    if env("SECRET_KEY", default="")
    else kept(VAR_DIR / "vapid_key", lambda: _key_of(secrets.token_bytes(32)))
)
PUSH = env.bool("PUSH", default=True)  # whether members can be called on their devices
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_ALLOW_UNVERIFIED_EMAIL = True  # else nobody with a second factor could change the address; see accounts/urls.py
MFA_TOTP_ISSUER = SITE_NAME
STAFF_SECOND_FACTOR = env.bool("STAFF_SECOND_FACTOR", default=True)  # whether the admin asks for one
MFA_TOTP_TOLERANCE = 1
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not SITE_URL.startswith("https:")
ALLAUTH_TRUSTED_PROXY_COUNT = env.int("TRUSTED_PROXY_COUNT", default=0)

# Language and time
USE_I18N = USE_TZ = True
LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("fr", _("French"))]
LOCALE_PATHS = [path for path in (home / "locale" for home in HOMES) if path.is_dir()]
FORMAT_MODULE_PATH = ["config.formats"]
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_AGE = 60 * 60 * 24 * 400  # browsers keep no cookie longer
TIME_ZONE = "UTC"

# Files
STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "static"
STATICFILES_DIRS = [path for path in (home / "static" for home in HOMES) if path.is_dir()]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.static_files.Collected"},
}
WHITENOISE_ROOT = BASE_DIR / "config" / "root"  # what browsers and robots ask for by these names: icons, robots.txt
WHITENOISE_KEEP_ONLY_HASHED_FILES = True
WHITENOISE_ALLOW_ALL_ORIGINS = False

# Mail
email_url = env("EMAIL_URL", default="")
MAIL_PROVIDER = env("MAIL_PROVIDER", default="")  # one of Anymail's: "mailgun", "postmark", ...
ANYMAIL = {
    **env.json("ANYMAIL", default={}),
    "WEBHOOK_SECRET": env("MAIL_WEBHOOK_SECRET", default="") or f"closed:{secrets.token_urlsafe(32)}",
}
if MAIL_PROVIDER:
    EMAIL_BACKEND = f"anymail.backends.{MAIL_PROVIDER}.EmailBackend"
elif email_url:
    _server = env.email_url_config(email_url)
    vars().update(_server)
    EMAIL_BACKEND = _server["EMAIL_BACKEND"].replace("django.core.mail.backends.smtp.EmailBackend", "config.mail.Smtp")
else:
    EMAIL_BACKEND = "config.mail.Folder"
    EMAIL_FILE_PATH = VAR_DIR / "mail"
DEFAULT_FROM_EMAIL = env("DEFAULT_FROM_EMAIL", default="Club Y <club-y@localhost>")
EMAIL_TIMEOUT = 20
# Replies by mail: tried on this machine as long as mail goes into the folder
REPLY_DOMAIN = env("REPLY_DOMAIN", default="") or ("" if MAIL_PROVIDER or email_url else "localhost")
REPLY_HOST = env("REPLY_HOST", default="127.0.0.1")
REPLY_PORT = env.int("REPLY_PORT", default=0 if REPLY_DOMAIN == "localhost" else 8025)  # 0: one that is free
REPLY_AUTHSERV_ID = env("REPLY_AUTHSERV_ID", default="").lower()  # whose Authentication-Results are believed
REPLY_SENDERS_CHECKED = env.bool("REPLY_SENDERS_CHECKED", default=REPLY_DOMAIN == "localhost")
WEBHOOKS = env.bool("WEBHOOKS", default=True)  # whether the site calls addresses that members name
ALARM_ADDRESSES = env.list("ADMINS", default=[])  # not Django's ADMINS, to whom it would mail what fails

# Safety
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        **{name: [SELF] for name in ("default-src", "script-src", "style-src", "form-action")},
        **{name: [NONE] for name in ("object-src", "base-uri", "frame-ancestors")},
        "img-src": [SELF, "data:"],
    }
}
X_FRAME_OPTIONS = "DENY"
CSRF_FAILURE_VIEW = "config.errors.csrf_failure"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_HSTS_SECONDS = env.int("HSTS_SECONDS", default=60 * 60 * 24 * 365 if IS_HTTPS else 0)
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = env.bool("HSTS_SUBDOMAINS", default=False)
# TLS ends at the proxy: without a trusted one, requests would be redirected in a loop.
SECURE_SSL_REDIRECT = IS_HTTPS and ALLAUTH_TRUSTED_PROXY_COUNT > 0
SECURE_REDIRECT_EXEMPT = [r"^(healthz|livez|readyz|metrics)$", r"^mail/events/"]  # programs: not led to TLS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if ALLAUTH_TRUSTED_PROXY_COUNT else None
# The operator decides about other hosts of the domain: HSTS_SUBDOMAINS.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

LOGGING_CONFIG = "config.logs.configure"
LOGGING: dict[str, object] = {"level": env("LOG_LEVEL", default="INFO")}
DEFAULT_EXCEPTION_REPORTER = "config.reports.Report"
DEFAULT_EXCEPTION_REPORTER_FILTER = "config.reports.Filter"
hide(SECRET_KEY, VAPID_KEY, *AUTHENTICATOR_KEYS)

METRICS_ALLOWED = [ip_network(name) for name in env.list("METRICS_ALLOWED", default=["127.0.0.0/8", "::1/128"])]

# Play
# Seconds from a deadline to its time-out, so that moves received in time are played first.
TIME_OUT_MARGIN = env.float("TIME_OUT_MARGIN", default=5)
BOT_PAUSE = env.float("BOT_PAUSE", default=0.9)  # seconds between a bot's moves, so that eyes can follow
