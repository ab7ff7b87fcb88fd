"""Describe how much data there is, of what kind, and what is missing."""

from collections.abc import Iterator

from al_worker.formats.plurals import several
from annotation_app.models import Batch, Round
from annotation_app.releases.datasheet_facts.facts import AnnotatorWork, DatasheetFacts
from annotation_app.releases.datasheet_facts.tallies import StageTally
from annotation_app.releases.datasheet_facts.text_parts import bullets, listed, numbers, paragraphs, percent
from annotation_app.releases.markdown import inline

NO_TEXT = "No text is imported yet."
NO_ROUND = "Nothing was given to annotators yet: no round has opened a batch."
# Rounds of different sizes, and reasons for skipping, that are named one by one.
MOST_ROUNDS = 12
MOST_REASONS = 10
REASON_LENGTH = 200


def nothing_yet(facts: DatasheetFacts) -> str:
    """Return why there is no record; empty where there is one."""
    if facts.rounds:
        return ""
    if not facts.corpus.items:
        return NO_TEXT
    return f"{NO_ROUND} The pool holds {several(facts.corpus.pool, unit(facts))}."


def unit(facts: DatasheetFacts) -> str:
    """Return what an item is, where all imports agree on it."""
    units = {each.unit for each in facts.imports}
    return {"sentence": "sentence", "utterance": "utterance", "document": "text"}.get(
        "".join(units) if len(units) == 1 else "", "item"
    )


def counts(facts: DatasheetFacts) -> str:
    return nothing_yet(facts) or bullets([*counted(facts), *facts.still_open])


def counted(facts: DatasheetFacts) -> Iterator[str]:
    given = facts.given
    texts = f"from {several(given.documents, 'document')}, in {round_sizes(facts.rounds, facts)}"
    yield f"**{several(given.items, unit(facts))}** {texts}. Each is one record of `data/aggregated.jsonl`."
    if facts.tallies:
        first = facts.tallies[0]
        yield f"{first.labelled:,} of them have a label at the first stage, {inline(first.stage.title)}."
    yield from answered(facts.first_look)
    if facts.second_look:
        again = sum(each.answers for each in facts.second_look)
        yield (
            f"In a second look, {several(len(facts.second_look), 'annotator')} answered again {several(again, 'time')} "
            "about their own items on which labels differed: `phase` 2 in the raw file."
        )
    if facts.has_spans:
        yield spans_counted(facts)


def round_sizes(rounds: list[Batch], facts: DatasheetFacts) -> str:
    sizes = {batch.number: facts.report.progress[batch.pk].size for batch in rounds}
    if len(sizes) == 1:
        return "one round"
    if len(set(sizes.values())) == 1:
        return f"{len(sizes)} rounds of {min(sizes.values()):,}"
    if len(sizes) > MOST_ROUNDS:
        return f"{len(sizes)} rounds of {min(sizes.values()):,} to {max(sizes.values()):,}"
    named = [f"{size:,} in round {number}" for number, size in sizes.items()]
    return f"{len(sizes)} rounds ({listed(named)})"


def answered(worked: list[AnnotatorWork]) -> Iterator[str]:
    if not worked:
        yield "No answer is given yet."
        return
    submitted, skipped = sum(each.submitted for each in worked), sum(each.skipped for each in worked)
    surplus = sum(each.surplus for each in worked)
    parts = [f"{submitted:,} submitted", f"{skipped:,} skipped"] + ([f"{surplus:,} surplus"] if surplus else [])
    beside = " No label and no figure counts the surplus ones." if surplus else ""
    total = several(submitted + skipped + surplus, "answer")
    yield (
        f"**{total}** by {several(len(worked), 'annotator')}, {listed(parts)}.{beside} "
        "Each is one record of `data/annotations.jsonl`."
    )


def spans_counted(facts: DatasheetFacts) -> str:
    total = sum(spans for spans, _ in facts.marked.values())
    if not total:
        return "No span is marked yet."
    names = {category.key: category.name for category in facts.categories}
    keys = list(dict.fromkeys([*names, *sorted(facts.marked)]))
    parts = [f"{inline(names.get(key, key))} {facts.marked.get(key, (0, 0))[0]:,}" for key in keys]
    return f"**{several(total, 'span')}** marked by the annotators: {listed(parts)}."


def missing(facts: DatasheetFacts) -> str:
    if said := nothing_yet(facts):
        return said
    return bullets(
        [
            *(without_label(tally) for tally in facts.tallies),
            skipped(facts),
            *without_speaker(facts),
            *not_validated(facts),
            *facts.still_open,
        ]
    )


