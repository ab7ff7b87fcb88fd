"""Run `up`: start the servers, prepare the database, then run the web server and two workers until told to stop."""

import os
import signal
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from annotation_app.embedded import adopt, process, setup, web
from annotation_app.embedded.backups import ScheduledBackups, schedule_of
from annotation_app.embedded.children import Child, Supervised, stop_all
from annotation_app.embedded.console import say, step, tail
from annotation_app.embedded.errors import LaunchError, PortBusy, StopRequested
from annotation_app.embedded.logs import logs_of
from annotation_app.embedded.server import Server
from annotation_app.embedded.servers import PostgresServer, ValkeyServer, postgres_env, state_env
from annotation_app.embedded.signals import Signals
from annotation_app.embedded.state import CLONE, State, default_folder

HEALTHY_WITHIN = 120.0
# A training uses every core that is free, and people who label must not notice it.
MODEL_NICENESS = 10


@dataclass(frozen=True)
class Options:
    port: int | None
    demo: bool
    state_folder: Path | None
    parent: int | None


def launch(options: Options) -> int:
    """Start everything, and return 0 once a stop signal has stopped it. Raises LaunchError with what went wrong."""
    state = State(options.state_folder or default_folder())
    with Signals() as signals:
        if options.parent and not process.die_with_parent(signal.SIGTERM, options.parent):
            raise LaunchError("The process that started the launcher has gone.")
        state.prepare()
        say(f"Quorum (data, secrets and logs in {state.folder})")
        try:
            with state.lock(signals.sleep, lambda line: say(f"  {line}")) as lock:
                Launch(options, state, signals, lock).run()
        except StopRequested:
            say("Stopped. The data are kept.")
    return 0


class Launch:
    """Carry out one run of the launcher, from claiming the port to stopping the last server."""

    def __init__(self, options: Options, state: State, signals: Signals, lock: int) -> None:
        self.options = options
        self.state = state
        self.signals = signals
        self.lock = lock
        self.host = os.environ.get("QUORUM_HOST", "127.0.0.1")
        self.postgres: PostgresServer | None = None
        self.supervised: list[Supervised] = []
        self.backups: ScheduledBackups | None = None
        self.logs = logs_of(state.logs, os.environ)
        self.terminal = terminal_of(options.parent) if signal.SIGHUP in signals.stops else None

    def run(self) -> None:
        with ExitStack() as stack:
            listener = stack.enter_context(self.port())
            env = self.environment(listener)
            schedule = schedule_of(env)
            if not os.environ.get("DATABASE_URL"):
                self.postgres = PostgresServer(self.state, keep_fds=(self.lock,))
                stack.enter_context(self.server(self.postgres))
                env |= postgres_env(self.postgres)
            if not os.environ.get("REDIS_URL"):
                valkey = ValkeyServer(self.state, keep_fds=(self.lock,))
                stack.enter_context(self.server(valkey))
                env["REDIS_URL"] = valkey.url
            adopt.offer(self.state, env)
            stack.callback(adopt.withdraw, self.state)
            setup.migrate(self.postgres, self.state, env, self.signals)
            web_server, *workers = self.children(env, listener)
            stack.enter_context(self.stopping([web_server, *workers], listener))
            self.start(web_server)
            # The demo is made while the web server comes up, but before the workers, which would take its import job.
            sign_ins = self.sign_ins(env)
            for worker in workers:
                self.start(worker)
            self.wait_until_healthy(listener)
            if self.makes_demo() and (told := setup.seed_demo_rounds(self.state, env, self.signals)):
                say(told)
            say(f"Quorum is ready at {web.address(listener)}")
            for line in self.other_addresses(listener):
                say(line)
            if sign_ins:
                say(sign_ins)
            if schedule is not None:
                self.backups = ScheduledBackups(schedule, self.state, env)
                stack.callback(self.backups.stop)
            self.attend()

    @contextmanager
    def port(self) -> Iterator[socket.socket]:
        """Claim the web server's port, and record its address. Raises PortBusy."""
        wanted = self.options.port if self.options.port is not None else port_from_environment()
        with web.claim(self.host, wanted) as listener:
            port = listener.getsockname()[1]
            if wanted is None and port != web.DEFAULT_PORT:
                say(f"  Port {web.DEFAULT_PORT} is taken: using {port} instead")
            self.state.record(web={"address": web.address(listener)}, launcher=os.getpid())
            yield listener

    def environment(self, listener: socket.socket) -> dict[str, str]:
        """Return the environment of every child, except for the servers' addresses."""
        inherited = {name: value for name, value in os.environ.items() if name != "QUORUM_EMBEDDED"}
        if url := inherited.get("DATABASE_URL"):
            inherited.setdefault("DATABASE_OWNER_URL", url)
        host, port = listener.getsockname()[:2]
        hosts = [*filter(None, [os.environ.get("QUORUM_HOSTS")]), *web.names(self.host)]
        own = {"QUORUM_HOST": host, "QUORUM_PORT": str(port), "PYTHONUNBUFFERED": "1", "QUORUM_HOSTS": ",".join(hosts)}
        return inherited | state_env(self.state) | own

    def other_addresses(self, listener: socket.socket) -> list[str]:
        """Return lines with the addresses for people on other machines, if there are any."""
        public, port = os.environ.get("QUORUM_URL", ""), listener.getsockname()[1]
        on_network = " ".join(f"http://{name}:{port}/" for name in web.names(self.host))
        lines = [f"By its proxy, people reach it at {public}"] if public else []
        return [*lines, f"On the network: {on_network}"] if on_network else lines

    @contextmanager
    def server(self, server: Server) -> Iterator[None]:
        """Start one of the servers, keep it alive while the body runs, and stop it after the body."""
        try:
            with step(server.name) as line:
                server.start(self.signals.sleep)
                line.title = f"{server.name} {server.version()} ready"
            self.supervised.append(
                Supervised(f"{server.name} server", server.log, lambda: server.start(self.signals.sleep), server.poll)
            )
            yield
        finally:
            if server.poll() is None:
                with step(f"{server.name} stopped"):
                    server.stop()

    def sign_ins(self, env: dict[str, str]) -> str:
        """Make the demo where it may exist. Return its sign-ins and the link of a first account, if there are any."""
        if self.postgres is not None and not self.reached_here_only():
            setup.close_demo(self.state, env, self.signals)
        told = [self.demo(env), setup.first_link(self.state, env, self.signals)]
        return "\n".join(filter(None, told))

    def demo(self, env: dict[str, str]) -> str:
        if not self.options.demo:
            return ""
        if not self.makes_demo():
            return "No demo project: it is made only where this machine alone reaches it, with the embedded PostgreSQL."
        return setup.seed_demo(self.state, env, self.signals)

    def makes_demo(self) -> bool:
        """Return whether the demo was asked for, and only this machine reaches it."""
        return self.options.demo and self.postgres is not None and self.reached_here_only()

    def reached_here_only(self) -> bool:
        public = web.is_public(os.environ.get("QUORUM_URL", "")) or bool(os.environ.get("QUORUM_HOSTS"))
        return not public and web.is_loopback(self.host)

    def children(self, env: dict[str, str], listener: socket.socket) -> list[Child]:
        return [
            Child("web server", web_command(listener), env, self.state.log("web"), (self.lock,), (listener.fileno(),)),
            Child("model worker", MODEL_WORKER, env, self.state.log("models"), (self.lock,), niceness=MODEL_NICENESS),
            Child("light worker", LIGHT_WORKER, env, self.state.log("light"), (self.lock,)),
        ]

    def start(self, child: Child) -> None:
        child.start()
        self.supervised.append(Supervised(child.title, child.log, child.start, child.poll))

    @contextmanager
    def stopping(self, children: list[Child], listener: socket.socket) -> Iterator[None]:
        """Stop the children after the body. New requests are refused from then on."""
        try:
            yield
        finally:
            listener.close()
            with step("Web server and workers stopped"):
                stop_all(children, self.signals)

    def wait_until_healthy(self, listener: socket.socket) -> None:
        until = time.monotonic() + HEALTHY_WITHIN
        with step("Web server ready, workers starting"):
            while not web.is_healthy(listener):
                self.look_after(0.1)
                if time.monotonic() > until:
                    log = self.state.logs / "web.log"
                    raise LaunchError(
                        f"{web.address(listener)}api/health/ did not answer 200 within {HEALTHY_WITHIN:.0f} s. "
                        f"The end of {log}:\n{tail(log)}"
                    )

    def attend(self) -> None:
        """Keep everything alive until a stop signal. Raises StopRequested."""
        while True:
            self.look_after(1.0)

    def look_after(self, seconds: float) -> None:
        waiting = any(each.due is not None for each in self.supervised)
        self.signals.sleep(min(seconds, 0.2) if waiting else seconds)
        for each in self.supervised:
            each.tend()
        self.logs.tend()
        if self.backups is not None:
            self.backups.tend()
        if self.terminal is not None and not os.isatty(self.terminal):
            raise StopRequested(signal.SIGHUP.name)


