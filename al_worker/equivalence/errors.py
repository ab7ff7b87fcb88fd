"""Define the failure that a person can mend."""


class EquivalenceInvalid(Exception):
    """Signal that evaluations with equivalence classes are wrong. It names the file, the place and the remedy."""

    def __init__(self, file: str, place: str, message: str) -> None:
        super().__init__(f"{file}: {f'{place}: ' if place else ''}{message}")
        self.place, self.message = place, message
