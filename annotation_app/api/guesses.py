"""Limit the guessing of passwords: who asks, and how many names they may fail at."""

import ipaddress
from typing import Any

from axes.attempts import get_cool_off_threshold
from axes.handlers.database import AxesDatabaseHandler
from axes.models import AccessAttempt
from django.conf import settings
from django.http import HttpRequest

from annotation_app.models.names import name_key


def client_address(request: HttpRequest) -> str:
    """Return the address to count guesses by: the client's, or for IPv6 the network of 64 bits that it has for itself.

    Behind PROXIES proxies it is the entry of X-Forwarded-For that the first of them wrote. It is counted from the end,
    since a client can put others before it. Without a proxy the header is not read.
    """
    peer = request.META.get("REMOTE_ADDR") or "0.0.0.0"
    forwarded = [part.strip() for part in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",") if part.strip()]
    place = settings.PROXIES
    return network(forwarded[-place] if 0 < place <= len(forwarded) else peer) or network(peer) or "0.0.0.0"


def client_name(request: HttpRequest, credentials: dict[str, Any] | None) -> str | None:
    """Return the name that guesses are counted by: one for all its spellings, at failures and at a sign-in."""
    name = (credentials or {}).get("username")
    return None if name is None else name_key(str(name))


def network(address: str) -> str:
    """Return an IPv4 address as it is, and the first address of an IPv6 one's /64; "" for what is no address."""
    try:
        found = ipaddress.ip_address(address.strip("[]").split("%")[0])
    except ValueError:
        return ""
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, 64), strict=False).network_address)


def names_failed(request: HttpRequest) -> int:
    """Return at how many names this address failed of late, those left out that have signed in from it since."""
    address, since = client_address(request), get_cool_off_threshold(request)
    failed = AccessAttempt.objects.filter(ip_address=address, attempt_time__gte=since)
    return failed.values("username").distinct().count()


class Guesses(AxesDatabaseHandler):
    """Lock a name at an address after AXES_FAILURE_LIMIT failures, and an address after NAMES_FAILED_LIMIT names."""

    def get_failures(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> int:
        failures = int(super().get_failures(request, credentials))
        names = names_failed(request)
        return max(failures, settings.AXES_FAILURE_LIMIT) if names >= settings.NAMES_FAILED_LIMIT else failures
