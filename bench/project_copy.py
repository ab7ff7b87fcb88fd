"""Measure the copy of a project with many texts, as a ratio to the time that PostgreSQL takes to fill it.

    python -m annotation_app.embedded run -- python -m bench.project_copy [ITEMS]

It runs with the product's own durability settings (no --relaxed). Every document has 100 utterances of one item each.
"""

import argparse
import os
import time
from collections.abc import Callable

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation_app.config.settings")

import django

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402

from annotation_app.models import Import, Project, User  # noqa: E402
from annotation_app.projects.copies import CopySpec, project_copy  # noqa: E402
from annotation_app.projects.services import project_create  # noqa: E402

TEXT = "repeat('Participants noted that inflation had eased over the past year. ', 3) || n"
FILL = (
    """
    INSERT INTO annotation_app_document (project_id, source_id, external_id, title, position, meta)
    SELECT %(project)s, %(source)s, 'd' || n, '', n, '{}' FROM generate_series(0, %(items)s / 100) AS n
    """,
    f"""
    INSERT INTO annotation_app_utterance (
        document_id, external_id, position, speaker, text, n_tokens, sentence_starts, sentence_ends, meta
    )
    SELECT d.id, 'u' || n, n %% 100, '', {TEXT}, 30, '{{0}}', '{{190}}', '{{}}'
    FROM generate_series(0, %(items)s - 1) AS n
    JOIN annotation_app_document d ON d.project_id = %(project)s AND d.position = n / 100
    """,
    """
    INSERT INTO annotation_app_item (
        project_id, document_id, utterance_id, external_id, number, start, "end", text, left_out, meta
    )
    SELECT %(project)s, u.document_id, u.id, u.external_id, 1, 0, 190, u.text, '', '{}'
    FROM annotation_app_utterance u JOIN annotation_app_document d ON d.id = u.document_id
    WHERE d.project_id = %(project)s
    """,
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("items", nargs="?", type=int, default=300_000)
    given = parser.parse_args()
    call_command("migrate", verbosity=0)
    owner = User.objects.create_user(username="bench", password=None)
    project = project_create(owner=owner, name="Bench")
    filled = seconds_of(lambda: fill(project, given.items))
    copied = seconds_of(
        lambda: project_copy(source=project, actor=owner, spec=CopySpec(name="Bench again", texts=True))
    )
    copy = Project.objects.exclude(pk=project.pk).get()
    print(f"{copy.items.count():,} items: filled in {filled:.1f} s, copied in {copied:.1f} s ({copied / filled:.2f})")


def fill(project: Project, items: int) -> None:
    source = Import.objects.create(project=project, filename="bench", format="jsonl", state=Import.State.DONE)
    with connection.cursor() as cursor:
        for statement in FILL:
            cursor.execute(statement, {"project": project.pk, "source": source.pk, "items": items})
        cursor.execute("ANALYZE")


def seconds_of(act: Callable[[], object]) -> float:
    begun = time.perf_counter()
    act()
    return time.perf_counter() - begun


if __name__ == "__main__":
    main()
