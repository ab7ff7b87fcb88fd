"""Tables of answers as lines of a file."""


def lines_of(table: dict[str, str], stage: str = "s", round: str | None = None) -> list[str]:
    tail = "" if round is None else f",{round}"
    return [
        f"{item},{annotator},{stage},{letter}{tail}"
        for item, row in table.items()
        for annotator, letter in zip("ABC", row, strict=True)
        if letter != "-"
    ]
