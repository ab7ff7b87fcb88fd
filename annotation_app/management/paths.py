"""Check where a command will write before it starts, so that no work is done for nothing."""

import os
from pathlib import Path

from django.core.management.base import CommandError


def file_check(out: Path) -> None:
    """Raise CommandError unless a file can be written under this name."""
    parent_check(out)
    if os.path.isdir(out):
        raise CommandError(f"{out} is a folder: name a file.")
    if not os.access(out.parent, os.W_OK | os.X_OK):
        raise CommandError(f"The folder {out.parent} cannot be written to: name a file in another one.")


def folder_make(to: Path) -> None:
    """Make the folder where there is none, in one that is there. Raises CommandError unless it is empty then and can
    be written to."""
    other = "name a folder that is new or empty."
    parent_check(to)
    if os.path.exists(to) and not os.path.isdir(to):
        raise CommandError(f"{to} is no folder: {other}")
    try:
        to.mkdir(exist_ok=True)
        is_empty = not any(to.iterdir())
    except OSError as error:
        raise CommandError(f"{to} cannot be made or read ({error.strerror}): {other}") from error
    if not is_empty:
        raise CommandError(f"{to} exists already and is not empty: {other}")
    if not os.access(to, os.W_OK | os.X_OK):
        raise CommandError(f"{to} cannot be written to: {other}")


def parent_check(path: Path) -> None:
    """Refuse a missing parent folder, which is more often a typing error than wanted."""
    if os.path.isdir(path.parent):
        return
    if os.path.exists(path.parent):
        raise CommandError(f"{path.parent} is no folder: name another place.")
    raise CommandError(f"The folder {path.parent} does not exist: make it, or name another place.")
