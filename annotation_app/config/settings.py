"""Read all settings from typed environment variables. A wrong value stops the start and names the variable."""

import os
import re
import tomllib
from pathlib import Path

import environ

from al_worker.formats.models import OFFERED
from annotation_app.config.address import LOOPBACK, address_parse
from annotation_app.config.files import storage_of

env = environ.Env()
BASE_DIR = Path(__file__).resolve().parent.parent.parent
VERSION = str(tomllib.loads((BASE_DIR / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])

DEVELOPMENT_SECRET_KEY = "only-for-tests-and-one-machine"
SECRET_KEY = env.str("SECRET_KEY", default=DEVELOPMENT_SECRET_KEY)
DEBUG = env.bool("DEBUG", default=False)

# Host, path, TLS, cookies and trusted origins follow from the address that people type.
ADDRESS = address_parse(env.str("QUORUM_URL", default=""))
PUBLIC_URL = f"{ADDRESS.origin}{ADDRESS.path}/" if ADDRESS.origin else ""
# Further names and addresses of this machine, for people on the network.
HOSTS = env.list("QUORUM_HOSTS", default=[])
ALLOWED_HOSTS = [*LOOPBACK, *filter(None, [ADDRESS.host]), *HOSTS]
CSRF_TRUSTED_ORIGINS = [ADDRESS.origin] if ADDRESS.origin else []
FORCE_SCRIPT_NAME = ADDRESS.path or None

# True where the launcher started the servers, on loopback. Demo accounts may exist only there.
EMBEDDED = env.bool("QUORUM_EMBEDDED", default=False)

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.postgres",
    "rest_framework",
    "drf_spectacular",
    "axes",
    "annotation_app.config.apps.QuorumConfig",
]
MIDDLEWARE = [
    "annotation_app.monitoring.requests.WatchRequests",
    "annotation_app.config.headers.SecurityHeaders",
    "annotation_app.config.headers.ProxyNamesScheme",
    "django.middleware.security.SecurityMiddleware",
    "annotation_app.config.static.StaticFiles",
    "annotation_app.config.static.CompressText",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "annotation_app.config.bodies.BodiesUnread",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "axes.middleware.AxesMiddleware",
]
ROOT_URLCONF = "annotation_app.config.urls"
WSGI_APPLICATION = "annotation_app.config.wsgi.application"

DATABASES = {
    "default": {
        **env.db_url("DATABASE_URL", default="postgres://quorum:quorum@127.0.0.1:5432/quorum"),
        "CONN_MAX_AGE": 600,
        "CONN_HEALTH_CHECKS": True,
    }
}
DATABASE_APP_ROLE = env.str("DATABASE_APP_ROLE", default="")
REDIS_URL = env.str("REDIS_URL", default="redis://127.0.0.1:6379/0")

AUTH_USER_MODEL = "annotation_app.User"
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
PASSWORD_HASHERS = env.list("PASSWORD_HASHERS", default=["django.contrib.auth.hashers.ScryptPasswordHasher"])
# A name is locked only for the address that the guesses come from, so that nobody can lock out people elsewhere.
# An address is locked for all names after failures at this many names that have not signed in from there since.
AXES_HANDLER = "annotation_app.api.guesses.Guesses"
AXES_CLIENT_IP_CALLABLE = "annotation_app.api.guesses.client_address"
AXES_USERNAME_CALLABLE = "annotation_app.api.guesses.client_name"
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
NAMES_FAILED_LIMIT = env.int("QUORUM_NAMES_FAILED_LIMIT", default=40)
# How many of our own proxies are in front of the web server. That many last entries of X-Forwarded-For are trusted.
PROXIES = env.int("QUORUM_PROXIES", default=1 if ADDRESS.is_proxied else 0)
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = 0.25
AXES_RESET_ON_SUCCESS = True
AXES_HTTP_RESPONSE_CODE = 429
AXES_LOCKOUT_CALLABLE = "annotation_app.api.errors.locked_out"
CSRF_FAILURE_VIEW = "annotation_app.api.errors.csrf_refused"

