"""Start rounds through the service, as an admin does."""

from al_worker.bridge.run_round import RoundRun
from annotation_app.models import CodebookVersion, Round
from annotation_app.rounds.services import round_start
from annotation_app.rounds.spec import RoundSpec
from tests.conftest import People


def start(people: People, spec: RoundSpec) -> Round:
    return round_start(project=people.project, spec=spec, actor=people.admin.user)


def opened(people: People, spec: RoundSpec) -> Round:
    """A round whose batch is open, through the real worker's code."""
    row = start(people, spec)
    RoundRun.run(row.pk)
    row.refresh_from_db()
    assert row.state == Round.State.ANNOTATING, row.failure
    return row


def waiting_round(people: People) -> Round:
    """A round that waits for a worker, whatever is asked of it."""
    return Round.objects.create(
        project=people.project,
        number=1,
        strategy_asked="random",
        strategy_used="random",
        query_size=1,
        random_state=1,
        model="none",
        learning_stages=["opinion"],
        annotators_per_item=1,
        codebook=CodebookVersion.objects.filter(project=people.project).latest("version"),
        created_by=people.admin.user,
    )
