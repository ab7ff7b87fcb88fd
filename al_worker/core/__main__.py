"""Run a round, or one step of it, on files alone.

`python -m al_worker.core {encode,train,score,select,round} RUN_DIR` works on a run directory.
`python -m al_worker.core simulate CONFIG.toml` runs many such rounds on labelled data.
`python -m al_worker.core {linearize,parse} < IN > OUT` turns spans into text and back, a JSON object a line.
`python -m al_worker.core evaluate CONFIG.toml` lets baselines and language models predict gold labels.
`python -m al_worker.core metrics GOLD.jsonl PREDICTIONS.jsonl` compares predictions with gold labels.
`python -m al_worker.core factoids {pair,agreement,atomicity,scores} LIST.json ...` compares lists of factoids.
`python -m al_worker.core equivalence {instances,results,augment} EVALUATIONS.json FILE` makes instances, and more.
`python -m al_worker.core filter NAME TARGETS_AND_SOURCES.jsonl --tokenizer NAME` chooses sentences of sources.
`python -m al_worker.core interpret CONFIG.toml` trains systems that interpret sources, and tests them.
`python -m al_worker.core generation-metrics REFERENCES.jsonl CANDIDATES.jsonl` compares generated texts with targets.
`python -m al_worker.core similar STRINGS.json --encoder NAME` finds the nearest strings by an encoder's vectors.
"""

import argparse
import json
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from al_worker.core.answer import Answer
from al_worker.core.equivalence_command import add_equivalence
from al_worker.core.errors import EXIT_EXPECTED, EXPECTED
from al_worker.core.evaluation.predictions import prediction_figures, read_predictions
from al_worker.core.factoids_command import add_factoids, factoids_text
from al_worker.core.filter_command import add_filter
from al_worker.core.generation_metrics_command import add_generation_metrics
from al_worker.core.pipeline import Pipeline
from al_worker.core.run.lifetime import die_with_parent, run_lock
from al_worker.core.run.stop_signal import Stopped, end_as_stopped
from al_worker.core.similar_command import add_similar
from al_worker.core.simulation.run import simulate, simulate_cell, simulate_report
from al_worker.core.text_lines import linearize_lines, parse_lines
from al_worker.formats.missing import MARKS, MissingInvalid, marks_read, marks_written
from al_worker.formats.run_directory import SELECTED, RunDirectoryError, read_selected
from al_worker.formats.tables import ConfigError
from al_worker.formats.text_form import OUTER, STYLES

