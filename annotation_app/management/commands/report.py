"""manage.py report PROJECT --html FILE: the tables and figures of a project's study, as one file."""

import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation_app.dashboards.report.agreement_batches import MOST_PEOPLE
from annotation_app.dashboards.report.page import as_html
from annotation_app.dashboards.report.report import project_report
from annotation_app.management.commands.export_dataset import project_find
from annotation_app.management.paths import file_check
from annotation_app.refusals import Invalid


class Command(BaseCommand):
    help = "Writes a project's report as one HTML file that needs no network."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="the project's id, or its name")
        parser.add_argument("--html", type=Path, metavar="FILE", required=True)
        parser.add_argument(
            "--examples", nargs="+", default=[], metavar="ITEM", help="ids of items to show as examples, in this order"
        )
        parser.add_argument(
            "--annotators",
            nargs="+",
            type=int,
            default=[],
            metavar="NUMBER",
            help=f"whose pairs stand in the tables of agreement, {MOST_PEOPLE} at most (default: those who share the "
            "most items with others)",
        )

        parser.add_argument(
            "--paper", action="store_true", help="name beside each table the one of the OP-FED paper that it follows"
        )

    def handle(self, *args: Any, **given: Any) -> None:
        out: Path = given["html"]
        project = project_find(given["project"])
        file_check(out)
        try:
            report = project_report(project=project, examples=given["examples"], annotators=given["annotators"])
        except Invalid as error:
            raise CommandError(str(error)) from error
        # Under another name until it is whole.
        part = out.with_name(f"{out.name}.part")
        part.write_text(as_html(report, paper=given["paper"]), encoding="utf-8")
        os.replace(part, out)
        missing = [table.title for section in report.sections for table in section.tables if table.missing]
        self.stderr.write(f"{out}: {len(report.sections)} sections. Still empty: {'; '.join(missing) or 'nothing'}.")
