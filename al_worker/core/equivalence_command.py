"""Answer `python -m al_worker.core equivalence ...` on files (docs/methods/interpretation.md)."""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from al_worker.core.answer import Answer, json_line
from al_worker.equivalence.evaluations import (
    Evaluation,
    Member,
    check_categories,
    read_evaluations,
    repeated_members,
    same_category,
)
from al_worker.equivalence.instances import Tally, make_instances, unused_members
from al_worker.equivalence.parts import PREFIXES, SOURCES, Rules
from al_worker.equivalence.targets import EVALUATED, Target, categories_of, read_targets
from al_worker.formats.text_form import OUTER, STYLES

HELP = "instances that test a model of interpretations by classes of strings that mean the same"


def add_equivalence(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command `equivalence` with its own commands."""
    parts = commands.add_parser("equivalence", help=HELP, description=HELP).add_subparsers(
        dest="part", required=True, metavar="COMMAND"
    )
    what = "print an instance a line; what was left out goes to standard error"
    make = parts.add_parser("instances", help=what, description=what)
    make.add_argument("evaluations", type=Path, metavar="EVALUATIONS.json")
    make.add_argument("targets", type=Path, metavar="TARGETS.jsonl")
    make.add_argument("--seed", type=int, default=0, help="of the draw of negatives (0)")
    make.add_argument("--source", choices=SOURCES, default="paper", help="the paper's rules or its authors' programs'")
    make.add_argument("--prefix", choices=PREFIXES, default="sentence", help="where the prefix begins")
    make.add_argument("--style", choices=tuple(STYLES), default="spaces", help="how markers look")
    make.add_argument("--outer", nargs="*", default=OUTER, metavar="NAME", help="categories that hold a sentence")
    make.add_argument("--replace-positive", action="store_true", help="put another member in the positive's place")
    make.add_argument("--categories", nargs="+", metavar="NAME", help="those of the codebook; refuse any other")
    make.set_defaults(answer=_instances)


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


def _notes(
    file: str, evaluations: Sequence[Evaluation], targets: Sequence[Target], rules: Rules, tallies: Sequence[Tally]
) -> Iterator[str]:
    """Yield what was left out, a line each."""
    left_out = sum(target.split not in EVALUATED for target in targets)
    if left_out:
        yield f"{left_out} targets of the split train were left out; instances are of {' and '.join(EVALUATED[::2])}"
    known = {same_category(name) for name in categories_of(targets)}
    unknown = {at for at, each in enumerate(evaluations) if same_category(each.annotation) not in known}
    for at in sorted(unknown):
        yield f"{file}: [{at}].annotation: no target has a span of {evaluations[at].annotation!r}; it has no instance"
    for member in repeated_members(evaluations):
        yield f"{file}: {_place(member)}: {member.text!r} stands in its class already; it counts once"
    for member in unused_members(evaluations, targets, rules):
        if member.evaluation not in unknown:
            yield f"{file}: {_place(member)}: {member.text!r} occurs in no target; it is only ever a negative"
    for tally in tallies:
        if tally.spans:
            yield _tally_text(tally)
            for target, found in tally.short:
                yield f"  target {target}: {found} of {tally.per_positive} negatives; no more of like length were found"


def _place(member: Member) -> str:
    return f"[{member.evaluation}].equivalence_classes[{member.class_number}][{member.number}]"


def _tally_text(tally: Tally) -> str:
    reasons = (
        (tally.without_part, "without a comment"),
        (tally.no_member, "in no class"),
        (tally.repeated, "in a target that has an instance already"),
        (tally.alone, "alone in their class"),
    )
    left = ", ".join(f"{n} {reason}" for n, reason in reasons if n)
    outside = f"; {tally.outside} outside every sentence, with all text before as prefix" if tally.outside else ""
    return (
        f"{tally.annotation} | {tally.evaluation} | {tally.split}: {tally.instances} instances of {tally.positives} "
        f"positives, {tally.per_positive} negatives each; left out of {tally.spans} spans: {left or 'none'}{outside}"
    )
