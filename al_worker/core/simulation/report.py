"""report.html: one file that opens anywhere, with the plots inside; the plots also as SVG files of their own."""

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
        body += _study(study, list(plots.values()))
    html = f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
    page = f"{html}<style>{STYLE}</style></head>\n<body>\n" + "\n".join(body) + "\n</body></html>\n"
    write_atomic(settings.results / REPORT, page.encode())


def _setup(settings: SimulationSettings, summary: Mapping[str, Any]) -> Iterator[str]:
    hashes = settings.data_hashes
    rows = [("train (the pool)", settings.data.train, hashes["train"]), ("test", settings.data.test, hashes["test"])]
    yield _table(("data", "file", "sha256"), [(what, file, digest[:16]) for what, file, digest in rows], "words")
    yield _table(
        ("strategy", "acquisition function", "options"),
        [
            (key, case.name, ", ".join(f"{name} = {value}" for name, value in case.options.items()))
            for key, case in settings.strategies.items()
        ],
        "words",
    )
    yield (
        '<p class="note">The labels of the train file answer in the place of people. Within a seed all strategies '
        "share the first, random batch. The model starts from its pretrained weights after each batch; no setting is "
        "chosen by looking at the test set. Bands are one standard deviation over seeds.</p>"
    )


def _full_table(summary: Mapping[str, Any]) -> Iterator[str]:
    rows = [
        (model, full["n_labeled"], len(full["seeds"]), _with_sd(full["training_macro_f1"]), _with_sd(full["macro_f1"]))
        for model, full in summary["full_supervision"].items()
        if full
    ]
    if rows:
        yield "<h2>Full supervision</h2>"
        yield _table(("model", "labels", "seeds", "macro-F1 train", "macro-F1 test"), rows)


def _plots(settings: SimulationSettings, study: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    where = f"{study['model']}, batches of {study['batch_size']}"
    full = study["full_supervision_macro_f1"]
    reference = ("full supervision", full) if full is not None else None
    curves = [_series(key, s["n_labeled"], s["macro_f1"]) for key, s in study["strategies"].items()]
    yield "macro-f1", curves_svg(f"Test macro-F1: {where}", "labels", "macro-F1", curves, reference)
    for label in _shown_labels(settings, study):
        shares = [_series(key, s["n_labeled"], s["class_shares"][label]) for key, s in study["strategies"].items()]
        title = f'Share of "{label}" among the labelled: {where}'
        yield f"share-{_file_part(label)}", curves_svg(title, "labels", "share", shares)
    rows = [_row(d) for d in study["differences"] if _against_baseline(study, d)]
    if rows:
        title = f"Difference in area under the curve from {study['baseline']}: {where}"
        yield "differences", points_svg(title, "points: seeds; bar: mean; line: 95 % bootstrap interval", rows)


def _shown_labels(settings: SimulationSettings, study: Mapping[str, Any]) -> list[str]:
    labels = list(next(iter(study["strategies"].values()))["class_shares"])
    positive = [label for label in labels if label in settings.data.positive_labels]
    return positive or (labels[1:] if len(labels) == 2 else labels)


def _against_baseline(study: Mapping[str, Any], difference: Mapping[str, Any]) -> bool:
    return difference["measure"] == "area_under_curve" and difference["against"] == study["baseline"]


def _study(study: Mapping[str, Any], plots: Sequence[str]) -> Iterator[str]:
    yield f"<h2>{escape(study['model'])}, batches of {study['batch_size']}, seeds: {len(study['seeds'])}</h2>"
    yield from plots
    yield from _coinciding(study)
    yield _strategies_table(study)
    reading = (
        "Area: trapezoid over labels, divided by their range. Labels to reach a share of full supervision: first batch "
        "at which the mean curve is there, in brackets how many seeds get there by themselves"
    )
    factor = f"; x: labels needed over those of {escape(study['baseline'])}" if study["baseline"] else ""
    yield f'<p class="note">{reading}{factor}.</p>'
    yield "<h3>Paired differences over seeds</h3>"
    yield _table(
        ("first − second", "measure", "mean", "95 % interval", "seeds higher / equal / lower"),
        [_difference(d) for d in study["differences"]],
    )
    yield (
        '<p class="note">Percentile bootstrap over seeds. With few seeds an interval is narrow by nature: look at the '
        "points, and at how many seeds agree.</p>"
    )


def _coinciding(study: Mapping[str, Any]) -> Iterator[str]:
    groups: dict[str, list[str]] = {}
    for key, summary in study["strategies"].items():
        groups.setdefault(repr((summary["macro_f1"], summary["class_shares"])), []).append(key)
    for keys in groups.values():
        if len(keys) > 1:
            yield f'<p class="note">The curves of {escape(", ".join(keys))} coincide in every seed.</p>'


def _strategies_table(study: Mapping[str, Any]) -> str:
    percents = list(next(iter(study["strategies"].values()))["labels_to_reach"])
    head = ("strategy", "area", "last macro-F1", *(f"labels to {percent} %" for percent in percents))
    rows = [
        (
            key,
            _with_sd(summary["area_under_curve"]),
            _with_sd(summary["last_macro_f1"]),
            *(_reached(summary["labels_to_reach"][percent]) for percent in percents),
        )
        for key, summary in study["strategies"].items()
    ]
    return _table(head, rows)


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
        f"{interval[0]:+.4f} to {interval[1]:+.4f}" if interval else "one seed",
        f"{difference['n_higher']} / {difference['n_equal']} / {lower}",
    )


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
