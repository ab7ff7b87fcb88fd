"""Receive uploads: where files lie meanwhile, how many at a time, and what becomes of one that is cut off."""

import errno
import hashlib
import socket
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import TemporaryUploadedFile, UploadedFile
from django.core.files.uploadhandler import FileUploadHandler
from django.http import HttpRequest
from rest_framework import status
from rest_framework.exceptions import APIException

from annotation_app.disk import room_check

ENDING = ".upload"


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
    """Holds one of the address's places while its file comes. Raises UploadsBusy where all are taken.

    A place is a bound name in Linux's abstract socket namespace, so that it holds over all processes of this machine,
    leaves no file, and is free again when a process is killed.
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
    """Hold a file in the uploads folder. It is deleted when it is closed, unless the storage has taken it over."""

    def __init__(self, name: str, content_type: str | None, charset: str | None) -> None:
        file = tempfile.NamedTemporaryFile(suffix=ENDING, dir=uploads_folder())  # noqa: SIM115  closed by Django
        UploadedFile.__init__(self, file, name, content_type, 0, charset)


class Arrivals(FileUploadHandler):
    """Writes each file of a form to the uploads folder, and stops before the disk's reserve is touched."""

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
