"""Tables of answers with figures that were worked by hand."""

# Alpha 9/14 (i5 drops out); Fleiss over i1..i3 = 11/20; A-B as a pair: Fleiss 7/15 over i1..i4.
WORKED = {"i1": "YYY", "i2": "NNN", "i3": "YNY", "i4": "YY-", "i5": "N--"}
