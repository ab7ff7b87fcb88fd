"""Check the addresses of webhooks, and connect to the very address that was checked.

An admin of a project must not reach what only this server reaches: its own programs, its network, its provider's
metadata. A name is looked up once for each attempt, and the connection goes to what that look-up gave.
"""

import http.client
import ipaddress
import socket
import ssl
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

PORTS = {"http": 80, "https": 443}
INSIDE = (
    "This address lies in the server's own network, which webhooks do not reach. Whoever runs the server can allow it "
    "with QUORUM_WEBHOOKS_INSIDE."
)


class NoDestination(ValueError):
    """Refuse an address, in words for the admin who typed it."""


def url_parse(url: str) -> SplitResult:
    """Return the parts of an address that may be sent to. Raises NoDestination."""
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018  raises for what is no port
    except ValueError as error:
        raise NoDestination(f"This is no address: {error}.") from error
    if parts.scheme not in PORTS or not parts.hostname:
        raise NoDestination("Give a whole address, such as https://example.org/quorum.")
    if parts.username is not None or parts.fragment:
        raise NoDestination("The address must hold no user name and no part behind “#”.")
    if not url.isascii() or any(sign.isspace() or not sign.isprintable() for sign in url):
        raise NoDestination("Write signs other than ASCII percent-encoded, and no spaces.")
    return parts


def is_outside(address: str) -> bool:
    """Return whether an IP address is one of the public Internet, whatever form it is written in."""
    ip = ipaddress.ip_address(address.split("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        if ip in NAT64:
            ip = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        elif embedded := ip.ipv4_mapped or ip.sixtofour or (ip.teredo and ip.teredo[1]):
            ip = embedded
        elif ip.is_site_local:
            return False
    return ip.is_global and not ip.is_multicast and not ip.is_reserved and ip not in OF_PROVIDERS


NAT64 = ipaddress.ip_network("64:ff9b::/96")
# Public by its number, but only a machine in Azure reaches it: the provider's own agent answers there.
OF_PROVIDERS = {ipaddress.ip_address("168.63.129.16")}


def address_of(parts: SplitResult) -> tuple[str, int]:
    """Look the host up, and return an address and port to connect to. Raises NoDestination or OSError.

    Where one of its addresses lies inside, the name is refused whole.
    """
    port = parts.port or PORTS[parts.scheme]
    found = socket.getaddrinfo(parts.hostname, port, type=socket.SOCK_STREAM)
    addresses = [str(each[4][0]) for each in found]
    if not settings.WEBHOOKS_INSIDE and not all(map(is_outside, addresses)):
        raise NoDestination(INSIDE)
    return addresses[0], port


class Connection(http.client.HTTPConnection):
    """Connect to an address that was checked, in the name of the host that was looked up. No proxy is used."""

    def __init__(self, parts: SplitResult, timeout: float) -> None:
        self.address, port = address_of(parts)
        self.is_tls = parts.scheme == "https"
        super().__init__(str(parts.hostname), port, timeout=timeout)
        self.default_port = PORTS[parts.scheme]

    def connect(self) -> None:
        self.sock = socket.create_connection((self.address, self.port), self.timeout)
        if self.is_tls:
            self.sock = ssl.create_default_context().wrap_socket(self.sock, server_hostname=self.host)
