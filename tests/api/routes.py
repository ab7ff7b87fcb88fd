"""Every route of the API with what each role may do there."""

import uuid

import pytest
from rest_framework.test import APIClient

from annotation_app.assignment.services import batch_open, next_window
from annotation_app.evaluation.services import request_check, spec_stored
from annotation_app.evaluation.spec import EvaluationSpec
from annotation_app.models import (
    Assignment,
    Batch,
    CodebookVersion,
    Evaluation,
    Import,
    Item,
    Membership,
    Prediction,
    Release,
    Role,
    Round,
    Session,
    Simulation,
)
from annotation_app.projects.services import invite_create
from tests.conftest import People
from tests.factories import make_items, make_member, publish
from tests.spans import span_layer

OPEN = (200, 200, 200, 200, 200)


ADMIN = (401, 403, 403, 200, 404)


# (method, path): (anonymous, annotator, adjudicator, admin, admin of another project)
TABLE: dict[tuple[str, str], tuple[int, int, int, int, int]] = {
    ("GET", "session/"): OPEN,
    ("POST", "session/"): (400, 400, 400, 400, 400),
    ("DELETE", "session/"): (204, 204, 204, 204, 204),
    ("GET", "me/"): (401, 200, 200, 200, 200),
    ("PATCH", "me/"): (401, 400, 400, 400, 400),
    ("POST", "me/password/"): (401, 400, 400, 400, 400),
    ("GET", "me/sessions/"): (401, 200, 200, 200, 200),
    ("DELETE", "me/sessions/"): (401, 204, 204, 204, 204),
    ("DELETE", "me/sessions/<uuid:session_id>/"): (401, 204, 404, 404, 404),
    ("POST", "password-links/"): (400, 400, 400, 400, 400),
    ("POST", "password-links/use/"): (400, 400, 400, 400, 400),
    ("GET", "health/"): OPEN,
    ("GET", "schema/"): OPEN,
    ("GET", "projects/"): (401, 200, 200, 200, 200),
    ("POST", "projects/"): (401, 403, 403, 403, 403),
    ("GET", "projects/<uuid:project_id>/"): (401, 200, 200, 200, 404),
    ("PATCH", "projects/<uuid:project_id>/"): (401, 403, 403, 400, 404),
    # The project has a round at work.
    ("POST", "projects/<uuid:project_id>/archive/"): (401, 403, 403, 409, 404),
    ("POST", "projects/<uuid:project_id>/restore/"): ADMIN,
    ("POST", "projects/<uuid:project_id>/delete/"): (401, 403, 403, 400, 404),
    ("GET", "projects/<uuid:project_id>/waiting/"): (401, 403, 200, 200, 404),
    ("GET", "projects/<uuid:project_id>/overview/"): ADMIN,
    ("GET", "projects/<uuid:project_id>/codebooks/"): ADMIN,
    ("POST", "projects/<uuid:project_id>/codebooks/"): (401, 403, 403, 400, 404),
    ("POST", "codebooks/<uuid:codebook_id>/publish/"): (401, 403, 403, 409, 404),
    ("GET", "projects/<uuid:project_id>/members/"): ADMIN,
    ("PATCH", "members/<uuid:member_id>/"): (401, 403, 403, 400, 404),
    ("POST", "members/<uuid:member_id>/deactivate/"): ADMIN,
    ("POST", "members/<uuid:member_id>/activate/"): ADMIN,
    ("POST", "members/<uuid:member_id>/password-link/"): (401, 403, 403, 201, 404),
    ("GET", "projects/<uuid:project_id>/events/"): ADMIN,
    ("GET", "projects/<uuid:project_id>/events/export/"): ADMIN,
    ("GET", "projects/<uuid:project_id>/invites/"): ADMIN,
    ("POST", "projects/<uuid:project_id>/invites/"): (401, 403, 403, 400, 404),
    ("POST", "invites/<uuid:invite_id>/revoke/"): ADMIN,
    ("POST", "invites/accept/"): (400, 400, 400, 400, 400),
    ("GET", "invites/<str:token>/"): (409, 409, 409, 409, 409),
    ("GET", "projects/<uuid:project_id>/imports/"): ADMIN,
    ("POST", "projects/<uuid:project_id>/imports/"): (401, 403, 403, 400, 404),
    ("GET", "projects/<uuid:project_id>/columns/"): ADMIN,
    ("PUT", "projects/<uuid:project_id>/columns/"): (401, 403, 403, 400, 404),
    ("POST", "projects/<uuid:project_id>/imports/preview/"): (401, 403, 403, 400, 404),
    ("GET", "imports/<uuid:import_id>/"): ADMIN,
    ("POST", "imports/<uuid:import_id>/undo/"): (401, 403, 403, 409, 404),
    ("GET", "projects/<uuid:project_id>/next/"): (401, 200, 200, 200, 404),
    ("GET", "projects/<uuid:project_id>/assignments/"): (401, 200, 200, 200, 404),
    ("GET", "assignments/<uuid:assignment_id>/"): (401, 200, 404, 404, 404),
    ("GET", "assignments/<uuid:assignment_id>/sources/"): (401, 200, 404, 404, 404),
    ("POST", "assignments/<uuid:assignment_id>/annotations/"): (401, 400, 404, 404, 404),
    ("POST", "assignments/<uuid:assignment_id>/flag/"): (401, 201, 404, 404, 404),
    ("GET", "projects/<uuid:project_id>/remarks/"): ADMIN,
    ("GET", "projects/<uuid:project_id>/remarks/csv/"): ADMIN,
    ("POST", "projects/<uuid:project_id>/remarks/<uuid:remark_id>/"): (401, 403, 403, 400, 404),
    ("POST", "assignments/<uuid:assignment_id>/release/"): (401, 204, 404, 404, 404),
    ("GET", "projects/<uuid:project_id>/validation/"): (401, 403, 200, 200, 404),
    ("GET", "projects/<uuid:project_id>/validation/<uuid:item_id>/"): (401, 403, 200, 200, 404),
    ("POST", "projects/<uuid:project_id>/validation/<uuid:item_id>/"): (401, 403, 400, 400, 404),
    ("GET", "projects/<uuid:project_id>/rounds/"): ADMIN,
    ("GET", "projects/<uuid:project_id>/rounds/readiness/"): ADMIN,
    ("POST", "projects/<uuid:project_id>/rounds/"): (401, 403, 403, 400, 404),
    ("GET", "projects/<uuid:project_id>/workers/"): ADMIN,
    ("GET", "rounds/<uuid:round_id>/"): ADMIN,
    ("GET", "rounds/<uuid:round_id>/record/"): (401, 403, 403, 409, 404),
    ("POST", "rounds/<uuid:round_id>/restart/"): (401, 403, 403, 409, 404),
    ("POST", "rounds/<uuid:round_id>/cancel/"): ADMIN,
    ("GET", "batches/<uuid:batch_id>/rest/"): ADMIN,
    ("POST", "batches/<uuid:batch_id>/close/"): (401, 403, 403, 409, 404),
    ("POST", "batches/<uuid:batch_id>/reopen/"): (401, 403, 403, 409, 404),
    ("GET", "batches/<uuid:batch_id>/suggestions/"): ADMIN,
    ("POST", "batches/<uuid:batch_id>/suggestions/"): (401, 403, 403, 400, 404),
    ("POST", "batches/<uuid:batch_id>/hand-over/"): (401, 403, 403, 400, 404),
    ("GET", "projects/<uuid:project_id>/items/"): ADMIN,
    ("POST", "items/<uuid:item_id>/leave-out/"): (401, 403, 403, 400, 404),
    ("POST", "items/<uuid:item_id>/take-back/"): (401, 403, 403, 409, 404),
    ("GET", "projects/<uuid:project_id>/second-looks/"): ADMIN,
    ("POST", "rounds/<uuid:round_id>/second-look/"): (401, 403, 403, 409, 404),
    ("POST", "rounds/<uuid:round_id>/second-look/close/"): (401, 403, 403, 409, 404),
    ("GET", "projects/<uuid:project_id>/adjudication/"): (401, 403, 200, 200, 404),
    ("GET", "projects/<uuid:project_id>/adjudication/<uuid:item_id>/"): (401, 403, 409, 409, 404),
    ("POST", "projects/<uuid:project_id>/adjudication/<uuid:item_id>/"): (401, 403, 400, 400, 404),
    ("GET", "projects/<uuid:project_id>/simulations/"): ADMIN,
    ("POST", "projects/<uuid:project_id>/simulations/"): (401, 403, 403, 400, 404),
    ("GET", "projects/<uuid:project_id>/simulations/choices/"): ADMIN,
    ("GET", "simulations/<uuid:simulation_id>/"): ADMIN,
    ("POST", "simulations/<uuid:simulation_id>/cancel/"): ADMIN,
    ("POST", "simulations/<uuid:simulation_id>/restart/"): (401, 403, 403, 409, 404),
    ("GET", "simulations/<uuid:simulation_id>/report/"): (401, 403, 403, 409, 404),
    ("GET", "simulations/<uuid:simulation_id>/results/"): (401, 403, 403, 409, 404),
    ("GET", "simulations/<uuid:simulation_id>/plots/<str:name>/"): (401, 403, 403, 409, 404),
    ("GET", "projects/<uuid:project_id>/evaluations/"): ADMIN,
    ("POST", "projects/<uuid:project_id>/evaluations/"): (401, 403, 403, 400, 404),
    ("GET", "projects/<uuid:project_id>/evaluations/choices/"): ADMIN,
    ("POST", "projects/<uuid:project_id>/evaluations/estimate/"): (401, 403, 403, 400, 404),
    ("POST", "projects/<uuid:project_id>/prompts/"): (401, 403, 403, 400, 404),
    ("POST", "projects/<uuid:project_id>/prompts/preview/"): (401, 403, 403, 400, 404),
    ("GET", "projects/<uuid:project_id>/prompts/<str:stage>/<int:number>/"): ADMIN,
    ("POST", "projects/<uuid:project_id>/language-models/<str:name>/approval/"): (401, 403, 403, 400, 404),
    ("DELETE", "projects/<uuid:project_id>/language-models/<str:name>/approval/"): (401, 403, 403, 404, 404),
    ("GET", "projects/<uuid:project_id>/error-causes/"): ADMIN,
    ("POST", "projects/<uuid:project_id>/error-causes/"): (401, 403, 403, 400, 404),
    ("GET", "evaluations/<uuid:evaluation_id>/"): ADMIN,
    ("POST", "evaluations/<uuid:evaluation_id>/pause/"): ADMIN,
    ("POST", "evaluations/<uuid:evaluation_id>/resume/"): (401, 403, 403, 409, 404),
    ("POST", "evaluations/<uuid:evaluation_id>/cancel/"): ADMIN,
    ("POST", "evaluations/<uuid:evaluation_id>/shown/"): (401, 403, 403, 400, 404),
    ("GET", "evaluations/<uuid:evaluation_id>/files/<str:name>/"): (401, 403, 403, 404, 404),
    ("GET", "evaluations/<uuid:evaluation_id>/predictions/"): ADMIN,
    ("GET", "evaluations/<uuid:evaluation_id>/error-table/<str:name>/"): (401, 403, 403, 404, 404),
    ("GET", "predictions/<uuid:prediction_id>/"): ADMIN,
    ("POST", "predictions/<uuid:prediction_id>/cause/"): (401, 403, 403, 400, 404),
    ("GET", "projects/<uuid:project_id>/agreement/"): ADMIN,
    ("GET", "projects/<uuid:project_id>/span-agreement/"): ADMIN,
    ("GET", "projects/<uuid:project_id>/agreement/details/"): (401, 403, 403, 400, 404),
    ("GET", "projects/<uuid:project_id>/insights/"): ADMIN,
    ("GET", "projects/<uuid:project_id>/report/"): ADMIN,
    ("GET", "projects/<uuid:project_id>/report/figures/<str:name>/"): (401, 403, 403, 404, 404),
    ("GET", "projects/<uuid:project_id>/test-set/"): ADMIN,
    ("POST", "projects/<uuid:project_id>/test-set/"): (401, 403, 403, 400, 404),
    ("DELETE", "projects/<uuid:project_id>/test-set/"): (401, 403, 403, 204, 404),
    ("GET", "projects/<uuid:project_id>/prototype/"): ADMIN,
    ("POST", "projects/<uuid:project_id>/prototype/"): (401, 403, 403, 400, 404),
    ("GET", "projects/<uuid:project_id>/export/"): (401, 403, 403, 400, 404),
    ("GET", "projects/<uuid:project_id>/span-dataset/"): ADMIN,
    ("GET", "projects/<uuid:project_id>/datasheet/"): ADMIN,
    ("PUT", "projects/<uuid:project_id>/datasheet/<str:question>/"): (401, 403, 403, 400, 404),
    ("GET", "projects/<uuid:project_id>/releases/"): ADMIN,
    ("POST", "projects/<uuid:project_id>/releases/"): (401, 403, 403, 409, 404),
    ("GET", "projects/<uuid:project_id>/releases/card/"): ADMIN,
    ("GET", "releases/<uuid:release_id>/"): ADMIN,
    ("GET", "releases/<uuid:release_id>/file/"): (401, 403, 403, 409, 404),
}


