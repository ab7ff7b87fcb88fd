-- What the people of a view said together, on `n` items: everyone's labels, sorted, of whoever answered; of a pair
-- [a's label, b's label], of items that both answered.
SELECT p.view, p.a, m.labels, m.n, m.n_circular
FROM margins m
JOIN people p ON p.stage = m.stage AND p.round = m.round AND p.a = m.a AND p.b = m.b
