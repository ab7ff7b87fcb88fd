"""Register the datasheet's questions that the data answer, with the functions that do it."""

from collections.abc import Callable, Mapping

from annotation_app.releases.datasheet_facts import (
    agreement,
    figures,
    labels,
    people,
    provenance,
    sampling,
    size,
    texts,
)
from annotation_app.releases.datasheet_facts.facts import DatasheetFacts

# By key of questions.json. A function returns None where the project gives no answer.
COMPUTED: Mapping[str, Callable[[DatasheetFacts], str | None]] = {
    "units": texts.units,
    "counts": size.counts,
    "sample": size.sample,
    "fields": texts.fields,
    "labels": labels.labels,
    "missing": size.missing,
    "relations": texts.relations,
    "splits": sampling.splits,
    "errors": agreement.errors,
    "self_contained": texts.self_contained,
    "identifiable": texts.identifiable,
    "acquisition": people.acquisition,
    "mechanisms": people.mechanisms,
    "sampling": sampling.sampling,
    "workers": people.workers,
    "timeframe": people.timeframe,
    "preprocessing": texts.preprocessing,
    "raw": texts.raw,
    "software": provenance.software,
    "first_experiments": provenance.first_experiments,
    "limits": sampling.limits,
    "channels": provenance.channels,
    "terms": provenance.terms,
    "old_versions": provenance.old_versions,
    "privacy_guarantees": people.privacy,
}
# Further parts of the card, by the name that its template gives them.
BLOCKS: Mapping[str, Callable[[DatasheetFacts], str]] = {
    "figures": figures.figures_table,
    "labels": labels.labels_table,
    "agreement": agreement.agreement_tables,
}


def computed_answers(facts: DatasheetFacts) -> dict[str, str | None]:
    return {key: made(facts) for key, made in COMPUTED.items()}


def computed_answer(key: str, facts: Callable[[], DatasheetFacts]) -> str | None:
    """Return one computed answer; the facts are read only where there is one."""
    return COMPUTED[key](facts()) if key in COMPUTED else None


def computed_blocks(facts: DatasheetFacts) -> dict[str, str]:
    return {key: made(facts) for key, made in BLOCKS.items()}