def without_label(tally: StageTally) -> str:
    asked = tally.labelled + tally.unlabelled
    name = f"**{inline(tally.stage.title)}**"
    closed = f" The labels before it leave it unasked for {several(tally.closed, 'item')}." if tally.closed else ""
    if not asked:
        return f"{name}: no item came to it.{closed}"
    if not tally.unlabelled:
        have = "the one item that came to it has" if asked == 1 else f"all {asked:,} items that came to it have"
        return f"{name}: {have} a label.{closed}"
    parts = [
        f"{n:,} {words}"
        for n, words in (
            (tally.ties, "tied"),
            (tally.no_majority, "without a majority"),
            (tally.waiting, "waiting for answers"),
        )
        if n
    ]
    return f"{name}: {tally.unlabelled:,} of {several(asked, 'item')} without a label ({listed(parts)}).{closed}"


def skipped(facts: DatasheetFacts) -> str:
    total = sum(n for _, n in facts.skips)
    if not total:
        return "No item was skipped."
    named = [f"{reason_words(reason)} ({n:,})" for reason, n in facts.skips[:MOST_REASONS]]
    if others := facts.skips[MOST_REASONS:]:
        named.append(f"{several(len(others), 'other reason')} ({sum(n for _, n in others):,})")
    return f"{several(total, 'answer')} {'is a skip' if total == 1 else 'are skips'}. Reasons given: {listed(named)}."


def reason_words(reason: str) -> str:
    if not reason:
        return "none"
    return f"“{inline(reason[:REASON_LENGTH])}{'…' if len(reason) > REASON_LENGTH else ''}”"


def without_speaker(facts: DatasheetFacts) -> Iterator[str]:
    given = facts.given
    if 0 < given.with_speaker < given.items:
        yield f"{given.items - given.with_speaker:,} of {several(given.items, 'item')} name no speaker."
    if 0 < given.with_sources < given.items:
        yield f"{given.items - given.with_sources:,} of {several(given.items, 'item')} name no source document."


def not_validated(facts: DatasheetFacts) -> Iterator[str]:
    """Count items of span layers without a resolved review."""
    if not facts.has_spans:
        return
    said = {kind: facts.decisions.get(kind, (0, 0))[0] for kind in ("accepted", "edited", "rejected")}
    settled = sum(said.values())
    if not settled:
        yield "Spans are as each annotator marked them: nobody validated them."
    else:
        parts = listed([f"{n:,} {kind}" for kind, n in said.items()])
        yield f"Spans of {settled:,} of {several(facts.given.items, 'item')} were validated ({parts})."


def skipped_lines(facts: DatasheetFacts) -> Iterator[str]:
    """Count lines of the imported files that were left out."""
    n = sum(imported.report.get("skipped_lines") or 0 for imported in facts.imports)
    if n:
        why = "left out, unreadable or with an id that was there before"
        yield f"{several(n, 'line')} of what was imported {'was' if n == 1 else 'were'} {why}."


def sample(facts: DatasheetFacts) -> str:
    if said := nothing_yet(facts):
        return said
    taken, pool = facts.given.items, facts.corpus.pool
    items = several(pool, unit(facts))
    share = f"A sample: annotators were given {taken:,} of the {items} of the pool ({percent(taken, pool)})."
    if taken == pool:
        share = f"Annotators were given all {items} of the pool."
    return paragraphs([f"{share} {pool_words(facts)}", representative(facts) if taken != pool else ""])


def pool_words(facts: DatasheetFacts) -> str:
    corpus = facts.corpus
    out = corpus.too_short + corpus.too_long
    without = f", without {several(out, unit(facts))} that the filters left out" if out else ""
    return (
        f"The pool is what was imported: {several(corpus.documents, 'document')}{without}. "
        "Whether that is all there is of its kind, the data cannot say."
    )


def representative(facts: DatasheetFacts) -> str:
    """Describe what the sampling allows to conclude about the pool."""
    drawn = [batch.number for batch in facts.rounds if is_random(batch)]
    known = [batch for batch in facts.rounds if batch.round]
    if not known:
        return ""
    if len(drawn) == len(facts.rounds):
        return "All of it was drawn uniformly at random, so that shares of labels estimate those of the pool."
    first = " Round 1 was drawn uniformly before any choice, and estimates those of the pool." if 1 in drawn else ""
    by_admin = [batch.number for batch in facts.rounds if is_chosen(batch.round)]
    by_strategy = [batch.number for batch in facts.rounds if not is_random(batch) and not is_chosen(batch.round)]
    which = " and ".join(
        f"{f'Round {found[0]} was' if len(found) == 1 else f'Rounds {numbers(found)} were'} chosen by {who}"
        for found, who in ((by_strategy, "a strategy"), (by_admin, "an admin"))
        if found
    )
    return f"{which}, so that shares of labels over all rounds are not those of the pool.{first}"


def slots_words(facts: DatasheetFacts) -> str:
    """Describe how many annotators an item was given to."""
    slots = sorted({batch.annotators_per_item for batch in facts.rounds})
    return several(slots[0], "annotator") if len(slots) == 1 else f"{' or '.join(map(str, slots))} annotators"


def is_chosen(row: Round | None) -> bool:
    """Tell whether an admin chose the round's items."""
    return row is not None and row.strategy_used == Round.CHOSEN


def is_random(batch: Batch) -> bool:
    return batch.round is not None and batch.round.strategy_used == "random"