# The provider of OpenID Connect by which people may sign in beside their passwords. Without an issuer there is none.
OPENID_ISSUER = env.str("QUORUM_OPENID_ISSUER", default="")
OPENID_CLIENT_ID = env.str("QUORUM_OPENID_CLIENT_ID", default="")
OPENID_CLIENT_SECRET = env.str("QUORUM_OPENID_CLIENT_SECRET", default="")
OPENID_BUTTON = env.str("QUORUM_OPENID_BUTTON", default="Sign in with your institution")

# The mail server. Without one nothing is sent, and admins hand links over themselves.
EMAIL_URL = env.str("EMAIL_URL", default="")
if EMAIL_URL:
    globals().update(env.email_url_config(EMAIL_URL))
EMAIL_TIMEOUT = 15
DEFAULT_FROM_EMAIL = env.str("QUORUM_EMAIL_FROM", default="")

# A sign-in ends after SESSION_IDLE_HOURS without use, and in any case after QUORUM_SESSION_HOURS.
SESSION_ENGINE = "annotation_app.projects.sessions"
SESSION_IDLE_HOURS = env.float("QUORUM_SESSION_IDLE_HOURS", default=24.0 * 7)
SESSION_COOKIE_AGE = round(3600 * env.float("QUORUM_SESSION_HOURS", default=24.0 * 30))
SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = ADDRESS.named("sessionid"), ADDRESS.named("csrftoken")
SESSION_COOKIE_PATH = CSRF_COOKIE_PATH = f"{ADDRESS.path}/"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = ADDRESS.is_tls
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
# A proxy speaks TLS and says so in this header. It must overwrite what a client sent in it.
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if ADDRESS.is_tls else None
SECURE_SSL_REDIRECT = ADDRESS.is_tls
# Health checks come from inside, not through the proxy.
SECURE_REDIRECT_EXEMPT = [rf"^{re.escape(f'{ADDRESS.path}/api/health/'.lstrip('/'))}$"]
SECURE_HSTS_SECONDS = env.int("QUORUM_HSTS_SECONDS", default=60 * 60 * 24 * 365) if ADDRESS.is_tls else 0
# HSTS for subdomains, and the preload lists of browsers, are for the domain's owner to decide.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FILES, DATA_UPLOAD_MAX_NUMBER_FIELDS = 4, 100

LANGUAGE_CODE = "en"
USE_I18N = False
TIME_ZONE = "UTC"
USE_TZ = True

