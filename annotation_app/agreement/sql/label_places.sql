-- The order of the labels of ordinal stages, from {stage: [label, ...]}: places count from 1.
SELECT o.key AS stage, l.label, l.place
FROM jsonb_each(%(orders)s::jsonb) AS o
CROSS JOIN LATERAL jsonb_array_elements_text(o.value) WITH ORDINALITY AS l(label, place)
