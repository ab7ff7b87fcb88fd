"""A copy of the built front end, and the same front end as another version: its files have other names."""

import re
import shutil
from pathlib import Path

from tests.stack import ROOT

HASHED = re.compile(r"-([A-Za-z0-9_-]{8})\.(?:js|css|woff2|svg)$")
BUILD = re.compile(r'(?<=const BUILD = ")[0-9a-f]+')
# Those would hold the names of before.
PACKED = shutil.ignore_patterns("*.gz", "*.br")


def build_copied(folder: Path) -> Path:
    """Return the folder of a copy, as one version of the front end."""
    dist = folder / "dist"
    shutil.copytree(ROOT / "frontend" / "dist", dist, ignore=PACKED)
    return dist


def build_renew(dist: Path) -> None:
    """Puts another version in its place: every hash in a name is another one, and so is the worker's build."""
    hashes = {found[1] for file in (dist / "assets").iterdir() if (found := HASHED.search(file.name))}
    new = {old: renewed(old) for old in hashes}
    assert not hashes & set(new.values())
    every = re.compile("|".join(map(re.escape, hashes)))
    for file in [path for path in dist.rglob("*") if path.is_file()]:
        text = every.sub(lambda found: new[found[0]], file.read_text(encoding="utf-8"))
        text = BUILD.sub(lambda found: renewed(found[0]), text)
        file.unlink()
        file.with_name(every.sub(lambda found: new[found[0]], file.name)).write_text(text, encoding="utf-8")


def renewed(name_hash: str) -> str:
    """Another hash of the same letters."""
    return name_hash[1:] + name_hash[0]


def scripts_and_styles(dist: Path) -> set[str]:
    """The names of a version's files, each with its hash."""
    return {file.name for file in (dist / "assets").iterdir() if file.suffix in (".js", ".css")}


def worker_build(dist: Path) -> str:
    """The build that the version's service worker keeps."""
    found = BUILD.search((dist / "sw.js").read_text(encoding="utf-8"))
    assert found, "the service worker names no build"
    return found[0]
