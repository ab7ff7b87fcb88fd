"""Recognise files of a kind that is not read here by their first bytes, and say what to do with each."""

import zipfile
from collections.abc import Collection
from typing import BinaryIO

from annotation_app.ingest.damage import DAMAGE

AS_CSV = "save the sheet as CSV (in Excel: CSV UTF-8), then use that file"
AS_TABLE = "put its texts into a CSV file with the columns id and text"
UNPACK = "unpack it, then use the file in it"
EXPORT_CSV = "export the table as CSV or JSON Lines, then use that file"
NO_TEXT = "there is no text in it to label"
EXCEL = f"This is an Excel workbook: {AS_CSV}."
# First bytes, what the file is, and the mend.
SIGNATURES: tuple[tuple[bytes, str, str], ...] = (
    (b"%PDF-", "a PDF document", AS_TABLE),
    (b"{\\rtf", "a Rich Text (RTF) document", AS_TABLE),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Excel, Word or PowerPoint file (.xls, .doc, .ppt)", AS_CSV),
    (b"\x89PNG\r\n\x1a\n", "a PNG image", NO_TEXT),
    (b"\xff\xd8\xff", "a JPEG image", NO_TEXT),
    (b"GIF87a", "a GIF image", NO_TEXT),
    (b"GIF89a", "a GIF image", NO_TEXT),
    (b"II*\x00", "a TIFF image", NO_TEXT),
    (b"MM\x00*", "a TIFF image", NO_TEXT),
    (b"OggS\x00", "a sound file", NO_TEXT),
    (b"ID3\x03", "an MP3 sound file", NO_TEXT),
    (b"ID3\x04", "an MP3 sound file", NO_TEXT),
    (b"fLaC\x00", "a sound file", NO_TEXT),
    (b"BZh91AY&SY", "a bzip2 archive", UNPACK),
    (b"\xfd7zXZ\x00", "an xz archive", UNPACK),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive", UNPACK),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", UNPACK),
    (b"Rar!\x1a\x07", "a RAR archive", UNPACK),
    (b"\x1f\x8b", "a gzip file", UNPACK),
    (b"SQLite format 3\x00", "an SQLite database", EXPORT_CSV),
    (b"PAR1\x15", "a Parquet file", EXPORT_CSV),
    (b"ARROW1\x00", "an Arrow (Feather) file", EXPORT_CSV),
    (b"$FL2", "an SPSS file", EXPORT_CSV),
    (b"$FL3", "an SPSS file", EXPORT_CSV),
    (b"<stata_dta>", "a Stata file", EXPORT_CSV),
    (b"RDX2\n", "an R data file", EXPORT_CSV),
    (b"RDX3\n", "an R data file", EXPORT_CSV),
    (b"X\n\x00\x00\x00", "an R data file", EXPORT_CSV),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file", EXPORT_CSV),
    (b"\x93NUMPY", "a NumPy file", EXPORT_CSV),
    (b"\x80\x04\x95", "a Python pickle", EXPORT_CSV),
    (b"\x7fELF", "a program", NO_TEXT),
    (b"MZ\x90\x00", "a program", NO_TEXT),
)
# Of texts, after blanks and in small letters.
MARKUP: tuple[tuple[bytes, str], ...] = (
    (b"<!doctype html", "a web page (HTML)"),
    (b"<html", "a web page (HTML)"),
    (b"<?xml", "an XML file"),
    (b"<tei", "an XML file"),
)
# What a zip archive holds: the beginning of a member's name, and what the archive is then.
PACKED: tuple[tuple[str, str], ...] = (
    ("xl/", EXCEL),
    ("word/", f"This is a Word document: {AS_TABLE}."),
    ("ppt/", f"This is a PowerPoint file: {AS_TABLE}."),
    ("META-INF/container.xml", f"This is an e-book (EPUB): {AS_TABLE}."),
    ("Index/", f"This is a Numbers, Pages or Keynote file: {AS_CSV}; of a text, {AS_TABLE}."),
)
OPEN_DOCUMENTS = (
    (b"opendocument.spreadsheet", f"This is an OpenDocument spreadsheet: {AS_CSV}."),
    (b"opendocument.text", f"This is an OpenDocument text: {AS_TABLE}."),
    (b"opendocument", f"This is an OpenDocument file: {AS_TABLE}."),
)


def foreign(start: bytes) -> str | None:
    """Return what a file is that begins so, and the mend, where it is of no kind that is read; else None."""
    for signature, kind, mend in SIGNATURES:
        if start.startswith(signature):
            return f"This is {kind}: {mend}."
    if start[:4] == b"RIFF" and start[8:12] in (b"WEBP", b"WAVE", b"AVI "):
        return f"This is an image, sound or video file: {NO_TEXT}."
    if start[4:8] == b"ftyp":
        return f"This is a video, sound or image file: {NO_TEXT}."
    if start[257:262] == b"ustar":
        return f"This is a tar archive: {UNPACK}."
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    found = next((kind for markup, kind in MARKUP if text.startswith(markup)), None)
    return f"This is {found}: {AS_TABLE}." if found else None


def foreign_archive(file: BinaryIO) -> str | None:
    """Return what a zip archive is where it is of no kind that is read; None also where it is damaged."""
    try:
        archive = zipfile.ZipFile(file)
        names = archive.namelist()
        kind = archive.open("mimetype").read(200) if "mimetype" in names else b""
    except (*DAMAGE, OSError, RuntimeError, ValueError):
        return None
    by_kind = (message for mark, message in OPEN_DOCUMENTS if mark in kind)
    by_name = (message for beginning, message in PACKED if any(name.startswith(beginning) for name in names))
    return next(by_kind, None) or next(by_name, None) or single_file(names)


def single_file(names: Collection[str]) -> str | None:
    """Recognise an archive of tables, which are imported one by one."""
    tables = [name for name in names if name.lower().endswith((".csv", ".tsv", ".jsonl", ".json", ".xlsx"))]
    if not tables:
        return None
    shown = "".join(character if character.isprintable() else "\ufffd" for character in tables[0][:100])
    return f"This zip archive holds tables such as {shown}: {UNPACK}."
