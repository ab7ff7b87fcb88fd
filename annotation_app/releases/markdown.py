"""Embed other people's words in Markdown without changing its structure.

Pure: no I/O. It is written for CommonMark with GitHub's tables. Short words are escaped where they stand in a line.
Longer texts keep their Markdown, inside a quotation that nothing in them can leave: no heading, no raw HTML, no open
fence.
"""

import re

from annotation_app.codebook.texts import AUTOLINK, RAW_HTML

# What may begin a line's content: white space and the marks of quotations and lists.
LEAD = r"(?:[ \t>]|[*+-](?=[ \t])|[0-9]{1,9}[.)](?=[ \t]))*"
SPECIAL = re.compile(r"[\\`*_{}\[\]<>|~$&#]")
# What would make a list of a line that begins with these words.
LIST_MARK = re.compile(r"^(?:[0-9]{1,9}(?=[.)])|(?=[+=-]))")
EMPHASIS = re.compile(r"(\*\*|\*|`)(?=\S)([^*`]+)(?<=\S)\1")
BLANKS = re.compile(r"\s+")
LINE_END = re.compile(r"\r\n|\r|\n")
FENCE = re.compile(r"(`{3,}|~{3,})(.*)")
FENCE_SOMEWHERE = re.compile(LEAD + r"(?:`{3}|~{3})")
HEADING = re.compile(rf"(?P<lead>{LEAD})(?P<marks>#{{1,6}})(?P<words>[ \t].*|)")
UNDERLINE = re.compile(r"(?P<lead>[ \t>]*)(?P<marks>=+|-+)[ \t]*")


def inline(text: str) -> str:
    """Return one line that shows exactly these words, also in a table's cell."""
    words = SPECIAL.sub(r"\\\g<0>", BLANKS.sub(" ", text).strip())
    return LIST_MARK.sub(r"\g<0>\\", words)


def unmarked(text: str) -> str:
    """Return the words of a line of Markdown without their emphasis."""
    return EMPHASIS.sub(r"\2", EMPHASIS.sub(r"\2", text))


def code(text: str) -> str:
    """Return a code span on one line, whatever backticks are in it; blank text gives none."""
    words = BLANKS.sub(" ", text).strip()
    if not words:
        return ""
    longest = max((len(run) for run in re.findall("`+", words)), default=0)
    space = " " if longest else ""
    return f"{'`' * (longest + 1)}{space}{words}{space}{'`' * (longest + 1)}"


def quoted(text: str) -> str:
    """Return a quotation that holds the text with its Markdown; empty where the text is blank."""
    if not text.strip():
        return ""
    kept = "\n".join(kept_in(LINE_END.split(text.strip()))).strip("\n")
    return "\n".join(f"> {line}" if line.strip() else ">" for line in kept.split("\n"))


def kept_in(lines: list[str]) -> list[str]:
    """Return the lines without what would leave a quotation or show up in the document's outline."""
    plain, fence, before = fences_are_plain(lines), "", ""
    kept: list[str] = []
    for line in lines:
        opened = FENCE.fullmatch(line) if plain and not fence else None
        if fence:
            kept.append(line)
            fence = "" if closes(line, fence) else fence
        elif opened:
            kept.append(line)
            fence = opened[1]
        else:
            kept += [each for each in lowered(without_html(line), before) if each or kept[-1:] != [""]]
        before = line
    return [*kept, fence] if fence else kept


def fences_are_plain(lines: list[str]) -> bool:
    """Tell whether every fence of code begins at the start of a line, so that it is certain what is code."""
    fence = ""
    for line in lines:
        if fence:
            fence = "" if closes(line, fence) else fence
        elif FENCE_SOMEWHERE.match(line):
            opened = FENCE.fullmatch(line)
            if opened is None or "`" in opened[2]:
                return False
            fence = opened[1]
    return True


def closes(line: str, fence: str) -> bool:
    return re.fullmatch(rf" {{0,3}}{re.escape(fence[0])}{{{len(fence)},}}[ \t]*", line) is not None


def without_html(line: str) -> str:
    """Return raw HTML as the characters that it is made of; <https://...> stays a link."""
    links = [(link.start(), link.end()) for link in AUTOLINK.finditer(line)]
    inside = {tag.start() for tag in RAW_HTML.finditer(line)} - {start for start, _ in links}
    return "".join("&lt;" if place in inside else letter for place, letter in enumerate(line))


def lowered(line: str, before: str) -> list[str]:
    """Return a heading as bold words, or with its marks as characters inside a list or a quotation."""
    if heading := HEADING.fullmatch(line):
        words = re.sub(r"[ \t]#+$", "", heading["words"].strip()).strip("# \t")
        if heading["lead"].strip() or "*" in words or not words:
            return [f"{heading['lead']}\\{heading['marks']}{heading['words']}"]
        return ["", f"**{words}**", ""]
    if underline := UNDERLINE.fullmatch(line):
        rule = underline["marks"][0] == "-" and len(underline["marks"]) > 2 and not before.strip()
        return [line if rule and ">" not in underline["lead"] else f"{underline['lead']}\\{underline['marks']}"]
    return [line]
