"""Every route of the API: whom it lets in, and the status that they get for a well-formed but empty request."""

import uuid
from dataclasses import dataclass
from typing import Literal

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from annotation_app.assignment.services import batch_open, next_window
from annotation_app.equivalence.content import Content
from annotation_app.equivalence.services import evaluation_write
from annotation_app.evaluation.services import request_check, spec_stored
from annotation_app.evaluation.spec import EvaluationSpec
from annotation_app.models import (
    CAPABILITIES,
    Assignment,
    Batch,
    Capability,
    CodebookNote,
    CodebookVersion,
    Delivery,
    EquivalenceEvaluation,
    Evaluation,
    FactoidList,
    FactoidPairing,
    FactoidPhase,
    Flag,
    Import,
    Interpretation,
    Item,
    Membership,
    Practice,
    Prediction,
    Release,
    Role,
    Round,
    Scope,
    Session,
    Simulation,
    TextSet,
    Webhook,
)
from annotation_app.projects.api_tokens import token_create
from annotation_app.projects.services import invite_create
from tests.conftest import People
from tests.factoids.rows import list_of, make_pairing, make_phase, make_short_set
from tests.factories import make_items, publish
from tests.spans import span_layer

MANAGE, RATE, RESOLVE, GROUP = Capability.MANAGE, Capability.RATE, Capability.RESOLVE, Capability.GROUP
EQUIVALENCE = "projects/<uuid:project_id>/equivalence/<uuid:equivalence_id>/"


@dataclass(frozen=True)
class Door:
    """Hold who gets past a route's checks, and the status that they get. Members need `needs`, where it is set."""

    status: int
    lets_in: Literal["everyone", "signed in", "members", "owner"]
    needs: Capability | None = None

    def anonymous(self) -> int:
        return self.status if self.lets_in == "everyone" else 401

    def stranger(self) -> int:
        """An admin of another project."""
        return self.status if self.lets_in in ("everyone", "signed in") else 404

    def owner(self) -> int:
        """The annotator whose assignment, session and factoid list it is."""
        return self.status if self.lets_in == "owner" else self.role(Role.ANNOTATOR)

    def role(self, role: Role) -> int:
        """Another member with the role."""
        if self.lets_in == "owner":
            return 404
        return 403 if self.needs and self.needs not in CAPABILITIES[role] else self.status


def everyone(status: int) -> Door:
    return Door(status, "everyone")


def signed_in(status: int) -> Door:
    return Door(status, "signed in")


def member(status: int) -> Door:
    return Door(status, "members")


def needs(capability: Capability, status: int) -> Door:
    return Door(status, "members", capability)


def owner(status: int) -> Door:
    return Door(status, "owner")


