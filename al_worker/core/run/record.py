"""Write record.json: everything that was asked, done and found in the round, from config and step markers."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from al_worker.core.run.config import RunConfig
from al_worker.core.run.files import file_hash, value_hash
from al_worker.core.run.machine import library_versions, machine_facts
from al_worker.core.run.steps import marker_read
from al_worker.formats.run_directory import (
    CONFIG,
    ISSUED,
    LABELED,
    METRICS,
    POOL,
    RECORD,
    SELECTED,
    STEP_NAMES,
    read_items,
    read_json,
    read_selected,
    write_json,
)
from al_worker.formats.strategies import check_options

FORMAT_VERSION = 1


def record_write(run: Path, config: RunConfig) -> None:
    """Write record.json after a selection. Tables of config.toml that the strategy does not use are kept as given."""
    strategy = config.strategy
    learned = strategy.declaration.needs_model
    steps = STEP_NAMES if learned else ("select",)
    markers = {name: marker for name in steps if (marker := marker_read(run, name))}
    record = {
        "format_version": FORMAT_VERSION,
        "config": dict(config.tables),
        "round": asdict(config.round),
        "strategy": _strategy(config, markers["select"]["facts"].get("strategy_used", strategy.name)),
        "learning_rate": asdict(rate) if learned and (rate := config.learning_rate) else None,
        "model": _model(config, markers) if learned else None,
        "seeds": markers.get("train", {}).get("facts", {}).get("seeds"),
        "hyperparameters": markers.get("train", {}).get("facts", {}).get("hyperparameters"),
        "training_set": _training_set(run, learned),
        "inputs": {name: file_hash(run / name) for name in (CONFIG, LABELED, ISSUED, POOL)},
        "steps": {name: _step(marker) for name, marker in markers.items()},
        "metrics": read_json(run / METRICS) if learned and (run / METRICS).is_file() else None,
        "notices": [notice for marker in markers.values() for notice in marker["facts"].get("notices", [])],
        "selected": [
            {"id": s.id, "rank": s.rank, "score": s.score, "source": s.source} for s in read_selected(run / SELECTED)
        ],
        "versions": library_versions(),
        "machine": machine_facts(),
    }
    write_json(run / RECORD, record)


def _strategy(config: RunConfig, used: str) -> dict[str, Any]:
    """Return the strategy that was asked for and the one that selected. `options` belong to the one that selected."""
    strategy = config.strategy
    options = dict(strategy.options) if used == strategy.name else check_options(used, {})
    told: dict[str, Any] = {"asked": strategy.name, "used": used, "options": options}
    if used != strategy.name:
        told["reason"] = "the model is not informative: see metrics, doubts"
    elif strategy.declaration.needs_model and config.heads:
        told["combine"] = strategy.combine
    return told | ({"alternative": strategy.alternative} if strategy.alternative else {})


def _model(config: RunConfig, markers: dict[str, Any]) -> dict[str, Any]:
    facts = markers.get("train", {}).get("facts", {})
    names = ("model_revision", "pretrained_weights_sha256", "architecture", "labels", "heads", "dropouts",
             "classifier_pooling", "new_parameters", "max_tokens", "tokenizer_hash")  # fmt: skip
    return {"name": config.model.name, **{name: facts[name] for name in names if name in facts}}


def _training_set(run: Path, used: bool) -> dict[str, Any]:
    items = read_items(run / LABELED)
    pairs = [
        {"id": item.id, "labels": dict(item.labels)} if item.labels else {"id": item.id, "label": item.label}
        for item in items
    ]
    return {"used": used, "n": len(items), "sha256": value_hash({"items": pairs}), "items": pairs}


def _step(marker: dict[str, Any]) -> dict[str, Any]:
    return {name: marker[name] for name in ("started_at", "seconds", "inputs_hash", "outputs", "facts")}
