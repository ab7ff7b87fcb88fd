-- The assignments that are given.
picked AS (
  SELECT unnest(%(picked)s::bigint[]) AS id
)
