"""Check source documents once all rows are there: an id stands for one text, and every named id is known."""

from django.db import connection

from annotation_app.ingest.faults import BadLineList
from annotation_app.ingest.rows import BadLine
from annotation_app.ingest.staging import lines_drop

# A document is known by its first text, title by the first title: (external_id, line and place of each, digest, title).
# What the project has already comes first of all, as line 0.
KNOWN = """
    DROP TABLE IF EXISTS pg_temp.known_source;
    CREATE TEMPORARY TABLE known_source ON COMMIT DROP AS
    SELECT DISTINCT ON (external_id) external_id, line, place, digest, in_project,
           first_value(title) OVER titles AS title, first_value(line) OVER titles AS title_line
    FROM (
        SELECT external_id, line, place, digest, title, FALSE AS in_project FROM staged_source WHERE text IS NOT NULL
      UNION ALL
        SELECT external_id, 0, 0, encode(sha256(convert_to(text, 'UTF8')), 'hex'), title, TRUE
        FROM annotation_app_sourcedocument
        WHERE project_id = %(project)s AND external_id IN (SELECT external_id FROM staged_source)
    ) given
    WINDOW titles AS (PARTITION BY external_id ORDER BY NOT in_project, title = '', line, place)
    ORDER BY external_id, NOT in_project, line, place;
    ANALYZE pg_temp.known_source
"""
# One fault a line, at its first bad source: (line, kind, place, id, line of what it contradicts, its place).
FAULTY = """
    DROP TABLE IF EXISTS pg_temp.staged_bad_source;
    CREATE TEMPORARY TABLE staged_bad_source ON COMMIT DROP AS
    SELECT DISTINCT ON (line) line, kind, place, id, earlier, earlier_place FROM (
        SELECT s.line, s.place, s.external_id AS id, k.place AS earlier_place,
               CASE WHEN s.digest = k.digest THEN k.title_line ELSE k.line END AS earlier,
               CASE WHEN k.external_id IS NULL THEN 1
                    WHEN s.digest <> k.digest THEN CASE WHEN k.in_project THEN 2 ELSE 3 END
                    WHEN s.title <> '' AND s.title <> k.title THEN CASE WHEN k.in_project THEN 4 ELSE 5 END
               END AS kind
        FROM staged_source s LEFT JOIN known_source k ON k.external_id = s.external_id
        WHERE s.line NOT IN (SELECT line FROM staged_duplicate)
    ) found
    WHERE kind IS NOT NULL
    ORDER BY line, place
"""
MESSAGES = {
    1: "No source document {id!r}: give its text in this file, or import it first.",
    2: "The project has a source document {id!r} already, with another text: give it another id, or only its id here.",
    3: "The source document {id!r} has another text in line {earlier}, sources[{earlier_place}]: one id is one text.",
    4: "The project has a source document {id!r} already, with another title: leave the title out here.",
    5: "The source document {id!r} has another title in line {earlier}: give it the same one, or none.",
}


def sources_check(*, project_id: int, file: str, faults: BadLineList, skip: bool) -> None:
    """Add what is wrong to the faults. With `skip` bad lines leave the staging tables, and so do, in turn, lines that
    need what only those had.

    After the duplicates, inside the transaction that holds the project's lock.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT EXISTS (SELECT FROM staged_source)")
        if not cursor.fetchone()[0]:
            return
    while sources_find(project_id=project_id, file=file, faults=faults) and skip:
        lines_drop("staged_bad_source")


def sources_find(*, project_id: int, file: str, faults: BadLineList) -> int:
    """Add the faults, and return how many lines are bad."""
    with connection.cursor() as cursor:
        cursor.execute(KNOWN, {"project": project_id})
        cursor.execute(FAULTY)
        cursor.execute("SELECT count(*) FROM staged_bad_source")
        count = int(cursor.fetchone()[0])
        cursor.execute("SELECT * FROM staged_bad_source ORDER BY line LIMIT %s", [faults.LISTED])
        for line, kind, place, identifier, earlier, earlier_place in cursor.fetchall():
            message = MESSAGES[kind].format(id=identifier, earlier=earlier, earlier_place=earlier_place)
            faults.show(BadLine(file, line, f"sources[{place}]", message))
    faults.count += count
    return count
