"""Read a factoid list with all that its screen shows, and the text sets of a project."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, QuerySet

from annotation_app.factoids.access import is_open, may_edit
from annotation_app.factoids.copies import Answers
from annotation_app.factoids.progress import Progress, progress_of
from annotation_app.factoids.states import FactoidState, factoid_states
from annotation_app.factoids.texts import list_texts, n_texts_of, with_sentences
from annotation_app.models import (
    Capability,
    FactoidItem,
    FactoidList,
    FactoidPhase,
    FactoidRevision,
    Membership,
    SetText,
    TextSet,
)

REVISIONS_A_PAGE = 50
CONSENSUS = "consensus"


@dataclass(frozen=True)
class ItemAnswer:
    """Hold what one person said about an item of a consensus."""

    name: str
    is_there: bool
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class ShownItem:
    row: FactoidItem
    answers: Sequence[ItemAnswer]


@dataclass(frozen=True)
class ListHead:
    """Hold what is told of a list without its factoids, for one reader."""

    row: FactoidList
    reader: Membership

    @property
    def kind(self) -> str:
        return self.row.phase.kind if self.row.phase is not None else CONSENSUS

    @property
    def step(self) -> str:
        return self.row.phase.step if self.row.phase is not None else CONSENSUS

    @property
    def state(self) -> str:
        if self.row.published_at is not None:
            return "published"
        return "open" if is_open(self.row) else "closed"

    @property
    def owner(self) -> Membership | None:
        """Return whose list it is, for those who resolve, once its phase is closed."""
        return self.row.owner if self.reader.may(Capability.RESOLVE) and not is_open(self.row) else None

    @property
    def may_edit(self) -> bool:
        return may_edit(self.row, self.reader)


@dataclass(frozen=True)
class ListView(ListHead):
    """Hold a list with its texts, its factoids in natural order, and its items."""

    texts: Sequence[SetText]
    factoids: Sequence[FactoidState]
    items: Sequence[ShownItem]


def list_view(row: FactoidList, reader: Membership) -> ListView:
    """Return a list, in a number of queries that does not depend on its size."""
    texts = list(with_sentences(list_texts(row)))
    states = factoid_states(row)
    return ListView(row, reader, texts, list(states.values()), items_of(row, list(states)))


def items_of(row: FactoidList, keys: Sequence[UUID]) -> list[ShownItem]:
    """Return the items, text by text, in the order of their factoids. Those of a consensus have everyone's answers."""
    order = {key: at for at, key in enumerate(keys)}
    rows = sorted(row.items.select_related("set_text"), key=lambda item: (item.set_text.position, order[item.key]))
    phase = row.phase
    if not rows or phase is None or phase.step != FactoidPhase.Step.CONSENSUS or phase.follows is None:
        return [ShownItem(item, ()) for item in rows]
    before = Answers(phase.follows)
    return [ShownItem(item, list(answers_to(item, before))) for item in rows]


def answers_to(item: FactoidItem, before: Answers) -> Iterable[ItemAnswer]:
    text = item.set_text.external_id
    for row in before.lists:
        named = before.states[row.pk][item.key].sentences
        sentences = tuple(name for name in named if before.text_of[name] == text)
        yield ItemAnswer(row.owner.user.shown_name if row.owner else "", bool(sentences), sentences)


@dataclass(frozen=True)
class RevisionPage:
    revisions: Sequence[FactoidRevision]
    page: int
    n_pages: int


def revisions_page(row: FactoidList, page: int) -> RevisionPage:
    """Return a page of a list's revisions, the newest first."""
    start = (page - 1) * REVISIONS_A_PAGE
    found = row.revisions.order_by("-revision")[start : start + REVISIONS_A_PAGE]
    return RevisionPage(list(found), page, max(1, -(-row.revision // REVISIONS_A_PAGE)))


@dataclass(frozen=True)
class PersonProgress:
    row: FactoidList
    progress: Progress


@dataclass(frozen=True)
class ShownPhase:
    row: FactoidPhase
    n_texts: int
    people: Sequence[PersonProgress]


@dataclass(frozen=True)
class ConsensusList:
    """Hold a published version or a draft, and how many factoids it has."""

    row: FactoidList
    n_factoids: int


@dataclass(frozen=True)
class ShownSet:
    """Hold a set with its phases, published versions and drafts; these are empty where the reader does not manage."""

    row: TextSet
    n_texts: int
    n_sentences: int
    phases: Sequence[ShownPhase] = ()
    consensus: Sequence[ConsensusList] = ()
    drafts: Sequence[ConsensusList] = ()


def sets_shown(sets: QuerySet[TextSet], reader: Membership) -> list[ShownSet]:
    """Return sets as they are shown to those who resolve, in a number of queries that does not depend on how many."""
    rows = list(sets.order_by("created_at", "pk"))
    keys = [row.pk for row in rows]
    n_texts = dict(sets.values_list("pk").annotate(n=Count("texts")))
    n_sentences = dict(sets.values_list("pk").annotate(n=Count("sentences")))
    heads = [(row, n_texts[row.pk], n_sentences[row.pk]) for row in rows]
    if not reader.may(Capability.MANAGE):
        return [ShownSet(*head) for head in heads]
    phases = phases_shown(FactoidPhase.objects.filter(text_set__in=keys))
    lists = FactoidList.objects.filter(text_set__in=keys, phase=None, discarded_at=None).order_by("version", "pk")
    versions: dict[int, list[ConsensusList]] = defaultdict(list)
    drafts: dict[int, list[ConsensusList]] = defaultdict(list)
    for row in lists.annotate(n_factoids=Count("factoids")):
        kept = drafts if row.published_at is None else versions
        kept[row.text_set_id].append(ConsensusList(row, row.n_factoids))
    return [ShownSet(*head, phases[head[0].pk], versions[head[0].pk], drafts[head[0].pk]) for head in heads]


def phases_shown(phases: QuerySet[FactoidPhase]) -> dict[int, list[ShownPhase]]:
    """Return phases with the progress of their people, by their set."""
    rows = list(phases.select_related("follows__follows", "given").order_by("number"))
    lists = FactoidList.objects.filter(phase__in=rows).select_related("phase", "owner__user").order_by("owner__number")
    people: dict[int, list[FactoidList]] = defaultdict(list)
    for row in lists:
        people[row.phase_id or 0].append(row)
    progress, n_texts = progress_of(lists), n_texts_of(rows)
    found: dict[int, list[ShownPhase]] = defaultdict(list)
    for phase in rows:
        shown = [PersonProgress(row, progress[row.pk]) for row in people[phase.pk]]
        found[phase.text_set_id].append(ShownPhase(phase, n_texts[phase.pk], shown))
    return found


def lists_to_do(reader: Membership) -> list[PersonProgress]:
    """Return the lists of open phases that a member works on: their own, and a consensus where they resolve."""
    rows = FactoidList.objects.filter(text_set__project=reader.project_id, phase__closed_at=None, phase__isnull=False)
    mine = rows.filter(owner=reader) if reader.may(Capability.RATE) else rows.none()
    if reader.may(Capability.RESOLVE):
        mine = mine | rows.filter(owner=None)
    mine = mine.select_related("text_set", "phase").order_by("text_set__created_at", "phase__number", "pk")
    found = list(mine.annotate(n_texts=Count("text_set__texts")))
    progress = progress_of(found)
    return [PersonProgress(row, progress[row.pk]) for row in found]
