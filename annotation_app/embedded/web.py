"""The web server's address: claiming a port before anything else starts, and asking whether the service answers."""

import errno
import http.client
import ipaddress
import os
import socket

from annotation_app.embedded.errors import PortBusy

DEFAULT_PORT = 8000
PORTS_TRIED = 50
BACKLOG = 512


def claim(host: str, port: int | None) -> socket.socket:
    """A listening socket, at `port` or at the first free port from 8000 on. The web server inherits it, so that
    nobody can take the port meanwhile, and requests wait rather than fail while the web server is started again.

    Raises PortBusy when a port was asked for and is taken.
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
    """None where the port is taken. Raises PortBusy for a host or port that cannot be listened at at all."""
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
    """What to type into a browser on this machine."""
    host, port = listener.getsockname()[:2]
    if ipaddress.ip_address(host).is_unspecified:
        host = "127.0.0.1"
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def is_healthy(listener: socket.socket) -> bool:
    """Whether /api/health/ answers 200. Straight to the socket: a proxy of the environment is not asked."""
    connection = http.client.HTTPConnection(address(listener).removeprefix("http://").rstrip("/"), timeout=1.0)
    try:
        connection.request("GET", "/api/health/", headers=host_header())
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def host_header() -> dict[str, str]:
    """A name that the settings allow, where the operator has named some."""
    first = os.environ.get("ALLOWED_HOSTS", "").split(",")[0].strip().lstrip(".")
    return {"Host": first} if first and first != "*" else {}
