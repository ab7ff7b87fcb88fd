"""From lines to what is compared: mean curves, areas, labels needed, paired differences. JSON-ready."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

from al_worker.core.simulation.config import SimulationSettings
from al_worker.core.simulation.figures import (
    area_under_curve,
    bootstrap_interval,
    labels_to_reach,
    mean_and_sd,
    utilisation,
)
from al_worker.formats.simulation import FULL

PERCENTAGES = (90, 95, 100)
Line = Mapping[str, Any]


def summarise(settings: SimulationSettings, lines: Sequence[Line]) -> dict[str, Any]:
    """Full supervision by model, and one study for each model and batch size."""
    full = {model: _full_supervision(_of(lines, strategy=FULL, model=model)) for model in settings.models}
    studies = [
        _study(settings, model, size, _of(lines, model=model, batch_size=size), full[model])
        for model in settings.models
        for size in settings.run.batch_sizes
        if settings.strategies
    ]
    return {"full_supervision": full, "studies": studies}


def _full_supervision(lines: Sequence[Line]) -> dict[str, Any] | None:
    if not lines:
        return None
    figures = ("macro_f1", "training_macro_f1", "accuracy")
    return {
        "n_labeled": lines[0]["n_labeled"],
        "class_counts": lines[0]["class_counts"],
        "seeds": [line["seed"] for line in lines],
        **{name: _spread([line[name] for line in lines]) for name in figures},
    }


def _study(
    settings: SimulationSettings, model: str, size: int, lines: Sequence[Line], full: dict[str, Any] | None
) -> dict[str, Any]:
    curves = {key: [_of(lines, strategy=key, seed=seed) for seed in settings.run.seeds] for key in settings.strategies}
    target = full["macro_f1"]["mean"] if full else None
    strategies = {key: _strategy(curve, target) for key, curve in curves.items()}
    baseline = settings.run.baseline
    if baseline in strategies:
        for summary in strategies.values():
            _add_utilisation(summary["labels_to_reach"], strategies[baseline]["labels_to_reach"])
    return {
        "model": model,
        "batch_size": size,
        "seeds": list(settings.run.seeds),
        "full_supervision_macro_f1": target,
        "baseline": baseline if baseline in strategies else None,
        "strategies": strategies,
        "differences": _differences(settings, strategies),
    }


def _strategy(curves: Sequence[Sequence[Line]], target: float | None) -> dict[str, Any]:
    areas = [area_under_curve(_values(curve, "n_labeled"), _values(curve, "macro_f1")) for curve in curves]
    # Curves are of one length unless texts ran out earlier in one of them.
    columns = list(zip(*curves, strict=False))
    labels = list(curves[0][0]["class_shares"])
    mean_labels = [round(sum(_values(column, "n_labeled")) / len(column)) for column in columns]
    macro_f1 = [_spread(_values(column, "macro_f1")) for column in columns]
    return {
        "n_labeled": mean_labels,
        "macro_f1": macro_f1,
        "class_shares": {
            label: [_spread([line["class_shares"][label] for line in column]) for column in columns] for label in labels
        },
        "area_under_curve": _spread(areas),
        "last_macro_f1": _spread([curve[-1]["macro_f1"] for curve in curves]),
        "labels_to_reach": _reaching(curves, mean_labels, [point["mean"] for point in macro_f1], target),
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


def _differences(settings: SimulationSettings, strategies: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Every pair, per seed: seeds share the first batch and the models' seeds, so their differences are paired."""
    baseline = settings.run.baseline
    # The baseline stands second, so that a positive difference speaks for the other.
    ordered = sorted(strategies, key=lambda key: key == baseline)
    return [
        {"strategy": one, "against": other, "measure": measure, **_paired(settings, strategies, one, other, measure)}
        for measure in ("area_under_curve", "last_macro_f1")
        for one, other in combinations(ordered, 2)
    ]


def _paired(
    settings: SimulationSettings, strategies: Mapping[str, Any], one: str, other: str, measure: str
) -> dict[str, Any]:
    pairs = zip(strategies[one][measure]["by_seed"], strategies[other][measure]["by_seed"], strict=True)
    by_seed = [a - b for a, b in pairs]
    interval = bootstrap_interval(by_seed, settings.report.resamples, settings.report.bootstrap_seed)
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
