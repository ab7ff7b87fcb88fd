"""Correct spaCy's sentencizer, which cuts at every full stop that its tokenizer leaves alone.

Pure: no I/O. The rules join what an abbreviation, an ordinal or reported speech separated, and give quotation
marks to their sentence. They cut at blank lines, headings and list items, and at the full stops of scripts that set no
blank after them.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

VERSION = "1"

# Before a number, a name or what is compared: never the end of a sentence. Without their full stop, in lower case.
_ALWAYS = {
    "en": "mr mrs ms messrs dr prof rev hon gen sen rep gov pres capt lt col sgt st mt vs v cf al ca viz e.g i.e",
    "de": "dr prof hr fr frl st z.b d.h u.a z.t i.d.r v.a s.o s.u o.ä vgl bzw ca ggf evtl inkl exkl zzgl sog geb gest",
    "fr": "m mm mme mlle dr pr st ste cf p.ex c.-à-d env av apr",
    "es": "sr sra srta dr dra prof d dña ud uds cf p.ej aprox av",
    "it": "sig sig.ra dott prof ing avv cfr p.es ca",
    "pt": "sr sra dr dra prof cf p.ex aprox av",
    "nl": "dhr mevr dr prof ir mr drs vgl bijv bv ca o.a m.a.w d.w.z",
}
# Only before a number or a single letter: fig. 3, No. 7, S. 12, Abb. B.
_BEFORE_NUMBERS = {
    "en": "fig figs no nos vol vols p pp ch chap sec sect eq eqs tab art par para app ed eds ser pt nr",
    "de": "abb tab nr nrn s bd bde kap abs art anm aufl hrsg jg sp z",
    "fr": "fig no nº p pp art chap vol éd t al",
    "es": "fig figs núm nº p pp pág págs art cap vol ed",
    "it": "fig n nn p pp pag art cap vol",
    "pt": "fig núm n p pp pág págs art cap vol",
    "nl": "afb fig nr p pp blz art hfst",
}
# Languages that write an ordinal number with a full stop: am 3. März.
_ORDINALS = {"de", "da", "nb", "nn", "fi", "cs", "sk", "sl", "hr", "hu", "et", "lv", "is", "tr"}

_OPENING, _CLOSING, _EITHER = "«‹„‚“‘「『《〈（【([¿¡", "»›”’」』》〉）】)]", "\"'"
_TAIL_OPENING = re.compile(rf"(?:(?<=[\s。！？।؟۔])|^)[{re.escape(_OPENING + _EITHER)}]+\s*\Z")
_HEAD_CLOSING = re.compile(rf"[{re.escape(_CLOSING)}]+(?=\s|\Z)")
_SPEECH_END = re.compile(rf"[.!?…]\s*[{re.escape(_CLOSING + _EITHER)}“]+,?\s*\Z")
_LAST_WORD = re.compile(r"(?:(?<=[\s(\[/«„“\"'])|^)([^\W\d_][\w.\-]*?(?:\.\s\w\.?)*)\.\s*\Z")
_NUMBER_END = re.compile(r"(?:(?<=\s)|^)\d{1,2}\.\s*\Z")
_LIST_NUMBER = re.compile(r"\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]+)[.)]")
# Full stops after which no blank is set, with what closes behind them.
_OWN_STOP = re.compile(rf"[。！？｡．।॥؟۔።፧៕။]+[{re.escape(_CLOSING + _EITHER)}]*")
_BLANK_LINE = re.compile(r"(?>\r\n?|\n|\u2028)[^\S\r\n\u2028\u2029]*+(?>\r\n?|\n|\u2028)|\u2029")
_LINE_MARK = re.compile(r"(?>\r\n?|\n)[^\S\r\n]*+(?=#{1,6}\s|[-*•‣▪·–—]\s|\(?(?:\d{1,3}|[a-z]|[ivx]+)[.)]\s)")
_LINE = re.compile(r"([^\r\n]*+)(?>\r\n?|\n|\Z)")
_SPACE = re.compile(r"\s*")
# The number of a figure or page ends the sentence, and is no ordinal: see Abb. 3. Das ...
_CITED = re.compile(rf"\b([^\W\d]+)\.\s\d+[a-z]?\.\s(?=[{re.escape(_OPENING + _EITHER)}]*[^\W\d_a-z])")
# An abbreviation that also ends sentences, before a word that begins them.
_STOP_WITHIN = re.compile(
    r"\b(?:U\.S|U\.K|E\.U|a\.m|p\.m|etc|Inc|Ltd|Jr)\.\s(?=(?:The|It|He|She|We|They|But|This|These|That|In|If)\b)"
)
_ENDS_SENTENCE = re.compile(rf"[.!?…。！？,;:\-–—][{re.escape(_CLOSING + _EITHER)}]*\s*\Z")
_MOST_HEADING_WORDS = 12


def sentences(text: str, starts: Iterable[int], language: str) -> list[tuple[int, int]]:
    """Give the sentences as half-open ranges without white space at their ends.

    `starts` are where the sentencizer begins sentences, in code points; `language` is a code of ISO 639, or "xx".
    """
    hard = {found.end() for pattern in (_BLANK_LINE, _LINE_MARK, _OWN_STOP) for found in pattern.finditer(text)}
    hard |= set(_heading_ends(text))
    moved = {_moved(text, start) for start in starts if start}
    own = {found.end() for found in _STOP_WITHIN.finditer(text)} if language == "en" else set()
    numbered = _words_of(_BEFORE_NUMBERS, language)
    own |= {found.end() for found in _CITED.finditer(text) if found[1].lower() in numbered}
    cuts = hard | own | {at for at in moved if not _torn(text, at, language)}
    edges = [0, *sorted(cut for cut in cuts if 0 < cut < len(text)), len(text)]
    bounds = (trimmed(text, start, end) for start, end in pairwise(edges))
    return _numbers_joined(text, [(start, end) for start, end in bounds if start < end])


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Give the range without the white space at its ends; the text itself stays as it is."""
    part = text[start:end]
    return start + len(part) - len(part.lstrip()), start + len(part.rstrip())


