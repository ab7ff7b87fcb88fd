"""Finds a Chromium, or installs one, or fails loudly."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
HELP = (
    "No Chromium was found and none could be installed. Set CHROMIUM to a browser's path, "
    "or install one (Debian: apt-get install chromium)."
)


def chromium_find() -> str:
    """Path of a Chromium that starts. Raises RuntimeError with what was tried."""
    tried: list[str] = []
    for way in (named, installed, by_playwright, by_apt, by_npm):
        path = way(tried)
        if path and starts(path, tried):
            return path
    raise RuntimeError(f"{HELP}\nTried:\n" + "\n".join(tried))


Way = Callable[[list[str]], str | None]


def named(tried: list[str]) -> str | None:
    return os.environ.get("CHROMIUM")


def installed(tried: list[str]) -> str | None:
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def by_playwright(tried: list[str]) -> str | None:
    run([sys.executable, "-m", "playwright", "install", "chromium"], tried)
    cache = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache" / "ms-playwright")
    found = sorted(cache.glob("chromium-*/chrome-linux*/chrome"))
    return str(found[-1]) if found else None


def by_apt(tried: list[str]) -> str | None:
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        tried.append("apt-get: not root, or not Debian")
        return None
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    run(["apt-get", "update", "-q"], tried, quiet)
    run(["apt-get", "install", "-y", "-q", "--no-install-recommends", "chromium"], tried, quiet)
    return installed(tried)


def by_npm(tried: list[str]) -> str | None:
    """A browser carried inside a package: no root needed."""
    folder = Path(tempfile.gettempdir()) / f"quorum-chromium-{os.geteuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    run(["npm", "install", "--prefix", str(folder), "@sparticuz/chromium@153"], tried)
    script = "import('@sparticuz/chromium').then(m => m.default.executablePath()).then(p => console.log(p))"
    printed = run(["node", "-e", script], tried, cwd=folder)
    return printed.strip().splitlines()[-1] if printed.strip() else None


def run(command: list[str], tried: list[str], env: dict[str, str] | None = None, cwd: Path | None = None) -> str:
    if not shutil.which(command[0]):
        tried.append(f"{command[0]}: not installed")
        return ""
    done = subprocess.run(command, capture_output=True, text=True, env=env, cwd=cwd, timeout=900, check=False)
    if done.returncode:
        tried.append(f"{' '.join(command)}: {(done.stderr or done.stdout).strip()[-300:]}")
        return ""
    return done.stdout


def starts(path: str, tried: list[str]) -> bool:
    with tempfile.TemporaryDirectory() as profile:
        command = [path, "--headless", *FLAGS, f"--user-data-dir={profile}", "--dump-dom", "about:blank"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            tried.append(f"{path}: {error}")
            return False
    if done.returncode:
        tried.append(f"{path}: {done.stderr.strip()[-300:]}")
    return done.returncode == 0
