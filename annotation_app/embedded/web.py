"""Claim the web server's port before anything else starts, and ask whether the service answers."""

import errno
import fcntl
import http.client
import ipaddress
import socket
import struct
from contextlib import suppress
from urllib.parse import urlsplit

from annotation_app.embedded.errors import PortBusy

DEFAULT_PORT = 8000
PORTS_TRIED = 50
BACKLOG = 512
# From linux/sockios.h; asks for the address of an interface.
SIOCGIFADDR = 0x8915


def claim(host: str, port: int | None) -> socket.socket:
    """Return a listening socket at `port`, or at the first free port from 8000 on where that is None.

    The web server inherits the socket, so that nobody can take the port meanwhile. Requests wait rather than fail
    while the web server is started again. Raises PortBusy for a port that is taken or does not exist, and where
    `PORTS_TRIED` ports are all taken.
    """
    if port is not None and not 0 <= port <= 65535:
        raise PortBusy(f"Port {port} is none: give one from 1 to 65535, or none.")
    first = DEFAULT_PORT if port is None else port
    for candidate in range(first, first + (PORTS_TRIED if port is None else 1)):
        if listener := listen(host, candidate):
            return listener
    if port is None:
        raise PortBusy(
            f"Ports {first} to {first + PORTS_TRIED - 1} of {host} are all taken: name a free one, PORT=9000."
        )
    raise PortBusy(
        f"Port {port} of {host} is taken by another program (`ss -ltnp 'sport = :{port}'` names it). "
        "Stop it, name another port with PORT=, or name none to get the next free one."
    )


def listen(host: str, port: int) -> socket.socket | None:
    """Return a listening socket, or None where the port is taken.

    Raises PortBusy for a host or port at which this user cannot listen at all.
    """
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            return None
        raise PortBusy(
            f"Cannot listen at {host}:{port}: {error.strerror}. Name another port or QUORUM_HOST."
        ) from error
    return listener


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def address(listener: socket.socket) -> str:
    """Return the address to type into a browser on this machine."""
    host, port = listener.getsockname()[:2]
    if ipaddress.ip_address(host).is_unspecified:
        host = "127.0.0.1"
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def names(host: str) -> list[str]:
    """Return the names and addresses that people on the network may type where the web server listens at `host`.

    The list is empty on loopback. For every address (0.0.0.0, ::) it has this machine's own, found without asking the
    network.
    """
    if is_loopback(host):
        return []
    try:
        if not ipaddress.ip_address(host).is_unspecified:
            return [f"[{host}]" if ":" in host else host]
    except ValueError:
        return [host]
    own = socket.gethostname()
    return [*addresses(), own, f"{own}.local"]


def addresses() -> list[str]:
    """Return this machine's IPv4 addresses, one for each interface that has one, loopback left out."""
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        for _, interface in socket.if_nameindex():
            request = struct.pack("256s", interface.encode()[:15])
            with suppress(OSError):
                answer = fcntl.ioctl(asking.fileno(), SIOCGIFADDR, request)
                found.append(socket.inet_ntoa(answer[20:24]))
    return [each for each in found if not ipaddress.ip_address(each).is_loopback]


def is_public(url: str) -> bool:
    """Return whether a QUORUM_URL names more than this machine."""
    return bool(url) and not is_loopback(urlsplit(url).hostname or "")


def is_healthy(listener: socket.socket) -> bool:
    """Return whether /api/health/ answers 200. The request goes to the socket itself, never through a proxy."""
    host, port = urlsplit(address(listener)).netloc.rsplit(":", 1)
    connection = http.client.HTTPConnection(host.strip("[]"), int(port), timeout=1.0)
    try:
        # The settings always allow this name, whatever address the server listens at.
        connection.request("GET", "/api/health/", headers={"Host": "localhost"})
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