COMMANDS = {
    "encode": "tokenise all texts into the cache",
    "train": "fit the model to labeled.jsonl, from the pretrained weights",
    "score": "write predictions.npz and metrics.json",
    "select": "write scores.npz, selected.jsonl and record.json",
    "round": "all of these that the strategy needs and that are not done yet",
    "evaluate": "let systems predict gold labels (a configuration instead of a run directory); goes on after a stop",
    "interpret": "train models that interpret sources, and test them (a configuration instead of a run directory); "
    "goes on after a stop",
    "simulate": "play strategies through on labelled data (a configuration instead of a run directory)",
}
CONFIGURED = ("evaluate", "interpret", "simulate")
# Commands that end by themselves at the next safe place when they are asked to stop.
STOPPABLE = ("evaluate", "interpret")
TEXT_COMMANDS = {
    "linearize": 'write {"text", "spans"} as {"linear"}, a JSON object a line on standard input and output',
    "parse": "the way back, with the faults of the markers",
}
# Commands whose answer is made elsewhere, as lines.
ANSWERS = ("equivalence", "filter", "generation-metrics", "similar")
METRICS_HELP = (
    'compare {"id", "stage", "label", "confidence"} a line with {"id", "stage", "label"} a line, and print one JSON '
    "object with the figures of each stage; a null label is an answer that was not compliant"
)
DIE_HELP = "end when the process that started this ends"
OUTER_HELP = {
    "linearize": "categories that hold others: at one place they open first and close last "
    f"(default: {', '.join(OUTER)})",
    "parse": "without effect, so that both commands take the same options: markers are read as they stand",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code.

    0: done. 3: a failure whose message says how to mend it. 130: interrupted. A wrong command line exits with 2.
    """
    arguments = _parser().parse_args(argv)
    # torch reads this when it loads. Threads that spin while they wait cost eight times the time on a machine shared
    # with the web server and the database. On an idle machine spinning gains next to nothing.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    try:
        _run(arguments)
    except EXPECTED as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return EXIT_EXPECTED
    except Stopped:
        print("stopped; the same command goes on from here", file=sys.stderr, flush=True)
        end_as_stopped()
    except KeyboardInterrupt:
        print("interrupted; the same command goes on from here", file=sys.stderr)
        return 130
    return 0


def default_cache() -> Path:
    """Return QUORUM_CACHE, else quorum/ in the user's cache folder."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(os.environ.get("QUORUM_CACHE") or Path(home) / "quorum")


def _run(arguments: argparse.Namespace) -> None:
    if arguments.command in TEXT_COMMANDS:
        _convert(arguments)
        return
    if arguments.command == "metrics":
        _metrics(arguments.gold, arguments.predictions)
        return
    if arguments.command == "factoids":
        print(factoids_text(arguments))
        return
    if arguments.command in ANSWERS:
        _print_answer(arguments.answer(arguments))
        return
    if arguments.die_with_parent:
        die_with_parent(signal.SIGTERM if arguments.command in STOPPABLE else signal.SIGKILL)
    run: Path = arguments.run_dir
    if arguments.command == "simulate":
        _simulate(run, arguments)
        return
    if arguments.command == "evaluate":
        # scikit-learn and scipy.stats take a second to import, which every step of a round would wait for.
        from al_worker.core.evaluation.run import evaluate

        figures = evaluate(run, arguments.cache, arguments.progress)
        if arguments.progress == "text":
            print(figures)
        return
    if arguments.command == "interpret":
        # torch and transformers take seconds to load.
        from al_worker.core.interpretation.run.command import interpret

        figures = interpret(run, arguments.progress, arguments.force)
        if arguments.progress == "text":
            print(figures)
        return
    if not run.is_dir():
        raise RunDirectoryError(str(run), "no such folder; it must hold config.toml and the JSONL files")
    pipeline = Pipeline(run=run, cache=arguments.cache, form=arguments.progress, force=arguments.force)
    if arguments.command == "score" and arguments.join:
        pipeline.join()
        return
    with run_lock(run):
        getattr(pipeline, arguments.command)()
    if arguments.progress == "text" and arguments.command in ("select", "round"):
        _show(run)


def _simulate(config: Path, arguments: argparse.Namespace) -> None:
    cache, form, missing = arguments.cache, arguments.progress, _marks(arguments.missing)
    if arguments.report_only:
        done = simulate_report(config, missing) / "report.html"
    elif arguments.cell:
        done = simulate_cell(config, arguments.cell, cache=cache, form=form, missing=missing)
    else:
        done = simulate(config, cache=cache, form=form, force=arguments.force, missing=missing) / "report.html"
    if form == "text":
        print(done)


def _marks(given: str | None) -> frozenset[str] | None:
    """Read the value of --missing. Return None where it was not given: then the configuration decides.

    Raises ConfigError.
    """
    try:
        return None if given is None else marks_read(given)
    except MissingInvalid as error:
        raise ConfigError(str(error)) from error


def _print_answer(answer: Answer) -> None:
    """Print an answer in UTF-8, which is what the files are in."""
    for stream, lines in ((sys.stdout, answer.lines), (sys.stderr, answer.notes)):
        stream.buffer.write("".join(f"{line}\n" for line in lines).encode())
        stream.flush()


def _convert(arguments: argparse.Namespace) -> None:
    if arguments.command == "linearize":
        lines = linearize_lines(sys.stdin.buffer, arguments.style, arguments.outer)
    else:
        lines = parse_lines(sys.stdin.buffer, arguments.style)
    for line in lines:
        sys.stdout.buffer.write(line.encode("utf-8"))
    sys.stdout.buffer.flush()


def _metrics(gold: Path, predictions: Path) -> None:
    stages, without_gold = read_predictions(gold, predictions)
    if without_gold:
        print(f"{without_gold:,} predictions have no gold label and were left out.", file=sys.stderr)
    print(json.dumps({"stages": {stage: prediction_figures(rows) for stage, rows in stages.items()}}))


def _show(run: Path) -> None:
    chosen = read_selected(run / SELECTED)
    print(f"{len(chosen)} items selected: {run / SELECTED}")
    for entry in chosen[:5]:
        print(f"  {entry.rank}. {entry.id}  {entry.score:.6g}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m al_worker.core",
        description="An active-learning round on a run directory (docs/develop/run_directory.md), simulated ones\n"
        "(docs/methods/simulation.md), and spans as text (docs/develop/text_form.md).",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, what in COMMANDS.items():
        _add_run_arguments(commands.add_parser(name, help=what, description=what), name)
    for name, what in TEXT_COMMANDS.items():
        command = commands.add_parser(name, help=what, description=what)
        command.add_argument("--style", choices=tuple(STYLES), default="spaces", help="how markers look")
        command.add_argument("--outer", nargs="*", default=OUTER, metavar="NAME", help=OUTER_HELP[name])
    metrics = commands.add_parser("metrics", help="compare predictions with gold labels", description=METRICS_HELP)
    metrics.add_argument("gold", type=Path, metavar="GOLD.jsonl")
    metrics.add_argument("predictions", type=Path, metavar="PREDICTIONS.jsonl")
    add_factoids(commands)
    add_equivalence(commands)
    add_filter(commands)
    add_generation_metrics(commands)
    add_similar(commands)
    return parser


def _add_run_arguments(parser: argparse.ArgumentParser, name: str) -> None:
    parser.add_argument("run_dir", type=Path, metavar="CONFIG" if name in CONFIGURED else "RUN_DIR")
    parser.add_argument("--progress", choices=("text", "json"), default="text", help="form of the lines on stdout")
    if name == "interpret":
        parser.add_argument("--force", action="store_true", help="train and test all systems anew")
        parser.add_argument("--die-with-parent", action="store_true", help=DIE_HELP)
        return
    cache_help = "folder that keeps token ids and n-grams (QUORUM_CACHE)"
    parser.add_argument("--cache", type=Path, default=default_cache(), help=cache_help)
    parser.add_argument("--force", action="store_true", help="redo steps that are up to date")
    parser.add_argument("--die-with-parent", action="store_true", help=DIE_HELP)
    if name == "score":
        parser.add_argument("--join", action="store_true", help="help the process that scores this run directory")
    if name == "simulate":
        parser.add_argument("--cell", default="", help="only this cell, in this process")
        report_help = "run nothing: put the report together from what stands, of the seeds that are finished"
        missing_help = (
            "leave out lines whose label is one of these marks for missing; without a value: "
            f"{', '.join(filter(None, MARKS))}, null and a blank label"
        )
        parser.add_argument("--missing", nargs="?", const=marks_written(MARKS), metavar="A,B,C", help=missing_help)
        parser.add_argument("--report-only", action="store_true", help=report_help)


if __name__ == "__main__":
    sys.exit(main())
