"""Turn lines into comparisons: mean curves, areas, labels needed, paired differences. The result is JSON-ready."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from al_worker.core.simulation.cells import Cell, cell_is_done
from al_worker.core.simulation.config import SimulationSettings
from al_worker.core.simulation.figures import area_under_curve, labels_to_reach, mean_and_sd, utilisation
from al_worker.core.simulation.parts import TestSet, references
from al_worker.core.simulation.uncertainty import Curve, seeds_and_items_intervals, t_interval
from al_worker.formats.simulation import FULL

PERCENTAGES = (90, 95, 100)
MEASURES = ("area_under_curve", "last_macro_f1")
WHOLE = ""
Line = Mapping[str, Any]
# {strategy: one curve of lines for each seed}
Curves = Mapping[str, Sequence[Sequence[Line]]]


def summarise(
    settings: SimulationSettings,
    lines: Sequence[Line],
    test: TestSet,
    pool_counts: Mapping[str, int],
    notices: Sequence[str] = (),
) -> dict[str, Any]:
    """Return full supervision by model, and one study for each model and batch size, on all test items and by part.

    Only seeds that every strategy has finished are compared; `seeds_unfinished` names the others.
    `notices` concern the data and are passed on.
    """
    lines_of_reference = references(settings, test, pool_counts)
    full = {model: _full_supervision(_of(lines, strategy=FULL, model=model), test.parts) for model in settings.models}
    studies = []
    for model in settings.models:
        for size in settings.run.batch_sizes:
            curves, seeds = _finished(settings, model, size, lines, sum(pool_counts.values()))
            if seeds:
                study = _study(settings, curves, test, full[model])
                unfinished = [seed for seed in settings.run.seeds if seed not in seeds]
                where = {"model": model, "batch_size": size, "seeds": seeds, "seeds_unfinished": unfinished}
                studies.append(where | {"references": lines_of_reference} | study)
    return {
        "notices": list(notices),
        "n_test": len(test.items),
        "parts": {name: int(mask.sum()) for name, mask in test.parts.items()},
        "references": lines_of_reference,
        "area_includes_first_batch": settings.report.first_batch_in_area,
        "full_supervision": full,
        "studies": studies,
    }


def _finished(
    settings: SimulationSettings, model: str, size: int, lines: Sequence[Line], n_pool: int
) -> tuple[Curves, list[int]]:
    """Return the curves of the seeds that all strategies have finished, and these seeds."""
    found: dict[str, list[Sequence[Line]]] = {key: [] for key in settings.strategies}
    seeds = []
    for seed in settings.run.seeds if settings.strategies else ():
        own = {key: _of(lines, strategy=key, model=model, batch_size=size, seed=seed) for key in settings.strategies}
        cells = {key: Cell(strategy=key, model=model, seed=seed, batch_size=size) for key in own}
        if all(cell_is_done(settings, cells[key], curve, n_pool) for key, curve in own.items()):
            seeds.append(seed)
            for key, curve in own.items():
                found[key].append(curve)
    return found, seeds


def _full_supervision(lines: Sequence[Line], parts: Iterable[str]) -> dict[str, Any] | None:
    if not lines:
        return None
    figures = ("macro_f1", "training_macro_f1", "accuracy")
    return {
        "n_labeled": lines[0]["n_labeled"],
        "class_counts": lines[0]["class_counts"],
        "seeds": [line["seed"] for line in lines],
        **{name: _spread([line[name] for line in lines]) for name in figures},
        "parts": {part: _spread([line["parts"][part] for line in lines]) for part in parts},
    }


def _study(settings: SimulationSettings, curves: Curves, test: TestSet, full: dict[str, Any] | None) -> dict[str, Any]:
    target = full["macro_f1"]["mean"] if full else None
    strategies = {key: _strategy(settings, own, target) for key, own in curves.items()}
    baseline = settings.run.baseline if settings.run.baseline in strategies else None
    if baseline:
        for summary in strategies.values():
            _add_utilisation(summary["labels_to_reach"], strategies[baseline]["labels_to_reach"])
    return {
        "full_supervision_macro_f1": target,
        "baseline": baseline,
        "strategies": strategies,
        "same_curves": _same_curves(curves),
        "differences": _differences(settings, curves, test, strategies, baseline, WHOLE),
        "parts": {part: _part(settings, curves, test, full, baseline, part) for part in test.parts},
    }


def _part(
    settings: SimulationSettings,
    curves: Curves,
    test: TestSet,
    full: dict[str, Any] | None,
    baseline: str | None,
    part: str,
) -> dict[str, Any]:
    """Return the same models' figures on one part of the test items."""
    strategies = {key: _measures(settings, own, part) for key, own in curves.items()}
    return {
        "n": int(test.parts[part].sum()),
        "full_supervision_macro_f1": full["parts"][part]["mean"] if full else None,
        "strategies": strategies,
        "differences": _differences(settings, curves, test, strategies, baseline, part),
    }


def _measures(settings: SimulationSettings, curves: Sequence[Sequence[Line]], part: str) -> dict[str, Any]:
    """Return mean curve, areas and last values of macro-F1, over a part or all test items."""
    scores = [[_score(line, part) for line in curve] for curve in curves]
    first = _first(settings, curves)
    areas = [
        area_under_curve(_values(curve, "n_labeled")[first:], own[first:])
        for curve, own in zip(curves, scores, strict=True)
    ]
    # Curves have one length, unless one of them ran out of texts earlier.
    columns = list(zip(*curves, strict=False))
    return {
        "n_labeled": [round(sum(_values(column, "n_labeled")) / len(column)) for column in columns],
        "macro_f1": [_spread([_score(line, part) for line in column]) for column in columns],
        "area_under_curve": _spread(areas),
        "last_macro_f1": _spread([own[-1] for own in scores]),
    }