def _numbers_joined(text: str, bounds: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join the number of a list's item, which stands alone, with what follows it."""
    joined: list[tuple[int, int]] = []
    number: int | None = None
    for start, end in bounds:
        if number is None and end < bounds[-1][1] and _LIST_NUMBER.fullmatch(text, start, end):
            number = start
            continue
        joined.append((start if number is None else number, end))
        number = None
    return joined


def _torn(text: str, at: int, language: str) -> bool:
    """Tell whether the cut parts one sentence."""
    before, after = text[max(0, at - 60) : at], text[at : at + 40].lstrip()
    if before.rstrip().endswith((",", ";")):
        return True
    if after[:1].islower() and _SPEECH_END.search(before):
        return True
    if language in _ORDINALS and _NUMBER_END.search(before) and after[:1].isalpha():
        return True
    found = _LAST_WORD.search(before)
    return found is not None and _abbreviated(found[1].lower().replace(" ", ""), after, language)


def _abbreviated(word: str, after: str, language: str) -> bool:
    if word in _words_of(_ALWAYS, language):
        return True
    numbered = after[:1].isdigit() or re.match(r"[A-Z§IVX]+\b(?![a-z'’])", after) is not None
    return numbered and word in _words_of(_BEFORE_NUMBERS, language)


def _words_of(table: dict[str, str], language: str) -> set[str]:
    """Give the abbreviations of the language; English ones stand in texts of every language."""
    return set(f"{table.get(language, '')} {table['en']}".split())


def _moved(text: str, start: int) -> int:
    """Give the cut's place with opening marks behind it and closing marks before it."""
    tail = _TAIL_OPENING.search(text, max(0, start - 8), start)
    if tail and (text[start - 1 : start].strip() or not set(tail[0].strip()) & set(_EITHER)):
        return tail.start()
    head = _HEAD_CLOSING.match(text, _SPACE.match(text, start).end())  # type: ignore[union-attr]
    return head.end() if head else start


def _heading_ends(text: str) -> Iterator[int]:
    """Yield the ends of lines that are headings: first of their paragraph, without a stop, set like a title."""
    first = True
    for found in _LINE.finditer(text):
        line = found[1].strip()
        if line and (first or line.startswith("#")) and _is_title(line):
            yield found.end(1)
        first = not line


def _is_title(line: str) -> bool:
    if line.startswith("#"):
        return True
    words = line.split()
    if len(words) > _MOST_HEADING_WORDS or _ENDS_SENTENCE.search(line):
        return False
    numbered = re.match(r"\d+(\.\d+)*\.?$", words[0]) is not None and len(words) > 1
    long_words = [word for word in words if len(word) > 3 and word[0].isalpha()]
    capital = all(word[0].isupper() for word in long_words) and words[-1][0].isupper()
    return numbered or line.isupper() or len(words) <= 2 or capital
