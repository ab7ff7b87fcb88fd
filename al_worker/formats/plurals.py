"""Write counts in words."""


def several(n: int, one: str, many: str = "") -> str:
    """Return a count such as "1 item", "1,050 items", "0 items"."""
    return f"{n:,} {one if n == 1 else many or one + 's'}"
