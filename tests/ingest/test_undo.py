"""An import that nobody was given items of can be undone, with all that it alone brought."""

from collections.abc import Callable

import pytest
from rest_framework.test import APIClient

from annotation_app.assignment.services import batch_open
from annotation_app.ingest.undo import import_undo
from annotation_app.models import (
    Batch,
    CodebookVersion,
    Document,
    Evaluation,
    Event,
    Import,
    ImportedSpans,
    Item,
    ItemSource,
    Membership,
    Prediction,
    Project,
    Round,
    SourceDocument,
    StoppingSet,
    Utterance,
)
from annotation_app.refusals import Invalid, Refused
from annotation_app.rounds.prototype import PrototypeSpec, prototype_open
from tests.assignment.batches import at_once
from tests.conftest import People
from tests.ingest.conftest import ImportText
from tests.ingest.stand_off import PRESS, WHOLE, lines, row, span
from tests.ingest.stand_off import project as project

__all__ = ["project"]

pytestmark = pytest.mark.django_db(transaction=True)
ClientOf = Callable[[Membership], APIClient]


def undo(client: APIClient, imported: Import) -> tuple[int, dict[str, object]]:
    answer = client.post(f"/api/imports/{imported.uuid}/undo/")
    return answer.status_code, answer.json()


def test_it_takes_away_what_the_import_alone_brought(
    people: People, project: Project, import_bytes: ImportText, client_of: ClientOf
) -> None:
    other = {"id": "other", "text": "Only the first import knows this."}
    first = import_bytes(lines(row(1, sources=[PRESS, other], spans=[span(0, 9, comment="x")]), row(2)), **WHOLE)
    import_bytes(lines(row(3, sources=["press"])), **WHOLE)
    client = client_of(people.admin)
    url = f"/api/projects/{people.project.uuid}/"
    assert client.get(url).json()["pool_size"] == 3

    status, body = undo(client, first)
    assert (status, body["undone_by"], body["keeps"]) == (200, "Ada", "It has already been undone.")
    assert list(Item.objects.values_list("external_id", flat=True)) == ["r3"]
    assert (Document.objects.count(), Utterance.objects.count()) == (1, 1)
    # The second import's item refers to this source: it stays.
    assert list(SourceDocument.objects.values_list("external_id", flat=True)) == ["press"]
    assert (ItemSource.objects.count(), ImportedSpans.objects.count()) == (1, 0)
    shown = client.get(url).json()
    assert (shown["pool_size"], shown["n_documents"]) == (1, 1)
    event = Event.objects.get(verb="import_undone")
    assert event.data == {"items": 2, "documents": 2, "sources": 1}
    assert undo(client, first)[0] == 409

    again = import_bytes(lines(row(1, sources=[PRESS, other]), row(2)), **WHOLE)
    assert again.state == Import.State.DONE, again.report
    assert client.get(url).json()["pool_size"] == 3


def test_it_takes_away_context_of_sentences(people: People, import_bytes: ImportText) -> None:
    imported = import_bytes('id,text,document_id\na,"One here. Two there.",d\nb,Three.,d\n', "a.csv", rows="utterance")
    assert imported.state == Import.State.DONE, imported.report
    assert Utterance.objects.count() == 2
    import_undo(imported=imported, actor=people.admin.user)
    assert not Utterance.objects.exists() and not Document.objects.exists() and not Item.objects.exists()


def test_it_refuses_once_an_item_was_given_out(people: People, import_bytes: ImportText, client_of: ClientOf) -> None:
    imported = import_bytes(lines(row(1), row(2)), **WHOLE)
    batch_open(
        project=people.project,
        codebook=CodebookVersion.objects.get(project=people.project, version=1),
        items=[(Item.objects.get(external_id="r1").pk, None)],
        annotators=people.annotators[:1],
        annotators_per_item=1,
        kind=Batch.Kind.ROUND,
        number=1,
    )
    client = client_of(people.admin)
    [listed] = client.get(f"/api/projects/{people.project.uuid}/imports/").json()
    assert listed["keeps"].startswith("1 of its items was given to people")
    status, body = undo(client, imported)
    assert (status, body["code"]) == (409, "import_kept")
    assert Item.objects.count() == 2


