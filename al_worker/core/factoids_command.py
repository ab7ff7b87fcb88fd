"""Answer `python -m al_worker.core factoids ...` on files (docs/methods/factoids.md)."""

import argparse
import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from al_worker.factoids.agreement import annotation_agreement, definition_agreement
from al_worker.factoids.atomicity import atomicity
from al_worker.factoids.comparison import comparison
from al_worker.factoids.errors import FactoidsInvalid
from al_worker.factoids.layout import pairing_text
from al_worker.factoids.lists import IDENTIFYING
from al_worker.factoids.pairing import THRESHOLD, pair
from al_worker.factoids.reading import check_same_factoids, check_same_set, read_list, read_relations
from al_worker.factoids.scores import consensus, gold_overlap, text_scores, votes_of, weights

HELP = "pair, check and compare lists of factoids, and score texts by them; prints one JSON object"
HALF = 0.5


def add_factoids(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command `factoids` with its own commands."""
    parts = commands.add_parser("factoids", help=HELP, description=HELP).add_subparsers(
        dest="part", required=True, metavar="COMMAND"
    )
    relations_help = "relations that people gave: [{a, b, relation}]"
    pairs = _part(parts, "pair", "link the factoids of two lists by their sentences", _pair)
    pairs.add_argument("lists", nargs=2, type=Path, metavar="LIST.json")
    pairs.add_argument("--threshold", type=_share, default=THRESHOLD, help="least overlap of a strong link (0.8)")
    pairs.add_argument("--description-weight", type=_share, default=0.0, help="share of the descriptions' words (0)")
    form = pairs.add_mutually_exclusive_group()
    form.add_argument("--relations", type=Path, metavar="RELATIONS.json", help=f"compare with {relations_help}")
    form.add_argument("--text", action="store_true", help="print each link with its sentences, as the paper does")
    agree = _part(parts, "agreement", "agreement of annotation; with relations, of definition", _agreement)
    agree.add_argument("lists", nargs="+", type=Path, metavar="LIST.json")
    agree.add_argument("--relations", type=Path, metavar="RELATIONS.json", help=relations_help)
    check = _part(parts, "atomicity", "name the factoids that tell no texts apart", _atomicity)
    check.add_argument("list", type=Path, metavar="LIST.json")
    score = _part(parts, "scores", "weights of factoids, scores of texts, stability of their ranking", _scores)
    score.add_argument("list", type=Path, metavar="LIST.json")
    score.add_argument("--share", type=_share, default=HALF, help="least weight in the consensus summary (0.5)")
    score.add_argument("--gold", metavar="TEXT", help="compare the other texts with this one too")
    score.add_argument("--system", action="append", default=[], metavar="TEXT", help="a text that has no vote")
    score.add_argument("--draws", type=_count, default=100, help="random draws of two halves (100)")
    score.add_argument("--seed", type=_count, default=0, help="of the draws (0)")


def factoids_text(arguments: argparse.Namespace) -> str:
    """Return what the command prints. Raises FactoidsInvalid."""
    found = arguments.answer(arguments)
    return found if isinstance(found, str) else json.dumps(found, allow_nan=False)


def _pair(arguments: argparse.Namespace) -> dict[str, Any] | str:
    first, second = lists = [read_list(path) for path in arguments.lists]
    check_same_set(lists)
    found = pair(first, second, arguments.threshold, arguments.description_weight)
    if arguments.text:
        return pairing_text(found, first, second)
    if arguments.relations:
        return found.written() | {"relations": comparison(found, read_relations(arguments.relations, first, second))}
    return found.written()


def _agreement(arguments: argparse.Namespace) -> dict[str, Any]:
    lists = [read_list(path) for path in arguments.lists]
    if len(lists) < 2 or (arguments.relations and len(lists) > 2):
        number = "exactly two lists" if arguments.relations else "two lists or more"
        raise FactoidsInvalid(lists[-1].source, "", f"is list {len(lists)}; agreement is between {number}")
    check_same_set(lists)
    if not arguments.relations:
        check_same_factoids(lists)
        return annotation_agreement(lists).written()
    first, second = lists
    relations = read_relations(arguments.relations, first, second)
    apart = {kind: definition_agreement(first, second, relations, (kind,)).written() for kind in IDENTIFYING}
    return definition_agreement(first, second, relations).written() | {"by_relation": apart}


def _atomicity(arguments: argparse.Namespace) -> dict[str, Any]:
    return asdict(atomicity(read_list(arguments.list)))


def _scores(arguments: argparse.Namespace) -> dict[str, Any]:
    # scipy.stats takes most of a second to import, which no other command should wait for.
    from al_worker.factoids.stability import rank_stability

    given, systems = read_list(arguments.list), frozenset(arguments.system)
    for option, names in (("--system", systems), ("--gold", {arguments.gold} - {None})):
        if strange := sorted(names - set(given.texts)):
            message = f"has no {strange[0]!r}, which {option} names; name one of {', '.join(given.texts)}"
            raise FactoidsInvalid(given.source, "texts", message)
    voting = [text for text in given.texts if text not in systems]
    if len(voting) < 2:
        raise FactoidsInvalid(given.source, "texts", "fewer than two are no system's; leave out a --system")
    votes = votes_of(given, voting)
    return {
        "weights": dict(zip(given.by_id, weights(votes).tolist(), strict=True)),
        "consensus": consensus(given, votes, arguments.share),
        "scores": _with_reasons(text_scores(given, systems)),
        "gold": _with_reasons(gold_overlap(given, arguments.gold)) if arguments.gold else None,
        "stability": [asdict(point) for point in rank_stability(votes, arguments.draws, arguments.seed)],
    }


def _with_reasons(values: dict[str, float | str]) -> dict[str, float | dict[str, str]]:
    return {text: {"reason": value} if isinstance(value, str) else value for text, value in values.items()}


def _part(
    parts: "argparse._SubParsersAction[argparse.ArgumentParser]",
    name: str,
    what: str,
    answer: Callable[[argparse.Namespace], dict[str, Any] | str],
) -> argparse.ArgumentParser:
    part = parts.add_parser(name, help=what, description=what)
    part.set_defaults(answer=answer)
    return part


def _share(given: str) -> float:
    value = float(given)
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{given} is not a number from 0 to 1")
    return value


def _count(given: str) -> int:
    value = int(given)
    if value < 0:
        raise argparse.ArgumentTypeError(f"{given} is negative")
    return value
