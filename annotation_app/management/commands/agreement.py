"""manage.py agreement FILE.csv: the agreement table of answers from another tool, as JSON."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError

from annotation_app.agreement.file_orders import OrderInvalid
from annotation_app.agreement.file_reader import FileInvalid
from annotation_app.agreement.file_table import file_table


class Command(BaseCommand):
    help = (
        "Percent agreement, Fleiss' kappa, Krippendorff's alpha (nominal and ordinal), Cohen's kappa and Gwet's AC1 "
        "with 95% jackknife intervals, by stage, round and pair of annotators, from a CSV file with the columns "
        "item, annotator, stage, label and, where there are rounds, round: one line for each answer. Nothing is stored."
    )
    # It needs a database to count in, but none of the product's tables.
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE.csv")
        parser.add_argument(
            "--order",
            action="append",
            default=[],
            metavar="[STAGE=]A,B,C",
            help="labels from low to high, for the ordinal alpha: of all stages that have them, or of one; repeatable; "
            "a label that holds a comma stands in quotation marks",
        )

    def handle(self, *args: Any, **given: Any) -> None:
        path: Path = given["file"]
        try:
            rows = file_table(path, given["order"])
        except FileNotFoundError:
            raise CommandError(f"{path} does not exist.") from None
        except (IsADirectoryError, PermissionError) as error:
            raise CommandError(f"{path} cannot be read: {error.strerror}.") from None
        except (FileInvalid, OrderInvalid) as error:
            raise CommandError(str(error)) from None
        except OperationalError as error:
            raise CommandError(
                f"The database does not answer ({str(error).strip().splitlines()[0]}). Start `make up`, or unset "
                "DATABASE_URL: a throw-away database is used then."
            ) from None
        self.stdout.write(json.dumps({"rows": rows}, ensure_ascii=False, allow_nan=False, indent=1))
