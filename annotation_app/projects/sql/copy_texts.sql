-- Copies the texts of the project %(source)s into the empty project %(copy)s, and counts the items.
-- One statement reads one snapshot, so that an import that is committed or undone meanwhile comes whole or not at all.
-- New ids rise as the old ones do: the pool keeps its order.
WITH imports AS (
    SELECT id, nextval(pg_get_serial_sequence('annotation_app_import', 'id')) AS copied FROM (
        SELECT i.id FROM annotation_app_import i
        WHERE i.project_id = %(source)s AND i.state = 'done' AND (
            i.undone_at IS NULL OR EXISTS (SELECT FROM annotation_app_sourcedocument s WHERE s.source_id = i.id)
        )
        ORDER BY i.id
    ) AS done
),

documents AS (
    SELECT id, nextval(pg_get_serial_sequence('annotation_app_document', 'id')) AS copied FROM (
        SELECT d.id FROM annotation_app_document d WHERE d.project_id = %(source)s ORDER BY d.id
    ) AS listed
),

utterances AS (
    SELECT id, nextval(pg_get_serial_sequence('annotation_app_utterance', 'id')) AS copied FROM (
        SELECT u.id FROM annotation_app_utterance u JOIN documents ON documents.id = u.document_id ORDER BY u.id
    ) AS listed
),

items AS (
    SELECT id, nextval(pg_get_serial_sequence('annotation_app_item', 'id')) AS copied FROM (
        SELECT i.id FROM annotation_app_item i WHERE i.project_id = %(source)s ORDER BY i.id
    ) AS listed
),

sources AS (
    SELECT id, nextval(pg_get_serial_sequence('annotation_app_sourcedocument', 'id')) AS copied FROM (
        SELECT s.id FROM annotation_app_sourcedocument s WHERE s.project_id = %(source)s ORDER BY s.id
    ) AS listed
),

-- The file stays with the project that imported it.
import_rows AS (
    INSERT INTO annotation_app_import (
        id, project_id, file, filename, format, options, state, progress, report, created_by_id, created_at,
        finished_at, undone_at, undone_by_id, lease_owner, attempt, attempts_before, last_error
    )
    SELECT imports.copied, %(copy)s, '', i.filename, i.format, i.options, i.state, i.progress, i.report,
        i.created_by_id, i.created_at, i.finished_at, i.undone_at, i.undone_by_id, '', 0, 0, ''
    FROM annotation_app_import i JOIN imports ON imports.id = i.id
),

document_rows AS (
    INSERT INTO annotation_app_document (id, project_id, source_id, external_id, title, position, meta)
    SELECT documents.copied, %(copy)s, imports.copied, d.external_id, d.title, d.position, d.meta
    FROM annotation_app_document d
    JOIN documents ON documents.id = d.id
    JOIN imports ON imports.id = d.source_id
),

utterance_rows AS (
    INSERT INTO annotation_app_utterance (
        id, document_id, external_id, position, speaker, text, n_tokens, sentence_starts, sentence_ends, meta
    )
    SELECT utterances.copied, documents.copied, u.external_id, u.position, u.speaker, u.text, u.n_tokens,
        u.sentence_starts, u.sentence_ends, u.meta
    FROM annotation_app_utterance u
    JOIN utterances ON utterances.id = u.id
    JOIN documents ON documents.id = u.document_id
),

item_rows AS (
    INSERT INTO annotation_app_item (
        id, project_id, document_id, utterance_id, external_id, number, start, "end", text, left_out,
        left_out_reason, meta
    )
    SELECT items.copied, %(copy)s, documents.copied, utterances.copied, i.external_id, i.number, i.start, i."end",
        i.text, i.left_out, i.left_out_reason, i.meta
    FROM annotation_app_item i
    JOIN items ON items.id = i.id
    JOIN documents ON documents.id = i.document_id
    JOIN utterances ON utterances.id = i.utterance_id
    RETURNING id
),

source_rows AS (
    INSERT INTO annotation_app_sourcedocument (
        id, project_id, source_id, external_id, title, text, n_words, meta
    )
    SELECT sources.copied, %(copy)s, imports.copied, s.external_id, s.title, s.text, s.n_words, s.meta
    FROM annotation_app_sourcedocument s
    JOIN sources ON sources.id = s.id
    JOIN imports ON imports.id = s.source_id
),

link_rows AS (
    INSERT INTO annotation_app_itemsource (item_id, source_document_id, position)
    SELECT items.copied, sources.copied, l.position
    FROM annotation_app_itemsource l
    JOIN items ON items.id = l.item_id
    JOIN sources ON sources.id = l.source_document_id
),

mark_rows AS (
    INSERT INTO annotation_app_importedspans (item_id, spans)
    SELECT items.copied, m.spans FROM annotation_app_importedspans m JOIN items ON items.id = m.item_id
)

SELECT count(*) FROM item_rows
