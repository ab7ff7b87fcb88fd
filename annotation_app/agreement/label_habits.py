"""Who says a label much more often than the others say it of the same items: the rule, pure."""

# Fewer items than these show nobody's habit.
LEAST_ITEMS = 20
# Twenty people and five labels are a hundred comparisons: at three standard errors chance alone flags about one in
# seven such tables, at two some two or three labels in each.
STANDARD_ERRORS = 3.0
# What is sure may still be small: a difference counts from here on, for rare labels or for frequent ones.
TIMES = 1.5
POINTS = 0.10


def says_much_more(*, n: int, own: float, others: float, standard_error: float | None) -> bool:
    """`own` and `others`: mean shares of a label over the same `n` items. True where the difference is sure, at least
    so many standard errors, and large: at least so many times the others' share, or so many points above it."""
    if n < LEAST_ITEMS or standard_error is None:
        return False
    difference = own - others
    is_sure = difference > 0 and difference >= STANDARD_ERRORS * standard_error
    return is_sure and (own >= TIMES * others or difference >= POINTS)
