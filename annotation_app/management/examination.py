"""Examine an installation: each check looks at one part, and says what is wrong and how to mend it."""

import smtplib
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

import redis
from django.conf import settings
from django.core import checks, mail
from django.core.files.base import ContentFile
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from annotation_app.disk import free_bytes, is_low
from annotation_app.models import Annotation, WorkerBeat
from annotation_app.storage import store

Verdict = Literal["ok", "warning", "fault"]
OLDEST_POSTGRES = 17
# Leases and heartbeats compare times of several machines.
MOST_SECONDS_APART = 2.0


@dataclass(frozen=True)
class Finding:
    """Hold what a check found. `remedy` says what to do where the verdict is not ok."""

    verdict: Verdict
    part: str
    found: str
    remedy: str = ""


Check = Callable[[], Iterator[Finding]]


def examined() -> Iterator[Finding]:
    """Yield the findings of every check. Those that need the database are left out where it does not answer."""
    yield from settings_checked()
    is_there = True
    for finding in database_answers():
        is_there = is_there and finding.verdict != "fault"
        yield finding
    for check in (*(OF_DATABASE if is_there else ()), *OF_OTHERS):
        yield from check()


def settings_checked() -> Iterator[Finding]:
    messages = checks.run_checks(include_deployment_checks=bool(settings.PUBLIC_URL))
    for message in messages:
        verdict: Verdict = "fault" if message.level >= checks.ERROR else "warning"
        yield Finding(verdict, "settings", f"{message.msg} ({message.id})", message.hint or "")
    if not messages:
        yield Finding("ok", "settings", "no fault found")


def database_answers() -> Iterator[Finding]:
    try:
        connection.ensure_connection()
        major = int(connection.connection.server_version) // 10_000
    except DatabaseError as error:
        yield Finding("fault", "database", str(error).strip(), "Start PostgreSQL, or mend DATABASE_URL.")
        return
    if major < OLDEST_POSTGRES:
        yield Finding("fault", "database", f"PostgreSQL {major}", f"Use PostgreSQL {OLDEST_POSTGRES} or newer.")
    else:
        yield Finding("ok", "database", f"PostgreSQL {major} answers")


def migrations_applied() -> Iterator[Finding]:
    executor = MigrationExecutor(connection)
    waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    unknown = [name for name in executor.loader.applied_migrations if name not in executor.loader.disk_migrations]
    if unknown:
        yield Finding("fault", "migrations", f"the data have {unknown[-1][1]}", "Run the newer version that made them.")
    elif waiting:
        remedy = "Run `manage.py migrate` as the owner of the tables, or start `make up`."
        yield Finding("fault", "migrations", f"{len(waiting)} are not applied", remedy)
    else:
        yield Finding("ok", "migrations", "all are applied")


def rights_are_limited() -> Iterator[Finding]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user, has_table_privilege(%s, 'UPDATE, DELETE')", [Annotation._meta.db_table])
        role, may_change = cursor.fetchone()
    if may_change:
        remedy = "Let the servers connect as a role of their own, named by DATABASE_APP_ROLE, and migrate as the owner."
        yield Finding("warning", "rights", f"{role} could change what people answered", remedy)
    else:
        yield Finding("ok", "rights", f"{role} can add answers and change none")


def clocks_agree() -> Iterator[Finding]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        apart = abs((cursor.fetchone()[0] - timezone.now()).total_seconds())
    if apart > MOST_SECONDS_APART:
        remedy = "Let both machines take their time from one server (NTP)."
        yield Finding("fault", "clock", f"{apart:.1f} s from the database's", remedy)
    else:
        yield Finding("ok", "clock", "agrees with the database's")


def workers_run() -> Iterator[Finding]:
    for queue in ("light", "models"):
        if text := WorkerBeat.down_text(queue, "look again"):
            yield Finding("fault", f"worker {queue}", text.partition(": ")[0], "Start it. Jobs wait for it meanwhile.")
        else:
            yield Finding("ok", f"worker {queue}", "runs")


def broker_answers() -> Iterator[Finding]:
    try:
        with redis.Redis.from_url(settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2) as client:
            client.ping()
        yield Finding("ok", "broker", "answers")
    except redis.RedisError as error:
        yield Finding("fault", "broker", str(error), "Start Valkey, or mend REDIS_URL. Jobs wait meanwhile.")


def storage_writes_and_reads() -> Iterator[Finding]:
    words = uuid.uuid4().bytes
    try:
        name = store.save(f"uploads/doctor-{uuid.uuid4()}", ContentFile(words))
        with store.open(name) as file:
            read = file.read()
        store.delete(name)
    except OSError as error:
        yield Finding("fault", "storage", str(error), store.REMEDY)
        return
    if read != words:
        yield Finding("fault", "storage", "gave back other bytes than were written", "Look at the disk and its log.")
    else:
        yield Finding("ok", "storage", "a file was written, read and deleted")


def disk_has_room() -> Iterator[Finding]:
    free = f"{free_bytes() / 1024**3:.1f} GiB free"
    if is_low():
        reserve = settings.DISK_RESERVE_BYTES / 1024**3
        yield Finding("fault", "disk", free, f"Free some space: uploads are refused below {reserve:.1f} GiB.")
    else:
        yield Finding("ok", "disk", free)


def mail_server_answers() -> Iterator[Finding]:
    if not settings.EMAIL_URL:
        yield Finding("ok", "mail", "not configured: links for passwords are given by hand")
        return
    try:
        with mail.get_connection():
            pass
        yield Finding("ok", "mail", "the server takes the sign-in")
    except (OSError, smtplib.SMTPException) as error:
        yield Finding("fault", "mail", str(error), "Mend EMAIL_URL, or start the mail server.")


def front_end_is_built() -> Iterator[Finding]:
    if (settings.FRONTEND_DIST / "index.html").is_file():
        yield Finding("ok", "pages", "built")
    else:
        yield Finding("fault", "pages", "not built", "Run `make frontend`.")


OF_DATABASE: tuple[Check, ...] = (migrations_applied, rights_are_limited, clocks_agree, workers_run)
OF_OTHERS: tuple[Check, ...] = (
    broker_answers,
    storage_writes_and_reads,
    disk_has_room,
    mail_server_answers,
    front_end_is_built,
)
