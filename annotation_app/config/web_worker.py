"""Extend gunicorn's threaded worker for clients that send slowly, without end, or what nobody will read.

Without this, a client that sends a byte now and then holds one of the few threads for ever. After a refused body, a
reset would close the connection before the client has read the answer (RFC 9112, section 9.6).
"""

import socket
import threading
import time
from functools import partial
from typing import Any

from gunicorn.http.errors import NoMoreData
from gunicorn.http.message import Request
from gunicorn.workers.gthread import TConn, ThreadWorker

from annotation_app.ingest.splitter import splitter_load

# A request may keep its thread waiting for GRACE_SECONDS, and a second longer for each LEAST_RATE bytes received.
GRACE_SECONDS = 20.0
LEAST_RATE = 8 * 1024
# Where more than this is left unread, the connection is closed after the answer.
UNREAD_BYTES = 64 * 1024
# What the client still sends is read and dropped within these limits, so that it gets to read the answer.
LINGER_SECONDS, LINGER_IDLE_SECONDS, LINGER_BYTES = 10.0, 2.0, 512 * 1024**2
PIECE = 256 * 1024
# Logged once the splitter is loaded; after this line a process does not grow by the splitter any more.
SPLITTER_LOADED = "The splitter is loaded."


class PacedSocket:
    """Wrap a socket, so that `recv` gives up on a client that is slower than LEAST_RATE."""

    def __init__(self, wrapped: socket.socket) -> None:
        self.wrapped = wrapped
        self.begin()

    def begin(self) -> None:
        """Start counting for the next request."""
        self.waited, self.received = 0.0, 0

    def recv(self, size: int) -> bytes:
        """Receive at most `size` bytes. Raises NoMoreData once the client has used up its time."""
        usual = self.wrapped.gettimeout()
        left = GRACE_SECONDS + self.received / LEAST_RATE - self.waited
        if left <= 0:
            raise NoMoreData
        self.wrapped.settimeout(left if usual is None else min(left, usual))
        began = time.monotonic()
        try:
            data = self.wrapped.recv(size)
        except TimeoutError as error:
            raise NoMoreData from error
        finally:
            self.waited += time.monotonic() - began
            self.wrapped.settimeout(usual)
        self.received += len(data)
        return data

    def __getattr__(self, name: str) -> Any:
        return getattr(self.wrapped, name)


class Connection(TConn):
    """Read a connection's requests through a PacedSocket. `init` runs before each request."""

    def init(self) -> None:
        super().init()
        unreader = self.parser.unreader
        if not isinstance(unreader.sock, PacedSocket):
            unreader.sock = PacedSocket(unreader.sock)
        unreader.sock.begin()


class Worker(ThreadWorker):
    """Serve plain HTTP/1, as a proxy or a browser speaks it.

    It is chosen with `--worker-class annotation_app.config.web_worker.Worker`.
    """

    def init_process(self) -> None:
        # At most half of the threads may wait for clients that already got their answer.
        self.lingering = threading.BoundedSemaphore(max(1, self.cfg.threads // 2))
        super().init_process()

    def run(self) -> None:
        """Load the splitter in a thread of its own: it takes seconds, and the first preview would wait for it."""
        threading.Thread(target=self.load_splitter, name="splitter", daemon=True).start()
        super().run()

    def load_splitter(self) -> None:
        splitter_load()
        self.log.info(SPLITTER_LOADED)

    def accept(self, listener: socket.socket) -> None:
        try:
            client, address = listener.accept()
        except (BlockingIOError, ConnectionAbortedError):
            return
        self.nr_conns += 1
        client.setblocking(True)
        self.enqueue_req(Connection(self.cfg, client, address, listener.getsockname()))

    def handle_request(self, req: Request, conn: TConn) -> bool:
        """Handle a request. An answer that leaves much of the body unread says that it closes the connection."""
        req.should_close = partial(closes, req, req.should_close)
        return bool(super().handle_request(req, conn))

    def handle(self, conn: TConn) -> Any:
        result = super().handle(conn)
        if result is False and self.lingering.acquire(blocking=False):
            try:
                linger(conn.sock)
            finally:
                self.lingering.release()
        return result


def closes(req: Request, usual: Any) -> bool:
    """Return whether to close the connection: gunicorn's `usual` rule says so, or much of the body is unread."""
    reader = req.body.reader
    unread = getattr(reader, "length", 0) > UNREAD_BYTES or getattr(reader, "parser", None) is not None
    return bool(usual()) or unread


def linger(sock: socket.socket) -> None:
    """Close the sending side, and drop what still comes until the client closes or a limit is reached."""
    until, dropped = time.monotonic() + LINGER_SECONDS, 0
    try:
        sock.shutdown(socket.SHUT_WR)
        while dropped < LINGER_BYTES and (left := until - time.monotonic()) > 0:
            sock.settimeout(min(left, LINGER_IDLE_SECONDS))
            data = sock.recv(PIECE)
            if not data:
                break
            dropped += len(data)
        # gunicorn waits as well, on its main thread. This leaves it nothing to wait for.
        sock.shutdown(socket.SHUT_RD)
    except OSError:
        return
