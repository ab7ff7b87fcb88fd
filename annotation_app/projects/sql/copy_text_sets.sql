-- Copies the text sets of the project %(source)s into the project %(copy)s, and counts the texts.
WITH sets AS (
    SELECT id, nextval(pg_get_serial_sequence('annotation_app_textset', 'id')) AS copied FROM (
        SELECT s.id FROM annotation_app_textset s WHERE s.project_id = %(source)s ORDER BY s.id
    ) AS listed
),

texts AS (
    SELECT id, nextval(pg_get_serial_sequence('annotation_app_settext', 'id')) AS copied FROM (
        SELECT t.id FROM annotation_app_settext t JOIN sets ON sets.id = t.text_set_id ORDER BY t.id
    ) AS listed
),

set_rows AS (
    INSERT INTO annotation_app_textset (id, project_id, name, created_by_id, created_at)
    SELECT sets.copied, %(copy)s, s.name, %(actor)s, now()
    FROM annotation_app_textset s JOIN sets ON sets.id = s.id
),

text_rows AS (
    INSERT INTO annotation_app_settext (id, text_set_id, external_id, position, is_system, created_at)
    SELECT texts.copied, sets.copied, t.external_id, t.position, t.is_system, now()
    FROM annotation_app_settext t
    JOIN texts ON texts.id = t.id
    JOIN sets ON sets.id = t.text_set_id
    RETURNING id
),

sentence_rows AS (
    INSERT INTO annotation_app_setsentence (text_set_id, set_text_id, external_id, position, text)
    SELECT sets.copied, texts.copied, s.external_id, s.position, s.text
    FROM annotation_app_setsentence s
    JOIN sets ON sets.id = s.text_set_id
    JOIN texts ON texts.id = s.set_text_id
)

SELECT count(*) FROM text_rows
