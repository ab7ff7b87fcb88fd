"""Run an evaluation on files: `python -m al_worker.core evaluate CONFIG.toml`.

The results folder holds the predictions of all systems, the raw answers of each language model, figures.json, and
tables and plots for paper. An answer is on disk before the next one is read, and is never asked for again.
"""

from collections.abc import Sequence
from dataclasses import asdict
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from al_worker.core.evaluation.comparison import mcnemar
from al_worker.core.evaluation.config import EvaluationSettings, read_evaluation
from al_worker.core.evaluation.inputs import Inputs, read_inputs
from al_worker.core.evaluation.paper_plots import plots_of
from al_worker.core.evaluation.predictions import Prediction
from al_worker.core.evaluation.system_figures import GATED, StageContext, system_figures
from al_worker.core.evaluation.systems import SystemPredictions, predict
from al_worker.core.run.lifetime import run_lock
from al_worker.core.run.paper_files import paper_files_write
from al_worker.core.run.progress import Progress
from al_worker.formats.evaluation import FIGURES, PREDICTIONS, STOP_SECONDS
from al_worker.formats.evaluation_tables import tables_of
from al_worker.formats.p_values import holm
from al_worker.formats.run_directory import write_json, write_rows


def evaluate(config: Path, cache: Path, form: str) -> Path:
    """Let every system predict every stage, and return the path of the figures.

    A run that was stopped goes on from the answers that are there. It waits for one that still stops. Raises
    ConfigError, RunDirectoryError, ModelUnavailable, ProviderError and Stopped; the answers that came before are kept.
    """
    settings = read_evaluation(config)
    inputs = read_inputs(settings)
    settings.results.mkdir(parents=True, exist_ok=True)
    with run_lock(settings.results, patience=2 * STOP_SECONDS):
        systems = [predict(settings, inputs, system, cache, form) for system in settings.run.systems]
        write_rows(settings.results / PREDICTIONS, (line for system in systems for line in system.lines()))
        figures = _figures(settings, inputs, systems)
        figures["notices"] += paper_files_write(
            settings.results, tables_of(figures), plots_of(figures), Progress("figures", form)
        )
        write_json(settings.results / FIGURES, figures)
    return settings.results / FIGURES


def _figures(settings: EvaluationSettings, inputs: Inputs, systems: Sequence[SystemPredictions]) -> dict[str, Any]:
    run = settings.run
    return {
        "titles": dict(settings.titles),
        "seed": run.seed,
        "folds": run.folds,
        "examples": run.examples,
        "epsilon": run.epsilon,
        "limit": run.limit or None,
        "pool": max(sum(item.in_pool for item in items) for items in inputs.pool.values()),
        "is_random_sample": settings.data.is_random_sample,
        "notices": [notice for system in systems for notice in system.notices],
        "systems": [{"name": system.name, "kind": system.kind, **system.facts} for system in systems],
        "stages": [_stage(settings, inputs, stage, systems) for stage in inputs.gold],
    }


def _stage(
    settings: EvaluationSettings, inputs: Inputs, stage: str, systems: Sequence[SystemPredictions]
) -> dict[str, Any]:
    items, table = inputs.gold[stage], settings.stages[stage]
    unanimous = [item.is_unanimous for item in items if item.is_unanimous is not None]
    sample_note = "" if settings.data.is_random_sample else settings.data.sample_note
    context = StageContext(
        labels=table.labels,
        items=items,
        answers=None if inputs.answers is None else inputs.answers.get(stage, {}),
        why_no_shares=sample_note or (GATED if table.has_gate else ""),
        epsilon=settings.run.epsilon,
        seed=settings.run.seed,
    )
    in_pool = {item.id for item in inputs.pool[stage] if item.in_pool}
    answered = [system for system in systems if system.gold[stage]]
    return {
        "key": stage,
        "n": len(items),
        "labels": list(table.labels),
        "gold": {label: sum(item.label == label for item in items) for label in table.labels},
        "n_unanimous": sum(unanimous) if unanimous else None,
        "systems": [
            system_figures(
                system.name,
                system.gold[stage],
                {item: label for item, label in system.pool[stage].items() if item in in_pool},
                context,
            )
            for system in answered
        ],
        "pairs": _pairs({system.name: system.gold[stage] for system in answered}),
        "humans": None if inputs.humans is None else inputs.humans.get(stage),
    }


def _pairs(systems: dict[str, list[Prediction]]) -> list[dict[str, Any]]:
    """Return an exact McNemar test for each pair of systems on the items that both answered, adjusted by Holm."""
    rows = []
    for first, second in combinations(systems, 2):
        theirs = {row.id: row for row in systems[second]}
        both = [(row, theirs[row.id]) for row in systems[first] if row.id in theirs]
        right = np.array([[a.label == a.gold, b.label == b.gold] for a, b in both], dtype=bool).reshape(-1, 2)
        test = mcnemar(right[:, 0], right[:, 1])
        rows.append({"first": first, "second": second, "n": len(both), **asdict(test)})
    for row, adjusted in zip(rows, holm([row["p"] for row in rows]), strict=True):
        row["p_holm"] = adjusted
    return rows
