"""Test the systems of two interpretations against each other, on the same instances."""

from typing import Any

from al_worker.equivalence.comparison import first_difference, paired_written
from al_worker.equivalence.results import Scored, read_scored
from al_worker.formats.interpretation import scored_name
from annotation_app.models import Interpretation
from annotation_app.refusals import Refused
from annotation_app.storage import stored_copy

NONE = "{0} tested no instances."
OTHERS = "Instance {0} of the two is not the same. Both need the same data, evaluations, split, prefix and seed."


def comparison_view(row: Interpretation, other: Interpretation) -> dict[str, Any]:
    """Return paired tests of each system of one with each of the other. Raises Refused before the end of both."""
    ours, theirs = scored_of(row), scored_of(other)
    if not ours or not theirs:
        return {"same": False, "reason": NONE.format((other if ours else row).name), "pairs": []}
    number = first_difference(next(iter(ours.values())), next(iter(theirs.values())))
    if number is not None:
        return {"same": False, "reason": OTHERS.format(number + 1), "pairs": []}
    titles, of_other = titles_of(row), titles_of(other)
    pairs = [
        {
            "first": {"name": first, "title": titles[first]},
            "second": {"name": second, "title": of_other[second]},
            "evaluations": paired_written(scored, against),
        }
        for first, scored in ours.items()
        for second, against in theirs.items()
    ]
    return {"same": True, "reason": "", "pairs": pairs}


def scored_of(row: Interpretation) -> dict[str, list[Scored]]:
    """Return the scored instances of each system that has any."""
    if row.state != Interpretation.State.DONE:
        raise Refused("no_results", f"{row.name} has no results before its end; it is {row.state}.")
    paths = dict(row.files.values_list("name", "path"))
    known = {(each["annotation"], each["evaluation"]) for each in row.spec["evaluations"]}
    found = {}
    for system in row.spec["systems"]:
        if path := paths.get(scored_name(system["name"])):
            with stored_copy(path) as copy:
                found[system["name"]] = read_scored(copy, known)
    return {name: scored for name, scored in found.items() if scored}


def titles_of(row: Interpretation) -> dict[str, str]:
    return {each["name"]: each["title"] for each in row.spec["systems"]}
