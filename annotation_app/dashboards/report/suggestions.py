"""Make the table of what suggestions of a model did: agreement with them, and answers that were changed after them."""

from al_worker.formats.intervals import wilson
from al_worker.formats.paper_tables import (
    Cell,
    Column,
    Table,
    nothing,
    reasons,
    share_cell,
    whole,
    words,
)
from annotation_app.dashboards.report.facts import ReportFacts
from annotation_app.dashboards.report.statements import rows_of
from annotation_app.models import SuggestionSetting

ABOUT = (
    "Answers of annotators who may see what a model predicts. Agreement: their answer is the model's label; in the "
    "mode “after” it is the answer that they gave on their own. Saw it afterwards: most of these differed from the "
    "model. Of them, changed: the answer that counts now is another one. Towards the model: it is the model's label."
)
NOT_INDEPENDENT = (
    "Answers given with suggestions on the screen are not independent. The tables of agreement include them."
)
NONE_SHOWN = "No annotator has answered with suggestions of a model, or compared an answer with them."
MODE_WORDS = {"before": "before the answer", "after": "after the own answer"}
FIRST = "they were on the screen from the beginning"


def suggestions_table(facts: ReportFacts) -> Table:
    """Make the table, with a row for each model, mode and stage.

    Stages about context are left out, because a model answers yes or no to them.
    """
    titles = {stage.key: stage.title for stage in facts.stages if stage not in facts.context_stages}
    shown = [
        row(titles[stage], f"{system}, evaluation {number}", mode, *counts)
        for number, system, mode, stage, *counts in rows_of("suggestions", facts.project)
        if stage in titles
    ]
    return Table(
        key="suggestions",
        title="Suggestions of a model",
        source="",
        about=ABOUT,
        columns=(
            Column("stage", "Stage"),
            Column("model", "Model"),
            Column("mode", "Shown"),
            Column("n", "n", "number"),
            Column("agreement", "Agreement", "number", has_interval=True),
            Column("saw", "Saw it afterwards", "number", has_reason=True),
            Column("changed", "Changed", "number", has_interval=True, has_reason=True),
            Column("towards", "Towards the model", "number", has_interval=True, has_reason=True),
        ),
        rows=shown,
        notes=[NOT_INDEPENDENT, *reasons(shown)],
        missing="" if shown else NONE_SHOWN,
    )


def row(title: str, model: str, mode: str, n: int, agree: int, saw: int, changed: int, towards: int) -> list[Cell]:
    if mode == SuggestionSetting.Mode.AFTER:
        effect = [whole(saw), share_cell(wilson(changed, saw)), share_cell(wilson(towards, saw))]
    else:
        effect = [nothing(FIRST)] * 3
    return [
        words(title),
        words(model),
        words(MODE_WORDS[mode]),
        whole(n),
        share_cell(wilson(agree, n)),
        *effect,
    ]
