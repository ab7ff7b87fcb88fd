"""Put together what an interpretation found: figures.json, and the files of all systems."""

from itertools import combinations
from typing import Any

from al_worker.core.interpretation.run.testing import generated_name, metrics_name
from al_worker.core.interpretation.run.work import Work
from al_worker.core.run.steps import marker_read
from al_worker.equivalence.comparison import paired_written
from al_worker.equivalence.results import Scored, read_scored, results_written
from al_worker.formats.interpretation import FILTERS, GENERATIONS, INSTANCES, STAGES, scored_name
from al_worker.formats.run_directory import read_json, read_rows, write_rows


def figures_of(work: Work) -> dict[str, Any]:
    """Return figures.json of a run whose stages are all done, and write the files of all systems together."""
    settings, data = work.settings, work.data
    depth = {(each.annotation, each.name): each.in_depth for each in data.evaluations}
    names = settings.run.systems
    scored = {name: read_scored(work.results / scored_name(name), set(depth)) for name in names}
    systems = [_system(work, name, scored[name], depth) for name in names]
    write_rows(
        work.results / GENERATIONS,
        ({"system": name, **row} for name in names for _, row in read_rows(work.results / generated_name(name))),
    )
    write_rows(work.results / INSTANCES, (instance.written() for instance in data.instances))
    return {
        "seed": settings.run.seed,
        "device": work.execution.device_name,
        "data": data.counts(),
        "split": settings.instances.split,
        "bertscore": settings.metrics.bertscore,
        "systems": systems,
        "references": systems[0]["metrics"]["references"],
        "comparisons": [
            {"first": first, "second": second, "evaluations": paired_written(scored[first], scored[second])}
            for first, second in combinations(names, 2)
            if data.instances
        ],
        "tallies": [
            {**{key: getattr(tally, key) for key in TALLIED}, "short": [list(each) for each in tally.short]}
            for tally in data.tallies
        ],
        "left_out": list(data.left_out),
        "notices": [*data.notices, *(notice for system in systems for notice in _notices(system, work))],
    }


TALLIED = (
    "annotation",
    "evaluation",
    "split",
    "spans",
    "without_part",
    "no_member",
    "repeated",
    "alone",
    "outside",
    "positives",
    "per_positive",
    "instances",
)


def facts_of(work: Work, name: str, stage: str) -> dict[str, Any]:
    """Return what a stage that is done has found."""
    marker = marker_read(work.results, f"{name}-{stage}")
    assert marker is not None, f"the stage {stage} of {name} is done"
    facts: dict[str, Any] = marker["facts"]
    return facts


def _system(work: Work, name: str, scored: list[Scored], depth: dict[tuple[str, str], bool]) -> dict[str, Any]:
    system = work.settings.systems[name]
    filtered, trained, generated, _ = (facts_of(work, name, stage) for stage in STAGES)
    cut = {key: {split: len(found) for split, found in trained[key].items()} for key in ("cut_sources", "cut_targets")}
    keys = ("epoch", "train_loss", "valid_loss", "learning_rate")
    return {
        "name": name,
        "title": work.title(name),
        "kind": system.kind,
        "model": system.model,
        "filter": system.filter,
        "filter_model": system.filter_model,
        "budget": system.budget,
        "parameters": trained["parameters"],
        "filtering": filtered,
        "training": {
            "examples": trained["n_examples"],
            "validation": trained["n_validation"],
            "augmented": trained["augmented"],
            **{key: trained[key] for key in ("epochs", "best_epoch", "stopped_early", "seconds")},
            **cut,
            "settings": trained["settings"],
        },
        "curves": [{key: row[key] for key in keys} for row in trained["curves"]],
        "generation": generated,
        "metrics": read_json(work.results / metrics_name(name)),
        "equivalence": results_written(scored, depth) if depth else None,
    }


def _notices(system: dict[str, Any], work: Work) -> list[str]:
    """Return what a reader of a system's figures must know."""
    filtered, title, found = system["filtering"], system["title"], []
    declared = FILTERS[system["filter"]]
    if declared.needs_targets:
        found.append(f"{title}: the filter {declared.title} looks at the targets, of the test sources too.")
    if filtered["empty"]:
        n = filtered["empty"]
        found.append(f"{title}: of {n:,} sources the filter kept nothing; their first sentence was read.")
    if filtered["too_long"]:
        n = filtered["too_long"]
        found.append(f"{title}: of {n:,} sources the one sentence kept is longer than {system['budget']:,} tokens.")
    if filtered["cut"]:
        n, limit = filtered["cut"], filtered["limit"]
        found.append(f"{title}: {n:,} filtered sources were cut, because the model reads {limit:,} tokens.")
    if n := sum(system["training"]["cut_targets"].values()):
        found.append(f"{title}: {n:,} targets of training and validation were cut, because the model takes no more.")
    if n := system["training"]["augmented"]["unseen"]:
        found.append(f"{title}: {n:,} members were not used to augment, because no training target has them.")
    if n := facts_of(work, system["name"], "score")["bertscore_cut"]:
        found.append(f"{title}: {n:,} texts were cut for BERTScore.")
    return found
