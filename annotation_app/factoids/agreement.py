"""Read how far people agree on the factoids of a text set, phase by phase (Teufel and van Halteren 2004, 3)."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from al_worker.factoids.agreement import CATEGORIES, NO_FACTOID, NO_RELATION
from al_worker.factoids.lists import IDENTIFYING
from annotation_app.aggregation.planner import one_snapshot
from annotation_app.agreement.intervals import jackknife_interval
from annotation_app.factoids.statements import figures_statement
from annotation_app.models import FactoidList, FactoidPairing, FactoidPhase, Membership, TextSet

OPEN = "The phase is open. Close it: its figures stand on lists that no longer change."
NO_PAIRING = "No two lists of this phase are paired. Pair them, and judge the relations of their factoids."
NOTHING: dict[str, Any] = dict.fromkeys(("K", "N", "P_A", "P_E", "cohen", "low", "high"))
# An answer as statements write it, and as people read it.
SAID = {"true": "there", "false": "not there"}

# By number, as in statements.
Names = Mapping[int, str]


def set_agreement(text_set: TextSet, *, pseudonyms: bool = False) -> dict[str, list[dict[str, Any]]]:
    """Return figure 1 as "annotation" and figure 3 as "definition", a row for each phase and group of people.

    A phase of two people has one row. One of more has a row of everyone, and one of each pair. Definition has a row of
    each pairing, and one of each of its relations that make items.
    """
    with one_snapshot() as cursor:
        # A consensus phase has one list, which agrees with nobody.
        phases = list(text_set.phases.exclude(step=FactoidPhase.Step.CONSENSUS).order_by("number"))
        pairings = list(text_set.pairings.select_related("first").order_by("pk"))
        stages = [stage_of(each) for each in phases if each.kind == FactoidPhase.Kind.ANNOTATION]
        stages += [stage_of(pairing, kind) for pairing in pairings for kind in (None, *IDENTIFYING)]
        # Rounds are not used: a stage is one phase, or one pairing.
        parameters = {"rounds": [0], "of": "all", "pair": None, "measures": "{}"}
        parameters["names"] = json.dumps(dict.fromkeys(stages, SAID))
        cursor.execute(figures_statement(), {"text_set": text_set.pk, "stages": stages, **parameters})
        counted: dict[str, list[tuple[Any, ...]]] = {}
        for stage, *row in cursor.fetchall():
            counted.setdefault(stage, []).append(tuple(row))
        names = names_of(text_set, pseudonyms=pseudonyms)
        owners = owners_of(phases)
    of_definition = {phase.pk: [each for each in pairings if each.first.phase_id == phase.pk] for phase in phases}
    rows: dict[str, list[dict[str, Any]]] = {"annotation": [], "definition": []}
    for phase in phases:
        if phase.closed_at is None:
            rows[phase.kind].append(row_without(phase, owners[phase.pk], names, OPEN))
        elif phase.kind == FactoidPhase.Kind.ANNOTATION:
            rows[phase.kind].extend(annotation_rows(phase, counted[stage_of(phase)], owners[phase.pk], names))
        elif of_definition[phase.pk]:
            rows[phase.kind].extend(definition_rows(phase, of_definition[phase.pk], counted, names))
        else:
            rows[phase.kind].append(row_without(phase, owners[phase.pk], names, NO_PAIRING))
    return rows


def names_of(text_set: TextSet, *, pseudonyms: bool = False) -> dict[int, str]:
    """Return the shown names of the project's people by their numbers, or their pseudonyms."""
    people = Membership.objects.filter(project=text_set.project_id).select_related("user")
    return {each.number: f"annotator {each.number}" if pseudonyms else each.user.shown_name for each in people}


def owners_of(phases: Iterable[FactoidPhase]) -> dict[int, list[int]]:
    """Return the numbers of each phase's people, by the phase's row."""
    owners: dict[int, list[int]] = {phase.pk: [] for phase in phases}
    lists = FactoidList.objects.filter(phase__in=owners, owner__isnull=False)
    for phase, number in lists.order_by("owner__number").values_list("phase_id", "owner__number"):
        owners[phase].append(number)
    return owners


def stage_of(thing: FactoidPhase | FactoidPairing, relation: str | None = None) -> str:
    """Return the stage under which statements count a phase, or a pairing and one of its relations."""
    name = "phase" if isinstance(thing, FactoidPhase) else "pairing"
    return " ".join(filter(None, (name, str(thing.pk), relation)))


def annotation_rows(
    phase: FactoidPhase, counted: list[tuple[Any, ...]], owners: list[int], names: Names
) -> Iterator[dict[str, Any]]:
    # Of two people, everyone is the pair, and Cohen's kappa stands with the pair.
    for row in counted[-1:] if len(owners) == 2 else counted:
        yield head(phase, row[0] or owners, names) | figures(row, NO_FACTOID)


def definition_rows(
    phase: FactoidPhase, pairings: list[FactoidPairing], counted: Mapping[str, list[tuple[Any, ...]]], names: Names
) -> Iterator[dict[str, Any]]:
    numbers = dict(FactoidList.objects.filter(phase=phase).values_list("pk", "owner__number"))
    for pairing in pairings:
        who = [numbers[pairing.first_id], numbers[pairing.second_id]]
        for kind in (None, *IDENTIFYING):
            nothing = f"There is no item: no relation is {kind}." if kind else NO_RELATION
            row = counted[stage_of(pairing, kind)][-1]
            yield head(phase, who, names, kind, pairing) | figures(row, nothing)


def head(
    phase: FactoidPhase,
    who: Sequence[int],
    names: Names,
    relation: str | None = None,
    pairing: FactoidPairing | None = None,
) -> dict[str, Any]:
    """Return what a row is of. `pairing` and `relation` belong to definition."""
    return {
        "phase": phase.number,
        "phase_id": phase.uuid,
        "step": phase.step,
        "who": [names[number] for number in who],
        "pairing": pairing and pairing.uuid,
        "relation": relation,
        "k": CATEGORIES,
        "n": len(who),
    }


def row_without(phase: FactoidPhase, who: Sequence[int], names: Names, reason: str) -> dict[str, Any]:
    return head(phase, who, names) | NOTHING | {"reason": reason}


def figures(row: tuple[Any, ...], nothing: str) -> dict[str, Any]:
    """Return a counted row under the paper's names; `nothing` says why there is no item."""
    _, n_items, observed, expected, kappa, reason, cohen, no_cohen, error, items, no_interval = row
    low, high = (None, None) if error is None else jackknife_interval("fleiss_kappa", kappa, error, items)
    lacking = [reason] if kappa is None else [no_interval, no_cohen if cohen is None else None]
    return {
        "K": kappa,
        "N": n_items,
        "P_A": observed,
        "P_E": expected,
        "cohen": cohen,
        "low": low,
        "high": high,
        "reason": "; ".join(filter(None, lacking)) or None if n_items else nothing,
    }
