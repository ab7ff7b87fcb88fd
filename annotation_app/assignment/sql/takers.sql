-- How many of one person's items each other person could take.
SELECT giver, taker, count(*) FROM takeable GROUP BY giver, taker
