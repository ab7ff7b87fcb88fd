"""Which questions the data answer, and with what."""

from collections.abc import Callable, Mapping

from annotation_app.releases.computed import agreement, chosen, figures, labels, made_with, people, size, texts
from annotation_app.releases.computed.facts import SheetFacts

# By key of questions.json. What gives None has nothing to say of this project.
COMPUTED: Mapping[str, Callable[[SheetFacts], str | None]] = {
    "units": texts.units,
    "counts": size.counts,
    "sample": size.sample,
    "fields": texts.fields,
    "labels": labels.labels,
    "missing": size.missing,
    "relations": texts.relations,
    "splits": chosen.splits,
    "errors": agreement.errors,
    "self_contained": texts.self_contained,
    "identifiable": texts.identifiable,
    "acquisition": people.acquisition,
    "mechanisms": people.mechanisms,
    "sampling": chosen.sampling,
    "workers": people.workers,
    "timeframe": people.timeframe,
    "preprocessing": texts.preprocessing,
    "raw": texts.raw,
    "software": made_with.software,
    "first_experiments": made_with.first_experiments,
    "limits": chosen.limits,
    "channels": made_with.channels,
    "terms": made_with.terms,
    "old_versions": made_with.old_versions,
    "privacy_guarantees": people.privacy,
}
# Further parts of the card, by the name that its template gives them.
BLOCKS: Mapping[str, Callable[[SheetFacts], str]] = {
    "figures": figures.figures_table,
    "labels": labels.labels_table,
    "agreement": agreement.agreement_tables,
}


def computed_answers(facts: SheetFacts) -> dict[str, str | None]:
    return {key: made(facts) for key, made in COMPUTED.items()}


def computed_answer(key: str, facts: Callable[[], SheetFacts]) -> str | None:
    """One of them; the facts are read only where it needs them."""
    return COMPUTED[key](facts()) if key in COMPUTED else None


def computed_blocks(facts: SheetFacts) -> dict[str, str]:
    return {key: made(facts) for key, made in BLOCKS.items()}
