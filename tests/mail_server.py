"""A mail server on a port of its own, which keeps what it is sent."""

import time
from asyncio.base_events import Server
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

from aiosmtpd.controller import Controller


class Kept:
    """Keep each mail that arrives. An address that begins with "nobody" is refused for good, "busy" for now."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:
        if address.startswith("nobody"):
            return "550 No such person"
        if address.startswith("busy"):
            return "450 Later"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        self.mails.append(message_from_bytes(envelope.content, EmailMessage, policy=policy.default))  # type: ignore[arg-type]
        return "250 OK"

    def to(self, address: str) -> list[str]:
        """The texts of the mails to an address, in order."""
        return [str(mail.get_content()) for mail in self.mails if mail["To"] == address]

    def link_to(self, address: str, seconds: float = 30) -> str:
        """The link in the newest mail to an address, once it has come."""
        until = time.monotonic() + seconds
        while not self.to(address):
            assert time.monotonic() < until, f"no mail came to {address}"
            time.sleep(0.05)
        return next(line for line in self.to(address)[-1].splitlines() if line.startswith("http"))


class OnFreePort(Controller):
    """Serve on the port that the system chose, where the library asks for one that is known before."""

    def _trigger_server(self) -> None:
        assert isinstance(self.server, Server)
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()


@contextmanager
def mail_server() -> Iterator[tuple[Kept, int]]:
    """Run the server; give what it keeps, and its port."""
    kept = Kept()
    controller = OnFreePort(kept, hostname="127.0.0.1", port=0)
    controller.start()
    try:
        yield kept, controller.port
    finally:
        controller.stop()
