"""Count the items of the rounds that are still to be decided, from cached counts.

The list of disagreements names the items, and therefore reads every answer; a count need not wait for that.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.db.models import Count, Max

from annotation_app.aggregation.cases import second_looks_over
from annotation_app.aggregation.outcomes import project_outcomes
from annotation_app.aggregation.planner import planned
from annotation_app.aggregation.rules import Aggregated, aggregate
from annotation_app.aggregation.selectors import codebooks_of, stages_of
from annotation_app.agreement.selectors import kept_by_batch
from annotation_app.assignment.blinding import hidden_items
from annotation_app.codebook.stages import Codebook
from annotation_app.dashboards.insights import insight_batches
from annotation_app.dashboards.outcomes import Profile, batch_profiles
from annotation_app.dashboards.statements import decided_statement
from annotation_app.models import Adjudication, Batch, Membership, Project


def open_disagreements_total(project: Project) -> int:
    """Count finished items with a stage that has neither a majority nor a decision."""
    codebooks = codebooks_of(project)
    if not stages_of(codebooks):
        return 0
    # With the prototypes, as other pages ask: what is kept is of one set of batches.
    told = insight_batches(project)
    rounds = {batch.pk for batch in told if batch.kind == Batch.Kind.ROUND}
    profiles = batch_profiles(project=project, batches=told, codebooks=codebooks)
    return open_of_profiles(project, codebooks, (each for each in profiles if each.batch in rounds))


def hidden_from_reader(reader: Membership) -> int:
    """Count those of them that the reader's list hides, because their own answer can still change."""
    own = hidden_items(reader)
    if not own:
        return 0
    batches = Batch.objects.filter(kind=Batch.Kind.ROUND, batch_items__in=own).distinct()
    found = project_outcomes(project=reader.project, batches=batches)
    return found.counts(None)["open"] - found.without(own).counts(None)["open"]


def open_of_profiles(project: Project, codebooks: Mapping[int, Codebook], of_rounds: Iterable[Profile]) -> int:
    """Count open disagreements from the profiles of all batches of the rounds."""
    finished = (each for each in of_rounds if each.finished and each.begun)
    n = sum(each.n_items for each in finished if is_undecided(each.stages))
    for voted, with_decision, n_items in decided_profiles(project, codebooks):
        n += n_items * (is_undecided(with_decision) - is_undecided(voted))
    return n


def decided_profiles(
    project: Project, codebooks: Mapping[int, Codebook]
) -> Iterator[tuple[dict[str, Aggregated], dict[str, Aggregated], int]]:
    """Yield outcomes without and with the decisions about them, and the number of items of each."""
    with planned() as cursor:
        cursor.execute(decided_statement(), {"project": project.pk})
        rows: list[Any] = cursor.fetchall()
    for codebook, majorities, labels, n in rows:
        parsed, votes = codebooks[codebook], json.loads(majorities)
        yield aggregate(parsed, votes, {}), aggregate(parsed, votes, {}, json.loads(labels)), n


def is_undecided(stages: Mapping[str, Aggregated]) -> bool:
    """Tell whether a stage has no majority; a tie looks the same without the votes."""
    return any(stage.state == "no_majority" for stage in stages.values())


def open_consensus_total(project: Project) -> int:
    """Count open disagreements among the answers of second looks that are over.

    The count is cached until somebody decides, or a look that is not frozen changes.
    """
    looks = second_looks_over(project)
    looked_at = {look.pk: look.second_look_of for look in looks}

    def count(_: object, ids: list[int]) -> list[int]:
        batches = [batch for pk in ids if (batch := looked_at[pk])]
        return [project_outcomes(project=project, batches=batches, phase=2).counts(None)["open"]]

    decisions = Adjudication.objects.filter(batch_item__batch__project=project)
    made_from = [sorted(decisions.aggregate(n=Count("pk"), newest=Max("pk")).items())]
    return sum(kept_by_batch(project=project, view="to agree", batches=looks, made_from=made_from, count=count))
