"""The docs build without a network and without a broken link, and whatever names a page names one that exists."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from annotation_app.api.urls import urlpatterns
from tests.stack import ROOT

ELSEWHERE = r"""=["']?(?:https?:)?//"""
LOADED = re.compile(
    rf"<(?:script|img|iframe|source)\b[^>]*?\bsrc{ELSEWHERE}"
    rf"|<link\b(?=[^>]*?\brel=\W?(?:stylesheet|preconnect)\b)[^>]*?\bhref{ELSEWHERE}"
)


def build(config: Path, to: Path) -> subprocess.CompletedProcess[str]:
    # Not `--quiet`: what is not logged is no error either.
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--config-file", str(config), "--site-dir", str(to)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = build(ROOT / "mkdocs.yml", folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_every_page_is_built_and_loads_nothing_from_elsewhere(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    built = {page.relative_to(site).with_suffix(".md").as_posix() for page in pages}
    written = {page.relative_to(ROOT / "docs").as_posix() for page in (ROOT / "docs").rglob("*.md")}
    assert len(written) > 9
    assert written - built == set()
    assert [page.name for page in pages if LOADED.search(page.read_text(encoding="utf-8"))] == []


def test_pictures_are_small() -> None:
    pictures = list((ROOT / "docs").rglob("*.png"))
    assert len(pictures) > 0
    assert [picture.name for picture in pictures if picture.stat().st_size > 150_000] == []


def test_the_reference_has_every_call_of_the_api(site: Path) -> None:
    page = (site / "develop" / "api_reference.html").read_text(encoding="utf-8")
    paths = [re.sub(r"<\w+:(\w+)>", r"{\1}", str(each.pattern)) for each in urlpatterns]
    assert len(paths) > 80
    assert [path for path in paths if path != "schema/" and f" /api/{path}<" not in page] == []


def test_a_broken_link_stops_the_build(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    config = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    own = re.sub(r"^hooks:\n.*\n", "", config.partition("\nnav:")[0], flags=re.MULTILINE)
    (tmp_path / "mkdocs.yml").write_text(own, encoding="utf-8")
    (docs / "index.md").write_text("[gone](gone.md)\n", encoding="utf-8")
    done = build(tmp_path / "mkdocs.yml", tmp_path / "site")
    assert done.returncode != 0
    assert "gone.md" in done.stdout + done.stderr


def tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [
        ROOT / name for name in listed.split("\0") if name.endswith((".py", ".ts", ".tsx", ".md", ".yml", ".example"))
    ]


def test_pages_that_the_source_names_exist() -> None:
    named = {
        (path.relative_to(ROOT).as_posix(), page)
        for path in tracked()
        if path.is_file()
        for page in re.findall(r"\bdocs/[\w/-]+\.(?:md|png|svg)\b", path.read_text(encoding="utf-8"))
    }
    assert len(named) > 15
    assert sorted((source, page) for source, page in named if not (ROOT / page).is_file()) == []


def test_the_changelog_tells_of_this_version() -> None:
    versions = re.findall(r"^## (\d+\.\d+\.\d+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert versions[0] == settings.VERSION
