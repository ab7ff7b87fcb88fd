"""Time one step on a factoid list, and reading the list: `.venv/bin/python -m bench.factoid_revisions`.

The list has 300 factoids over 50 texts of 20 sentences, each linked to 1 to 25 sentences, beside one of a tenth of
that size. `--factoids`, `--texts` and `--sentences` change the sizes, `--steps` how many steps are timed. Printed are
medians in milliseconds, the number of queries, and how many times as long the large list takes as the small one. The
servers are its own, with the product's durability, and what it makes is removed with them.
"""

import argparse
import os
import random
import statistics
import sys
import time
import uuid
from collections.abc import Callable
from functools import partial
from typing import Any

from bench.own_servers import run_inside


def main() -> None:
    if "--inside" not in sys.argv:
        run_inside("factoid_revisions")
    arguments = _arguments()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation_app.config.settings")
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    small = _timed(arguments, max(2, arguments.factoids // 10), max(2, arguments.texts // 10))
    large = _timed(arguments, arguments.factoids, arguments.texts)
    for name in large:
        (quick, few), (slow, many) = small[name], large[name]
        print(f"{name}: {quick:.1f} ms ({few} queries), then {slow:.1f} ms ({many} queries): {slow / quick:.1f} times")


def _timed(arguments: argparse.Namespace, factoids: int, texts: int) -> dict[str, tuple[float, int]]:
    """Return the milliseconds and queries of a step, and of reading, by the services that the routes call."""
    from annotation_app.factoids.lists import list_view
    from annotation_app.factoids.revisions import list_step_store
    from annotation_app.factoids.states import FactoidState, factoid_states
    from annotation_app.factoids.steps import Change, Step

    row, member = _list_made(factoids, texts, arguments.sentences)
    draw = random.Random(1)
    states = list(factoid_states(row).values())

    def step() -> None:
        row.refresh_from_db()
        old = draw.choice(states)
        linked = tuple(draw.sample(_names(texts, arguments.sentences), 5))
        change = Change(old.key, FactoidState(old.key, old.id, old.description, linked))
        list_step_store(row=row, member=member, step=Step(uuid.uuid4(), row.revision, "link", [change]))

    return {"step": _median(step, arguments.steps), "reading": _median(partial(list_view, row, member), 5)}


def _names(texts: int, sentences: int) -> list[str]:
    return [name for text in range(texts) for name in _names_of(text, sentences)]


def _names_of(text: int, sentences: int) -> list[str]:
    return [f"M{text:02}-{number:03}" for number in range(1, sentences + 1)]


def _list_made(factoids: int, texts: int, sentences: int) -> tuple[Any, Any]:
    from annotation_app.factoids.copies import lists_copy
    from annotation_app.factoids.phases import phase_open
    from annotation_app.factoids.sets import text_set_create
    from annotation_app.factoids.states import FactoidState
    from annotation_app.factoids.text_files import ReadText
    from annotation_app.models import User
    from annotation_app.projects.services import project_create

    user = User.objects.create_user(username=f"bench-{uuid.uuid4()}")
    project = project_create(owner=user, name="A bench")
    words = "A sentence of the bench."
    read = [ReadText(f"M{text:02}", [(name, words) for name in _names_of(text, sentences)]) for text in range(texts)]
    text_set = text_set_create(project=project, actor=user, name="Bench", texts=read)
    member = project.memberships.get(user=user)
    phase = phase_open(text_set=text_set, actor=user, kind="definition", step="independent", members=[member.uuid])
    row = phase.lists.get()
    draw = random.Random(0)
    names = _names(texts, sentences)
    keys = [uuid.UUID(int=number + 1) for number in range(factoids)]
    linked = [tuple(draw.sample(names, draw.randint(1, min(25, len(names))))) for _ in keys]
    lists_copy({row: {key: FactoidState(key, f"F{key.int}", "", own) for key, own in zip(keys, linked, strict=True)}})
    return row, member


def _median(run: Callable[[], Any], times: int) -> tuple[float, int]:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as captured:
        run()
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        run()
        taken.append(1000 * (time.perf_counter() - began))
    return statistics.median(taken), len(captured)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    for name, size in (("factoids", 300), ("texts", 50), ("sentences", 20), ("steps", 30)):
        parser.add_argument(f"--{name}", type=int, default=size)
    return parser.parse_args()


if __name__ == "__main__":
    main()
