-- The items before and after one in the order of the list; past the end the next open one is looked for from the start.
SELECT
    (SELECT uuid FROM placed WHERE place = me.place - 1),
    (SELECT uuid FROM placed WHERE place = me.place + 1),
    (SELECT uuid FROM placed WHERE state = 'open' AND place <> me.place ORDER BY place < me.place, place LIMIT 1)
FROM placed AS me
WHERE me.uuid = %(uuid)s
