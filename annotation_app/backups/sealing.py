"""Encrypt a stream with age while it is written, and decrypt it while it is read.

A backup is encrypted for a public key, so that the server that makes it can't read the earlier ones.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread
from typing import BinaryIO

import pyrage

from annotation_app.backups.faults import BackupFault

AGE = b"age-encryption.org/"
PIECE = 1024 * 1024


def is_sealed(file: BinaryIO) -> bool:
    """Tell whether a file is encrypted, and go back to its start."""
    start = file.read(len(AGE))
    file.seek(0)
    return start == AGE


def recipient_of(public: str) -> pyrage.x25519.Recipient:
    """Return the recipient of a public key. Raises BackupFault."""
    try:
        return pyrage.x25519.Recipient.from_str(public.strip())
    except pyrage.RecipientError as error:
        raise BackupFault(
            "The backup's key is no public key of age: it begins with age1, and `manage.py backup_key FILE` makes one."
        ) from error


def identity_of(text: str) -> pyrage.x25519.Identity:
    """Return the secret key in the text of a key file, whose comments begin with #. Raises BackupFault."""
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    try:
        (secret,) = lines
        return pyrage.x25519.Identity.from_str(secret)
    except (ValueError, pyrage.IdentityError) as error:
        raise BackupFault(
            "The key file holds no secret key of age, a line that begins with AGE-SECRET-KEY-."
        ) from error


@contextmanager
def sealed(target: BinaryIO, recipients: list[pyrage.x25519.Recipient]) -> Iterator[BinaryIO]:
    """Yield a stream whose bytes come into `target` encrypted."""
    reader, writer = piped()
    thread = Piped(lambda: pyrage.encrypt_io(reader, target, recipients), reader)
    try:
        with writer:
            yield writer
    except BrokenPipeError:
        # Why it broke is told by the thread.
        thread.finish()
        raise
    thread.finish()


@contextmanager
def unsealed(source: BinaryIO, identity: pyrage.x25519.Identity) -> Iterator[BinaryIO]:
    """Yield the decrypted bytes of `source`. Raises BackupFault where the key is another, or the file is damaged."""
    reader, writer = piped()
    thread = Piped(lambda: pyrage.decrypt_io(source, writer, [identity]), writer)
    with reader:
        try:
            yield reader
        finally:
            # What the reader met may be the early end of bytes that can't be decrypted: that is the reason to tell.
            while reader.read(PIECE):
                pass
            thread.finish()


def piped() -> tuple[BinaryIO, BinaryIO]:
    reader, writer = os.pipe()
    return os.fdopen(reader, "rb"), os.fdopen(writer, "wb")


class Piped:
    """Run one end of a pipe in a thread, and close that end when it is done."""

    def __init__(self, work: Callable[[], object], end: BinaryIO) -> None:
        self.error: Exception | None = None
        self.work, self.end = work, end
        self.thread = Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self) -> None:
        try:
            with self.end:
                self.work()
        except (OSError, ValueError, pyrage.EncryptError, pyrage.DecryptError) as error:
            self.error = error

    def finish(self) -> None:
        """Wait for the thread. Raises BackupFault where it could not read or decrypt, and OSError of the disk."""
        self.thread.join()
        # Damage further on comes as an OSError that no machine numbered.
        is_damage = isinstance(self.error, OSError) and self.error.errno is None
        if is_damage or isinstance(self.error, pyrage.DecryptError):
            raise BackupFault(
                "The backup cannot be decrypted: the key is another one, or the file is damaged."
            ) from self.error
        if self.error is not None and not isinstance(self.error, BrokenPipeError):
            raise self.error
