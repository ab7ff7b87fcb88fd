"""Choose evaluations by equivalence classes, as their latest revisions have them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from al_worker.equivalence.evaluations import Evaluation
from al_worker.formats.plurals import several
from annotation_app.equivalence.categories import categories_of
from annotation_app.equivalence.instances import evaluation_used
from annotation_app.equivalence.selectors import ShownEvaluation, evaluations_in_use, evaluations_shown
from annotation_app.equivalence.strings import Reader, strings_read
from annotation_app.models import Project
from annotation_app.refusals import Invalid


@dataclass(frozen=True)
class Chosen:
    """Hold an evaluation with its revision. `reason` says why it is not usable, `warnings` what to know of it."""

    id: UUID
    evaluation: Evaluation
    revision: int
    class_names: tuple[str, ...]
    n_validated: int
    reason: str
    warnings: tuple[str, ...]

    @property
    def title(self) -> str:
        return f"{self.evaluation.annotation}, {self.evaluation.name}"

    def stored(self) -> dict[str, Any]:
        """Return what an interpretation records of it. Its instances number the classes in this order."""
        classes = zip(self.class_names, self.evaluation.classes, strict=True)
        return {
            "id": str(self.id),
            "annotation": self.evaluation.annotation,
            "evaluation": self.evaluation.name,
            "part": self.evaluation.part,
            "in_depth": self.evaluation.in_depth,
            "revision": self.revision,
            "n_validated": self.n_validated,
            "classes": [{"name": name, "members": list(members)} for name, members in classes],
        }


def evaluations_offered(project: Project) -> list[Chosen]:
    """Return the project's evaluations in their order, those that were removed left out."""
    shown = evaluations_shown(evaluations_in_use(project), categories_of(project), strings_read(Reader(project)))
    return [chosen_of(each) for each in shown]


def chosen_of(shown: ShownEvaluation) -> Chosen:
    return Chosen(
        id=shown.row.uuid,
        evaluation=evaluation_used(shown),
        revision=shown.row.revision,
        class_names=tuple(each.name for each in shown.classes),
        n_validated=shown.n_validated,
        reason=shown.left_out,
        warnings=tuple(warnings_of(shown)),
    )


def warnings_of(shown: ShownEvaluation) -> Iterator[str]:
    if open_ones := shown.n_classes - shown.n_validated:
        yield f"{several(open_ones, 'class', 'classes')} not validated."
    if shown.n_unused:
        yield f"{several(shown.n_unused, 'string')} in no settled span now, which can only be negatives."


def evaluations_chosen(project: Project, ids: Sequence[UUID]) -> list[Chosen]:
    """Return the evaluations of these ids, in the project's order. Raises Invalid for one that is not usable."""
    offered = {each.id: each for each in evaluations_offered(project)} if ids else {}
    errors = {}
    for at, id_ in enumerate(ids):
        if id_ not in offered:
            errors[f"evaluations[{at}]"] = ["This evaluation is not there any more: choose another."]
        elif offered[id_].reason:
            errors[f"evaluations[{at}]"] = [f"{offered[id_].title}: {offered[id_].reason}"]
    if errors:
        raise Invalid(errors)
    return [each for each in offered.values() if each.id in ids]
