"""Parse the bodies of requests, and no more of them than a route takes, which the framework's own parsers do not limit.

The framework loads this module before its views: what imports those must not be imported here.
"""

import errno
import hashlib
import io
import socket
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.core.files.uploadedfile import TemporaryUploadedFile, UploadedFile
from django.core.files.uploadhandler import FileUploadHandler
from django.http import HttpRequest
from rest_framework import status
from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import BaseParser, JSONParser, MultiPartParser
from rest_framework.permissions import AllowAny
from rest_framework.request import Request

from annotation_app.api.guesses import client_address
from annotation_app.disk import room_check

# What a form adds around its files.
FORM_BYTES = 256 * 1024
# What is read of somebody who has not signed in: names, passwords, an invite's token.
ANONYMOUS_BYTES = 16 * 1024
# Bytes, the form's file fields, and what to do with a larger file.
FormLimit = tuple[int, tuple[str, ...], str]


class BodyTooLarge(APIException):
    """Answer 413: more than the route takes. `fields` are the form's files that the message is shown at."""

    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE

    def __init__(self, limit: int, fields: tuple[str, ...] = (), mend: str = "") -> None:
        detail = f"Larger than {size_words(limit)}, the most that is taken here{f': {mend}' if mend else ''}."
        super().__init__(detail)
        self.body: dict[str, Any] = {"detail": detail}
        if fields:
            self.body["errors"] = {field: [detail] for field in fields}


def size_words(size: int) -> str:
    return f"{size / 1024**2:,.0f} MiB" if size >= 1024**2 else f"{size / 1024:,.0f} KiB"


class CountedBody:
    """Count the bytes of a request's body: a client that goes away ends it early, without an error."""

    def __init__(self, request: Request) -> None:
        self.body = request._request
        self.announced = int(request.META.get("CONTENT_LENGTH") or 0)
        self.came = 0

    def read(self, size: int) -> bytes:
        data = self.body.read(size)
        self.came += len(data)
        return data

    def whole_check(self) -> None:
        """Raise ParseError where the body was cut off."""
        if self.came < self.announced:
            raise ParseError(f"Cut off on its way: {self.came:,} of {self.announced:,} bytes came. Send it again.")


class CappedJSON(BaseParser):
    """Read what a route takes: ANONYMOUS_BYTES where it is open to all, else DATA_UPLOAD_MAX_MEMORY_SIZE.

    Raises BodyTooLarge (413) before anything is read. No subclass of JSONParser: for those, the framework reads first.
    """

    media_type = JSONParser.media_type

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        context = dict(parser_context or {})
        is_open = AllowAny in context["view"].permission_classes
        limit = ANONYMOUS_BYTES if is_open else settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        body = CountedBody(context["request"])
        if body.announced > limit:
            raise BodyTooLarge(limit)
        text = body.read(limit)
        body.whole_check()
        try:
            return JSONParser().parse(io.BytesIO(text), media_type, context)
        except RecursionError as error:
            raise ParseError("JSON parse error - nested too deeply.") from error


class UploadsBusy(APIException):
    """Answer 429: one address sends several files already."""

    status_code = status.HTTP_429_TOO_MANY_REQUESTS
    default_detail = "Files are being sent from your address already: wait until one has arrived, then send this one."


def uploads_folder() -> Path:
    """Return the folder of files on their way in, on the disk of the storage, so that keeping one is a rename."""
    folder = Path(settings.MEDIA_ROOT) / "uploads"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@contextmanager
def upload_slot(address: str) -> Iterator[None]:
    """Hold one of the address's places while its file arrives. Raises UploadsBusy where all are taken.

    A place is a bound name in Linux's abstract socket namespace. So it holds over all processes of this machine, leaves
    no file, and is free again when a process is killed.
    """
    name = hashlib.sha256(f"{settings.MEDIA_ROOT}:{address}".encode()).hexdigest()[:32]
    for place in range(settings.UPLOADS_PER_ADDRESS):
        with socket.socket(socket.AF_UNIX) as held:
            try:
                held.bind(f"\0quorum-upload-{name}-{place}")
            except OSError as error:
                if error.errno != errno.EADDRINUSE:
                    raise
                continue
            yield
            return
    raise UploadsBusy


class Arriving(TemporaryUploadedFile):
    """Hold a file in the uploads folder. It is deleted when it is closed, unless the storage has taken it over.

    A bucket takes a copy. The file then has no name, so that a process that is killed leaves nothing on this host.
    """

    def __init__(self, name: str, content_type: str | None, charset: str | None) -> None:
        folder = uploads_folder()
        file = (
            tempfile.TemporaryFile(dir=folder)  # noqa: SIM115  closed by Django
            if settings.S3["name"]
            else tempfile.NamedTemporaryFile(suffix=".upload", dir=folder)  # noqa: SIM115
        )
        UploadedFile.__init__(self, file, name, content_type, 0, charset)


class Arrivals(FileUploadHandler):
    """Write each file of a form to the uploads folder, and stop before the disk's reserve is touched."""

    def __init__(self, request: HttpRequest) -> None:
        super().__init__(request)
        self.files: list[Arriving] = []

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Keep the files where the body ends well, and none of them where it does not."""
        with ExitStack() as stack:
            stack.callback(self.drop)
            yield
            stack.pop_all()

    def drop(self) -> None:
        for file in self.files:
            file.close()

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        room_check()
        self.files.append(Arriving(self.file_name or "", self.content_type, self.charset))

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        room_check(len(raw_data))
        self.files[-1].write(raw_data)

    def file_complete(self, file_size: int) -> UploadedFile:
        file = self.files[-1]
        file.seek(0)
        file.size = file_size
        return file


class CappedForm(MultiPartParser):
    """Read a form with files of as many bytes as the view's `form_limit()` says: (bytes, file fields, the mend).

    The files lie in the uploads folder until the request ends. Raises BodyTooLarge (413) before anything is read, and
    NoRoom before the disk is full. Raises UploadsBusy (429) where the address sends as many files as it may at a time.
    """

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        context = dict(parser_context or {})
        request, (limit, fields, mend) = context["request"], context["view"].form_limit()
        body, arrivals = CountedBody(request), Arrivals(request._request)
        if body.announced > limit + FORM_BYTES:
            raise BodyTooLarge(limit, fields, mend)
        request.upload_handlers = [arrivals]
        with upload_slot(client_address(request._request)), arrivals.kept():
            parsed = super().parse(body, media_type, context)  # type: ignore[arg-type]
            body.whole_check()
            return parsed
