"""Send what is due to webhooks: signed, at least once, and again after growing pauses where it failed."""

import hashlib
import hmac
import http.client
import json
import logging
import socket
import threading
import time
from contextlib import suppress
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from annotation_app.models import Delivery, Webhook
from annotation_app.webhooks.destinations import Connection, NoDestination, url_parse

logger = logging.getLogger(__name__)

# After each failed attempt; it is given up after the last.
WAITS_MINUTES = (1, 5, 30, 180, 720)
# For one step, and for the whole of an attempt: a receiver that answers a byte at a time holds no worker.
STEP_SECONDS, WHOLE_SECONDS = 5.0, 10.0


def deliveries_due() -> list[tuple[int, int]]:
    """Return (id, attempts) of what is to be sent now, for the light worker's sweep. Archived projects send nothing."""
    due = Delivery.objects.filter(state=Delivery.State.WAITING, due_at__lte=timezone.now())
    return list(due.filter(webhook__project__archived_at=None).values_list("pk", "attempts"))


@transaction.atomic
def delivery_send(*, delivery_id: int) -> None:
    """Send a delivery that is due, if no other worker is at it.

    A worker that is lost after the sending leaves it waiting, and it is sent again with the same id.
    """
    due = Delivery.objects.filter(state=Delivery.State.WAITING, due_at__lte=timezone.now())
    locked = due.select_for_update(skip_locked=True, of=("self",)).select_related("webhook")
    row = locked.filter(pk=delivery_id, webhook__project__archived_at=None).first()
    if row is None:
        return
    row.status, row.problem = attempt(row.webhook, row)
    row.tried_at = timezone.now()
    if row.problem == "":
        row.state = Delivery.State.SENT
    elif row.attempts >= len(WAITS_MINUTES):
        row.state = Delivery.State.FAILED
    else:
        row.due_at = timezone.now() + timedelta(minutes=WAITS_MINUTES[row.attempts])
    row.attempts += 1
    row.save(update_fields=["status", "problem", "tried_at", "state", "due_at", "attempts"])


def attempt(webhook: Webhook, row: Delivery) -> tuple[int | None, str]:
    """Return the receiver's status, and what was wrong: "" where it took it. The rest of its answer is not read."""
    told = {"id": str(row.uuid), "created_at": row.created_at.isoformat(), **row.body}
    body = json.dumps(told, ensure_ascii=False).encode()
    try:
        parts = url_parse(webhook.url)
        connection = Connection(parts, STEP_SECONDS)
        ended = threading.Timer(WHOLE_SECONDS, connection_end, [connection])
        ended.start()
        try:
            path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            connection.request("POST", path, body, headers_of(webhook, row, body))
            status = connection.getresponse().status
        finally:
            ended.cancel()
            connection.close()
    except (NoDestination, OSError, http.client.HTTPException, UnicodeError) as error:
        logger.warning("Delivery %s was not sent: %s", row.uuid, error)
        return None, (str(error) or type(error).__name__)[:300]
    return status, "" if 200 <= status < 300 else f"The receiver answered {status}."


def connection_end(connection: Connection) -> None:
    with suppress(OSError, AttributeError):
        connection.sock.shutdown(socket.SHUT_RDWR)


def headers_of(webhook: Webhook, row: Delivery, body: bytes) -> dict[str, str]:
    stamp = str(int(time.time()))
    return {
        "Content-Type": "application/json",
        "User-Agent": "Quorum",
        "Quorum-Delivery": str(row.uuid),
        "Quorum-Timestamp": stamp,
        "Quorum-Signature": signature(webhook.secret, stamp, body),
    }


def signature(secret: str, stamp: str, body: bytes) -> str:
    """Return the HMAC-SHA256 of "stamp.body" by the webhook's secret, in hexadecimal digits."""
    return hmac.digest(secret.encode(), stamp.encode() + b"." + body, hashlib.sha256).hex()
