SELECT state, count(*) FROM standing WHERE %(kinds)s::text[] IS NULL OR kind = ANY(%(kinds)s::text[]) GROUP BY state