TABLE: dict[tuple[str, str], Door] = {
    ("GET", "session/"): everyone(200),
    ("POST", "session/"): everyone(400),
    ("DELETE", "session/"): everyone(204),
    ("GET", "me/"): signed_in(200),
    ("PATCH", "me/"): signed_in(200),
    ("GET", "me/data/"): signed_in(200),
    ("POST", "me/password/"): signed_in(400),
    ("GET", "me/sessions/"): signed_in(200),
    ("DELETE", "me/sessions/"): signed_in(204),
    ("DELETE", "me/sessions/<uuid:session_id>/"): owner(204),
    ("GET", "me/tokens/"): signed_in(200),
    ("POST", "me/tokens/"): signed_in(400),
    ("DELETE", "me/tokens/<uuid:token_id>/"): owner(204),
    ("GET", "projects/<uuid:project_id>/tokens/"): needs(MANAGE, 200),
    ("GET", "projects/<uuid:project_id>/webhooks/"): needs(MANAGE, 200),
    ("POST", "projects/<uuid:project_id>/webhooks/"): needs(MANAGE, 400),
    ("POST", "webhooks/<uuid:webhook_id>/remove/"): needs(MANAGE, 204),
    ("POST", "webhooks/<uuid:webhook_id>/test/"): needs(MANAGE, 201),
    ("POST", "deliveries/<uuid:delivery_id>/again/"): needs(MANAGE, 200),
    ("POST", "tokens/<uuid:token_id>/revoke/"): needs(MANAGE, 204),
    ("POST", "me/address/"): signed_in(400),
    ("POST", "me/address/remove/"): signed_in(400),
    # No provider of OpenID Connect is set: the routes do not exist.
    ("GET", "me/openid/"): signed_in(404),
    ("POST", "me/openid/"): signed_in(404),
    ("POST", "me/openid/unlink/"): signed_in(404),
    ("POST", "openid/"): everyone(404),
    ("GET", "openid/back/"): everyone(404),
    ("POST", "address-links/"): everyone(400),
    ("POST", "address-links/use/"): everyone(400),
    ("POST", "password-mails/"): everyone(400),
    ("POST", "password-links/"): everyone(400),
    ("POST", "password-links/use/"): everyone(400),
    ("POST", "first-account/link/"): everyone(400),
    ("POST", "first-account/"): everyone(400),
    ("GET", "health/"): everyone(200),
    # No token is set: the route does not exist.
    ("GET", "metrics/"): everyone(404),
    ("GET", "schema/"): everyone(200),
    ("GET", "notices/"): signed_in(200),
    ("POST", "notice-mails/off/"): everyone(400),
    ("POST", "notices/read/"): signed_in(400),
    ("GET", "projects/"): signed_in(200),
    ("POST", "projects/"): signed_in(403),
    ("GET", "projects/<uuid:project_id>/"): member(200),
    ("PATCH", "projects/<uuid:project_id>/"): needs(MANAGE, 400),
    # The project has a round at work.
    ("POST", "projects/<uuid:project_id>/archive/"): needs(MANAGE, 409),
    ("POST", "projects/<uuid:project_id>/restore/"): needs(MANAGE, 200),
    ("POST", "projects/<uuid:project_id>/delete/"): needs(MANAGE, 400),
    ("GET", "projects/<uuid:project_id>/waiting/"): needs(RESOLVE, 200),
    ("GET", "projects/<uuid:project_id>/overview/"): needs(MANAGE, 200),
    ("GET", "projects/<uuid:project_id>/codebooks/"): needs(MANAGE, 200),
    ("POST", "projects/<uuid:project_id>/codebooks/"): needs(MANAGE, 400),
    ("GET", "codebook-templates/"): signed_in(200),
    ("POST", "projects/<uuid:project_id>/transfer/"): needs(MANAGE, 400),
    ("GET", "projects/<uuid:project_id>/codebook-draft/"): needs(MANAGE, 200),
    ("PUT", "projects/<uuid:project_id>/codebook-draft/"): needs(MANAGE, 400),
    ("POST", "projects/<uuid:project_id>/codebook-draft/"): needs(MANAGE, 400),
    ("GET", "projects/<uuid:project_id>/codebooks/changes/"): needs(MANAGE, 400),
    ("POST", "projects/<uuid:project_id>/copy/"): needs(MANAGE, 403),
    ("POST", "codebooks/<uuid:codebook_id>/publish/"): needs(MANAGE, 409),
    ("GET", "projects/<uuid:project_id>/members/"): needs(MANAGE, 200),
    ("PATCH", "members/<uuid:member_id>/"): needs(MANAGE, 400),
    ("POST", "members/<uuid:member_id>/deactivate/"): needs(MANAGE, 200),
    ("POST", "members/<uuid:member_id>/activate/"): needs(MANAGE, 200),
    ("POST", "members/<uuid:member_id>/password-link/"): needs(MANAGE, 201),
    ("GET", "projects/<uuid:project_id>/events/"): needs(MANAGE, 200),
    ("GET", "projects/<uuid:project_id>/events/export/"): needs(MANAGE, 200),
    ("GET", "projects/<uuid:project_id>/invites/"): needs(MANAGE, 200),
    ("POST", "projects/<uuid:project_id>/invites/"): needs(MANAGE, 400),
    ("POST", "invites/<uuid:invite_id>/revoke/"): needs(MANAGE, 200),
    ("POST", "invites/accept/"): everyone(400),
    ("GET", "invites/<str:token>/"): everyone(409),
    ("GET", "projects/<uuid:project_id>/imports/"): needs(MANAGE, 200),
    ("POST", "projects/<uuid:project_id>/imports/"): needs(MANAGE, 400),
    ("GET", "projects/<uuid:project_id>/columns/"): needs(MANAGE, 200),
    ("PUT", "projects/<uuid:project_id>/columns/"): needs(MANAGE, 400),
    ("POST", "projects/<uuid:project_id>/imports/preview/"): needs(MANAGE, 400),
    ("GET", "imports/<uuid:import_id>/"): needs(MANAGE, 200),
    ("POST", "imports/<uuid:import_id>/undo/"): needs(MANAGE, 409),
    ("GET", "projects/<uuid:project_id>/next/"): member(200),
    ("GET", "projects/<uuid:project_id>/assignments/"): member(200),
    ("GET", "assignments/<uuid:assignment_id>/"): owner(200),
    ("GET", "assignments/<uuid:assignment_id>/sources/"): owner(200),
    ("POST", "assignments/<uuid:assignment_id>/annotations/"): owner(400),
    ("POST", "assignments/<uuid:assignment_id>/flag/"): owner(201),
    ("GET", "projects/<uuid:project_id>/flags/"): needs(RATE, 200),
    ("GET", "projects/<uuid:project_id>/flags/items/"): needs(RATE, 200),
    ("POST", "projects/<uuid:project_id>/flags/<uuid:flag_id>/messages/"): member(400),
    ("POST", "projects/<uuid:project_id>/flags/<uuid:flag_id>/read/"): member(400),
    ("GET", "projects/<uuid:project_id>/codebook-notes/"): member(200),
    ("POST", "projects/<uuid:project_id>/codebook-notes/"): needs(MANAGE, 400),
    ("POST", "projects/<uuid:project_id>/codebook-notes/<uuid:note_id>/withdraw/"): needs(MANAGE, 204),
    ("GET", "projects/<uuid:project_id>/remarks/"): needs(MANAGE, 200),
    ("GET", "projects/<uuid:project_id>/remarks/csv/"): needs(MANAGE, 200),
    ("POST", "projects/<uuid:project_id>/remarks/<uuid:remark_id>/"): needs(MANAGE, 400),
    ("POST", "assignments/<uuid:assignment_id>/release/"): owner(204),
    ("GET", "projects/<uuid:project_id>/validation/"): needs(RESOLVE, 200),
    ("GET", "projects/<uuid:project_id>/validation/<uuid:item_id>/"): needs(RESOLVE, 200),
    ("POST", "projects/<uuid:project_id>/validation/<uuid:item_id>/"): needs(RESOLVE, 400),
    ("GET", "projects/<uuid:project_id>/rounds/"): needs(MANAGE, 200),
    ("GET", "projects/<uuid:project_id>/rounds/readiness/"): needs(MANAGE, 200),
    ("POST", "projects/<uuid:project_id>/rounds/"): needs(MANAGE, 400),
    ("GET", "projects/<uuid:project_id>/workers/"): needs(MANAGE, 200),
    ("GET", "rounds/<uuid:round_id>/"): needs(MANAGE, 200),
    ("GET", "rounds/<uuid:round_id>/record/"): needs(MANAGE, 409),
    ("POST", "rounds/<uuid:round_id>/restart/"): needs(MANAGE, 409),
    ("POST", "rounds/<uuid:round_id>/cancel/"): needs(MANAGE, 200),
    ("GET", "batches/<uuid:batch_id>/check-items/"): needs(MANAGE, 200),
    ("GET", "batches/<uuid:batch_id>/rest/"): needs(MANAGE, 200),
    ("POST", "batches/<uuid:batch_id>/close/"): needs(MANAGE, 409),
    ("POST", "batches/<uuid:batch_id>/reopen/"): needs(MANAGE, 409),
    ("GET", "batches/<uuid:batch_id>/suggestions/"): needs(MANAGE, 200),
    ("POST", "batches/<uuid:batch_id>/suggestions/"): needs(MANAGE, 400),
    ("POST", "batches/<uuid:batch_id>/hand-over/"): needs(MANAGE, 400),
    ("POST", "batches/<uuid:batch_id>/take-off/"): needs(MANAGE, 400),
    ("POST", "batches/<uuid:batch_id>/put-back/"): needs(MANAGE, 400),
    ("POST", "batches/<uuid:batch_id>/add-person/"): needs(MANAGE, 400),
    ("POST", "batches/<uuid:batch_id>/priority/"): needs(MANAGE, 400),
    ("GET", "projects/<uuid:project_id>/practices/"): needs(MANAGE, 200),
    ("POST", "projects/<uuid:project_id>/practices/"): needs(MANAGE, 400),
    ("GET", "projects/<uuid:project_id>/practices/mine/"): member(200),
    ("GET", "practices/<uuid:practice_id>/"): needs(MANAGE, 200),
    ("PUT", "practices/<uuid:practice_id>/"): needs(MANAGE, 400),
    # It was opened.
    ("DELETE", "practices/<uuid:practice_id>/"): needs(MANAGE, 409),
    ("POST", "practices/<uuid:practice_id>/open/"): needs(MANAGE, 409),
    ("POST", "practices/<uuid:practice_id>/close/"): needs(MANAGE, 200),
    ("POST", "practices/<uuid:practice_id>/items/"): needs(MANAGE, 400),
    ("PUT", "practices/<uuid:practice_id>/items/<uuid:item_id>/"): needs(MANAGE, 400),
    ("DELETE", "practices/<uuid:practice_id>/items/<uuid:item_id>/"): needs(MANAGE, 409),
    # It has no items.
    ("POST", "practices/<uuid:practice_id>/attempts/"): member(409),
    ("GET", "projects/<uuid:project_id>/items/"): needs(MANAGE, 200),
    ("GET", "projects/<uuid:project_id>/done/"): member(200),
    ("GET", "projects/<uuid:project_id>/pace/"): member(200),
    ("GET", "projects/<uuid:project_id>/items/count/"): needs(MANAGE, 200),
    ("GET", "projects/<uuid:project_id>/items/choices/"): needs(MANAGE, 200),
    ("GET", "projects/<uuid:project_id>/items/export/"): needs(MANAGE, 200),
    ("POST", "projects/<uuid:project_id>/items/preview/"): needs(MANAGE, 400),
    ("POST", "projects/<uuid:project_id>/items/acts/"): needs(MANAGE, 400),
    ("GET", "items/<uuid:item_id>/history/"): needs(MANAGE, 200),
    ("POST", "items/<uuid:item_id>/leave-out/"): needs(MANAGE, 400),
    ("POST", "items/<uuid:item_id>/take-back/"): needs(MANAGE, 409),
    ("GET", "projects/<uuid:project_id>/second-looks/"): needs(MANAGE, 200),
    ("POST", "rounds/<uuid:round_id>/second-look/"): needs(MANAGE, 409),
    ("POST", "rounds/<uuid:round_id>/second-look/close/"): needs(MANAGE, 409),
    ("GET", "projects/<uuid:project_id>/adjudication/"): needs(RESOLVE, 200),
    ("GET", "projects/<uuid:project_id>/adjudication/<uuid:item_id>/"): needs(RESOLVE, 409),
    ("POST", "projects/<uuid:project_id>/adjudication/<uuid:item_id>/"): needs(RESOLVE, 400),
    ("GET", "projects/<uuid:project_id>/simulations/"): needs(MANAGE, 200),
    ("POST", "projects/<uuid:project_id>/simulations/"): needs(MANAGE, 400),
    ("GET", "projects/<uuid:project_id>/simulations/choices/"): needs(MANAGE, 200),
    ("GET", "simulations/<uuid:simulation_id>/"): needs(MANAGE, 200),
    ("POST", "simulations/<uuid:simulation_id>/cancel/"): needs(MANAGE, 200),
    ("POST", "simulations/<uuid:simulation_id>/restart/"): needs(MANAGE, 409),
    ("GET", "simulations/<uuid:simulation_id>/report/"): needs(MANAGE, 409),
    ("GET", "simulations/<uuid:simulation_id>/results/"): needs(MANAGE, 409),
    ("GET", "simulations/<uuid:simulation_id>/plots/<str:name>/"): needs(MANAGE, 409),
    ("GET", "projects/<uuid:project_id>/evaluations/"): needs(MANAGE, 200),
    ("POST", "projects/<uuid:project_id>/evaluations/"): needs(MANAGE, 400),
    ("GET", "projects/<uuid:project_id>/evaluations/choices/"): needs(MANAGE, 200),
    ("POST", "projects/<uuid:project_id>/evaluations/estimate/"): needs(MANAGE, 400),
    ("POST", "projects/<uuid:project_id>/prompts/"): needs(MANAGE, 400),
    ("POST", "projects/<uuid:project_id>/prompts/preview/"): needs(MANAGE, 400),
    ("GET", "projects/<uuid:project_id>/prompts/<str:stage>/<int:number>/"): needs(MANAGE, 200),
    ("POST", "projects/<uuid:project_id>/language-models/<str:name>/approval/"): needs(MANAGE, 400),
    ("DELETE", "projects/<uuid:project_id>/language-models/<str:name>/approval/"): needs(MANAGE, 404),
    ("GET", "projects/<uuid:project_id>/error-causes/"): needs(MANAGE, 200),
    ("POST", "projects/<uuid:project_id>/error-causes/"): needs(MANAGE, 400),
    ("GET", "projects/<uuid:project_id>/interpretations/"): needs(MANAGE, 200),
    ("POST", "projects/<uuid:project_id>/interpretations/"): needs(MANAGE, 400),
    ("GET", "projects/<uuid:project_id>/interpretations/choices/"): needs(MANAGE, 200),
    ("POST", "projects/<uuid:project_id>/interpretations/estimate/"): needs(MANAGE, 400),
    ("GET", "projects/<uuid:project_id>/interpretations/<uuid:interpretation_id>/"): needs(MANAGE, 200),
    ("POST", "projects/<uuid:project_id>/interpretations/<uuid:interpretation_id>/pause/"): needs(MANAGE, 200),
    ("POST", "projects/<uuid:project_id>/interpretations/<uuid:interpretation_id>/resume/"): needs(MANAGE, 409),
    ("POST", "projects/<uuid:project_id>/interpretations/<uuid:interpretation_id>/cancel/"): needs(MANAGE, 200),
    ("POST", "projects/<uuid:project_id>/interpretations/<uuid:interpretation_id>/remove/"): needs(MANAGE, 409),
    ("GET", "projects/<uuid:project_id>/interpretations/<uuid:interpretation_id>/results/"): needs(MANAGE, 409),
    ("GET", "projects/<uuid:project_id>/interpretations/<uuid:interpretation_id>/generations/"): needs(MANAGE, 400),
    ("GET", "projects/<uuid:project_id>/interpretations/<uuid:interpretation_id>/instances/"): needs(MANAGE, 400),
    ("GET", "projects/<uuid:project_id>/interpretations/<uuid:interpretation_id>/compare/"): needs(MANAGE, 400),
    ("GET", "projects/<uuid:project_id>/interpretations/<uuid:interpretation_id>/files/<str:name>/"): needs(
        MANAGE, 404
    ),
    ("GET", "evaluations/<uuid:evaluation_id>/"): needs(MANAGE, 200),
    ("POST", "evaluations/<uuid:evaluation_id>/pause/"): needs(MANAGE, 200),
    ("POST", "evaluations/<uuid:evaluation_id>/resume/"): needs(MANAGE, 409),
    ("POST", "evaluations/<uuid:evaluation_id>/cancel/"): needs(MANAGE, 200),
    ("POST", "evaluations/<uuid:evaluation_id>/shown/"): needs(MANAGE, 400),
    ("GET", "evaluations/<uuid:evaluation_id>/files/<str:name>/"): needs(MANAGE, 404),
    ("GET", "evaluations/<uuid:evaluation_id>/predictions/"): needs(MANAGE, 200),
    ("GET", "evaluations/<uuid:evaluation_id>/error-table/<str:name>/"): needs(MANAGE, 404),
    ("GET", "predictions/<uuid:prediction_id>/"): needs(MANAGE, 200),
    ("POST", "predictions/<uuid:prediction_id>/cause/"): needs(MANAGE, 400),
    ("GET", "projects/<uuid:project_id>/agreement/"): needs(MANAGE, 200),
    ("GET", "projects/<uuid:project_id>/span-agreement/"): needs(MANAGE, 200),
    ("GET", "projects/<uuid:project_id>/agreement/details/"): needs(MANAGE, 400),
    ("GET", "projects/<uuid:project_id>/annotators/"): needs(MANAGE, 200),
    ("GET", "projects/<uuid:project_id>/insights/"): needs(MANAGE, 200),
    ("GET", "projects/<uuid:project_id>/report/"): needs(MANAGE, 200),
    ("GET", "projects/<uuid:project_id>/report/figures/<str:name>/"): needs(MANAGE, 404),
    ("GET", "projects/<uuid:project_id>/test-set/"): needs(MANAGE, 200),
    ("POST", "projects/<uuid:project_id>/test-set/"): needs(MANAGE, 400),
    ("DELETE", "projects/<uuid:project_id>/test-set/"): needs(MANAGE, 204),
    ("GET", "projects/<uuid:project_id>/chosen-batches/"): needs(MANAGE, 200),
    ("GET", "projects/<uuid:project_id>/prototype/"): needs(MANAGE, 200),
    ("POST", "projects/<uuid:project_id>/prototype/"): needs(MANAGE, 400),
    ("GET", "projects/<uuid:project_id>/export/"): needs(MANAGE, 400),
    ("GET", "projects/<uuid:project_id>/span-dataset/"): needs(MANAGE, 200),
    ("GET", "projects/<uuid:project_id>/datasheet/"): needs(MANAGE, 200),
    ("PUT", "projects/<uuid:project_id>/datasheet/<str:question>/"): needs(MANAGE, 400),
    ("GET", "projects/<uuid:project_id>/releases/"): needs(MANAGE, 200),
    ("POST", "projects/<uuid:project_id>/releases/"): needs(MANAGE, 409),
    ("GET", "projects/<uuid:project_id>/releases/card/"): needs(MANAGE, 200),
    ("GET", "releases/<uuid:release_id>/"): needs(MANAGE, 200),
    ("GET", "releases/<uuid:release_id>/file/"): needs(MANAGE, 409),
    ("GET", "projects/<uuid:project_id>/equivalence/"): needs(GROUP, 200),
    ("POST", "projects/<uuid:project_id>/equivalence/"): needs(GROUP, 400),
    ("GET", "projects/<uuid:project_id>/equivalence/file/"): needs(RESOLVE, 200),
    ("POST", "projects/<uuid:project_id>/equivalence/file/"): needs(MANAGE, 400),
    ("GET", "projects/<uuid:project_id>/equivalence/instances/"): needs(MANAGE, 200),
    ("GET", "projects/<uuid:project_id>/equivalence/instances/file/"): needs(MANAGE, 200),
    ("GET", "projects/<uuid:project_id>/equivalence/augmented/file/"): needs(MANAGE, 200),
    ("GET", f"{EQUIVALENCE}"): needs(GROUP, 200),
    ("PUT", f"{EQUIVALENCE}"): needs(GROUP, 400),
    ("POST", f"{EQUIVALENCE}undo/"): needs(GROUP, 400),
    ("POST", f"{EQUIVALENCE}restore/"): needs(GROUP, 400),
    ("GET", f"{EQUIVALENCE}revisions/"): needs(GROUP, 200),
    ("POST", f"{EQUIVALENCE}remove/"): needs(MANAGE, 200),
    ("POST", f"{EQUIVALENCE}put-back/"): needs(MANAGE, 200),
    ("POST", f"{EQUIVALENCE}reviews/"): needs(RESOLVE, 400),
    ("GET", f"{EQUIVALENCE}strings/"): needs(GROUP, 200),
    ("GET", f"{EQUIVALENCE}places/"): needs(GROUP, 400),
    ("GET", f"{EQUIVALENCE}suggestions/"): needs(GROUP, 200),
    # No worker runs.
    ("POST", f"{EQUIVALENCE}suggestions/"): needs(GROUP, 409),
    ("GET", "projects/<uuid:project_id>/text-sets/"): member(200),
    ("POST", "projects/<uuid:project_id>/text-sets/"): needs(MANAGE, 400),
    ("POST", "text-sets/<uuid:text_set_id>/texts/"): needs(MANAGE, 400),
    ("POST", "text-sets/<uuid:text_set_id>/lists/"): needs(MANAGE, 400),
    ("POST", "text-sets/<uuid:text_set_id>/phases/"): needs(MANAGE, 400),
    ("POST", "text-sets/<uuid:text_set_id>/consensus/"): needs(MANAGE, 201),
    ("GET", "text-sets/<uuid:text_set_id>/pairings/"): needs(RESOLVE, 200),
    ("POST", "text-sets/<uuid:text_set_id>/pairings/"): needs(MANAGE, 400),
    ("GET", "text-sets/<uuid:text_set_id>/agreement/"): needs(MANAGE, 200),
    ("GET", "text-sets/<uuid:text_set_id>/files/<str:name>/"): needs(MANAGE, 404),
    ("GET", "text-sets/<uuid:text_set_id>/export/"): needs(MANAGE, 200),
    ("GET", "factoid-pairings/<uuid:pairing_id>/"): needs(RESOLVE, 200),
    ("PATCH", "factoid-pairings/<uuid:pairing_id>/"): needs(MANAGE, 200),
    ("POST", "factoid-pairings/<uuid:pairing_id>/relations/"): needs(RESOLVE, 400),
    # The phase is open.
    ("GET", "factoid-phases/<uuid:phase_id>/disagreements/"): needs(MANAGE, 409),
    ("POST", "factoid-phases/<uuid:phase_id>/close/"): needs(MANAGE, 200),
    ("POST", "factoid-phases/<uuid:phase_id>/reopen/"): needs(MANAGE, 200),
    ("POST", "factoid-phases/<uuid:phase_id>/members/"): needs(MANAGE, 400),
    ("GET", "factoid-lists/<uuid:list_id>/"): owner(200),
    ("GET", "factoid-lists/<uuid:list_id>/revisions/"): owner(200),
    ("POST", "factoid-lists/<uuid:list_id>/revisions/"): owner(400),
    ("POST", "factoid-lists/<uuid:list_id>/done/"): owner(400),
    ("GET", "factoid-lists/<uuid:draft_id>/scores/"): needs(MANAGE, 200),
    ("GET", "factoid-lists/<uuid:draft_id>/stability/"): needs(MANAGE, 200),
    # An empty draft.
    ("POST", "factoid-lists/<uuid:draft_id>/publish/"): needs(MANAGE, 409),
    ("POST", "factoid-lists/<uuid:draft_id>/discard/"): needs(MANAGE, 204),
}


