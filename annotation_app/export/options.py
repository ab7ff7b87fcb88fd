"""What was asked for, the same for every kind of export."""

from dataclasses import dataclass
from typing import Literal, get_args

from al_worker.formats.text_form import STYLES as STYLES_BY_NAME
from annotation_app.aggregation.statements import Phase
from annotation_app.models import Project

Revisions = Literal["current", "all"]
REVISIONS: tuple[Revisions, ...] = get_args(Revisions)
Of = Literal["all", "annotators", "validated"]
OF: tuple[Of, ...] = get_args(Of)
STYLES = tuple(STYLES_BY_NAME)
# Bounds of a seed, as rounds have them.
SEEDS = -(2**63), 2**63 - 1


@dataclass(frozen=True)
class Asked:
    """`names`: user names stand where pseudonyms would. `revisions`: of annotations, the current ones or all.

    Of the kinds about spans, `of`: whose. `style`: of markers. `random_state`: of the split of targets.
    `bom`: of CSV, a byte order mark, by which Excel knows UTF-8.
    `phase`: of aggregated labels, those of the independent answers (1) or of the answers after second looks (2).
    """

    project: Project
    names: bool = False
    revisions: Revisions = "current"
    of: Of = "all"
    style: str = "spaces"
    random_state: int = 0
    phase: Phase = 1
    bom: bool = False