def _first(settings: SimulationSettings, curves: Sequence[Sequence[Line]]) -> int:
    """Return the batch at which areas begin. A curve of one batch keeps that batch."""
    return int(not settings.report.first_batch_in_area and min(len(curve) for curve in curves) > 1)


def _score(line: Line, part: str) -> float:
    return float(line["parts"][part] if part else line["macro_f1"])


def _strategy(settings: SimulationSettings, curves: Sequence[Sequence[Line]], target: float | None) -> dict[str, Any]:
    columns = list(zip(*curves, strict=False))
    labels = list(curves[0][0]["class_shares"])
    measures = _measures(settings, curves, WHOLE)
    means = [point["mean"] for point in measures["macro_f1"]]
    return measures | {
        "training_macro_f1": [_spread(_values(column, "training_macro_f1")) for column in columns],
        "n_not_informative": [sum(line.get("informative") is False for line in column) for column in columns],
        "class_shares": {
            label: [_spread([line["class_shares"][label] for line in column]) for column in columns] for label in labels
        },
        "labels_to_reach": _reaching(curves, measures["n_labeled"], means, target),
    }


def _reaching(
    curves: Sequence[Sequence[Line]], labels: Sequence[int], means: Sequence[float], full: float | None
) -> dict[str, Any]:
    if full is None:
        return {}
    return {
        str(percent): {
            "macro_f1": full * percent / 100,
            "mean_curve": labels_to_reach(labels, means, full * percent / 100),
            "by_seed": [
                labels_to_reach(_values(c, "n_labeled"), _values(c, "macro_f1"), full * percent / 100) for c in curves
            ],
        }
        for percent in PERCENTAGES
    }


def _add_utilisation(own: dict[str, Any], baseline: Mapping[str, Any]) -> None:
    for percent, reached in own.items():
        reached["utilisation"] = utilisation(reached["mean_curve"], baseline[percent]["mean_curve"])


def _same_curves(curves: Curves) -> dict[str, str]:
    """Return {strategy: an earlier one whose curves it repeats in every seed}. With two labels some must repeat."""
    told: dict[str, str] = {}
    firsts: dict[str, str] = {}
    for key, own in curves.items():
        what = repr([[(line["n_labeled"], line["macro_f1"], line["class_counts"]) for line in curve] for curve in own])
        if what in firsts:
            told[key] = firsts[what]
        firsts.setdefault(what, key)
    return told


def _differences(
    settings: SimulationSettings,
    curves: Curves,
    test: TestSet,
    strategies: Mapping[str, Any],
    baseline: str | None,
    part: str,
) -> list[dict[str, Any]]:
    """Return each strategy's difference from the baseline, per seed; of every pair where there is no baseline.

    Seeds share the first batch and the models' seeds, so their differences are paired.
    """
    pairs = (
        [(key, baseline) for key in strategies if key != baseline] if baseline else list(combinations(strategies, 2))
    )
    items = _items_intervals(settings, curves, test, baseline, part) if baseline else {}
    return [
        {
            "strategy": one,
            "against": other,
            "measure": measure,
            "primary": (one, part, measure) == (settings.report.primary, settings.report.primary_part, MEASURES[0]),
            **_paired(strategies, one, other, measure),
            "interval_95_seeds_and_items": list(items[one][measure]) if one in items else None,
        }
        for measure in MEASURES
        for one, other in pairs
    ]


def _items_intervals(
    settings: SimulationSettings, curves: Curves, test: TestSet, baseline: str, part: str
) -> dict[str, dict[str, tuple[float, float]]]:
    mask = test.parts[part] if part else np.ones(len(test.true), dtype=np.bool_)
    shown = {
        key: [Curve(_values(c, "n_labeled"), np.array(_values(c, "predicted"))[:, mask]) for c in own]
        for key, own in curves.items()
    }
    return seeds_and_items_intervals(
        test.true[mask],
        shown,
        baseline,
        n_labels=len(test.labels),
        resamples=settings.report.resamples,
        seed=settings.report.bootstrap_seed,
        first=_first(settings, [curve for own in curves.values() for curve in own]),
    )


def _paired(strategies: Mapping[str, Any], one: str, other: str, measure: str) -> dict[str, Any]:
    pairs = zip(strategies[one][measure]["by_seed"], strategies[other][measure]["by_seed"], strict=True)
    by_seed = [a - b for a, b in pairs]
    interval = t_interval(by_seed)
    return {
        **_spread(by_seed),
        "interval_95": list(interval) if interval else None,
        "n_higher": sum(difference > 0 for difference in by_seed),
        "n_equal": sum(difference == 0 for difference in by_seed),
    }


def _spread(values: Sequence[float]) -> dict[str, Any]:
    mean, sd = mean_and_sd(values)
    return {"mean": mean, "sd": sd, "by_seed": list(values)}


def _values(lines: Iterable[Line], name: str) -> list[Any]:
    return [line[name] for line in lines]


def _of(lines: Sequence[Line], **wanted: Any) -> list[Line]:
    return [line for line in lines if all(line[name] == value for name, value in wanted.items())]
