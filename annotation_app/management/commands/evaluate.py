"""manage.py evaluate PROJECT: compares systems with people's labels, and prints their accuracies when asked to wait."""

import time
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation_app.api.inputs import spec_sent
from annotation_app.evaluation.selectors import evaluation_view
from annotation_app.evaluation.services import PredictionsFile, evaluation_create
from annotation_app.evaluation.spec import EPSILONS, EvaluationSpec
from annotation_app.management.commands.export_dataset import project_find
from annotation_app.management.people import person_named
from annotation_app.models import Capability, Evaluation, Project, User
from annotation_app.refusals import Invalid, Refused

LOOK_SECONDS = 1.0
GIVEN = ("name", "stages", "systems", "folds", "examples", "seed", "epsilon", "limit", "pool", "batch")


class Command(BaseCommand):
    help = "Starts an evaluation of a project: systems predict the labels that people gave. The model worker runs it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="the project's id, or its name")
        parser.add_argument("--stages", nargs="+", required=True, metavar="STAGE", help="stages of the codebook")
        parser.add_argument(
            "--systems",
            nargs="+",
            default=[],
            metavar="NAME",
            help="majority, people, a model of QUORUM_MODELS, or one of the file of language models",
        )
        parser.add_argument("--predictions", type=Path, metavar="FILE.jsonl", help="predictions made elsewhere")
        parser.add_argument("--name", default="Evaluation", help="what the evaluation is called")
        parser.add_argument("--as", dest="actor", metavar="USERNAME", help="an admin (default: who made the project)")
        parser.add_argument("--release", type=int, metavar="NUMBER", help="take the gold labels of this release")
        parser.add_argument("--phase", type=int, choices=(1, 2), default=1, help="2: labels after second looks")
        parser.add_argument("--adjudicated", action="store_true", help="decisions stand before majorities")
        parser.add_argument("--folds", type=int, default=4, help="of systems that are trained")
        parser.add_argument("--examples", type=int, default=0, help="shown in each prompt")
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--epsilon", type=float, choices=EPSILONS, default=EPSILONS[0])
        parser.add_argument("--limit", type=int, help="the most items of a stage that language models are asked about")
        parser.add_argument("--pool", type=int, default=0, help="unlabelled items that they are asked about besides")
        parser.add_argument("--batch", type=int, metavar="ROUND", help="a round whose batch they are asked about too")
        parser.add_argument("--wait", action="store_true", help="wait for the end, and print the accuracies")

    def handle(self, *args: Any, **given: Any) -> None:
        project = project_find(given["project"])
        actor = actor_of(project, given["actor"])
        try:
            row = start(project, actor, given)
        except (Invalid, Refused) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Evaluation {row.number} of {project.name} was started: {row.uuid}")
        if given["wait"]:
            self.wait(row)
            self.stdout.write("\n".join(accuracy_lines(evaluation_view(row).figures or {"stages": []})))

    def wait(self, row: Evaluation) -> None:
        """Wait for the end, and tell the progress. Raises CommandError where it does not end well."""
        told = ""
        try:
            while row.state in Evaluation.WORKING_STATES:
                time.sleep(LOOK_SECONDS)
                row.refresh_from_db()
                if (words := progress_words(row)) != told:
                    self.stderr.write(told := words)
        except KeyboardInterrupt:
            raise CommandError("No longer waited for: the evaluation goes on.", returncode=130) from None
        if row.state != Evaluation.State.DONE:
            raise CommandError(f"Evaluation {row.number} is {row.state}. {row.failure}".strip())


def actor_of(project: Project, username: str | None) -> User:
    """Return the person whose evaluation it is. Raises CommandError for somebody who is no admin of the project."""
    user = project.created_by if username is None else person_named(username)
    managers = project.memberships.all().active_with(Capability.MANAGE)
    if username is not None and not managers.filter(user=user).exists():
        raise CommandError(f"--as: {username} is no admin of {project.name}: name somebody who is.")
    return user


def start(project: Project, actor: User, given: dict[str, Any]) -> Evaluation:
    gold: dict[str, Any] = {"kind": "labels", "phase": given["phase"], "adjudicated": given["adjudicated"]}
    if given["release"] is not None:
        gold = {"kind": "release", "number": given["release"]}
    spec = spec_sent(EvaluationSpec, {name: given[name] for name in GIVEN} | {"gold": gold})
    path: Path | None = given["predictions"]
    with ExitStack() as stack:
        try:
            file = None if path is None else PredictionsFile(path.name, stack.enter_context(path.open("rb")))
        except OSError as error:
            raise CommandError(f"{path} cannot be read: {error.strerror}.") from error
        return evaluation_create(project=project, spec=spec, actor=actor, predictions=file)


def progress_words(row: Evaluation) -> str:
    systems = ", ".join(f"{each['name']} {each['answered']}/{each['total']}" for each in evaluation_view(row).systems)
    return f"{row.state}: {row.progress.get('detail') or 'waits for the worker'} ({systems})"


def accuracy_lines(figures: dict[str, Any]) -> Iterator[str]:
    """Yield a table of accuracies: a line for each system, a column for each stage."""
    stages: Sequence[dict[str, Any]] = figures["stages"]
    names = list(dict.fromkeys(system["name"] for stage in stages for system in stage["systems"]))
    rows = [["System", *(f"{stage['key']} (n = {stage['n']:,})" for stage in stages)]]
    rows += [[name, *(accuracy_words(stage, name) for stage in stages)] for name in names]
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    for row in rows:
        yield "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()


def accuracy_words(stage: dict[str, Any], name: str) -> str:
    system = next((each for each in stage["systems"] if each["name"] == name), None)
    if system is None:
        return "–"
    n = "" if system["n"] == stage["n"] else f" (n = {system['n']:,})"
    return f"{system['accuracy']:.2f} [{system['accuracy_low']:.2f}, {system['accuracy_high']:.2f}]{n}"
