"""manage.py agreement FILE.csv: the agreement table of answers from another tool, as JSON."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError

from al_worker.formats.missing import MARKS, MissingInvalid
from annotation_app.agreement.file_orders import OrderInvalid
from annotation_app.agreement.file_reader import FileInvalid, file_opened
from annotation_app.agreement.file_table import file_table
from annotation_app.agreement.statistics import STATISTICS
from annotation_app.ingest.encodings import AUTO, is_encoding
from annotation_app.ingest.options import DELIMITER_NAMES
from annotation_app.ingest.source import ReadingOptions


class Command(BaseCommand):
    help = (
        f"{', '.join(each.title for each in STATISTICS)}: "
        "with 95% jackknife intervals, by stage, round and pair of annotators, from a CSV file with the columns "
        "item, annotator, stage, label and, where there are rounds, round: one line for each answer. An item with "
        "answers in two rounds counts as two items over all rounds: what A said in one is never compared with what B "
        "said in another. A label such as NA, which means that an answer is missing, is left out with a notice: see "
        "--missing. Nothing is stored."
    )
    # It needs a database to count in, but none of the product's tables.
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE.csv", help="- reads standard input")
        parser.add_argument("--encoding", default=AUTO, help="such as utf-8 or cp1252; told by the file if left out")
        parser.add_argument("--delimiter", choices=DELIMITER_NAMES, default=AUTO, help="told by the file if left out")
        parser.add_argument(
            "--order",
            action="append",
            default=[],
            metavar="[STAGE=]A,B,C",
            help="labels from low to high, for the ordinal alpha: of all stages that have them, or of one; repeatable. "
            "A label that holds a comma stands in quotation marks. What stands before an equals sign is the stage if "
            "the file has one of that name, else it is part of the label",
        )

        parser.add_argument(
            "--missing",
            metavar="A,B,C",
            help="labels that mean that there is no answer; such lines are left out. Left out itself: "
            f"{', '.join(filter(None, MARKS))} and a blank cell. --missing '' takes every label as one; a blank "
            "cell is then an error. `--missing NA,` stands for NA and a blank cell",
        )

    def handle(self, *args: Any, **given: Any) -> None:
        if given["encoding"] != AUTO and not is_encoding(given["encoding"]):
            raise CommandError(f"{given['encoding']!r} is no encoding: give a name such as utf-8 or cp1252.")
        try:
            with file_opened(given["file"], ReadingOptions(given["encoding"], given["delimiter"])) as (name, file):
                table = file_table(name, file, given["order"], given["missing"])
        except FileNotFoundError:
            raise CommandError(f"{given['file']} does not exist: name a file with answers.") from None
        except OSError as error:
            raise CommandError(f"{given['file']} cannot be read: {error.strerror}.") from None
        except (FileInvalid, MissingInvalid, OrderInvalid) as error:
            raise CommandError(str(error)) from None
        except OperationalError as error:
            raise CommandError(
                f"The database does not answer ({str(error).strip().splitlines()[0]}). Start `make up`, or unset "
                "DATABASE_URL: a throw-away database is used then."
            ) from None
        for notice in table.notices:
            self.stderr.write(f"{name}: {notice}")
        body = {"rows": table.rows, "notices": table.notices}
        self.stdout.write(json.dumps(body, ensure_ascii=False, allow_nan=False, indent=1))
