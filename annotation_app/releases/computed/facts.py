"""What the computed answers start from, read once."""

from collections.abc import Mapping
from dataclasses import dataclass

from annotation_app.models import Project


@dataclass(frozen=True)
class SheetFacts:
    """`answers` are an admin's, by question."""

    project: Project
    answers: Mapping[str, str]


def sheet_facts(project: Project, answers: Mapping[str, str]) -> SheetFacts:
    """In a constant number of queries."""
    return SheetFacts(project, answers)