@pytest.fixture
def ids(people: People) -> dict[str, uuid.UUID]:
    """One of each thing, all in the first project; the assignment is the first annotator's."""
    items = make_items(people.project, ["The only sentence here."])
    codebook = CodebookVersion.objects.get(project=people.project)
    make_member(people.project, "judge", "adjudicator")
    row = Round.objects.create(
        project=people.project,
        number=1,
        strategy_asked="random",
        query_size=1,
        random_state=1,
        model="none",
        learning_stages=["opinion"],
        annotators_per_item=1,
        codebook=codebook,
        created_by=people.admin.user,
    )
    annotator = people.annotators[0]
    batch_open(
        project=people.project,
        codebook=codebook,
        items=[(items[0].pk, None)],
        annotators=[annotator],
        annotators_per_item=1,
        kind="round",
        number=1,
        actor_id=None,
    )
    next_window(membership=annotator, ahead=1)
    batch_open(
        project=people.project,
        codebook=publish(people.project, codebook.definition | {"span_layer": span_layer()}),
        items=[(items[0].pk, None)],
        annotators=[people.annotators[1]],
        annotators_per_item=1,
        kind="round",
        number=2,
    )
    prediction = prediction_make(people, items[0])
    return {
        "project_id": people.project.uuid,
        "codebook_id": codebook.uuid,
        "member_id": people.annotators[2].uuid,
        "import_id": Import.objects.get(project=people.project).uuid,
        "assignment_id": Assignment.objects.get(annotator=annotator).uuid,
        "round_id": row.uuid,
        "batch_id": Batch.objects.get(project=people.project, number=1).uuid,
        "item_id": items[0].uuid,
        "remark_id": items[0].uuid,
        "simulation_id": simulation_make(people).uuid,
        "evaluation_id": prediction.evaluation.uuid,
        "prediction_id": prediction.uuid,
        "release_id": Release.objects.create(project=people.project, number=1).uuid,
        "session_id": session_make(annotator),
        "invite_id": invite_create(project=people.project, role=Role.ANNOTATOR, actor=people.admin.user)[0].uuid,
    }


