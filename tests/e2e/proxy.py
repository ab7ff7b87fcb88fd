"""A real nginx that speaks TLS before the service, below a path, with the lines of docs/operate/serving.md."""

import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.e2e.browser import run
from tests.stack import ROOT

PATH = "/lab/quorum"
SERVING = ROOT / "docs" / "operate" / "serving.md"
HELP = "No {name} was found and none could be installed: install it (Debian: apt-get install nginx-light openssl)."
CONFIG = """
daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    ssl_certificate {folder}/cert.pem;
    ssl_certificate_key {folder}/key.pem;
    client_max_body_size 100m;
    proxy_set_header Host $http_host;
    proxy_set_header X-Forwarded-Proto $scheme;
    proxy_set_header X-Forwarded-For $remote_addr;
    server {{
        listen 127.0.0.1:{strips} ssl;
        location {path}/ {{ proxy_pass {service}/; }}
    }}
    server {{
        listen 127.0.0.1:{leaves} ssl;
        {location}
    }}
    {zone}
    server {{
        listen 127.0.0.1:{limits} ssl;
        location {path}/ {{
            {limit}
            proxy_pass {service};
        }}
    }}
}}
"""


@dataclass(frozen=True)
class Proxy:
    """The addresses of one service behind one nginx, without a slash at their ends.

    `strips` takes the path off; `leaves` is the documented location; `limits` has the documented limit of connections.
    """

    strips: str
    leaves: str
    limits: str
    certificate: Path


def program(name: str) -> str:
    """Path of an installed program; as root on Debian it is installed. Raises RuntimeError with what was tried."""
    tried: list[str] = []
    places = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"])
    if not shutil.which(name, path=places) and os.geteuid() == 0:
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        run(["apt-get", "update", "-q"], tried, quiet)
        run(["apt-get", "install", "-y", "-q", "--no-install-recommends", "nginx-light", "openssl"], tried, quiet)
    if found := shutil.which(name, path=places):
        return found
    raise RuntimeError("\n".join([HELP.format(name=name), *tried]))


def documented(begin: str, end: str = "") -> str:
    """Return the indented lines of docs/operate/serving.md from the one that begins so to the one that is `end`."""
    text = SERVING.read_text(encoding="utf-8")
    found = re.search(rf"^    {re.escape(begin)}.*?{f'^    {re.escape(end)}$' if end else '$'}", text, re.M | re.S)
    assert found, f"{SERVING} has no line that begins {begin!r}"
    return found[0]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def certificate_make(folder: Path) -> Path:
    """A certificate for localhost that nobody vouches for."""
    key, cert = folder / "key.pem", folder / "cert.pem"
    what = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    where = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", str(key), "-out", str(cert)]
    subprocess.run([program("openssl"), *what, *where], check=True, capture_output=True)
    return cert


@contextmanager
def running_proxy(folder: Path, service: str, *ports: int) -> Iterator[Proxy]:
    """nginx in the foreground before `service`, ended by its process afterwards."""
    certificate = certificate_make(folder)
    strips, leaves, limits = ports
    config = folder / "nginx.conf"
    location = documented("location /quorum/ {", "}").replace("/quorum/", f"{PATH}/")
    lines = CONFIG.format(
        folder=folder,
        path=PATH,
        service=service,
        strips=strips,
        leaves=leaves,
        limits=limits,
        location=location.replace("http://127.0.0.1:8000", service),
        zone=documented("limit_conn_zone "),
        limit=documented("limit_conn "),
    )
    config.write_text(lines)
    process = subprocess.Popen([program("nginx"), "-c", str(config), "-p", str(folder)], stderr=subprocess.PIPE)
    try:
        for port in ports:
            wait_for_tls(port, process)
        yield Proxy(*(f"https://localhost:{port}{PATH}" for port in ports), certificate)
    finally:
        process.send_signal(signal.SIGQUIT)
        process.wait(timeout=30)


def wait_for_tls(port: int, process: subprocess.Popen[bytes]) -> None:
    context = ssl._create_unverified_context()
    until = time.monotonic() + 30
    while True:
        try:
            with socket.create_connection(("127.0.0.1", port), 1) as plain, context.wrap_socket(plain):
                return
        except OSError:
            ended = process.poll() is not None
            assert not ended, process.stderr.read().decode() if process.stderr else ""
            assert time.monotonic() < until, f"nginx does not answer at {port}"
            time.sleep(0.05)
