"""Write the staged rows as documents, utterances and items, inside the caller's transaction."""

from typing import Any

from django.db import connection

# Ids are taken first, into temporary tables: later joins are between tables whose sizes the planner knows.
# The document is described by its first row; a row that names no document is one by itself. Within a document rows
# stand in the order of their position, where they have one, else of `staged_order`, else of the file.
IDS = """
    CREATE TEMPORARY TABLE staged_document ON COMMIT DROP AS
    SELECT nextval(pg_get_serial_sequence('annotation_app_document', 'id')) AS id, external_id, line
    FROM (
        SELECT coalesce(document_id, external_id) AS external_id, min(line) AS line
        FROM staged_row GROUP BY coalesce(document_id, external_id) ORDER BY min(line)
    ) first_rows;
    ANALYZE pg_temp.staged_document;
    CREATE TEMPORARY TABLE staged_utterance ON COMMIT DROP AS
    SELECT nextval(pg_get_serial_sequence('annotation_app_utterance', 'id')) AS id, line, document, position
    FROM (
        SELECT r.line, d.id AS document,
               row_number() OVER (PARTITION BY d.id ORDER BY r.position NULLS LAST, o.place, r.line) - 1 AS position
        FROM staged_row r JOIN staged_document d ON d.external_id = coalesce(r.document_id, r.external_id)
        LEFT JOIN staged_order o ON o.line = r.line
        ORDER BY r.line
    ) ordered;
    ANALYZE pg_temp.staged_utterance
"""
DOCUMENTS = """
    INSERT INTO annotation_app_document (id, project_id, source_id, external_id, title, position, meta)
    SELECT d.id, %(project)s, %(source)s, d.external_id, r.title,
           (SELECT coalesce(max(position) + 1, 0) FROM annotation_app_document WHERE project_id = %(project)s)
             + row_number() OVER (ORDER BY d.line) - 1,
           r.document_meta
    FROM staged_document d JOIN staged_row r ON r.line = d.line
    ORDER BY d.line
"""
UTTERANCES = """
    INSERT INTO annotation_app_utterance
        (id, document_id, external_id, position, speaker, text, n_tokens, sentence_starts, sentence_ends, meta)
    SELECT u.id, u.document, r.external_id, u.position, r.speaker, r.text, r.n_tokens,
           r.sentence_starts, r.sentence_ends, CASE WHEN %(sentences)s THEN r.meta ELSE '{}' END
    FROM staged_utterance u JOIN staged_row r ON r.line = u.line
    ORDER BY u.line
"""
# A row's meta stands on what the row became: the item itself, or the utterance whose sentences are the items.
ITEMS = """
    INSERT INTO annotation_app_item
        (project_id, document_id, utterance_id, external_id, number, start, "end", text, left_out, meta)
    SELECT %(project)s, u.document, u.id, r.external_id || coalesce('_' || s.number, ''), s.number,
           s.start_at, s.end_at, coalesce(s.text, r.text), r.left_out,
           CASE WHEN %(sentences)s THEN '{}' ELSE r.meta END
    FROM staged_item s
    JOIN staged_row r ON r.line = s.line
    JOIN staged_utterance u ON u.line = s.line
    ORDER BY s.line, s.number
"""
# One row a document, whoever names it: its text is the first that came, its title the first that is not empty.
SOURCES = """
    INSERT INTO annotation_app_sourcedocument (project_id, source_id, external_id, title, text, n_words, meta)
    SELECT %(project)s, %(source)s, external_id, title, text, n_words, '{}'
    FROM (
        SELECT DISTINCT ON (external_id) external_id, line, place, text, n_words,
               first_value(title) OVER (PARTITION BY external_id ORDER BY title = '', line, place) AS title
        FROM staged_source WHERE text IS NOT NULL
        ORDER BY external_id, line, place
    ) given
    WHERE NOT EXISTS (
        SELECT FROM annotation_app_sourcedocument d
        WHERE d.project_id = %(project)s AND d.external_id = given.external_id
    )
    ORDER BY line, place
"""
# Rows that carry sources or marks are items themselves, under their own id.
ITEM_SOURCES = """
    INSERT INTO annotation_app_itemsource (item_id, source_document_id, position)
    SELECT i.id, d.id, s.place
    FROM staged_source s
    JOIN staged_row r ON r.line = s.line
    JOIN annotation_app_item i ON i.project_id = %(project)s AND i.external_id = r.external_id
    JOIN annotation_app_sourcedocument d ON d.project_id = %(project)s AND d.external_id = s.external_id
    ORDER BY s.line, s.place
"""
MARKS = """
    INSERT INTO annotation_app_importedspans (item_id, spans)
    SELECT i.id, m.spans
    FROM staged_marks m
    JOIN staged_row r ON r.line = m.line
    JOIN annotation_app_item i ON i.project_id = %(project)s AND i.external_id = r.external_id
    ORDER BY m.line
"""
COUNTS = """
    SELECT (SELECT count(DISTINCT coalesce(document_id, external_id)) FROM staged_row),
           (SELECT count(*) FROM staged_row),
           (SELECT count(*) FROM staged_row WHERE left_out = 'too_short'),
           (SELECT count(*) FROM staged_row WHERE left_out = 'too_long'),
           count(*) FILTER (WHERE left_out = ''),
           count(*) FILTER (WHERE left_out = 'too_short'),
           count(*) FILTER (WHERE left_out = 'too_long'),
           (SELECT count(DISTINCT external_id) FROM staged_source),
           (SELECT count(*) FROM staged_marks),
           (SELECT coalesce(sum(n_spans), 0) FROM staged_marks)
    FROM staged_item JOIN staged_row USING (line)
"""


def counts_of_staged() -> dict[str, Any]:
    """Count the staged rows.

    `kept` and `left_out` count items; `left_out_utterances` counts the rows they come from. `sources` are the source
    documents that rows name, `marked_items` the items with spans, `marks` these spans.
    """
    with connection.cursor() as cursor:
        cursor.execute(COUNTS)
        documents, utterances, short_rows, long_rows, kept, short, long, *beside = cursor.fetchone()
    return {
        "documents": documents,
        "utterances": utterances,
        "items": kept + short + long,
        "kept": kept,
        "left_out": {"too_short": short, "too_long": long},
        "left_out_utterances": {"too_short": short_rows, "too_long": long_rows},
        **dict(zip(("sources", "marked_items", "marks"), beside, strict=True)),
    }


STATEMENTS = {
    "taking ids": IDS,
    "writing documents": DOCUMENTS,
    "writing utterances": UTTERANCES,
    "writing items": ITEMS,
    "writing source documents": SOURCES,
    "linking source documents": ITEM_SOURCES,
    "writing marks": MARKS,
    # Foreign keys are checked while progress can still be shown, and not in the commit.
    "checking references": "SET CONSTRAINTS ALL IMMEDIATE",
}


def write(step: str, *, project_id: int, source_id: int, makes_sentences: bool) -> None:
    """Run one step of STATEMENTS, which are run in order."""
    with connection.cursor() as cursor:
        cursor.execute(STATEMENTS[step], {"project": project_id, "source": source_id, "sentences": makes_sentences})
