-- Krippendorff's coincidences of two different labels of an ordinal stage in the units of a view, each pair counted once;
-- `place` and `other` are their places in the stage's order.
SELECT b.view, c.place, k.place AS other, sum(b.n * c.k * k.k / (b.m - 1)) AS o
FROM bags b
JOIN placed_labels c ON c.bag = b.bag
JOIN placed_labels k ON k.bag = b.bag AND k.place > c.place
WHERE b.m >= 2
GROUP BY b.view, c.place, k.place
