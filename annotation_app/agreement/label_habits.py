"""Decide who gives a label much more often than the others do on the same items. Pure."""

# Fewer items than these show no habit.
LEAST_ITEMS = 20
# Twenty people and five labels are a hundred comparisons. At three standard errors chance alone flags about one in
# seven such tables; at two standard errors it flags about two or three labels in each.
STANDARD_ERRORS = 3.0
# A sure difference may still be small. TIMES is the limit that matters for rare labels, POINTS for frequent ones.
TIMES = 1.5
POINTS = 0.10


def says_much_more(*, n: int, own: float, others: float, standard_error: float | None) -> bool:
    """Return whether an annotator's own share of a label is much higher than the others'.

    `own` and `others` are mean shares, from 0 to 1, over the same `n` items.
    The difference must be sure: at least STANDARD_ERRORS standard errors.
    It must also be large: `own` is at least TIMES `others`, or POINTS above it.
    Return False for fewer than LEAST_ITEMS items, and without a standard error.
    """
    if n < LEAST_ITEMS or standard_error is None:
        return False
    difference = own - others
    is_sure = difference > 0 and difference >= STANDARD_ERRORS * standard_error
    return is_sure and (own >= TIMES * others or difference >= POINTS)
