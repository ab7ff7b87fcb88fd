"""Keep files in a bucket of an S3 server, so that hosts share files and no disk.

The server shows an object once it has come whole: there is never half a file. What goes wrong is an OSError here, as it
is with a folder, so that no caller asks where files lie.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import IO, Any

from boto3.exceptions import Boto3Error
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from django.core.files import File
from django.utils import timezone
from storages.backends.s3 import S3Storage

MISSING = ("404", "NoSuchKey")
# A larger file that is read lies in a temporary file meanwhile, and not in memory.
MOST_IN_MEMORY = 1024**2


class Bucket(S3Storage):
    """Hold the bucket QUORUM_S3_BUCKET."""

    REMEDY = "Mend QUORUM_S3_BUCKET, QUORUM_S3_ENDPOINT, QUORUM_S3_REGION or the keys; the server says which."

    def get_default_settings(self) -> dict[str, Any]:
        """Return what the options of STORAGES do not say."""
        fixed = {
            # A name that is taken gets a similar one, as in a folder.
            "file_overwrite": False,
            "max_memory_size": MOST_IN_MEMORY,
            # Files are compressed where they are made, and their hashes are of what was made.
            "gzip": False,
            "default_acl": None,
        }
        return super().get_default_settings() | fixed

    def _open(self, name: str, mode: str = "rb") -> File:
        with faults_told(name):
            file = super()._open(name, mode)
            # It is fetched here, so that a fault has its words and is none of the reader's.
            file.open()
        return file

    def _save(self, name: str, content: Any) -> str:
        with faults_told(name):
            return str(super()._save(name, content))

    def delete(self, name: str) -> None:
        with faults_told(name):
            super().delete(name)

    def exists(self, name: str) -> bool:
        with faults_told(name):
            return bool(super().exists(name))

    def opened_once(self, name: str) -> tuple[IO[bytes], int]:
        """Open a file to be read once from its beginning, as it comes over the network; return it with its size."""
        with faults_told(name):
            found = self.bucket.Object(self._normalize_name(name)).get()
        return found["Body"], found["ContentLength"]

    def left_alone(self, folder: str, seconds: float) -> Iterator[str]:
        """Yield the names of a folder's files that nobody has written to for so long, those of its folders too."""
        before = timezone.now() - timedelta(seconds=seconds)
        start = self._normalize_name("")
        with faults_told(folder):
            for found in self.bucket.objects.filter(Prefix=self._normalize_name(f"{folder}/")):
                if found.last_modified < before:
                    yield found.key.removeprefix(start).lstrip("/")


def bucket_options(
    *, name: str, endpoint: str, region: str, prefix: str, access_key: str, secret_key: str
) -> dict[str, Any]:
    """Return the options of the storage. Servers of one's own seldom have a host name for each bucket."""
    addressing = {"addressing_style": "path" if endpoint else "auto"}
    return {
        "bucket_name": name,
        "endpoint_url": endpoint or None,
        "region_name": region or None,
        "location": prefix,
        "access_key": access_key or None,
        "secret_key": secret_key or None,
        "client_config": Config(
            s3=addressing,
            signature_version="s3v4",
            connect_timeout=5,
            read_timeout=30,
            retries={"mode": "standard", "total_max_attempts": 4},
        ),
    }


@contextmanager
def faults_told(name: str) -> Iterator[None]:
    """Raise FileNotFoundError for what is not there, and OSError for whatever else the server or the way to it says."""
    try:
        yield
    except ClientError as error:
        if error.response.get("Error", {}).get("Code") in MISSING:
            raise FileNotFoundError(f"The storage has no {name}.") from error
        raise OSError(f"The S3 server refused {name}: {error}") from error
    except (BotoCoreError, Boto3Error) as error:
        raise OSError(f"The S3 server could not be used for {name}: {error}") from error
