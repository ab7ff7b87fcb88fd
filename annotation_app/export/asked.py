"""What was asked for, the same for every kind of export."""

from dataclasses import dataclass
from typing import Literal, get_args

from annotation_app.models import Project

Revisions = Literal["current", "all"]
REVISIONS: tuple[Revisions, ...] = get_args(Revisions)


@dataclass(frozen=True)
class Asked:
    """`names`: user names stand where pseudonyms would. `revisions`: of annotations, the current ones or all."""

    project: Project
    names: bool = False
    revisions: Revisions = "current"
