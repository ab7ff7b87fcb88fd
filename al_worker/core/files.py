"""Hashes of files and values, by which a step knows that its work is done."""

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

BLOCK = 1 << 20


def file_hash(path: Path) -> str:
    """sha256 of the file, or "" when there is none."""
    if not path.is_file():
        return ""
    digest = sha256()
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            digest.update(block)
    return digest.hexdigest()


def value_hash(value: Mapping[str, Any]) -> str:
    """sha256 of the value as canonical JSON."""
    return sha256(json.dumps(value, sort_keys=True, ensure_ascii=True).encode()).hexdigest()