def terminal_of(parent: int | None) -> int | None:
    """Return a file descriptor of the terminal to watch, or None where no terminal needs watching.

    Where make itself leads the terminal's session (`xterm -e make up`), only make learns of the terminal's end, and it
    does not pass this on.
    """
    if parent is None or os.getsid(0) != parent:
        return None
    return next((fd for fd in (0, 1, 2) if os.isatty(fd)), None)


def port_from_environment() -> int | None:
    wanted = os.environ.get("PORT", "")
    if wanted and not wanted.isdigit():
        raise PortBusy(f"PORT={wanted} is no port number: give one from 1 to 65535, or none.")
    return int(wanted) if wanted else None


def celery(app: str, queue: str, *more: str) -> list[str]:
    """Return the command of a Celery worker with one prefork child.

    So a training runs in a process whose memory is given back. Gossip is off, because there is no peer.
    """
    quiet = ["--without-gossip", "--without-mingle", "--loglevel", "INFO"]
    name = ["-Q", queue, "-c", "1", "-n", f"{queue}@%h"]
    return [sys.executable, "-m", "celery", "-A", app, "worker", *name, *quiet, *more]


MODEL_WORKER = celery("al_worker.app", "models", "--prefetch-multiplier", "1")
LIGHT_WORKER = celery("annotation_app.config.celery", "light")


# Handles clients that send slowly, or what nobody will read.
WORKER_CLASS = "annotation_app.config.web_worker.Worker"


def web_command(listener: socket.socket) -> list[str]:
    """Return the gunicorn command for the claimed socket.

    Long downloads do not time out, because the worker's heartbeat does not depend on its requests.
    """
    where = ["--bind", f"fd://{listener.fileno()}", "--worker-class", WORKER_CLASS, "--workers", "2", "--threads", "8"]
    times = ["--timeout", "60", "--graceful-timeout", "2", "--keep-alive", "30"]
    # The heartbeat file is kept in memory, so that a slow disk does not look like a hung worker.
    beat = ["--worker-tmp-dir", "/dev/shm"] if os.access("/dev/shm", os.W_OK) else []
    # The code is loaded once and then forked, so that a killed worker process is back in milliseconds.
    code = ["--preload", "--no-control-socket", "--chdir", str(CLONE), "annotation_app.config.wsgi:application"]
    return [sys.executable, "-m", "gunicorn", *where, *times, *beat, *code]
