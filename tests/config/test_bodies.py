"""No body is read before it is known who sends it and how much: over real sockets, against a real gunicorn."""

import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotation_app.models import Import
from tests.config.web_server import Answer, Server, answer_read, head, session_headers, web_server
from tests.conftest import People

pytestmark = pytest.mark.django_db(transaction=True)
MULTIPART = "multipart/form-data; boundary=cut"
PART = b'--cut\r\nContent-Disposition: form-data; name="file"; filename="rows.jsonl"\r\n\r\n'
END = b"\r\n--cut--\r\n"
SENT = 24 * 1024**2
PIECE = b"x" * 1024**2


@pytest.fixture
def server(db: None, tmp_path: Path) -> Iterator[Server]:
    media = tmp_path / "media"
    media.mkdir()
    with web_server(media, QUORUM_UPLOAD_MAX_BYTES=str(40 * 1024**2), QUORUM_DISK_RESERVE_BYTES="0") as running:
        yield running


def send_some(sock: socket.socket, count: int) -> int:
    """Sends up to `count` bytes of a file; stops where the server has gone."""
    sent = 0
    try:
        while sent < count:
            sock.sendall(PIECE)
            sent += len(PIECE)
    except (BrokenPipeError, ConnectionResetError):
        pass
    return sent


def asked(server: Server, method: str, path: str, headers: dict[str, object], body: bytes = b"") -> Answer:
    with server.connect() as sock:
        sock.sendall(head(method, path, headers) + body)
        return answer_read(sock)


ANYBODY = [
    ("POST", "/", MULTIPART),
    ("POST", "/projects/1/import", MULTIPART),
    ("PUT", "/nowhere/at/all", "application/octet-stream"),
    ("POST", "/api/nowhere/", MULTIPART),
    ("POST", "/api/nowhere/", "application/x-www-form-urlencoded"),
    ("POST", "/assets/gone.js", MULTIPART),
    ("GET", "/api/health/", MULTIPART),
    ("GET", "/", "application/json"),
    ("POST", "/api/session/", MULTIPART),
    ("POST", "/api/session/", "application/json"),
    ("POST", "/api/invites/accept/", MULTIPART),
    ("POST", "/api/invites/accept/", "application/json"),
    ("PATCH", "/api/projects/", "application/json"),
    ("POST", "/api/projects/11111111-1111-1111-1111-111111111111/imports/", MULTIPART),
    ("POST", "/api/projects/11111111-1111-1111-1111-111111111111/test-set/", MULTIPART),
]


def test_of_a_stranger_nothing_is_kept_and_the_answer_comes_before_the_body_ends(server: Server) -> None:
    before = server.memory()
    for method, path, kind in ANYBODY:
        for token in ({}, {"Cookie": f"csrftoken={'a' * 32}", "X-CSRFToken": "a" * 32}):
            with server.connect() as sock:
                sock.sendall(head(method, path, {"Content-Type": kind, "Content-Length": SENT * 50, **token}) + PART)
                answer = answer_read(sock)
                assert answer.status in ((200, 503) if method == "GET" else (401, 403, 404, 405, 413, 415)), path
                assert answer.headers["connection"] == "close", path
                send_some(sock, SENT)
                assert server.files() == [], path
    assert server.memory() - before < 48 * 1024**2


def test_a_body_in_chunks_is_refused(server: Server) -> None:
    answer = asked(
        server, "POST", "/api/session/", {"Transfer-Encoding": "chunked", "Content-Type": "application/json"}
    )
    assert (answer.status, answer.headers["connection"]) == (411, "close")
    assert "Content-Length" in answer.detail


def test_a_body_that_is_packed_is_refused(server: Server) -> None:
    headers = {"Content-Encoding": "gzip", "Content-Length": 3, "Content-Type": "application/json"}
    assert asked(server, "POST", "/api/session/", headers, b"abc").status == 415


def test_who_may_not_upload_hears_so_before_the_file_is_read(server: Server, people: People) -> None:
    for member, status in ((people.annotators[0], 403), (people.outsider, 404)):
        for route in ("imports", "test-set", "simulations"):
            headers = {**session_headers(member.user), "Content-Type": MULTIPART, "Content-Length": SENT}
            with server.connect() as sock:
                sock.sendall(head("POST", f"/api/projects/{people.project.uuid}/{route}/", headers) + PART)
                assert answer_read(sock).status == status
                send_some(sock, SENT)
                assert server.files() == []


def test_without_the_token_or_with_a_lapsed_session_no_file_is_read(server: Server, people: People) -> None:
    signed_in = session_headers(people.admin.user)
    lapsed = signed_in["Cookie"].replace("sessionid=", "sessionid=0")
    for cookie, token, status in ((signed_in["Cookie"], "b" * 32, 403), (lapsed, "a" * 32, 401)):
        headers = {"Cookie": cookie, "X-CSRFToken": token, "Content-Type": MULTIPART, "Content-Length": SENT}
        with server.connect() as sock:
            sock.sendall(head("POST", f"/api/projects/{people.project.uuid}/imports/", headers) + PART)
            assert answer_read(sock).status == status
            send_some(sock, SENT)
            assert server.files() == []


