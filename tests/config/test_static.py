"""What goes over the wire: compressed, and kept by browsers as long as it may be."""

import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import brotli
import pytest
from django.http import HttpResponse, StreamingHttpResponse
from django.test import Client, RequestFactory
from whitenoise.compress import main as compress

from annotation_app.config.static import CompressText

SCRIPT = "export const words = " + json.dumps(["a sentence about rates"] * 200)


@pytest.fixture
def dist(tmp_path: Path, settings: Any) -> Path:
    """A built front end, as `make frontend` leaves it."""
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "label-Bx02_I-i.js").write_text(SCRIPT)
    (tmp_path / "assets" / "favicon.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    (tmp_path / "index.html").write_text('<meta name="quorum-base" content="/" />' + "<p>text</p>" * 100)
    (tmp_path / ".sources").write_text("hash")
    compress(["--quiet", str(tmp_path)])
    settings.FRONTEND_DIST = settings.WHITENOISE_ROOT = tmp_path
    return tmp_path


def body(answer: Any) -> bytes:
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


@pytest.mark.parametrize(
    ("accepted", "encoding", "opened"),
    [
        ("gzip, deflate, br", "br", brotli.decompress),
        ("gzip", "gzip", gzip.decompress),
        ("", None, bytes),
    ],
)
def test_a_hashed_file_is_compressed_and_kept_for_a_year(
    accepted: str, encoding: str | None, opened: Any, dist: Path
) -> None:
    answer = Client().get("/assets/label-Bx02_I-i.js", headers={"Accept-Encoding": accepted})
    sent = body(answer)
    assert answer.get("Content-Encoding") == encoding
    assert opened(sent).decode() == SCRIPT
    assert len(sent) == len(SCRIPT) if encoding is None else len(sent) < len(SCRIPT) / 20
    assert answer["Cache-Control"] == "public, max-age=31536000, immutable"
    assert answer["Vary"] == "Accept-Encoding"
    assert "Access-Control-Allow-Origin" not in answer


def test_a_file_without_a_hash_is_asked_for_again(dist: Path) -> None:
    answer = Client().get("/assets/favicon.svg")
    assert (answer.status_code, answer["Cache-Control"]) == (200, "no-cache")
    again = Client().get("/assets/favicon.svg", headers={"If-None-Match": answer["ETag"]})
    assert again.status_code == 304


@pytest.mark.parametrize("path", ["/", "/index.html", "/.sources", "/projects/1"])
def test_the_page_is_never_kept(path: str, dist: Path) -> None:
    answer = Client().get(path, headers={"Accept-Encoding": "gzip"})
    assert "no-store" in answer["Cache-Control"]
    assert gzip.decompress(answer.content).startswith(b"<meta name=")


def test_a_file_that_is_gone_is_told_so_and_not_kept(dist: Path) -> None:
    answer = Client().get("/assets/old-AAAAAAAA.js")
    assert (answer.status_code, "immutable" in answer.get("Cache-Control", "")) == (404, False)


def test_json_is_compressed(db: None) -> None:
    plain = Client().get("/api/schema/?format=json", headers={"Accept-Encoding": "identity"})
    small = Client().get("/api/schema/?format=json", headers={"Accept-Encoding": "gzip"})
    assert small["Content-Encoding"] == "gzip"
    assert json.loads(gzip.decompress(small.content)) == json.loads(plain.content)
    assert len(small.content) < len(plain.content) / 5


def passed_through(response: Any) -> Any:
    request = RequestFactory().get("/", headers={"Accept-Encoding": "gzip"})
    return CompressText(lambda _: response)(request)


def test_a_stream_is_compressed_as_it_comes() -> None:
    """A reader has most of the first pieces while the last are not made yet."""
    made = 0

    def lines() -> Iterator[bytes]:
        nonlocal made
        for number in range(20_000):
            made = number
            yield json.dumps({"id": number, "text": f"line {number * 7919 % 100_003}"}).encode() + b"\n"

    answer = passed_through(StreamingHttpResponse(lines(), content_type="application/x-ndjson; charset=utf-8"))
    opened, pieces, told = zlib.decompressobj(wbits=31), iter(answer.streaming_content), b""
    while not told:
        told += opened.decompress(next(pieces))
    assert 0 < made < 10_000
    told += b"".join(opened.decompress(piece) for piece in pieces)
    assert told.count(b"\n") == 20_000
    assert "Content-Length" not in answer


@pytest.mark.parametrize("media_type", ["application/zip", "image/png", "application/vnd.ms-excel"])
def test_what_is_compressed_already_is_left_alone(media_type: str) -> None:
    answer = passed_through(HttpResponse(b"\0" * 5000, content_type=media_type))
    assert ("Content-Encoding" in answer, len(answer.content)) == (False, 5000)