def session_make(member: Membership) -> uuid.UUID:
    """One more session of a person, on another device."""
    APIClient().force_login(member.user)
    return Session.objects.get(user=member.user).uuid


def simulation_make(people: People) -> Simulation:
    parts = {name: {"n": 1, "class_counts": {"yes": 1}} for name in ("train", "test")}
    lists: list[str] = ["strategies", "models", "seeds", "batch_sizes", "full_supervision_seeds", "positive_labels"]
    return Simulation.objects.create(
        project=people.project,
        name="A study",
        config={**{name: [] for name in lists}, "batches": 2, "baseline": "random"},
        data={"source": "upload", **parts},
        progress={"fraction": 0.0, "detail": "", "seconds": 0.0, "batches": 0, "trainings": 1},
        created_by=people.admin.user,
    )


def prediction_make(people: People, item: Item) -> Prediction:
    """A prediction of an evaluation that waits."""
    codebook = CodebookVersion.objects.filter(project=people.project).latest("version")
    spec = EvaluationSpec.model_validate(
        {"name": "A comparison", "gold": {"kind": "labels"}, "stages": ["opinion"], "systems": ["majority"]}
    )
    evaluation = Evaluation.objects.create(
        project=people.project,
        number=1,
        name=spec.name,
        codebook=codebook,
        spec=spec_stored(request_check(people.project, spec)),
        created_by=people.admin.user,
    )
    return Prediction.objects.create(evaluation=evaluation, system="majority", item=item, stage="opinion", label="yes")


def filled(path: str, ids: dict[str, uuid.UUID]) -> str:
    for name, value in ids.items():
        path = path.replace(f"<uuid:{name}>", str(value))
    path = path.replace("<str:name>", "a.svg").replace("<str:question>", "purpose")
    path = path.replace("<str:stage>/<int:number>", "opinion/0")
    return f"/api/{path}"
