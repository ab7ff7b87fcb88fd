-- What one person could hand to another.
SELECT id FROM takeable WHERE giver = %(giver)s AND taker = %(taker)s