@pytest.fixture
def ids(people: People) -> dict[str, uuid.UUID]:
    """One of each thing, all in the first project; the assignment is the first annotator's."""
    items = make_items(people.project, ["The only sentence here."])
    codebook = CodebookVersion.objects.get(project=people.project)
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
    own = factoid_list_make(people)
    webhook = Webhook.objects.create(
        project=people.project, url="https://example.org/", kinds=[], secret="s", created_by=people.admin.user
    )
    return {
        "project_id": people.project.uuid,
        "codebook_id": codebook.uuid,
        "member_id": people.annotators[2].uuid,
        "import_id": Import.objects.get(project=people.project).uuid,
        "assignment_id": Assignment.objects.get(annotator=annotator).uuid,
        "round_id": row.uuid,
        "batch_id": Batch.objects.get(project=people.project, number=1).uuid,
        "practice_id": practice_make(people, codebook).uuid,
        "item_id": items[0].uuid,
        "remark_id": items[0].uuid,
        "flag_id": Flag.objects.create(assignment=Assignment.objects.get(annotator=annotator)).uuid,
        "note_id": CodebookNote.objects.create(codebook=codebook, words="Look up.", published_by=people.admin).uuid,
        "simulation_id": simulation_make(people).uuid,
        "evaluation_id": prediction.evaluation.uuid,
        "prediction_id": prediction.uuid,
        "interpretation_id": interpretation_make(people).uuid,
        "release_id": Release.objects.create(project=people.project, number=1).uuid,
        "equivalence_id": equivalence_make(people).uuid,
        "text_set_id": own.text_set.uuid,
        "phase_id": FactoidPhase.objects.get(lists=own).uuid,
        "list_id": own.uuid,
        "draft_id": FactoidList.objects.create(text_set=own.text_set).uuid,
        "pairing_id": pairing_make(people, own.text_set).uuid,
        "session_id": session_make(annotator),
        "webhook_id": webhook.uuid,
        "delivery_id": Delivery.objects.create(webhook=webhook, key="test 1", body={"event": "test"}).uuid,
        "token_id": token_create(member=annotator, name="Script", scope=Scope.READ, days=1)[0].uuid,
        "invite_id": invite_create(project=people.project, role=Role.ANNOTATOR, actor=people.admin.user)[0].uuid,
    }