# Where files lie: in this folder, which all processes see, or in a bucket of an S3 server.
MEDIA_ROOT = Path(env.str("QUORUM_MEDIA_DIR", default=str(BASE_DIR / "var" / "media")))
S3 = {
    "name": env.str("QUORUM_S3_BUCKET", default=""),
    "endpoint": env.str("QUORUM_S3_ENDPOINT", default=""),
    "region": env.str("QUORUM_S3_REGION", default=""),
    "prefix": env.str("QUORUM_S3_PREFIX", default=""),
    "access_key": env.str("QUORUM_S3_ACCESS_KEY", default=""),
    "secret_key": env.str("QUORUM_S3_SECRET_KEY", default=""),
}
STORAGES = {"default": storage_of(S3)}
UPLOAD_MAX_BYTES = env.int("QUORUM_UPLOAD_MAX_BYTES", default=2 * 1024**3)
# Days between an admin's request to delete a project and its deletion. The database enforces at least 23 hours.
DELETION_GRACE_DAYS = max(1, env.int("QUORUM_DELETION_GRACE_DAYS", default=14))
# For how many days failed sign-ins are kept, mails once they ended, and links and the notes of invitations.
SIGN_INS_DAYS = max(1, env.int("QUORUM_SIGN_INS_DAYS", default=30))
MAILS_DAYS = max(1, env.int("QUORUM_MAILS_DAYS", default=7))
LINKS_DAYS = max(1, env.int("QUORUM_LINKS_DAYS", default=90))
# The number of files that one address may send at the same time.
UPLOADS_PER_ADDRESS = env.int("QUORUM_UPLOADS_PER_ADDRESS", default=4)
# With less than this free on the disk of the files, uploads are refused and admins are warned.
DISK_RESERVE_BYTES = env.int("QUORUM_DISK_RESERVE_BYTES", default=1024**3)
FRONTEND_DIST = BASE_DIR / "frontend" / "dist"
STATIC_URL = "/static/"
WHITENOISE_ROOT = FRONTEND_DIST if FRONTEND_DIST.is_dir() else None
WHITENOISE_INDEX_FILE = False
WHITENOISE_ALLOW_ALL_ORIGINS = False

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["annotation_app.api.access.Token", "annotation_app.api.access.Session"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["annotation_app.api.parsers.CappedJSON"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "annotation_app.api.errors.answer",
}
SPECTACULAR_SETTINGS = {
    # Pydantic describes models in JSON Schema, which OpenAPI takes whole from 3.1 on.
    "OAS_VERSION": "3.1.1",
    "TITLE": "Quorum",
    "VERSION": "1",
    "SERVERS": [{"url": ADDRESS.path}] if ADDRESS.path else [],
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SERVE_AUTHENTICATION": [],
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    # Names only where the generator finds none of its own: one set of values under several fields, or the reverse.
    "ENUM_NAME_OVERRIDES": {
        "ScopeEnum": "annotation_app.agreement.statements.SCOPES",
        "WebhookKindEnum": "annotation_app.models.Webhook.Kind",
        "DeliveryStateEnum": "annotation_app.api.webhooks.STATES",
        "TokenScopeEnum": "annotation_app.models.Scope",
        "RoundStateEnum": "annotation_app.models.Round.State",
        "JobStateEnum": "annotation_app.models.Import.State",
        "SimulationSourceEnum": ["upload", "stage"],
        "SimulationStateEnum": "annotation_app.models.Simulation.State",
        "EvaluationStateEnum": "annotation_app.models.Evaluation.State",
        "InterpretationKindEnum": "annotation_app.api.interpretations.MODEL_KINDS",
        "InterpretationFilterEnum": "annotation_app.api.interpretations.FILTER_NAMES",
        "InterpretationSplitEnum": "annotation_app.api.interpretations.SPLITS_TESTED",
        "SystemKindEnum": "annotation_app.api.evaluations.KINDS",
        "GoldKindEnum": "annotation_app.api.evaluations.GOLD_KINDS",
        "ProviderKindEnum": "annotation_app.api.prompts.PROVIDER_KINDS",
        "AssignmentStateEnum": "annotation_app.models.Assignment.State",
        "DoneStateEnum": ["submitted", "skipped", "surplus"],
        "WindowStateEnum": ["ok", "finished", "waiting", "none"],
        "ValidationStateEnum": "annotation_app.validation.review_state.STATES",
        "DecisionEnum": "annotation_app.api.validation.KINDS",
        "LogKindEnum": "annotation_app.api.log.KIND_KEYS",
        "SpanPartEnum": "al_worker.equivalence.evaluations.PARTS",
        "AggregatedStateEnum": "annotation_app.aggregation.outcomes.STATES",
        "DecisionSourceEnum": "annotation_app.models.Adjudication.Source",
        "BatchKindEnum": "annotation_app.models.Batch.Kind",
        "HeadKindEnum": "al_worker.formats.heads.HEAD_KINDS",
        "ToldKindEnum": ["round", "prototype"],
        "PhaseEnum": [(1, 1), (2, 2)],
        "FactoidKindEnum": "annotation_app.models.FactoidPhase.Kind",
        "FactoidPhaseStepEnum": "annotation_app.models.FactoidPhase.Step",
        "FactoidListKindEnum": "annotation_app.api.factoid_lists.LIST_KINDS",
        "FactoidListStateEnum": "annotation_app.api.factoid_lists.LIST_STATES",
        "FactoidStepKindEnum": "annotation_app.factoids.steps.KINDS",
        "FactoidRevisionKindEnum": "annotation_app.api.factoid_lists.REVISION_KINDS",
        "FactoidRelationEnum": "al_worker.factoids.lists.RELATIONS",
        "IdentifyingRelationEnum": "al_worker.factoids.lists.IDENTIFYING",
        "TextFormatEnum": "annotation_app.factoids.text_files.FORMATS",
        "ImportFormatEnum": "annotation_app.ingest.options.FORMATS",
        "UnitEnum": ["sentence", "utterance", "document"],
    },
}

# A message only names a waiting job. PostgreSQL holds what is to be done, and by whom.
CELERY_BROKER_URL = REDIS_URL
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_DEFAULT_QUEUE = "light"
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 24 * 3600,
    "socket_timeout": 5,
    "socket_connect_timeout": 2,
}
CELERY_TASK_PUBLISH_RETRY = False

