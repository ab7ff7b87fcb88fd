"""Answer with files that jobs have left in the storage."""

from django.http import FileResponse
from drf_spectacular.types import OpenApiTypes

from al_worker.formats.drawing import MEDIA_TYPES
from annotation_app.models.base import FileModel
from annotation_app.storage import store

# A file that somebody opens from the server's address must not act as a page of it.
SANDBOX = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"
FILE_TYPES = {
    "json": "application/json",
    "jsonl": "application/x-ndjson; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "tex": "application/x-tex; charset=utf-8",
    "html": "text/html; charset=utf-8",
    **MEDIA_TYPES,
}
# What the schema says of a route that answers with any of them.
FILE_RESPONSES = {
    (200, media_type.partition(";")[0]): OpenApiTypes.BINARY for media_type in sorted(set(FILE_TYPES.values()))
}


def stored_file(file: FileModel, job: str) -> FileResponse:
    """Return a file for download. Its name begins with that of its job, such as evaluation-2."""
    ending = file.name.rpartition(".")[2]
    response = download(
        file.path, f"{job}-{file.name.rsplit('/', 1)[-1]}", FILE_TYPES.get(ending, "application/octet-stream")
    )
    response["Content-Security-Policy"] = SANDBOX
    return response


def download(path: str, filename: str, content_type: str) -> FileResponse:
    """Return a stored file for download, which is read from the storage while it is sent."""
    file, size = store.opened_once(path)
    response = FileResponse(file, as_attachment=True, filename=filename, content_type=content_type)
    response["Content-Length"] = str(size)
    return response
