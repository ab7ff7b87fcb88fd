"""gunicorn's threaded worker, for clients that send slowly, without end, or what nobody will read.

Without this a client that sends a byte now and then holds one of the few threads for ever, and a body that was refused
is cut off by a reset before the client has read the answer (RFC 9112, section 9.6).
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

# A request may keep its thread waiting this long, and a second longer for each LEAST_RATE bytes that came.
GRACE_SECONDS = 20.0
LEAST_RATE = 8 * 1024
# More than this left unread, and the connection is closed after the answer.
UNREAD_BYTES = 64 * 1024
# What is still sent after the answer is read and dropped within these limits, so that the client comes to read it.
LINGER_SECONDS, LINGER_IDLE_SECONDS, LINGER_BYTES = 10.0, 2.0, 512 * 1024**2
PIECE = 256 * 1024
# A line of the log, after which a process does not grow by the splitter any more.
SPLITTER_LOADED = "The splitter is loaded."


class PacedSocket:
    """A socket whose `recv` gives up on a client that is slower than LEAST_RATE."""

    def __init__(self, wrapped: socket.socket) -> None:
        self.wrapped = wrapped
        self.begin()

    def begin(self) -> None:
        """Start counting for the next request."""
        self.waited, self.received = 0.0, 0

    def recv(self, size: int) -> bytes:
        """Raises NoMoreData once the client has used up its time."""
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
    """A connection whose requests are read at a pace; `init` runs before each of them."""

    def init(self) -> None:
        super().init()
        unreader = self.parser.unreader
        if not isinstance(unreader.sock, PacedSocket):
            unreader.sock = PacedSocket(unreader.sock)
        unreader.sock.begin()


class Worker(ThreadWorker):
    """`--worker-class annotation_app.config.web_worker.Worker`; plain HTTP/1 as a proxy or a browser speaks it."""

    def init_process(self) -> None:
        # Half of the threads always stay free of clients whose answer was sent already.
        self.lingering = threading.BoundedSemaphore(max(1, self.cfg.threads // 2))
        super().init_process()

    def run(self) -> None:
        """Load the splitter beside the requests: it takes seconds, which the first preview would wait for."""
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
        """An answer that leaves much of the body unread says that it closes the connection."""
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
    reader = req.body.reader
    unread = getattr(reader, "length", 0) > UNREAD_BYTES or getattr(reader, "parser", None) is not None
    return bool(usual()) or unread


def linger(sock: socket.socket) -> None:
    """Ends the sending side, and drops what comes until the client closes or a limit is reached."""
    until, dropped = time.monotonic() + LINGER_SECONDS, 0
    try:
        sock.shutdown(socket.SHUT_WR)
        while dropped < LINGER_BYTES and (left := until - time.monotonic()) > 0:
            sock.settimeout(min(left, LINGER_IDLE_SECONDS))
            data = sock.recv(PIECE)
            if not data:
                break
            dropped += len(data)
        # gunicorn lingers as well, on its main thread: nothing is left for it to wait for.
        sock.shutdown(socket.SHUT_RD)
    except OSError:
        return
