"""A real HTTP server that takes what webhooks send."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Receiver:
    """Hold what came, and say what is answered. `drip` seconds pass between the bytes of an answer."""

    status: int = 200
    drip: float = 0.0
    wait: float = 0.0
    port: int = 0
    came: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/quorum?for=board"


@contextmanager
def receiver() -> Iterator[Receiver]:
    told = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            told.came.append((self.path, dict(self.headers), body))
            time.sleep(told.wait)
            answer = f"HTTP/1.1 {told.status} Said\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n".encode()
            for byte in answer if told.drip else [answer]:
                try:
                    self.wfile.write(bytes([byte]) if isinstance(byte, int) else byte)
                except OSError:
                    return
                time.sleep(told.drip)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    told.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield told
    finally:
        server.shutdown()
        server.server_close()
