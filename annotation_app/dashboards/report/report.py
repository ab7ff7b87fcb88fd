"""Make the report of a project: tables and figures of its study, after those of OP-FED."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from al_worker.formats.paper_tables import Table
from annotation_app.annotation.suggestions import has_suggestions
from annotation_app.dashboards.report.agreement_batches import Compared, compared, tables_7
from annotation_app.dashboards.report.agreement_stages import agreement_stages
from annotation_app.dashboards.report.artifacts import table_6
from annotation_app.dashboards.report.class_yield import table_2
from annotation_app.dashboards.report.context_labels import context_answers, cross_tables, figures_4
from annotation_app.dashboards.report.examples import Example, examples_of, table_1, table_9
from annotation_app.dashboards.report.facts import ReportFacts, open_batch_notices, report_facts
from annotation_app.dashboards.report.figures import Figure
from annotation_app.dashboards.report.humans import table_4
from annotation_app.dashboards.report.label_table import table_3
from annotation_app.dashboards.report.minutes import table_8
from annotation_app.dashboards.report.models import model_tables
from annotation_app.dashboards.report.positions import figures_3
from annotation_app.dashboards.report.suggestions import suggestions_table
from annotation_app.evaluation.selectors import evaluations_done
from annotation_app.models import Project


@dataclass(frozen=True)
class Section:
    """Hold one question, answered by figures and tables."""

    key: str
    title: str
    question: str
    tables: Sequence[Table] = ()
    figures: Sequence[Figure] = ()


@dataclass(frozen=True)
class Report:
    """Hold the report.

    `notices` say what is still open; `candidates` are items that may be chosen as examples. `compared` names the people
    whose pairs stand in the tables of agreement.
    """

    project: Project
    made_at: datetime
    notices: Sequence[str]
    sections: Sequence[Section]
    chosen: Sequence[Example]
    candidates: Sequence[Example]
    compared: Compared
    facts: ReportFacts


def project_report(*, project: Project, examples: Sequence[str] = (), annotators: Sequence[int] = ()) -> Report:
    """Make the report.

    `examples` are imported ids of items, `annotators` the numbers of those whose pairs are shown. The number of queries
    does not grow with the data. A project that is empty, half finished or only marks spans has a report too: it says
    what is missing. Raises Invalid.
    """
    facts = report_facts(project)
    people = compared(facts, annotators)
    shown = examples_of(facts, examples)
    return Report(
        project=project,
        made_at=timezone.now(),
        notices=list(open_batch_notices(facts)),
        sections=[
            *counted_sections(facts, people),
            Section(
                "examples",
                "Examples",
                "Which items show what the labels mean?",
                tables=[table_1(facts, shown), table_9(facts, shown)],
            ),
            Section("artifacts", "Artifacts", "What was it made with?", tables=[table_6(project)]),
        ],
        chosen=shown.chosen,
        candidates=shown.candidates,
        compared=people,
        facts=facts,
    )


def report_figures(*, project: Project) -> list[Figure]:
    """Return all figures, without the tables of the report."""
    facts = report_facts(project)
    return [*figures_4(facts, context_answers(facts)), *figures_3(facts)]


def counted_sections(facts: ReportFacts, people: Compared) -> list[Section]:
    answers = context_answers(facts)
    return [
        Section("yield", "Class yield", "What did choosing bring beside chance?", tables=[table_2(facts)]),
        Section("labels", "Labels", "What does the dataset hold, and how far do people agree?", [table_3(facts)]),
        Section("humans", "Human baseline", "How often is one person right?", tables=[table_4(facts)]),
        Section(
            "agreement",
            "Agreement",
            "How far do people agree, who with whom, and when?",
            tables=[agreement_stages(facts), *tables_7(facts, people)],
        ),
        *model_sections(facts),
        *suggestion_sections(facts),
        Section("time", "Time", "What did it cost?", tables=[table_8(facts)]),
        Section(
            "context",
            "Context",
            "How much had to be read?",
            tables=cross_tables(facts, answers),
            figures=figures_4(facts, answers),
        ),
        Section("position", "Position", "Where in the documents do positives stand?", figures=figures_3(facts)),
    ]


def model_sections(facts: ReportFacts) -> list[Section]:
    """Return the section on models, where an evaluation is done."""
    evaluation = evaluations_done(facts.project).first()
    if evaluation is None:
        return []
    question = "How far does a model say what people say?"
    return [Section("models", "Models against people", question, tables=model_tables(evaluation))]


def suggestion_sections(facts: ReportFacts) -> list[Section]:
    """Return the section on suggestions, where any batch has shown some."""
    if not has_suggestions(facts.project):
        return []
    question = "What did a model's suggestions do to people's answers?"
    return [Section("suggestions", "Suggestions", question, tables=[suggestions_table(facts)])]
