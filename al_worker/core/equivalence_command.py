"""Answer `python -m al_worker.core equivalence ...` on files (docs/methods/interpretation.md)."""

import argparse
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from al_worker.core.answer import Answer, from_one, json_line
from al_worker.equivalence.augmentation import augmented
from al_worker.equivalence.comparison import first_difference, paired_written
from al_worker.equivalence.evaluations import (
    Evaluation,
    check_categories,
    read_evaluations,
    repeated_members,
)
from al_worker.equivalence.instances import Tally, make_instances, tally_text, unused_members, without_spans
from al_worker.equivalence.parts import PREFIXES, SOURCES, Rules
from al_worker.equivalence.results import Scored, read_scored, results_written
from al_worker.equivalence.targets import EVALUATED, Target, read_targets
from al_worker.formats.run_directory import RunDirectoryError
from al_worker.formats.text_form import OUTER, STYLES

HELP = "instances that test a model of interpretations by classes of strings that mean the same"


def add_equivalence(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command `equivalence` with its own commands."""
    parts = commands.add_parser("equivalence", help=HELP, description=HELP).add_subparsers(
        dest="part", required=True, metavar="COMMAND"
    )
    make = _part(parts, "instances", "print an instance a line; what was left out goes to standard error", _instances)
    make.add_argument("targets", type=Path, metavar="TARGETS.jsonl")
    make.add_argument("--seed", type=int, default=0, help="of the draw of negatives (0)")
    make.add_argument("--source", choices=SOURCES, default="paper", help="the paper's rules or its authors' programs'")
    make.add_argument("--prefix", choices=PREFIXES, default="sentence", help="where the prefix begins")
    make.add_argument("--style", choices=tuple(STYLES), default="spaces", help="how markers look")
    make.add_argument("--outer", nargs="*", default=OUTER, metavar="NAME", help="categories that hold a sentence")
    make.add_argument("--replace-positive", action="store_true", help="put another member in the positive's place")
    make.add_argument("--categories", nargs="+", metavar="NAME", help="those of the codebook; refuse any other")
    score = _part(parts, "results", "accuracies and confusion of scored instances; prints one JSON object", _results)
    score.add_argument("scored", type=Path, metavar="SCORED.jsonl", help="instances with log_p of both continuations")
    score.add_argument("--compare", type=Path, metavar="OTHER.jsonl", help="test against another model's scores")
    more = _part(parts, "augment", "print training targets with other members in a span's place", _augment)
    more.add_argument("targets", type=Path, metavar="TARGETS.jsonl")
    more.add_argument("--factor", type=from_one, default=1, help="new targets for each training target, at most (1)")
    more.add_argument("--seed", type=int, default=0, help="of the draws (0)")


def _part(
    parts: "argparse._SubParsersAction[argparse.ArgumentParser]",
    name: str,
    what: str,
    answer: Callable[[argparse.Namespace], Answer],
) -> argparse.ArgumentParser:
    part = parts.add_parser(name, help=what, description=what)
    part.add_argument("evaluations", type=Path, metavar="EVALUATIONS.json")
    part.set_defaults(answer=answer)
    return part


def _instances(arguments: argparse.Namespace) -> Answer:
    evaluations = read_evaluations(arguments.evaluations)
    if arguments.categories:
        check_categories(evaluations, arguments.categories, str(arguments.evaluations))
    targets = read_targets(arguments.targets, arguments.style)
    rules = Rules(
        seed=arguments.seed,
        source=arguments.source,
        prefix=arguments.prefix,
        style=arguments.style,
        outer=arguments.outer,
        replace_positive=arguments.replace_positive,
    )
    instances, tallies = make_instances(evaluations, targets, rules)
    notes = _notes(str(arguments.evaluations), evaluations, targets, rules, tallies)
    return Answer([json_line(instance.written()) for instance in instances], list(notes))


def _results(arguments: argparse.Namespace) -> Answer:
    evaluations = {(each.annotation, each.name): each.in_depth for each in read_evaluations(arguments.evaluations)}
    scored = read_scored(arguments.scored, set(evaluations))
    found = results_written(scored, evaluations)
    keys = {(each.instance.annotation, each.instance.evaluation) for each in scored}
    if arguments.compare:
        found["comparison"] = _comparison(scored, read_scored(arguments.compare, set(evaluations)), arguments)
    left_out = [f"{name!r} of {annotation!r} has no instance" for annotation, name in evaluations.keys() - keys]
    return Answer([json_line(found)], sorted(left_out))


def _comparison(first: Sequence[Scored], second: Sequence[Scored], arguments: argparse.Namespace) -> list[Any]:
    number = first_difference(first, second)
    if number is not None:
        message = f"instance {number} (from 0) is not that of {arguments.scored.name}; score the same file of instances"
        raise RunDirectoryError(arguments.compare.name, message)
    return paired_written(first, second)


def _augment(arguments: argparse.Namespace) -> Answer:
    evaluations = read_evaluations(arguments.evaluations)
    targets = read_targets(arguments.targets)
    found = augmented(targets, evaluations, arguments.factor, arguments.seed)
    notes = [
        f"{len(found.targets)} new targets of {found.training} training targets, factor {found.factor}, "
        f"seed {found.seed}; {found.without} have no span with another member of its class",
        f"{found.blocked} spans were kept, because another span begins or ends within them or covers the same words",
        f"{found.unseen} members are never drawn, because no training target has them",
    ]
    return Answer([json_line(target.written()) for target in found.targets], notes)


def _notes(
    file: str, evaluations: Sequence[Evaluation], targets: Sequence[Target], rules: Rules, tallies: Sequence[Tally]
) -> Iterator[str]:
    """Yield what was left out, a line each."""
    left_out = sum(target.split not in EVALUATED for target in targets)
    if left_out:
        yield f"{left_out} targets of the split train were left out; instances are of {' and '.join(EVALUATED[::2])}"
    unknown = without_spans(evaluations, targets)
    for at in unknown:
        yield f"{file}: [{at}].annotation: no target has a span of {evaluations[at].annotation!r}; it has no instance"
    for member in repeated_members(evaluations):
        yield f"{file}: {member.place}: {member.text!r} stands in its class already; it counts once"
    for member in unused_members(evaluations, targets, rules):
        if member.evaluation not in unknown:
            yield f"{file}: {member.place}: {member.text!r} occurs in no target; it is only ever a negative"
    for tally in tallies:
        if tally.spans:
            yield tally_text(tally)
            for target, found in tally.short:
                yield f"  target {target}: {found} of {tally.per_positive} negatives; no more of like length were found"
