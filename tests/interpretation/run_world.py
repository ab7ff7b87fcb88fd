"""A small world of sources and targets for `interpret`: what a source says, its target says in other words."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from al_worker.formats.toml_text import Table, toml_dumps

ACTS = {"cut": ("cut rates", "lowered rates"), "raise": ("raised rates", "lifted rates")}
SCOPES = (("soon", "very soon"), ("next year", "later next year"))
FILLER = ("The staff gave a report.", "Markets were calm.", "Members met on Tuesday.", "Banks lent less.")
SPLITS = ("train",) * 8 + ("valid",) * 2 + ("test",) * 2
EVALUATIONS = [
    {"annotation": "act", "evaluation": "act", "equivalence_classes": [list(words) for words in ACTS.values()]},
    {"annotation": "act", "evaluation": "act label", "equivalence_classes": [["Cut"], ["Raised"]]},
    {"annotation": "scope", "evaluation": "scope", "equivalence_classes": [list(words) for words in SCOPES]},
    {"annotation": "act", "evaluation": "act negation", "equivalence_classes": [["cut rates"], ["raised rates"]]},
]


def sources_of_world() -> list[dict[str, Any]]:
    said = ["The Committee decided to cut its target.", "The Committee decided to raise its target."]
    return [
        {
            "id": f"s{number}",
            "title": f"Meeting {number}",
            "sentences": [FILLER[number % 4], said[number % 2], FILLER[(number + 1) % 4], f"It met {number} times."],
        }
        for number in range(len(SPLITS))
    ]


def target(name: str, sources: Sequence[str], split: str, act: str, comment: str, scope: str) -> dict[str, Any]:
    text = f"The Fed {act} and may do more {scope}."
    spans = [
        {"start": 0, "end": len(text), "category": "STD SENTENCE", "comment": None},
        {"start": 8, "end": 8 + len(act), "category": "ACT", "comment": comment},
        {"start": text.index(scope), "end": text.index(scope) + len(scope), "category": "SCOPE", "comment": None},
    ]
    return {"id": name, "item": name, "sources": list(sources), "split": split, "text": text, "spans": spans}


def targets_of_world() -> list[dict[str, Any]]:
    found = []
    for number, split in enumerate(SPLITS):
        for at, words in enumerate(list(ACTS.values())[number % 2]):
            comment, scope = ("Cut", "Raised")[number % 2], SCOPES[at][number // 2 % 2]
            found.append(target(f"t{number}-{at}", [f"s{number}"], split, words, comment, scope))
    return found


def write_rows(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def write_world(
    folder: Path,
    systems: Mapping[str, Table],
    *,
    sources: Sequence[Mapping[str, Any]] | None = None,
    targets: Sequence[Mapping[str, Any]] | None = None,
    evaluations: Any = EVALUATIONS,
    tables: Mapping[str, Table] | None = None,
) -> Path:
    """Write the files of the world, and a configuration whose tables `tables` change. Return its path."""
    write_rows(folder / "sources.jsonl", sources_of_world() if sources is None else sources)
    write_rows(folder / "targets.jsonl", targets_of_world() if targets is None else targets)
    (folder / "evaluations.json").write_text(json.dumps(evaluations))
    made: dict[str, dict[str, Any]] = {
        "data": {"sources": "sources.jsonl", "targets": "targets.jsonl", "evaluations": "evaluations.json"},
        "run": {"systems": list(systems), "device": "cpu"},
        "training": {"max_epochs": 2, "max_target_tokens": 60},
        "filterbert": {"max_epochs": 2},
        "generation": {"beams": 2, "min_tokens": 5, "max_tokens": 30},
    }
    for name, table in (tables or {}).items():
        made[name] = {**made.get(name, {}), **table}
    text = toml_dumps(made) + "".join(
        toml_dumps({name: values}).replace(f"[{name}]", f"\n[systems.{name}]", 1) for name, values in systems.items()
    )
    config = folder / "interpretation.toml"
    config.write_text(text)
    return config
