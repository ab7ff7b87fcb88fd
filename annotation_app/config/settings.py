"""All settings, from typed environment variables. A wrong value stops the start with the variable's name."""

import os
from pathlib import Path

import environ

env = environ.Env()
BASE_DIR = Path(__file__).resolve().parent.parent.parent
# As pyproject.toml has it, which an installed server need not have.
VERSION = "0.1.0"

DEVELOPMENT_SECRET_KEY = "only-for-tests-and-one-machine"
SECRET_KEY = env.str("SECRET_KEY", default=DEVELOPMENT_SECRET_KEY)
DEBUG = env.bool("DEBUG", default=False)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
BEHIND_TLS = env.bool("BEHIND_TLS", default=False)

# Where servers were started by the launcher, on loopback: the only place where demo accounts may exist.
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
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "annotation_app.config.headers.ContentSecurityPolicy",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
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
# Locked out together, so that one person guessing cannot lock out another elsewhere.
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = 0.25
AXES_RESET_ON_SUCCESS = True
AXES_HTTP_RESPONSE_CODE = 429
AXES_LOCKOUT_CALLABLE = "annotation_app.api.errors.locked_out"
CSRF_FAILURE_VIEW = "annotation_app.api.errors.csrf_refused"

SESSION_COOKIE_AGE = 60 * 60 * 24 * 30
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = BEHIND_TLS
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if BEHIND_TLS else None
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024

LANGUAGE_CODE = "en"
USE_I18N = False
TIME_ZONE = "UTC"
USE_TZ = True

MEDIA_ROOT = Path(env.str("QUORUM_MEDIA_DIR", default=str(BASE_DIR / "var" / "media")))
UPLOAD_MAX_BYTES = env.int("QUORUM_UPLOAD_MAX_BYTES", default=2 * 1024**3)
FRONTEND_DIST = BASE_DIR / "frontend" / "dist"
STATIC_URL = "/static/"
WHITENOISE_ROOT = FRONTEND_DIST if FRONTEND_DIST.is_dir() else None
WHITENOISE_INDEX_FILE = False

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["annotation_app.api.access.Session"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["annotation_app.api.parsers.CappedJSON"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "annotation_app.api.errors.answer",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Quorum",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SERVE_AUTHENTICATION": [],
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "ENUM_NAME_OVERRIDES": {
        "RoleEnum": "annotation_app.models.Role",
        "RoundStateEnum": "annotation_app.models.Round.State",
        "JobStateEnum": "annotation_app.models.Import.State",
        "SimulationSourceEnum": ["upload", "stage"],
        "SimulationStateEnum": "annotation_app.models.Simulation.State",
        "StepStateEnum": ["waiting", "running", "done"],
        "CodebookStateEnum": ["draft", "published"],
        "WindowStateEnum": ["ok", "finished", "waiting", "none"],
        "DoneStateEnum": ["submitted", "skipped", "surplus"],
        "AssignmentStateEnum": "annotation_app.api.labelling_shapes.STATES",
        "ValidationStateEnum": "annotation_app.validation.standing.STATES",
        "DecisionEnum": "annotation_app.api.validation_shapes.KINDS",
        "LogKindEnum": "annotation_app.api.log.KIND_KEYS",
        "SettlingDecisionEnum": "annotation_app.validation.standing.SETTLED",
        "AggregatedStateEnum": "annotation_app.aggregation.standing.STATES",
        "DecisionSourceEnum": "annotation_app.models.Adjudication.Source",
        "ContextOpenedEnum": "annotation_app.models.Annotation.ContextOpened",
        "BatchKindEnum": "annotation_app.models.Batch.Kind",
        "ToldKindEnum": ["round", "prototype"],
        "JobKindEnum": ["import", "round", "simulation", "release"],
        "PersonStateEnum": ["not_begun", "working", "finished", "left"],
        "PhaseEnum": [(1, 1), (2, 2)],
        "UnitEnum": ["sentence", "utterance", "document"],
    },
}

# Jobs: the message only wakes a worker; what is to be done, and by whom, stands in PostgreSQL.
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

# Models that rounds may use: the operator's allow-list, as NAME or NAME=FOLDER.
MODELS = env.list(
    "QUORUM_MODELS",
    default=["all-MiniLM-L6-v2", "answerdotai/ModernBERT-base", "FacebookAI/roberta-base", "bow-logreg"],
)
DEFAULT_MODEL = env.str("QUORUM_DEFAULT_MODEL", default="all-MiniLM-L6-v2")
RUNS_DIR = Path(env.str("QUORUM_RUNS_DIR", default=str(MEDIA_ROOT / "runs")))
# Simulations: the largest file that may be uploaded, and how many cells a worker trains at a time, one thread each.
SIMULATION_MAX_BYTES = env.int("QUORUM_SIMULATION_MAX_BYTES", default=20 * 1024**2)
SIMULATION_PROCESSES = env.int("QUORUM_SIMULATION_PROCESSES", default=max(1, min(4, (os.cpu_count() or 1) // 2)))
WORKER_BEAT_SECONDS = 2.0
LEASE_SECONDS = env.float("QUORUM_LEASE_SECONDS", default=12.0)
CLAIM_IDLE_SECONDS = env.int("QUORUM_CLAIM_IDLE_SECONDS", default=3600)

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": env.str("LOG_LEVEL", default="INFO")},
    "loggers": {"axes": {"level": "WARNING"}, "django.request": {"level": "ERROR"}},
}
