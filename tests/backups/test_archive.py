"""A backup's archive gives back what was written, and any damage is noticed."""

from datetime import UTC, datetime
from io import BytesIO

import pyrage
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation_app.backups.archive import DUMP, FILES, MANIFEST, Manifest, archive_check, archive_written
from annotation_app.backups.faults import BackupFault
from annotation_app.backups.sealing import identity_of, recipient_of

AT = datetime(2026, 5, 1, 12, 30, tzinfo=UTC)
KEY = pyrage.x25519.Identity.generate()
NAMES = st.text(st.characters(codec="utf-8", exclude_characters="/\0"), min_size=1, max_size=150)
MEMBERS = st.dictionaries(NAMES.filter(lambda name: name not in {".", ".."}), st.binary(max_size=5_000), max_size=4)


def written(members: dict[str, bytes], dump: bytes, *, sealed: bool) -> bytes:
    file = BytesIO()
    with archive_written(file, AT, [KEY.to_public()] if sealed else []) as writer:
        for name, content in members.items():
            writer.add(f"{FILES}{name}", BytesIO(content), len(content))
        writer.add(DUMP, BytesIO(dump), len(dump))
        manifest = Manifest(version="1", postgres=18, migrations=["0001_initial"], made_at=AT, entries=writer.entries)
        text = manifest.model_dump_json().encode()
        writer.member(MANIFEST, BytesIO(text), len(text))
    return file.getvalue()


@given(members=MEMBERS, dump=st.binary(max_size=20_000), sealed=st.booleans())
@settings(max_examples=40)
def test_what_is_written_is_read(members: dict[str, bytes], dump: bytes, sealed: bool) -> None:
    copied = BytesIO()
    manifest = archive_check(BytesIO(written(members, dump, sealed=sealed)), KEY if sealed else None, copied)
    assert copied.getvalue() == dump
    assert [(each.name.removeprefix(FILES), each.size) for each in manifest.files] == [
        (name, len(content)) for name, content in members.items()
    ]


@given(is_cut=st.booleans(), share=st.floats(0, 1, exclude_max=True), sealed=st.booleans())
@settings(max_examples=60)
def test_every_damage_is_noticed(is_cut: bool, share: float, sealed: bool) -> None:
    """Cut at any place, or with any byte of a member's content changed; encrypted, with any byte changed."""
    content = b"one thousand bytes. " * 50
    whole = written({"release.zip": content}, b"dump", sealed=sealed)
    if is_cut:
        # A tar file ends with zeros that say nothing.
        damaged = whole[: int(share * (len(whole) if sealed else whole.rindex(b"}") + 1))]
    else:
        start, length = (0, len(whole)) if sealed else (whole.index(content), len(content))
        place = start + int(share * length)
        damaged = whole[:place] + bytes([whole[place] ^ 0x20]) + whole[place + 1 :]
    with pytest.raises(BackupFault):
        archive_check(BytesIO(damaged), KEY)


def test_an_encrypted_backup_needs_its_own_key() -> None:
    whole = written({}, b"dump", sealed=True)
    assert b"dump" not in whole
    with pytest.raises(BackupFault, match="name the file with its secret key"):
        archive_check(BytesIO(whole), None)
    with pytest.raises(BackupFault, match="cannot be decrypted"):
        archive_check(BytesIO(whole), pyrage.x25519.Identity.generate())


def test_keys_are_read_from_what_the_command_writes() -> None:
    text = f"# public key: {KEY.to_public()}\n{KEY}\n"
    assert str(identity_of(text)) == str(KEY)
    assert str(recipient_of(f"{KEY.to_public()}\n")) == str(KEY.to_public())
    for wrong in ("", "age1nonsense", f"{KEY}\n{KEY}"):
        with pytest.raises(BackupFault, match="AGE-SECRET-KEY"):
            identity_of(wrong)
    with pytest.raises(BackupFault, match="begins with age1"):
        recipient_of(str(KEY))


@pytest.mark.parametrize("name", ["../secret", "/etc/passwd", "a/../../b"])
def test_a_path_outside_the_storage_is_refused(name: str) -> None:
    with pytest.raises(BackupFault, match="outside the storage"):
        archive_check(BytesIO(written({name: b"x"}, b"", sealed=False)), None)
