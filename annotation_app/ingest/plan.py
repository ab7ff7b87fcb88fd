"""Decide what an import does with each row of a file. Pure: no I/O."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Plan:
    """Plan what an import does with each row.

    `limits` count words of whole rows (`count_words`); None keeps every row.
    """

    unit: str
    rows: str
    limits: tuple[int, int] | None

    @property
    def makes_sentences(self) -> bool:
        """Tell whether rows are split so that every sentence is an item; otherwise the row itself is the item."""
        return self.rows != self.unit

    @property
    def needs_bounds(self) -> bool:
        """Tell whether sentence bounds are needed: for items, and for context levels wherever rows are turns."""
        return self.makes_sentences or self.rows == "utterance"

    def left_out(self, n_tokens: int) -> str:
        """Return why the row's items leave the pool: `too_short`, `too_long`, or empty."""
        if self.limits is None:
            return ""
        low, high = self.limits
        return "too_short" if n_tokens < low else "too_long" if n_tokens > high else ""
