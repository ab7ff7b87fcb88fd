"""Compare the agreement table of a project of more than a million answers with pulling rows into `krippendorff`.

    python -m bench.agreement                    200,000 items, seven rounds, three people, five stages
    python -m bench.agreement --items 20000

Without --inside it starts servers of its own with the product's durability. Both arms answer the same question: nominal
alpha of every stage, round and pair with their margins. The peer pulls the answers once and passes each view's answers
to the `krippendorff` package (requirements-dev.txt). Ours also computes the other five statistics and all intervals.

Each arm runs in a process of its own. Measured are wall seconds, CPU seconds of that process and of its database
session's server process, and the growth of the process. The alphas of both arms should be the same to 1e-9, and their
largest difference is printed. Four cases of ours are measured, one after another:

- `first`: nothing was ever counted, and every answer is queued (once in a project's life);
- `table`: counts exist and no table is cached, so this is the statement itself, as after any submit;
- `submit`: one answer was changed, so this recounts that item and computes the table;
- `kept`: nothing changed.

The tables stay as a bulk fill leaves them: never analysed by hand, and without autovacuum.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.own_servers import ROOT, run_inside

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation_app.config.settings")

PULL = """
SELECT x.stage, b.number, i.id, a.annotator_id, x.label
FROM annotation_app_batch b
JOIN annotation_app_batchitem i ON i.batch_id = b.id
JOIN annotation_app_assignment a ON a.batch_item_id = i.id
JOIN annotation_app_answer x ON x.annotation_id = a.current_id
WHERE b.project_id = %s AND a.state = 'submitted'
"""
NEVER_ANALYSED = (
    "answer",
    "annotation",
    "assignment",
    "batchitem",
    "item",
    "answerpattern",
    "labelcombination",
    "counteditem",
    "recountqueue",
)
Alphas = dict[str, float]


def peer(project: int) -> Alphas:
    """Return the nominal alphas that the `krippendorff` package computes from the pulled rows."""
    import krippendorff
    import numpy as np
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(PULL, [project])
        rows = cursor.fetchall()
    views: dict[tuple[str, int], list[tuple[int, int, str]]] = defaultdict(list)
    for stage, round, item, rater, label in rows:
        views[stage, round].append((item, rater, label))
        views[stage, 0].append((item, rater, label))
    found: Alphas = {}
    for (stage, round), said in views.items():
        (items, raters, labels), codes = zip(
            *(np.unique(column, return_inverse=True) for column in zip(*said, strict=True)), strict=True
        )
        table = np.full((len(raters), len(items)), np.nan)
        table[codes[1], codes[0]] = codes[2]
        pairs = [(a, b) for a in range(len(raters)) for b in range(a + 1, len(raters))]
        for pair in [tuple(range(len(raters))), *(pairs if len(raters) > 2 else [])]:
            name = f"{stage} {round} {[int(raters[r]) for r in pair] if len(pair) == 2 else 'all'}"
            alpha = krippendorff.alpha(
                table[list(pair)], level_of_measurement="nominal", value_domain=range(len(labels))
            )
            found[name] = float(alpha)
    return found


def ours(project: int) -> Alphas:
    """Return the nominal alphas of the product's agreement table."""
    from annotation_app.agreement.selectors import agreement_table
    from annotation_app.models import Membership, Project

    table = agreement_table(project=Project.objects.get(pk=project), scope="all")
    people = {member.number: member.pk for member in Membership.objects.filter(project=project)}
    return {
        f"{row.stage} {row.round or 0} {[people[number] for number in row.pair] if row.pair else 'all'}": alpha
        for row in table.rows
        if (alpha := row.values["alpha_nominal"]) is not None
    }


def one_arm(name: str, project: int) -> dict[str, Any]:
    """Run one arm. This process is for it alone, and its database session is open before the clock starts."""
    import django

    django.setup()
    from django.db import connection

    import annotation_app.agreement.selectors  # noqa: F401

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (server,) = cursor.fetchone()
    arms: dict[str, Callable[[int], Alphas]] = {"peer": peer}
    before = peak_mib(), cpu_of(server), time.process_time(), time.monotonic()
    alphas = arms.get(name, ours)(project)
    return {
        "wall": time.monotonic() - before[3],
        "cpu": time.process_time() - before[2] + cpu_of(server) - before[1],
        "mib": peak_mib() - before[0],
        "alphas": alphas,
    }


def peak_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def cpu_of(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measured(name: str, project: int) -> dict[str, Any]:
    command = [sys.executable, "-m", "bench.agreement", "--arm", name, "--project", str(project)]
    found = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout)
    load = Path("/proc/loadavg").read_text().split()[0]
    print(
        f"{name:8} {found['wall']:8.3f} s wall {found['cpu']:8.2f} s CPU {found['mib']:8.1f} MiB   load {load}",
        flush=True,
    )
    return dict(found)


def inside(options: argparse.Namespace) -> None:
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    from annotation_app.models import AgreementCache
    from bench.agreement_rows import fill, touch_one

    call_command("migrate", verbosity=0)
    with connection.cursor() as cursor:
        for table in NEVER_ANALYSED:
            cursor.execute(f"ALTER TABLE annotation_app_{table} SET (autovacuum_enabled = off)")
    began = time.monotonic()
    project = fill(options.items, options.rounds)
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM annotation_app_answer")
        (answers,) = cursor.fetchone()
    print(f"{options.items:,} items, {answers:,} answers, filled in {time.monotonic() - began:.0f} s", flush=True)
    arms: dict[str, list[dict[str, Any]]] = defaultdict(list)
    arms["first"].append(measured("first", project.pk))
    for _ in range(options.repeat):
        arms["peer"].append(measured("peer", project.pk))
        AgreementCache.objects.all().delete()
        arms["table"].append(measured("table", project.pk))
        touch_one(project)
        arms["submit"].append(measured("submit", project.pk))
        arms["kept"].append(measured("kept", project.pk))
    compare(arms)


def compare(arms: dict[str, list[dict[str, Any]]]) -> None:
    theirs, mine = (arms[name][0]["alphas"] for name in ("peer", "table"))
    if set(theirs) != set(mine):
        raise SystemExit(f"Not the same views: {sorted(set(theirs) ^ set(mine))[:5]}")
    print(f"{len(mine)} alphas, largest difference {max(abs(theirs[view] - mine[view]) for view in mine):.1e}")
    for measure in ("wall", "cpu"):
        best = {name: min(each[measure] for each in runs) for name, runs in arms.items()}
        table, submit = best["peer"] / best["table"], best["peer"] / best["submit"]
        print(f"{measure}: table {table:.1f} times, submit {submit:.1f} times as fast, best of {len(arms['peer'])}")
    grown = {name: max(each["mib"] for each in runs) for name, runs in arms.items()}
    print(f"memory: 1/{grown['peer'] / max(grown['table'], 0.1):.0f} of the peer's")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=200_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--repeat", type=int, default=3, help="turns of all arms (default %(default)s)")
    parser.add_argument("--inside", action="store_true", help="use the servers of DATABASE_URL")
    parser.add_argument("--arm", help=argparse.SUPPRESS)
    parser.add_argument("--project", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.arm:
        print(json.dumps(one_arm(options.arm, options.project)))
    elif options.inside:
        inside(options)
    else:
        run_inside("agreement")


if __name__ == "__main__":
    main()
