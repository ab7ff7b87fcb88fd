"""Hold the options of an export, the same for every kind."""

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
class ExportOptions:
    """Choose what an export holds; each kind of export takes some of these.

    `names` writes user names in place of pseudonyms. `revisions` chooses current annotations or all revisions. `of`
    chooses whose spans, `style` the style of markers, and `random_state` the seed of the split of targets. `phase`
    chooses labels from independent answers (1) or from answers after second looks (2). `bom` writes a byte order mark
    into CSV, by which Excel recognises UTF-8.
    """

    project: Project
    names: bool = False
    revisions: Revisions = "current"
    of: Of = "all"
    style: str = "spaces"
    random_state: int = 0
    phase: Phase = 1
    bom: bool = False
