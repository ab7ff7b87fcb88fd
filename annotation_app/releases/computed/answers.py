"""Which questions the data answer, and with what."""

from collections.abc import Callable, Mapping

from annotation_app.releases.computed.facts import SheetFacts

# By key of questions.json. What gives None has nothing to say of this project.
COMPUTED: Mapping[str, Callable[[SheetFacts], str | None]] = {}
BLOCKS: Mapping[str, Callable[[SheetFacts], str]] = {}


def computed_answers(facts: SheetFacts) -> dict[str, str | None]:
    return {key: made(facts) for key, made in COMPUTED.items()}


def computed_blocks(facts: SheetFacts) -> dict[str, str]:
    return {key: made(facts) for key, made in BLOCKS.items()}