@pytest.mark.parametrize("whole", [True, False])
def test_a_body_over_the_limit_is_answered_in_words_to_who_sends_all_of_it(
    server: Server, people: People, whole: bool
) -> None:
    """`whole` sends everything before it reads, as most clients do; else the answer is read at once."""
    project = f"/api/projects/{people.project.uuid}"
    routes = [
        ("POST", f"{project}/imports/", MULTIPART, 60, "40 MiB"),
        ("POST", f"{project}/test-set/", MULTIPART, 80, "64 MiB"),
        ("POST", f"{project}/simulations/", MULTIPART, 60, "40 MiB"),
        ("POST", f"{project}/simulations/", "application/json", 10, "2 MiB"),
        ("PATCH", f"{project}/", "application/json", 10, "2 MiB"),
        ("POST", f"{project}/codebooks/", "application/json", 10, "2 MiB"),
        ("POST", f"{project}/rounds/", "application/json", 10, "2 MiB"),
        ("POST", f"{project}/invites/", "application/json", 10, "2 MiB"),
        ("POST", "/api/session/", "application/json", 10, "16 KiB"),
    ]
    for method, path, kind, mib, limit in routes:
        headers = {**session_headers(people.admin.user), "Content-Type": kind, "Content-Length": mib * 1024**2}
        with server.connect() as sock:
            sock.sendall(head(method, path, headers))
            if whole:
                assert send_some(sock, mib * 1024**2) == mib * 1024**2, path
            answer = answer_read(sock)
            assert (answer.status, limit in answer.detail) == (413, True), (path, answer)
    assert server.files() == []


def test_a_file_that_is_cut_off_leaves_nothing(server: Server, people: People) -> None:
    headers = {**session_headers(people.admin.user), "Content-Type": MULTIPART, "Content-Length": SENT}
    path = f"/api/projects/{people.project.uuid}/imports/"
    with server.connect() as sock:
        sock.sendall(head("POST", path, headers) + PART)
        send_some(sock, 5 * 1024**2)
        assert wait_for(lambda: len(server.files()) == 1)
    assert wait_for(lambda: server.files() == [])
    with server.connect() as sock:
        sock.sendall(head("POST", path, headers) + PART)
        send_some(sock, 5 * 1024**2)
        sock.shutdown(socket.SHUT_WR)
        answer = answer_read(sock)
    assert (answer.status, "Cut off" in answer.detail) == (400, True)
    assert server.files() == [] and not Import.objects.exists()


def test_an_address_sends_so_many_files_at_a_time(server: Server, people: People) -> None:
    headers = {**session_headers(people.admin.user), "Content-Type": MULTIPART, "Content-Length": SENT}
    path = f"/api/projects/{people.project.uuid}/imports/"
    busy = [server.connect() for _ in range(4)]
    for sock in busy:
        sock.sendall(head("POST", path, headers) + PART + PIECE)
    assert wait_for(lambda: len(server.files()) == 4)
    assert asked(server, "POST", path, headers, PART).status == 429
    busy[0].close()
    assert wait_for(lambda: len(server.files()) == 3)
    whole = PART + b'{"id": "a", "text": "One row."}\n' + END
    # The place is free a moment after the file is gone.
    answers: list[Answer] = []
    send = {**headers, "Content-Length": len(whole)}
    assert wait_for(lambda: answers.append(asked(server, "POST", path, send, whole)) or answers[-1].status != 429)
    taken = answers[-1]
    assert (taken.status, json.loads(taken.body).get("code")) == (409, "worker_down")
    for sock in busy:
        sock.close()
    assert wait_for(lambda: server.files() == [])


def test_two_more_files_than_the_form_has_and_a_thousand_fields_are_refused(server: Server, people: People) -> None:
    for body in (PART + b"a\r\n" + (PART + b"a\r\n") * 5, b"".join(field(n) for n in range(1000))):
        headers = {**session_headers(people.admin.user), "Content-Type": MULTIPART, "Content-Length": len(body + END)}
        path = f"/api/projects/{people.project.uuid}/imports/"
        assert asked(server, "POST", path, headers, body + END).status == 400
        assert server.files() == []


def test_clients_that_say_nothing_more_do_not_keep_others_out(server: Server) -> None:
    """Sixteen threads, and twenty clients that stop within their headers or their body."""
    begun = b"POST /api/session/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n"
    silent = [server.connect() for _ in range(20)]
    for sock in silent:
        sock.sendall(begun)
    began = time.monotonic()
    assert asked(server, "GET", "/api/health/", {}).status == 200
    # They are let go after 20 seconds; a crowded machine may be late with that.
    assert time.monotonic() - began < 60
    for sock in silent:
        sock.close()


def field(number: int) -> bytes:
    return f'--cut\r\nContent-Disposition: form-data; name="f{number}"\r\n\r\nx\r\n'.encode()


def wait_for(true: object, seconds: float = 60) -> bool:
    until = time.monotonic() + seconds
    while not true():  # type: ignore[operator]
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True
