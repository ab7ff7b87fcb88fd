"""Read the faults that an import reports."""

from annotation_app.ingest.selectors import report_of
from annotation_app.models import Document, Import, Item, Utterance


def errors_of(imported: Import) -> list[tuple[int | None, str | None, str]]:
    return [(error["line"], error["field"], error["message"]) for error in report_of(imported)["errors"]]


def assert_nothing_imported(imported: Import) -> None:
    assert imported.state == Import.State.FAILED
    assert imported.finished_at is not None
    assert report_of(imported)["items"] == report_of(imported)["skipped_lines"] == 0
    assert not Document.objects.exists() and not Utterance.objects.exists() and not Item.objects.exists()
