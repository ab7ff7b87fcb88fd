"""Describe how items were sampled, and what follows for users, from the rounds' rows."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from al_worker.formats.models import MODELS, NO_MODEL
from al_worker.formats.plurals import several
from al_worker.formats.strategies import STRATEGIES
from annotation_app.models import Batch, Round
from annotation_app.releases.datasheet_facts.facts import DatasheetFacts
from annotation_app.releases.datasheet_facts.size import is_chosen, is_random, nothing_yet, representative
from annotation_app.releases.datasheet_facts.text_parts import bullets, listed, numbers, paragraphs, percent
from annotation_app.releases.markdown import code, inline


def sampling(facts: DatasheetFacts) -> str:
    if said := nothing_yet(facts):
        return said
    return paragraphs(
        [
            "From the pool, round by round:",
            bullets([*rounds_words(facts), *prototype_words(facts), *unused_words(facts)]),
            "`rounds.json` has each round's whole record: options, hyperparameters, training set, scores, versions.",
        ]
    )


def rounds_words(facts: DatasheetFacts) -> Iterator[str]:
    """Describe the rounds; consecutive rounds that differ only in their seed share a line."""
    for key, group in groupby(facts.rounds, key=lambda batch: alike(batch, facts)):
        batches = list(group)
        found = [batch.number for batch in batches]
        name = f"Round {found[0]}" if len(found) == 1 else f"Rounds {numbers(found)}"
        size = key[0]
        each = f"{several(size, 'item')}{' each' if len(found) > 1 else ''}"
        rows = [batch.round for batch in batches if batch.round]
        how = (
            "; ".join([chosen_words(rows[0]), *seeds_words(rows)]) if rows else "how they were chosen is not on record"
        )
        yield f"{name}: {each}, {how}."


def alike(batch: Batch, facts: DatasheetFacts) -> tuple[Any, ...]:
    size, row = facts.report.progress[batch.pk].size, batch.round
    return (size, chosen_words(row) if row else None)


def chosen_words(row: Round) -> str:
    parts = [strategy_words(row)]
    if row.strategy_asked != row.strategy_used:
        parts.append(f"in place of {strategy_title(row.strategy_asked)}, which was asked for and could not run")
    if needs_model(row):
        parts.append(model_words(row))
    if row.random_share:
        parts.append(f"{percent(round(1000 * row.random_share), 1000)} of them drawn uniformly instead")
    if row.no_duplicate_texts:
        parts.append("no two with the same text")
    return ", ".join(parts)


def strategy_words(row: Round) -> str:
    if row.strategy_used == "random":
        return "drawn uniformly at random"
    if is_chosen(row):
        return "chosen by an admin of the project, by no sampling"
    options = [f"{code(name)} {inline(str(value))}" for name, value in sorted(row.options.items())]
    return f"chosen by {strategy_title(row.strategy_used)}" + (f" with {listed(options)}" if options else "")


def strategy_title(name: str) -> str:
    return f"{STRATEGIES[name].title} ({code(name)})" if name in STRATEGIES else code(name)


def needs_model(row: Round) -> bool:
    used = STRATEGIES.get(row.strategy_used)
    return row.model != NO_MODEL and (used is None or used.needs_model)


def model_words(row: Round) -> str:
    learned = listed([code(stage) for stage in row.learning_stages])
    joined = f" (scores joined by {row.combine})" if len(row.learning_stages) > 1 else ""
    kinds = ["majority labels" + (" after second looks" if row.label_phase == 2 else "")]
    if row.use_adjudicated:
        kinds.append("adjudicated ones")
    return f"with {model_name(row.model)} trained on {listed(kinds)} of {learned}{joined}"


def model_name(name: str) -> str:
    return inline(MODELS[name].title if name in MODELS else name)


def seeds_words(rows: list[Round]) -> Iterator[str]:
    """Name the seeds of rounds that drew something."""
    if seeds := [str(row.random_state) for row in rows if not is_chosen(row)]:
        yield f"seed {seeds[0]}" if len(set(seeds)) == 1 else f"seeds {listed(seeds)}"


def prototypes(facts: DatasheetFacts) -> list[Batch]:
    return [batch for batch in facts.report.batches if batch.kind == Batch.Kind.PROTOTYPE]


def prototype_words(facts: DatasheetFacts) -> Iterator[str]:
    for batch in prototypes(facts):
        size = facts.report.progress[batch.pk].size
        seed = f" (seed {batch.random_state})" if batch.random_state is not None else ""
        yield (
            f"Beside the rounds, a prototype batch of {several(size, 'item')} was drawn uniformly at random{seed}. "
            "It shows how common each label is; it is in no training set and not in the release."
        )


def unused_words(facts: DatasheetFacts) -> Iterator[str]:
    if n := facts.unused_rounds:
        yield f"{several(n, 'more round')} chose nothing: not finished, failed or cancelled."


def limits(facts: DatasheetFacts) -> str | None:
    """Describe the limits that follow from the sampling; possible harm only people can describe."""
    if nothing := nothing_yet(facts):
        return nothing
    said = [] if all(map(is_random, facts.rounds)) else [representative(facts)]
    if any(batch.round and needs_model(batch.round) for batch in facts.rounds):
        said.append("Which items a model chose depends on that model: another one, or another seed, may choose others.")
    if facts.given.repeated:
        said.append("Some texts occur more than once: a split should keep equal ones on one side.")
    if facts.given.documents < facts.given.items:
        said.append("Several items are from one document: a split by document keeps them on one side.")
    return bullets(filter(None, said)) or None


def splits(facts: DatasheetFacts) -> str:
    if nothing := nothing_yet(facts):
        return nothing
    said = ["There are no official splits. The field `round` says in which round an item was chosen."]
    said += [
        f"The models of the rounds were measured on a held-out test set at {code(each.stage)} "
        f"({several(each.n, 'item')}, SHA-256 {code(each.sha256)}), which is not in the release."
        for each in facts.test_sets
    ]
    newest = next((each.codebook.span_layer for each in reversed(facts.versions) if each.codebook.span_layer), None)
    if newest and newest.target:
        said.append(
            f"Spans of {inline(newest.by_key[newest.target].name)} make targets; Quorum's export of targets splits "
            "them by source document, 80, 10 and 10 percent, from a seed that has to be named with it."
        )
    return bullets(said)
