-- The spans that are given as arrays, in their order.
given_spans AS (
  SELECT span.place - 1 AS place, span.start, span."end", span.quote, span.category, span.comment,
         span.source_document_id
  FROM unnest(
    %(span_starts)s::int[], %(span_ends)s::int[], %(span_quotes)s::text[], %(span_categories)s::text[], %(span_comments)s::text[],
    %(span_sources)s::bigint[]
  ) WITH ORDINALITY AS span (start, "end", quote, category, comment, source_document_id, place)
)
