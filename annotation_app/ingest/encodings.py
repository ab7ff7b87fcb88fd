"""Determine the encoding of a text file: by a byte order mark, by its bytes, or guessed by charset-normalizer."""

import codecs
import re
from typing import BinaryIO, NamedTuple

from charset_normalizer import from_bytes
from charset_normalizer.constant import IANA_SUPPORTED

from annotation_app.ingest.damage import DAMAGE, PartEnded

AUTO = "auto"
UTF8 = "utf-8"
# UTF-32 first: its mark begins with that of UTF-16.
MARKS = (
    (codecs.BOM_UTF8, UTF8),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# What is guessed among: the encodings that people's programs still write.
CANDIDATES = (
    *("cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "koi8_r"),
    *("cp932", "euc_jp", "gb18030", "big5", "cp949", "mac_roman", "cp850", "cp874"),
)
USUAL = "cp1252"
# Letters beyond ASCII of the languages that are written in it, and signs that any of them may hold. Short texts give
# the library too little to go by: bytes that one of these alphabets explains are taken for it.
ALPHABETS = tuple(
    frozenset(letters + "é")
    for letters in (
        "àâæçèêëîïôœùûü",  # French
        "äöüß",  # German
        "áíñóúü¡¿",  # Spanish
        "àèíïòóúüç",  # Catalan
        "áâãàçêíóôõúü",  # Portuguese
        "àèìíòóù",  # Italian
        "åäöæø",  # Danish, Finnish, Norwegian, Swedish
        "ëïöüè",  # Dutch
    )
)
SIGNS = frozenset("€‚„…†‡‰‹‘’“”•–—™›\xa0£§©«\xad®°±²´·»½×÷")
WORD = re.compile(r"[^\W\d_]+")
MOST_IN_A_ROW = re.compile(r"[^\x00-\x7f]{3}")
CHUNK = 1024**2
SAMPLE = 64 * 1024
ESCAPE = "escape_bytes"


class Encoding(NamedTuple):
    """Hold an encoding; `how` tells whether it was chosen, named by a mark, seen in the bytes, or guessed."""

    name: str
    how: str = "seen"

    @property
    def shown(self) -> str:
        return "UTF-8" if self.name == UTF8 else self.name


def escape_bytes(error: UnicodeError) -> tuple[str, int]:
    """Turn each byte that cannot be decoded into a lone surrogate, so that its line can be named."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return "".join(chr(0xDC00 + byte) for byte in error.object[error.start : error.end]), error.end


codecs.register_error(ESCAPE, escape_bytes)


def is_encoding(name: str) -> bool:
    """Tell whether Python decodes text by this name."""
    try:
        known = codecs.lookup(name).name
    except (LookupError, ValueError):
        return False
    usable = {*IANA_SUPPORTED, "utf_8", "utf_8_sig", "utf_16", "utf_16_le", "utf_16_be", "utf_32", "ascii", "latin_1"}
    return known.replace("-", "_") in usable or known == "iso8859-1"


def encoding_of(stream: BinaryIO, asked: str) -> Encoding:
    """Return the encoding of a stream that stands at its start; it is left where reading ended.

    A stream in which most bytes beyond ASCII are valid UTF-8 is UTF-8 with damage, which its reader reports by line.
    """
    start = read(stream, CHUNK)
    if asked != AUTO:
        return Encoding(asked, "asked")
    for mark, name in MARKS:
        if start.startswith(mark):
            return Encoding(name, "marked")
    if seen := without_mark(start):
        return Encoding(seen)
    decoder = codecs.getincrementaldecoder(UTF8)(ESCAPE)
    good = 0
    while start:
        text = decoder.decode(start)
        if not text.isascii():
            bad = sum(1 for character in text if 0xDC80 <= ord(character) <= 0xDCFF)
            good += sum(1 for character in text if ord(character) > 0x7F) - bad
            if bad:
                return Encoding(UTF8) if good > bad else guess(start)
        start = read(stream, CHUNK)
    return Encoding(UTF8)


def read(stream: BinaryIO, count: int) -> bytes:
    """Read what comes before damage or a part's end, which is enough here: the reader names the place later."""
    try:
        return stream.read(count)
    except (*DAMAGE, PartEnded):
        return b""


def without_mark(start: bytes) -> str | None:
    """Tell UTF-16 by its first two characters, which are ASCII in all formats read here (RFC 4627, section 3)."""
    nuls = tuple(byte == 0 for byte in start[:4])
    return {(False, True, False, True): "utf-16-le", (True, False, True, False): "utf-16-be"}.get(nuls)  # type: ignore[arg-type]


def guess(data: bytes) -> Encoding:
    """Guess from the bytes around the first that is not UTF-8. Windows' Western encoding is taken in a tie, and where a
    Western alphabet explains all."""
    try:
        data.decode(UTF8)
        first = 0
    except UnicodeDecodeError as error:
        first = error.start
    begin = max(0, first - SAMPLE // 2)
    sample = data[begin : begin + SAMPLE]
    if is_western(sample):
        return Encoding(USUAL, "guessed")
    found = from_bytes(sample, cp_isolation=list(CANDIDATES))
    best = found.best()
    if best is None:
        return Encoding(UTF8)
    alike = (each for each in found if (each.chaos, each.coherence) == (best.chaos, best.coherence))
    names = {name for each in alike for name in each.could_be_from_charset}
    return Encoding(USUAL if USUAL in names else best.encoding, "guessed")


def is_western(data: bytes) -> bool:
    """Tell whether each letter beyond ASCII belongs to one Western alphabet and stands among ASCII letters.

    In other scripts whole words are bytes beyond ASCII.
    """
    try:
        text = data.decode(USUAL)
    except UnicodeDecodeError:
        return False
    beyond = {sign for sign in text.lower() if sign > "\x7f"} - SIGNS
    if not any(beyond <= letters for letters in ALPHABETS):
        return False
    words = [word for word in WORD.findall(text) if not word.isascii()]
    among = all(len(word) == 1 or any(letter.isascii() for letter in word) for word in words)
    return among and not any(MOST_IN_A_ROW.search(word) for word in words)