@pytest.mark.parametrize("is_drawn", [True, False])
def test_it_refuses_once_systems_predict_its_items(
    people: People, import_bytes: ImportText, client_of: ClientOf, is_drawn: bool
) -> None:
    first, second = (import_bytes(lines(row(number)), **WHOLE) for number in (1, 2))
    evaluation = Evaluation.objects.create(
        project=people.project,
        number=1,
        name="A comparison",
        codebook=CodebookVersion.objects.get(project=people.project, version=1),
        spec={"pool_items": ["r1"] if is_drawn else []},
        created_by=people.admin.user,
    )
    if not is_drawn:
        item = Item.objects.get(external_id="r1")
        Prediction.objects.create(evaluation=evaluation, system="paper", item=item, stage="opinion", label="yes")
    client = client_of(people.admin)
    status, body = undo(client, first)
    assert (status, body["code"]) == (409, "import_kept")
    assert body["detail"].startswith("Systems predict items of it in an evaluation. Leave single items out")
    assert undo(client, second)[0] == 200


@pytest.mark.parametrize(
    ("state", "words"), [("scoring", "Round 1 is choosing"), ("failed", "Round 1 has failed"), ("cancelled", "")]
)
def test_it_refuses_while_a_round_has_read_the_pool(
    people: People, import_bytes: ImportText, client_of: ClientOf, state: str, words: str
) -> None:
    imported = import_bytes(lines(row(1)), **WHOLE)
    Round.objects.create(
        project=people.project,
        number=1,
        state=state,
        strategy_asked="random",
        query_size=1,
        random_state=1,
        model="none",
        learning_stages=[],
        annotators_per_item=1,
        codebook=CodebookVersion.objects.get(project=people.project, version=1),
        created_by=people.admin.user,
    )
    [listed] = client_of(people.admin).get(f"/api/projects/{people.project.uuid}/imports/").json()
    assert listed["keeps"].startswith(words)
    assert undo(client_of(people.admin), imported)[0] == (409 if words else 200)


def test_a_failed_import_has_nothing_to_undo(people: People, import_bytes: ImportText) -> None:
    imported = import_bytes("not json\n", **WHOLE)
    with pytest.raises(Refused, match="imported nothing"):
        import_undo(imported=imported, actor=people.admin.user)


def test_it_leaves_the_stopping_set_without_the_items(people: People, import_bytes: ImportText) -> None:
    first = import_bytes(lines(row(1), row(2)), **WHOLE)
    import_bytes(lines(row(3)), **WHOLE)
    ids = dict(Item.objects.values_list("external_id", "pk"))
    StoppingSet.objects.create(project=people.project, items=[ids["r2"], ids["r3"], ids["r1"]], pool_size=3)
    import_undo(imported=first, actor=people.admin.user)
    assert StoppingSet.objects.get().items == [ids["r3"]]


def test_of_an_undo_and_a_draw_at_the_same_moment_one_wins_whole(people: People, import_bytes: ImportText) -> None:
    """Either the batch has its items and the import stays, or the import is gone and nothing was drawn from it."""
    for turn in range(4):
        imported = import_bytes(lines(*(row(100 * turn + n) for n in range(20))), **WHOLE)
        spec = PrototypeSpec(size=5, random_state=turn, annotators=(people.annotators[0].uuid,), annotators_per_item=1)

        def draw(spec: PrototypeSpec = spec) -> str:
            try:
                return str(prototype_open(project=people.project, spec=spec, actor=people.admin.user).number)
            except (Invalid, Refused) as error:
                return type(error).__name__

        def take_back(imported: Import = imported) -> str:
            try:
                import_undo(imported=imported, actor=people.admin.user)
                return "undone"
            except Refused:
                return "kept"

        drawn, undone = at_once([draw, take_back])
        assert (drawn.isdigit(), undone) in {(True, "kept"), (False, "undone")}, (drawn, undone)
        left = Item.objects.filter(document__source=imported).count()
        assert left == (20 if undone == "kept" else 0)
        if drawn.isdigit():
            break
