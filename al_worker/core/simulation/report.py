"""Write report.html, one file that opens anywhere, with the plots inside. The plots are also written as SVG files."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from al_worker.core.simulation.config import SimulationSettings
from al_worker.core.simulation.plots import Points, Series, curves_svg, points_svg
from al_worker.formats.run_directory import write_atomic
from al_worker.formats.simulation import PLOTS, REPORT

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #222; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .6rem; border-bottom: 1px solid #ddd; text-align: right; }
th:first-child, td:first-child, .words th, .words td { text-align: left; }
svg { max-width: 100%; height: auto; }
.note { color: #555; }
"""
MEASURES = {"area_under_curve": "area under the curve", "last_macro_f1": "macro-F1 after the last batch"}


def report_write(settings: SimulationSettings, summary: Mapping[str, Any]) -> None:
    """Write report.html and plots/*.svg into the results folder."""
    folder = settings.results / PLOTS
    folder.mkdir(exist_ok=True)
    title = f"Simulation {settings.path.stem}"
    body = [f"<h1>{escape(title)}</h1>", *_setup(settings, summary), *_full_table(summary)]
    for study in summary["studies"]:
        plots = dict(_plots(settings, study))
        for name, svg in plots.items():
            write_atomic(folder / f"{study['model']}-b{study['batch_size']}-{name}.svg", svg.encode())
        body += _study(settings, study, list(plots.values()))
    html = f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
    page = f"{html}<style>{STYLE}</style></head>\n<body>\n" + "\n".join(body) + "\n</body></html>\n"
    write_atomic(settings.results / REPORT, page.encode())


def _setup(settings: SimulationSettings, summary: Mapping[str, Any]) -> Iterator[str]:
    hashes = settings.data_hashes
    share = settings.data.validation_share
    measured = ("test", settings.data.test) if not share else (f"validation: {share:.0%} of train", settings.data.train)
    rows = [("train (the pool)", settings.data.train, hashes["train"]), (*measured, hashes["test"])]
    yield _table(("data", "file", "sha256"), [(what, file, digest[:16]) for what, file, digest in rows], "words")
    yield _table(
        ("strategy", "acquisition function", "options"),
        [
            (key, case.name, ", ".join(f"{name} = {value}" for name, value in case.options.items()))
            for key, case in settings.strategies.items()
        ],
        "words",
    )
    for notice in summary["notices"]:
        yield f'<p class="note">{escape(notice)}</p>'
    rates = [(key, rate.value, rate.reason) for key in settings.models if (rate := settings.learning_rate(key))]
    if rates:
        yield _table(("model", "learning rate", "where it comes from"), rates, "words")
    yield (
        '<p class="note">The labels of the train file answer in the place of people. Within a seed all strategies '
        "share the first, random batch. The model starts from its pretrained weights after each batch. "
        "Bands are one standard deviation over seeds.</p>"
    )
    parts = ["", *summary["parts"]]
    head = ("reference without learning, macro-F1", *(_part_words(part, summary) for part in parts))
    yield _table(head, [(name, *(f"{of[part]:.4f}" for part in parts)) for name, of in summary["references"].items()])


def _full_table(summary: Mapping[str, Any]) -> Iterator[str]:
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
    if rows:
        yield "<h2>Full supervision</h2>"
        parts = (f"macro-F1 {_part_words(part, summary)}" for part in summary["parts"])
        yield _table(("model", "labels", "seeds", "macro-F1 train", "macro-F1 test", *parts), rows)


def _part_words(part: str, summary: Mapping[str, Any]) -> str:
    return f"{part} (n = {summary['parts'][part]:,})" if part else f"all test items (n = {summary['n_test']:,})"


def _reference_lines(study: Mapping[str, Any], full: float | None, part: str) -> list[tuple[str, float]]:
    lines = [("full supervision", full)] if full is not None else []
    return lines + [(name, of[part]) for name, of in study["references"].items()]


