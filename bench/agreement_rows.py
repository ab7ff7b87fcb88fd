"""Fill a project of up to 200,000 items in five stages for measurements, with rows that the database itself writes.

By default three people answer every item. Later stages are sparse, because the answers open them. Each item has a true
label that a person finds with probability `SURE`, so that agreement is neither perfect nor zero. The same items get
the same answers.
"""

import json

from django.db import connection, transaction
from django.utils import timezone

from annotation_app.demo.paths import CODEBOOK, SPANS_CODEBOOK
from annotation_app.models import Batch, CodebookVersion, Import, Membership, Project, User

SURE = 0.8

# Documents have 500 utterances of one sentence each.
ITEMS = """
WITH documents AS (
    INSERT INTO annotation_app_document (project_id, source_id, external_id, title, position, meta)
    SELECT %(project)s, %(source)s, 'd' || g, 'Document ' || g, g, '{}' FROM generate_series(0, %(items)s / 500) AS g
    RETURNING id, position
), utterances AS (
    INSERT INTO annotation_app_utterance (document_id, external_id, position, speaker, text, n_tokens,
        sentence_starts, sentence_ends, meta)
    SELECT d.id, 'u' || g, g, 'Chair', said.text, 9, '{0}', ARRAY[char_length(said.text)], '{}'
    FROM generate_series(1, %(items)s) AS g
    JOIN documents d ON d.position = g / 500
    CROSS JOIN LATERAL (SELECT format('Sentence number %%s is about rates and growth.', g) AS text) AS said
    RETURNING id, document_id, position, text
), made AS (
    INSERT INTO annotation_app_item
        (project_id, document_id, utterance_id, external_id, number, start, "end", text, left_out, meta)
    SELECT %(project)s, u.document_id, u.id, 'i' || u.position, 1, 0, char_length(u.text), u.text, '', '{}'
    FROM utterances u
    RETURNING id, external_id
)
INSERT INTO annotation_app_batchitem (batch_id, item_id, rank)
SELECT (%(batches)s::bigint[])[1 + number.n %% %(rounds)s], made.id, number.n
FROM made CROSS JOIN LATERAL (SELECT substr(made.external_id, 2)::int AS n) AS number
"""

# Everybody has a row. Those whom a hash of item and person puts first take the slots.
ASSIGNMENTS = """
INSERT INTO annotation_app_assignment (batch_item_id, annotator_id, state, position, slot, done_at, added)
SELECT dealt.item, dealt.person, CASE WHEN taken THEN 'submitted' ELSE 'open' END, dealt.rank,
    CASE WHEN taken THEN dealt.place END, CASE WHEN taken THEN now() END, false
FROM (
    SELECT i.id AS item, m.id AS person, i.rank, b.annotators_per_item,
        row_number() OVER (
            PARTITION BY i.id ORDER BY hashtextextended(concat_ws('/', i.rank, m.number), 7)
        ) AS place
    FROM annotation_app_batchitem i JOIN annotation_app_batch b ON b.id = i.batch_id
    CROSS JOIN annotation_app_membership m
    WHERE b.project_id = %(project)s AND m.project_id = %(project)s AND m.role = 'annotator'
) AS dealt
CROSS JOIN LATERAL (SELECT %(answered)s AND dealt.place <= dealt.annotators_per_item AS taken) AS slot
"""

ANNOTATIONS = """
WITH made AS (
    INSERT INTO annotation_app_annotation (assignment_id, revision, base_revision, client_id, body_hash, codebook_id,
        comment, skip_reason, context_opened, active_ms, wall_ms, created_at)
    SELECT a.id, 1, 0, gen_random_uuid(), '', b.codebook_id, '', '', 'sentence', 1000, 1000, now()
    FROM annotation_app_assignment a JOIN annotation_app_batchitem i ON i.id = a.batch_item_id
    JOIN annotation_app_batch b ON b.id = i.batch_id
    WHERE b.project_id = %(project)s AND a.state = 'submitted'
    RETURNING id, assignment_id
)
UPDATE annotation_app_assignment a SET current_id = made.id FROM made WHERE made.assignment_id = a.id
"""

# A number in [0, 1) from an item, a person (0: the truth) and a stage.
DICE = "((hashtextextended({}::text, 7) & 1048575) / 1048576.0)"

