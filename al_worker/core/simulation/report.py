"""Write report.html, one file that opens anywhere, with the plots inside. The plots are also written as files."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from al_worker.core.errors import CoreError
from al_worker.core.simulation.config import SimulationSettings
from al_worker.core.simulation.plots import Plot, Points, Series, curves_plot, points_plot
from al_worker.formats.drawing import can_draw
from al_worker.formats.run_directory import write_atomic
from al_worker.formats.simulation import PLOTS, REPORT

MEASURES = {"area_under_curve": "area under the curve", "last_macro_f1": "macro-F1 after the last batch"}
NO_PLOTS = (
    "There are no plots, because Matplotlib is not installed on this machine. Install it, then write the report again "
    "with --report-only."
)


class TemplatesUnavailable(CoreError):
    """Signal that Jinja2, which comes with torch, is not on this machine."""


@dataclass(frozen=True, slots=True)
class Table:
    """Hold a table of the report. Its first column is text, or with `is_words` all are."""

    head: Sequence[str]
    rows: Sequence[Sequence[object]]
    is_words: bool = False


def report_write(settings: SimulationSettings, summary: Mapping[str, Any]) -> Sequence[str]:
    """Write report.html and the files of the plots into the results folder. Return what to know about them.

    Raises TemplatesUnavailable.
    """
    folder = settings.results / PLOTS
    folder.mkdir(exist_ok=True)
    plots = [list(_plots(settings, study)) if can_draw() else [] for study in summary["studies"]]
    for study, own in zip(summary["studies"], plots, strict=True):
        for plot in own:
            for kind, data in plot.files.items():
                write_atomic(folder / f"{study['model']}-b{study['batch_size']}-{plot.name}.{kind}", data)
    notices = [] if can_draw() else [NO_PLOTS]
    write_atomic(settings.results / REPORT, _page(settings, summary, plots, notices).encode())
    return notices


def _page(
    settings: SimulationSettings, summary: Mapping[str, Any], plots: Sequence[Sequence[Plot]], notices: Sequence[str]
) -> str:
    try:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
    except ModuleNotFoundError as error:
        raise TemplatesUnavailable("the report needs Jinja2: install it, then use --report-only") from error
    folder = FileSystemLoader(Path(__file__).parent / "templates")
    environment = Environment(loader=folder, autoescape=True, undefined=StrictUndefined)
    return environment.get_template("report.html").render(
        name=settings.path.stem,
        notices=[*summary["notices"], *notices],
        has_primary=bool(settings.report.primary),
        area_includes_first_batch=settings.report.first_batch_in_area,
        **_setup(settings, summary),
        full=_full_table(summary),
        studies=[_study(study, own) for study, own in zip(summary["studies"], plots, strict=True)],
    )


def _setup(settings: SimulationSettings, summary: Mapping[str, Any]) -> dict[str, Table]:
    hashes = settings.data_hashes
    share = settings.data.validation_share
    measured = ("test", settings.data.test) if not share else (f"validation: {share:.0%} of train", settings.data.train)
    data = [("train (the pool)", settings.data.train, hashes["train"]), (*measured, hashes["test"])]
    strategies = [
        (key, case.name, ", ".join(f"{name} = {value}" for name, value in case.options.items()))
        for key, case in settings.strategies.items()
    ]
    rates = [(key, rate.value, rate.reason) for key in settings.models if (rate := settings.learning_rate(key))]
    parts = ["", *summary["parts"]]
    head = ("reference without learning, macro-F1", *(_part_words(part, summary) for part in parts))
    references = [(name, *(f"{of[part]:.4f}" for part in parts)) for name, of in summary["references"].items()]
    return {
        "data": Table(("data", "file", "sha256"), [(what, file, digest[:16]) for what, file, digest in data], True),
        "strategies": Table(("strategy", "acquisition function", "options"), strategies, True),
        "rates": Table(("model", "learning rate", "where it comes from"), rates, True),
        "references": Table(head, references),
    }


def _full_table(summary: Mapping[str, Any]) -> Table:
    rows = [
        (
            model,
            full["n_labeled"],
            len(full["seeds"]),
            _with_sd(full["training_macro_f1"]),
            _with_sd(full["macro_f1"]),
            *(_with_sd(full["parts"][part]) for part in summary["parts"]),
        )
        for model, full in summary["full_supervision"].items()
        if full
    ]
    parts = (f"macro-F1 {_part_words(part, summary)}" for part in summary["parts"])
    return Table(("model", "labels", "seeds", "macro-F1 train", "macro-F1 test", *parts), rows)


def _part_words(part: str, summary: Mapping[str, Any]) -> str:
    return f"{part} (n = {summary['parts'][part]:,})" if part else f"all test items (n = {summary['n_test']:,})"


def _reference_lines(study: Mapping[str, Any], full: float | None, part: str) -> list[tuple[str, float]]:
    lines = [("full supervision", full)] if full is not None else []
    return lines + [(name, of[part]) for name, of in study["references"].items()]


def _plots(settings: SimulationSettings, study: Mapping[str, Any]) -> Iterator[Plot]:
    where = f"{study['model']}, batches of {study['batch_size']}"
    curves = [_series(key, s["n_labeled"], s["macro_f1"]) for key, s in study["strategies"].items()]
    lines = _reference_lines(study, study["full_supervision_macro_f1"], "")
    yield curves_plot("macro-f1", f"Test macro-F1: {where}", "labels", "macro-F1", curves, lines)
    for part, found in study["parts"].items():
        curves = [_series(key, s["n_labeled"], s["macro_f1"]) for key, s in found["strategies"].items()]
        lines = _reference_lines(study, found["full_supervision_macro_f1"], part)
        title = f"Test macro-F1, {part} (n = {found['n']:,}): {where}"
        yield curves_plot(f"macro-f1-{_file_part(part)}", title, "labels", "macro-F1", curves, lines)
    for label in _shown_labels(settings, study):
        shares = [_series(key, s["n_labeled"], s["class_shares"][label]) for key, s in study["strategies"].items()]
        title = f'Share of "{label}" among the labelled: {where}'
        yield curves_plot(f"share-{_file_part(label)}", title, "labels", "share", shares)
    rows = [_row(d) for d in study["differences"] if _against_baseline(study, d)]
    if rows:
        title = f"Difference in area under the curve from {study['baseline']}: {where}"
        yield points_plot("differences", title, "points: seeds; bar: mean; line: 95 % t interval", rows)


def _shown_labels(settings: SimulationSettings, study: Mapping[str, Any]) -> list[str]:
    labels = list(next(iter(study["strategies"].values()))["class_shares"])
    positive = [label for label in labels if label in settings.data.positive_labels]
    return positive or (labels[1:] if len(labels) == 2 else labels)


def _against_baseline(study: Mapping[str, Any], difference: Mapping[str, Any]) -> bool:
    return difference["measure"] == "area_under_curve" and difference["against"] == study["baseline"]


def _study(study: Mapping[str, Any], plots: Sequence[Plot]) -> dict[str, Any]:
    same = study["same_curves"]
    return {
        **study,
        "plots": plots,
        "table": _strategies_table(study),
        "comparisons": _comparisons(study["differences"], same),
        "parts": [
            {
                "words": f"{part}, n = {found['n']:,}",
                "table": _strategies_table(found),
                "comparisons": _comparisons(found["differences"], same),
            }
            for part, found in study["parts"].items()
        ],
    }


def _comparisons(differences: Sequence[Mapping[str, Any]], same: Mapping[str, str]) -> Table:
    head = (
        "first − second",
        "measure",
        "mean",
        "95 % t interval",
        "95 % seeds and items",
        "seeds higher / equal / lower",
        "named",
    )
    return Table(head, [_difference(d) for d in differences if d["strategy"] not in same])


def _strategies_table(study: Mapping[str, Any]) -> Table:
    shown = next(iter(study["strategies"].values()))
    percents, trains = list(shown.get("labels_to_reach", {})), "training_macro_f1" in shown
    more = ("on training items", "not informative") if trains else ()
    head = ("strategy", "area", "last macro-F1", *more, *(f"labels to {percent} %" for percent in percents))
    rows = [
        (
            key,
            _with_sd(summary["area_under_curve"]),
            _with_sd(summary["last_macro_f1"]),
            *([_with_sd(summary["training_macro_f1"][-1]), _not_informative(summary)] if trains else []),
            *(_reached(summary["labels_to_reach"][percent]) for percent in percents),
        )
        for key, summary in study["strategies"].items()
    ]
    return Table(head, rows)


def _not_informative(summary: Mapping[str, Any]) -> str:
    counts = summary["n_not_informative"]
    return f"{sum(counts)} of {len(counts) * len(summary['last_macro_f1']['by_seed'])} models"


def _reached(reached: Mapping[str, Any]) -> str:
    seeds = reached["by_seed"]
    counted = f"({sum(value is not None for value in seeds)} of {len(seeds)})"
    if reached["mean_curve"] is None:
        return f"not reached {counted}"
    factor = reached.get("utilisation")
    return f"{reached['mean_curve']} {counted}" + (f" {factor:.2f}x" if factor is not None else "")


def _difference(difference: Mapping[str, Any]) -> tuple[str, ...]:
    interval, n = difference["interval_95"], len(difference["by_seed"])
    lower = n - difference["n_higher"] - difference["n_equal"]
    return (
        f"{difference['strategy']} − {difference['against']}",
        MEASURES[difference["measure"]],
        f"{difference['mean']:+.4f}",
        _interval(interval),
        _interval(difference["interval_95_seeds_and_items"]),
        f"{difference['n_higher']} / {difference['n_equal']} / {lower}",
        "primary" if difference["primary"] else "exploratory",
    )


def _interval(interval: Sequence[float] | None) -> str:
    return f"{interval[0]:+.4f} to {interval[1]:+.4f}" if interval else "one seed"


def _series(name: str, labels: Sequence[int], points: Sequence[Mapping[str, Any]]) -> Series:
    return Series(name, labels, [point["mean"] for point in points], [point["sd"] or 0.0 for point in points])


def _row(difference: Mapping[str, Any]) -> Points:
    interval = difference["interval_95"]
    return Points(
        difference["strategy"],
        difference["by_seed"],
        difference["mean"],
        (interval[0], interval[1]) if interval else None,
    )


def _with_sd(spread: Mapping[str, Any]) -> str:
    return f"{spread['mean']:.4f}" + (f" ± {spread['sd']:.4f}" if spread["sd"] is not None else "")


def _file_part(label: str) -> str:
    return "".join(c if c.isascii() and (c.isalnum() or c in "-.") else f"_{ord(c):x}" for c in label)
