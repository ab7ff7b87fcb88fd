"""Check what only shows once all rows are there: ids that occur twice, in the file or in the project."""

from django.db import connection

from annotation_app.ingest.faults import BadLineList
from annotation_app.ingest.rows import BadLine
from annotation_app.ingest.staging import lines_drop

# One fault a line, the first kind that fits: (line, field, kind, id, line of the first row with this id, which may have
# been refused for something else). A line that says who marked it comes from an export, which has a line for each
# person and item.
DUPLICATES = """
    CREATE TEMPORARY TABLE staged_duplicate ON COMMIT DROP AS
    SELECT DISTINCT ON (line) line, field, kind, id, earlier FROM (
        SELECT line, 'id' AS field, CASE WHEN meta ?& ARRAY['annotator', 'state'] THEN 0 ELSE 1 END AS kind,
               external_id AS id, earlier
        FROM (
            SELECT line, external_id, meta, min(line) OVER (PARTITION BY external_id) AS earlier
            FROM (
                SELECT line, external_id, meta FROM staged_row
              UNION ALL
                SELECT line, external_id, NULL FROM staged_refused
            ) given
        ) twice
        WHERE line > earlier AND meta IS NOT NULL
      UNION ALL
        SELECT r.line, 'id', 2, r.external_id, NULL
        FROM staged_row r
        JOIN annotation_app_utterance u ON u.external_id = r.external_id
        JOIN annotation_app_document d ON d.id = u.document_id AND d.project_id = %(project)s
      UNION ALL
        SELECT r.line, 'id', 3, i.external_id, NULL
        FROM staged_row r
        JOIN staged_item s ON s.line = r.line
        JOIN annotation_app_item i
          ON i.project_id = %(project)s AND i.external_id = r.external_id || coalesce('_' || s.number, '')
      UNION ALL
        SELECT r.line, 'document_id', 4, d.external_id, NULL
        FROM staged_row r
        JOIN annotation_app_document d
          ON d.project_id = %(project)s AND d.external_id = coalesce(r.document_id, r.external_id)
    ) found
    ORDER BY line, kind, id
"""
MESSAGES = {
    0: "Duplicate id {id!r}: line {earlier} has it already. This file holds the lines of several annotators for one "
    "item: export with of=validated, or keep the lines of one annotator.",
    1: "Duplicate id {id!r}: line {earlier} of this file has it already.",
    2: "Duplicate id {id!r}: the project has an utterance with this id already. Skip rows that it has, or change the "
    "id.",
    3: "Duplicate id: the project has an item {id!r} already.",
    4: "The project has a document {id!r} already: a document comes whole, in one import.",
}


IN_PROJECT = 2
MANY = (
    "{count:,} ids exist already in the project; here is the first, {id!r}. Skip rows that it has, or change their ids."
)
EXISTING = f"""
    CREATE TEMPORARY TABLE staged_existing ON COMMIT DROP AS
    SELECT line FROM staged_duplicate WHERE kind = {IN_PROJECT}
"""


def project_lock(project_id: int) -> None:
    """Lock until the transaction ends, so that imports into one project run one after the other."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended('import into project ' || %s, 0))", [project_id])


def existing_count() -> int:
    """Count the rows whose ids the project has. After `duplicates_list`."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM staged_duplicate WHERE kind = {IN_PROJECT}")
        return int(cursor.fetchone()[0])


def existing_skip() -> int:
    """Take the rows whose ids the project has out of the staging tables; return how many they are.

    After `duplicates_list`.
    """
    with connection.cursor() as cursor:
        cursor.execute(EXISTING)
        lines_drop("staged_existing")
        cursor.execute(f"DELETE FROM pg_temp.staged_duplicate WHERE kind = {IN_PROJECT}")
        return int(cursor.rowcount)


def duplicates_list(*, project_id: int) -> None:
    """List the duplicates in `staged_duplicate`.

    Inside the transaction that holds the project's lock, so that no other import can slip in between.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "ANALYZE pg_temp.staged_row, pg_temp.staged_item, pg_temp.staged_source, pg_temp.staged_marks, "
            "pg_temp.staged_refused"
        )
        cursor.execute(DUPLICATES, {"project": project_id})


def duplicates_tell(*, file: str, faults: BadLineList) -> int:
    """Add the listed duplicates to the faults and return how many lines they are. Ids that the project has are said
    once, with how many they are."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*), min(line) FROM staged_duplicate WHERE kind = {IN_PROJECT}")
        existing, first = cursor.fetchone()
        cursor.execute(
            "SELECT line, field, kind, id, earlier FROM staged_duplicate WHERE kind <> %s OR line = %s "
            "ORDER BY line LIMIT %s",
            [IN_PROJECT, first, faults.LISTED],
        )
        for line, field, kind, identifier, earlier in cursor.fetchall():
            message = MANY if kind == IN_PROJECT and existing > 1 else MESSAGES[kind]
            said = message.format(id=identifier, earlier=earlier, count=existing)
            faults.show(BadLine(file, line, field, said))
        cursor.execute("SELECT count(*) FROM staged_duplicate")
        count = int(cursor.fetchone()[0])
    faults.count += count
    return count


def duplicates_drop() -> None:
    lines_drop("staged_duplicate")