def _plots(settings: SimulationSettings, study: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    where = f"{study['model']}, batches of {study['batch_size']}"
    curves = [_series(key, s["n_labeled"], s["macro_f1"]) for key, s in study["strategies"].items()]
    lines = _reference_lines(study, study["full_supervision_macro_f1"], "")
    yield "macro-f1", curves_svg(f"Test macro-F1: {where}", "labels", "macro-F1", curves, lines)
    for part, found in study["parts"].items():
        curves = [_series(key, s["n_labeled"], s["macro_f1"]) for key, s in found["strategies"].items()]
        lines = _reference_lines(study, found["full_supervision_macro_f1"], part)
        title = f"Test macro-F1, {part} (n = {found['n']:,}): {where}"
        yield f"macro-f1-{_file_part(part)}", curves_svg(title, "labels", "macro-F1", curves, lines)
    for label in _shown_labels(settings, study):
        shares = [_series(key, s["n_labeled"], s["class_shares"][label]) for key, s in study["strategies"].items()]
        title = f'Share of "{label}" among the labelled: {where}'
        yield f"share-{_file_part(label)}", curves_svg(title, "labels", "share", shares)
    rows = [_row(d) for d in study["differences"] if _against_baseline(study, d)]
    if rows:
        title = f"Difference in area under the curve from {study['baseline']}: {where}"
        yield "differences", points_svg(title, "points: seeds; bar: mean; line: 95 % t interval", rows)


def _shown_labels(settings: SimulationSettings, study: Mapping[str, Any]) -> list[str]:
    labels = list(next(iter(study["strategies"].values()))["class_shares"])
    positive = [label for label in labels if label in settings.data.positive_labels]
    return positive or (labels[1:] if len(labels) == 2 else labels)


def _against_baseline(study: Mapping[str, Any], difference: Mapping[str, Any]) -> bool:
    return difference["measure"] == "area_under_curve" and difference["against"] == study["baseline"]


def _study(settings: SimulationSettings, study: Mapping[str, Any], plots: Sequence[str]) -> Iterator[str]:
    yield f"<h2>{escape(study['model'])}, batches of {study['batch_size']}, seeds: {len(study['seeds'])}</h2>"
    if study["seeds_unfinished"]:
        unfinished = ", ".join(map(str, study["seeds_unfinished"]))
        yield f'<p class="note">Not finished, and left out: seeds {unfinished}.</p>'
    yield from plots
    for key, other in study["same_curves"].items():
        yield f'<p class="note">The curves of {escape(key)} are those of {escape(other)} in every seed.</p>'
    yield _strategies_table(study)
    area = "" if settings.report.first_batch_in_area else ", from the second batch on: all share the first"
    reading = (
        f"Area: trapezoid over labels, divided by their range{area}. Labels to reach a share of full supervision: "
        "first batch at which the mean curve is there, in brackets how many seeds get there by themselves"
    )
    factor = f"; x: labels needed over those of {escape(study['baseline'])}" if study["baseline"] else ""
    factor += ". Not informative: models that learned nothing by their own training figures and predictions"
    yield f'<p class="note">{reading}{factor}.</p>'
    yield from _comparisons("all test items", study["differences"], study["same_curves"])
    for part, found in study["parts"].items():
        yield _strategies_table(found)
        yield from _comparisons(f"{part}, n = {found['n']:,}", found["differences"], study["same_curves"])
    primary = "The primary comparison was named in the configuration before the run; all others are exploratory, and"
    yield (
        f'<p class="note">{primary if settings.report.primary else "No comparison was named beforehand: all"} are not '
        "corrected for their number. t interval: the mean over seeds, n − 1 degrees of freedom. Seeds and items: "
        "seeds and test items resampled together. Both hold for this pool and this test file only.</p>"
    )


def _comparisons(where: str, differences: Sequence[Mapping[str, Any]], same: Mapping[str, str]) -> Iterator[str]:
    if not differences:
        return
    yield f"<h3>Paired differences over seeds: {escape(where)}</h3>"
    head = (
        "first − second",
        "measure",
        "mean",
        "95 % t interval",
        "95 % seeds and items",
        "seeds higher / equal / lower",
    )
    yield _table((*head, "named"), [_difference(d) for d in differences if d["strategy"] not in same])


def _strategies_table(study: Mapping[str, Any]) -> str:
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
    return _table(head, rows)


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


def _table(head: Sequence[str], rows: Sequence[Sequence[object]], kind: str = "numbers") -> str:
    heads = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    lines = "\n".join("<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<table class="{kind}"><thead><tr>{heads}</tr></thead>\n<tbody>\n{lines}\n</tbody></table>'


def _file_part(label: str) -> str:
    return "".join(c if c.isascii() and (c.isalnum() or c in "-.") else f"_{ord(c):x}" for c in label)