def practice_make(people: People, codebook: CodebookVersion) -> Practice:
    """A practice that is open and has no items."""
    batch = Batch.objects.create(
        project=people.project, codebook=codebook, kind=Batch.Kind.PRACTICE, number=3, annotators_per_item=1
    )
    return Practice.objects.create(
        project=people.project,
        number=1,
        batch=batch,
        title="Stance",
        pass_mark=80,
        attempts=3,
        opened_at=timezone.now(),
        created_by=people.admin.user,
    )


def equivalence_make(people: People) -> EquivalenceEvaluation:
    content = Content("act", "acts", "words", in_depth=False)
    return evaluation_write(people.project, people.admin.user, content, "Created it", uuid.uuid4())


def pairing_make(people: People, text_set: TextSet) -> FactoidPairing:
    """A pairing of two empty lists of a closed phase."""
    phase = make_phase(text_set, "definition", {member: {} for member in people.annotators[:2]})
    return make_pairing(*phase.lists.order_by("pk"))


def factoid_list_make(people: People) -> FactoidList:
    """The first annotator's list in an open phase."""
    text_set = make_short_set(people.project, ["M01", "M02"])
    annotator = people.annotators[0]
    return list_of(make_phase(text_set, "definition", {annotator: {}}, closed_at=None), annotator)


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


def interpretation_make(people: People) -> Interpretation:
    """An interpretation that waits."""
    n = {"train": 8, "valid": 1, "test": 1}
    return Interpretation.objects.create(
        project=people.project,
        number=1,
        name="A study",
        spec={
            "data": "current",
            "counts": {"sources": n, "targets": n},
            "style": "spaces",
            "outer": ["STD SENTENCE"],
            "systems": [
                {"name": "minilm", "title": "MiniLM", "model": "all-MiniLM-L6-v2", "kind": "bert", "max_epochs": 1}
                | {"filter": "lead", "filter_model": "", "budget": 64, "augment": 0}
            ],
            "evaluations": [],
            "seed": 0,
            "split": "test",
            "prefix": "sentence",
            "generation": {"beams": 1, "min_tokens": 0, "max_tokens": 8, "limit": 0},
            "bertscore": "",
        },
        created_by=people.admin.user,
    )


def filled(path: str, ids: dict[str, uuid.UUID]) -> str:
    for name, value in ids.items():
        path = path.replace(f"<uuid:{name}>", str(value))
    path = path.replace("<str:name>", "a.svg").replace("<str:question>", "purpose")
    path = path.replace("<str:stage>/<int:number>", "opinion/0")
    return f"/api/{path}"
