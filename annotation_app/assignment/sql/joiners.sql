-- How many items each person could be added for.
SELECT member, count(*) FROM addable GROUP BY member