# The operator's allow-list of models that rounds may use, each as NAME or NAME=FOLDER.
MODELS = env.list("QUORUM_MODELS", default=list(OFFERED))
RUNS_DIR = Path(env.str("QUORUM_RUNS_DIR", default=str(MEDIA_ROOT / "runs")))
# For simulations: the largest upload, and how many cells a worker trains at the same time, with one thread each.
SIMULATION_MAX_BYTES = env.int("QUORUM_SIMULATION_MAX_BYTES", default=20 * 1024**2)
SIMULATION_PROCESSES = env.int("QUORUM_SIMULATION_PROCESSES", default=max(1, min(4, (os.cpu_count() or 1) // 2)))
# The operator's file of language models that evaluations may ask. Without one there are none.
LANGUAGE_MODELS = env.str("QUORUM_LANGUAGE_MODELS", default="")
# Backups are encrypted for this public key of age. Without one they are not.
BACKUP_PUBLIC_KEY = env.str("QUORUM_BACKUP_PUBLIC_KEY", default="")
# Whether webhooks may send to addresses within the server's own network.
WEBHOOKS_INSIDE = env.bool("QUORUM_WEBHOOKS_INSIDE", default=False)
WORKER_BEAT_SECONDS = 2.0
LEASE_SECONDS = env.float("QUORUM_LEASE_SECONDS", default=12.0)
CLAIM_IDLE_SECONDS = env.int("QUORUM_CLAIM_IDLE_SECONDS", default=3600)

# `line` for people, `json` for programs that collect logs; these get a line for every request.
LOG_FORMAT = env.str("QUORUM_LOG_FORMAT", default="line")
# A statement that takes longer is logged, without its parameters. 0: none is.
SLOW_STATEMENT_MS = env.int("QUORUM_SLOW_STATEMENT_MS", default=0)
# Whoever sends it may read the figures at /api/metrics/. Without one, the route does not exist.
METRICS_TOKEN = env.str("QUORUM_METRICS_TOKEN", default="")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"request": {"()": "annotation_app.monitoring.logs.NameRequest"}},
    "formatters": {
        "line": {"format": "%(asctime)s %(levelname)s %(name)s [%(request)s] %(message)s"},
        "json": {"()": "annotation_app.monitoring.logs.JsonLines"},
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT, "filters": ["request"]}},
    "root": {"handlers": ["stderr"], "level": env.str("LOG_LEVEL", default="INFO")},
    "loggers": {
        "axes": {"level": "WARNING"},
        # It tells the verifiers of PKCE.
        "authlib": {"level": "WARNING"},
        "django.request": {"level": "ERROR"},
        # It tells every step of putting letters into a PDF.
        "fontTools": {"level": "WARNING"},
    },
}
