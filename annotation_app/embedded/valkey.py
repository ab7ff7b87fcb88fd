"""Run the broker `valkey-server` on the loopback, with a password and an append-only file."""

import socket
from pathlib import Path

from annotation_app.embedded.programs import find_valkey
from annotation_app.embedded.server import Command, Server, hand_over, refuse_unreachable
from annotation_app.embedded.state import State, write_private


class ValkeyServer(Server):
    """Run the broker. Queued messages survive a restart, but the truth about jobs is in PostgreSQL."""

    name = "Valkey"

    def __init__(
        self, state: State, *, program: Path | None = None, port: int | None = None, keep_fds: tuple[int, ...] = ()
    ) -> None:
        super().__init__(state, port=port, keep_fds=keep_fds)
        self.program = program or find_valkey(self.user)
        self.data = state.folder / "valkey"
        self.password = state.secret("valkey")

    @property
    def url(self) -> str:
        return f"redis://:{self.password}@127.0.0.1:{self.port}/0"

    def prepare(self) -> None:
        refuse_unreachable(self.data, self.user)
        self.data.mkdir(exist_ok=True, mode=0o700)

    def command(self) -> Command:
        settings = {
            "bind": "127.0.0.1",
            "port": self.port,
            "requirepass": self.password,
            "dir": f'"{self.data}"',
            "daemonize": "no",
            "appendonly": "yes",
            "appendfsync": "everysec",
            "save": '""',
            "maxmemory-policy": "noeviction",
        }
        config = self.data / "valkey.conf"
        write_private(config, "".join(f"{name} {value}\n" for name, value in settings.items()))
        hand_over(self.data, self.user)
        return [self.program, config]

    def is_ready(self) -> bool:
        return self.say("PING").startswith(b"+PONG")

    def version(self) -> str:
        answer = self.say("INFO server").decode()
        found = [line.partition(":")[2] for line in answer.splitlines() if line.startswith("valkey_version:")]
        return found[0] if found else "of unknown version"

    def say(self, command: str) -> bytes:
        """Send one command and return the server's answer, which is empty while the server does not answer."""
        try:
            with socket.create_connection(("127.0.0.1", int(self.port or 0)), 1.0) as connection:
                connection.sendall(f"AUTH {self.password}\r\n{command}\r\n".encode())
                reader = connection.makefile("rb")
                if reader.readline() != b"+OK\r\n":
                    return b""
                first = reader.readline()
                return reader.read(int(first[1:])) if first.startswith(b"$") else first
        except OSError:
            return b""