ANSWERS = f"""
WITH said AS (
    SELECT a.current_id, s.stage, s.labels[1 + floor(power(
        CASE WHEN {DICE.format("concat_ws('/', i.rank, a.annotator_id, s.stage, 'sure')")} < {SURE}
            THEN {DICE.format("concat_ws('/', i.rank, 0, s.stage)")}
            ELSE {DICE.format("concat_ws('/', i.rank, a.annotator_id, s.stage)")} END, 1.5)
        * cardinality(s.labels))::int] AS label
    FROM annotation_app_assignment a JOIN annotation_app_batchitem i ON i.id = a.batch_item_id
    JOIN annotation_app_batch b ON b.id = i.batch_id
    CROSS JOIN (VALUES {{stages}}) AS s(stage, labels)
    WHERE b.project_id = %(project)s AND a.state = 'submitted'
), wide AS (
    SELECT current_id, jsonb_object_agg(stage, label) AS answers FROM said GROUP BY current_id
)
INSERT INTO annotation_app_answer (annotation_id, stage, label)
SELECT w.current_id, e.key, e.value FROM wide w CROSS JOIN LATERAL jsonb_each_text(w.answers) AS e
WHERE e.key = 'opinion'
   OR (e.key = 'mp' AND w.answers ->> 'opinion' = 'yes')
   OR (e.key IN ('mp_context', 'stance_nli', 'stance_nli_context')
       AND w.answers ->> 'opinion' = 'yes' AND w.answers ->> 'mp' = 'yes')
"""


def fill(
    items: int,
    rounds: int,
    name: str = "Agreement",
    *,
    people: int = 3,
    per_item: int | None = None,
    answered: bool = True,
    span_layer: bool = False,
    assignments: str = ASSIGNMENTS,
    password: str | None = None,
) -> Project:
    """Make a project whose `items` are distributed over `rounds` batches; `per_item` people, or all, answer each item.

    `assignments` is the statement that hands the items out. Assignments that it makes `submitted` get answers.
    """
    owner = User.objects.create_user(f"owner-of-{name.lower()}")
    project = Project.objects.create(name=name, created_by=owner)
    definition = json.loads(CODEBOOK.read_text(encoding="utf-8"))
    if span_layer:
        definition["span_layer"] = json.loads(SPANS_CODEBOOK.read_text(encoding="utf-8"))["span_layer"]
    codebook = CodebookVersion.objects.create(
        project=project,
        version=1,
        state="published",
        published_at=timezone.now(),
        definition=definition,
        created_by=owner,
    )
    Membership.objects.create(project=project, user=owner, role="admin", number=1)
    for number in range(2, people + 2):
        person = User.objects.create_user(f"{name.lower()}-{number}", password=password)
        Membership.objects.create(project=project, user=person, role="annotator", number=number)
    batches = [
        Batch.objects.create(project=project, number=number, codebook=codebook, annotators_per_item=per_item or people)
        for number in range(1, rounds + 1)
    ]
    source = Import.objects.create(project=project, filename="bench", format="jsonl", state="done")
    values = {
        "project": project.pk,
        "source": source.pk,
        "items": items,
        "rounds": rounds,
        "batches": [batch.pk for batch in batches],
        "people": people,
        "per_item": per_item or people,
        "answered": answered,
    }
    stages = ", ".join(
        f"('{stage['key']}', ARRAY[{', '.join(repr(label['key']) for label in stage['labels'])}])"
        for stage in definition["stages"]
    )
    with transaction.atomic(), connection.cursor() as cursor:
        # The planner has no statistics of the rows just written.
        cursor.execute("SET LOCAL enable_nestloop = off")
        for statement in (ITEMS, assignments, ANNOTATIONS, ANSWERS.replace("{stages}", stages)):
            cursor.execute(statement, values)
    return project


TOUCH = """
WITH asked AS (
    SELECT a.id, a.current_id FROM annotation_app_assignment a
    JOIN annotation_app_batchitem i ON i.id = a.batch_item_id JOIN annotation_app_batch b ON b.id = i.batch_id
    WHERE b.project_id = %(project)s AND a.state = 'submitted' ORDER BY a.id LIMIT 1
), made AS (
    INSERT INTO annotation_app_annotation (assignment_id, revision, base_revision, client_id, body_hash, codebook_id,
        comment, skip_reason, context_opened, active_ms, wall_ms, created_at)
    SELECT asked.id, n.revision + 1, n.revision, gen_random_uuid(), '', n.codebook_id, '', '', 'sentence', 1, 1, now()
    FROM asked JOIN annotation_app_annotation n ON n.id = asked.current_id
    RETURNING id, assignment_id
), copied AS (
    INSERT INTO annotation_app_answer (annotation_id, stage, label)
    SELECT made.id, x.stage, CASE x.label WHEN 'no' THEN 'ambiguous' ELSE 'no' END
    FROM made JOIN asked ON asked.id = made.assignment_id
    JOIN annotation_app_answer x ON x.annotation_id = asked.current_id AND x.stage = 'opinion'
)
UPDATE annotation_app_assignment a SET current_id = made.id FROM made WHERE made.assignment_id = a.id
"""


def touch_one(project: Project) -> None:
    """Add a revision to one assignment, with another answer at the first stage."""
    with connection.cursor() as cursor:
        cursor.execute(TOUCH, {"project": project.pk})
