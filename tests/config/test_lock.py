"""What is installed is what was looked at: every package in a lock file has its hash."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent


def test_every_package_of_the_front_end_has_a_hash() -> None:
    packages = json.loads((ROOT / "frontend" / "package-lock.json").read_text())["packages"]
    assert len(packages) > 100
    without = [
        name for name, entry in packages.items() if name and not entry.get("integrity", "").startswith("sha512-")
    ]
    assert without == []


@pytest.mark.parametrize("name", ["requirements", "requirements-dev"])
def test_every_python_package_has_a_hash_and_is_the_one_that_was_pinned(name: str) -> None:
    """All but torch, whose right build depends on the machine; `make lock` writes the file."""
    locked = locked_packages(ROOT / f"{name}.lock")
    assert len(locked) > 80
    assert [package for package, (_, hashes) in locked.items() if hashes == 0] == []
    pins = re.findall(r"^([\w-]+)(?:\[\w+\])?(?:==(\S+))?$", (ROOT / f"{name}.txt").read_text(), re.MULTILINE)
    assert len(pins) > 15
    wanted = {package.lower(): version for package, version in pins if package != "torch"}
    assert {package: locked[package][0] for package in wanted} == {
        package: version or locked[package][0] for package, version in wanted.items()
    }
    assert not [package for package in locked if re.match("torch$|nvidia-|cuda-|triton", package)]


def locked_packages(lock: Path) -> dict[str, tuple[str, int]]:
    """Map each package of a lock file to its version and how many hashes it has."""
    entries = re.findall(
        r"^([\w.-]+)(?:\[[\w,-]+\])?==(\S+)(.*?)(?=^[\w.-]+(?:\[|==)|\Z)", lock.read_text(), re.M | re.S
    )
    return {package: (version, rest.count("--hash=sha256:")) for package, version, rest in entries}
