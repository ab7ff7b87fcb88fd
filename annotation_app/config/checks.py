"""Check the configuration with Django system checks, each with an id and a hint."""

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register

from annotation_app.config.address import LOOPBACK


@register(Tags.security)
def secret_key_is_set(app_configs: Any, **_: Any) -> list[CheckMessage]:
    if settings.SECRET_KEY == settings.DEVELOPMENT_SECRET_KEY and not settings.DEBUG:
        return [
            Error(
                "SECRET_KEY is not set.",
                hint="Start `make up`, whose settings manage.py takes over, or set SECRET_KEY and DATABASE_URL. "
                "Where it was started with --state-dir FOLDER, set QUORUM_STATE_DIR to that folder.",
                id="quorum.E001",
            )
        ]
    return []


@register()
def mails_have_a_sender(app_configs: Any, **_: Any) -> list[CheckMessage]:
    if settings.EMAIL_URL and "@" not in settings.DEFAULT_FROM_EMAIL:
        return [
            Error(
                "EMAIL_URL is set, and QUORUM_EMAIL_FROM names no sender.",
                hint="Set QUORUM_EMAIL_FROM to the address that mails come from, as in Quorum <quorum@example.org>.",
                id="quorum.E003",
            )
        ]
    return []


@register(Tags.security)
def mails_have_an_address(app_configs: Any, **_: Any) -> list[CheckMessage]:
    if settings.EMAIL_URL and settings.HOSTS and not settings.PUBLIC_URL:
        return [
            Error(
                "EMAIL_URL is set without QUORUM_URL, on a server that other machines reach.",
                hint="Set QUORUM_URL to the address that people type: the links in mails lead there. Without it, "
                "whoever asks for a mail could choose where its link leads.",
                id="quorum.E004",
            )
        ]
    return []


@register(Tags.security)
def openid_is_whole(app_configs: Any, **_: Any) -> list[CheckMessage]:
    if not settings.OPENID_ISSUER:
        return []
    parts = urlsplit(settings.OPENID_ISSUER)
    faults = []
    if not settings.OPENID_CLIENT_ID:
        hint = "Set it to the id under which the provider knows this installation."
        faults.append(
            Error("QUORUM_OPENID_ISSUER is set without QUORUM_OPENID_CLIENT_ID.", hint=hint, id="quorum.E005")
        )
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in LOOPBACK):
        hint = "Set it to the provider's issuer, as in https://login.example.org/realms/staff."
        faults.append(Error("QUORUM_OPENID_ISSUER is no https address.", hint=hint, id="quorum.E006"))
    return list(faults)


@register(Tags.files)
def bucket_is_whole(app_configs: Any, **_: Any) -> list[CheckMessage]:
    s3 = settings.S3
    faults = []
    given = [name for name, value in s3.items() if value and name != "name"]
    if given and not s3["name"]:
        hint = "Set QUORUM_S3_BUCKET to the bucket that files go to, or take the other settings away."
        faults.append(Error("Settings of S3 are there without QUORUM_S3_BUCKET.", hint=hint, id="quorum.E007"))
    if bool(s3["access_key"]) != bool(s3["secret_key"]):
        hint = "Set both, or none where the machine has a role that may use the bucket."
        faults.append(
            Error("Only one of QUORUM_S3_ACCESS_KEY and QUORUM_S3_SECRET_KEY is set.", hint=hint, id="quorum.E008")
        )
    if s3["endpoint"] and urlsplit(s3["endpoint"]).scheme not in ("http", "https"):
        hint = "Set it to the address of the S3 server, as in https://s3.example.org."
        faults.append(Error("QUORUM_S3_ENDPOINT is no address.", hint=hint, id="quorum.E009"))
    return list(faults)


@register(Tags.database)
def database_is_postgresql(app_configs: Any, **_: Any) -> list[CheckMessage]:
    engine = settings.DATABASES["default"]["ENGINE"]
    if not engine.endswith("postgresql"):
        return [
            Error(
                f"The database engine is {engine}.",
                hint="Agreement is computed in PostgreSQL: set DATABASE_URL to postgres://USER:PASSWORD@HOST:PORT/NAME.",
                id="quorum.E002",
            )
        ]
    return []
