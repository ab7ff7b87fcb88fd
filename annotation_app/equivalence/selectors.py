"""Read evaluations with their classes, reviews and numbers, for one reader."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import F, QuerySet

from al_worker.equivalence.evaluations import PARTS
from annotation_app.equivalence.categories import Category, categories_of, category_named
from annotation_app.equivalence.content import ClassContent, Content
from annotation_app.equivalence.strings import Reader, Strings, hidden_items, strings_read
from annotation_app.models import (
    Capability,
    EquivalenceEvaluation,
    EquivalenceReview,
    EquivalenceRevision,
    Membership,
    Project,
)
from annotation_app.refusals import Refused

HIDDEN = (
    "A class holds strings of items whose answers can still change, and you give such answers. "
    "You can open this evaluation once their batches are closed."
)
NONE, CHANGED = "none", "changed"
REVIEW_STATES = (NONE, EquivalenceReview.Decision.VALIDATED, EquivalenceReview.Decision.RETURNED, CHANGED)
REVISIONS_A_PAGE = 50


@dataclass(frozen=True)
class ClassReview:
    """Hold what the latest review says of a class. It is `changed` once name, members or part differ."""

    state: str = NONE
    note: str = ""
    by: str = ""
    at: datetime | None = None


@dataclass(frozen=True)
class ShownClass:
    key: str
    name: str
    members: tuple[str, ...]
    review: ClassReview


@dataclass(frozen=True)
class ShownEvaluation:
    """Hold an evaluation as it stands, with its category where the codebook has it.

    `unused` are its strings that no settled span has which the reader may see.
    """

    row: EquivalenceEvaluation
    latest: EquivalenceRevision
    content: Content
    category: Category | None
    classes: Sequence[ShownClass]
    unused: frozenset[str]

    @property
    def category_key(self) -> str:
        """Return the category's key; what the evaluation itself names where the codebook has no such category."""
        return self.category.key if self.category else self.content.annotation

    def n_in(self, state: str) -> int:
        return sum(each.review.state == state for each in self.classes)

    @property
    def n_validated(self) -> int:
        return self.n_in(EquivalenceReview.Decision.VALIDATED)

    @property
    def n_returned(self) -> int:
        return self.n_in(EquivalenceReview.Decision.RETURNED)

    @property
    def n_classes(self) -> int:
        return len(self.classes)

    @property
    def n_members(self) -> int:
        return len(self.content.members)

    @property
    def n_unused(self) -> int:
        return len(self.unused)

    @property
    def left_out(self) -> str:
        """Return why it gives no instance; empty where it does."""
        if self.category is None:
            return f"the codebook has no category {self.content.annotation}"
        return self.content.unfinished


@dataclass(frozen=True)
class CategoryShown:
    key: str
    title: str
    color: str
    has_comment: bool
    n_spans: int


@dataclass(frozen=True)
class Overview:
    can_group: bool
    can_validate: bool
    can_manage: bool
    parts: Sequence[str]
    categories: Sequence[CategoryShown]
    evaluations: Sequence[ShownEvaluation]
    removed: Sequence[ShownEvaluation]
    hidden_items: int


@dataclass(frozen=True)
class RevisionsPage:
    revisions: Sequence[EquivalenceRevision]
    page: int
    n_pages: int


def overview(member: Membership) -> Overview:
    """Return what the page begins with, in a number of queries that is fixed."""
    project, is_live = member.project, member.project.archived_at is None
    reader = Reader(project, member)
    strings, categories = strings_read(reader), categories_of(project)
    shown = evaluations_shown(project.equivalence_evaluations.all(), categories, strings)
    return Overview(
        can_group=is_live and member.may(Capability.GROUP),
        can_validate=is_live and member.may(Capability.RESOLVE),
        can_manage=member.may(Capability.MANAGE),
        parts=PARTS,
        categories=[
            CategoryShown(
                each.key,
                each.name,
                each.color,
                each.takes_comment or strings.has_comment(each.key),
                strings.n_spans(each.key),
            )
            for each in categories
        ],
        evaluations=[each for each in shown if each.row.removed_at is None],
        removed=[each for each in shown if each.row.removed_at is not None],
        hidden_items=len(hidden_items(reader)),
    )


def evaluation_shown(row: EquivalenceEvaluation, member: Membership) -> ShownEvaluation:
    """Return one evaluation for a reader."""
    rows = EquivalenceEvaluation.objects.filter(pk=row.pk)
    (shown,) = evaluations_shown(rows, categories_of(row.project), strings_read(Reader(row.project, member)))
    return shown


def hidden_check(row: EquivalenceEvaluation, member: Membership) -> None:
    """Raise Refused where a class holds a string that this reader may not see yet.

    Who may see open items can put their strings into classes; others would read answers there before they give theirs.
    """
    reader = Reader(row.project, member)
    if reader.sees_open:
        return
    content = Content.read(row.revisions.get(number=row.revision).content)
    category = category_named(content.annotation, categories_of(row.project))
    key = category.key if category else None
    everything = strings_read(Reader(row.project)).of(key, content.part).strings.keys()
    if content.members & (everything - strings_read(reader).of(key, content.part).strings.keys()):
        raise Refused("hidden_strings", HIDDEN)


def evaluations_shown(
    rows: QuerySet[EquivalenceEvaluation], categories: Sequence[Category], strings: Strings
) -> list[ShownEvaluation]:
    """Return evaluations in the project's order, in four queries."""
    rows = rows.order_by("position", "pk")
    latest = latest_revisions(rows)
    reviews = reviews_of(rows)
    found = []
    for row in rows:
        content = Content.read(latest[row.pk].content)
        category = category_named(content.annotation, categories)
        there = strings.of(category.key if category else None, content.part).strings
        classes = [
            ShownClass(
                each.key, each.name, each.members, review_of(each, content.part, reviews.get((row.pk, each.key)))
            )
            for each in content.classes
        ]
        unused = frozenset(content.members - there.keys())
        found.append(ShownEvaluation(row, latest[row.pk], content, category, classes, unused))
    return found


def latest_revisions(rows: QuerySet[EquivalenceEvaluation]) -> dict[int, EquivalenceRevision]:
    """Return the latest revision of each evaluation by the evaluation's row id."""
    latest = EquivalenceRevision.objects.filter(evaluation__in=rows, number=F("evaluation__revision"))
    return {each.evaluation_id: each for each in latest.select_related("made_by")}


@dataclass(frozen=True)
class ReviewSeen:
    """Hold the latest review of a class, with the class and the tested part as they were then; None: not there."""

    row: EquivalenceReview
    seen: ClassContent | None
    part: str | None


def reviews_of(rows: Iterable[EquivalenceEvaluation]) -> dict[tuple[int, str], ReviewSeen]:
    """Return the latest review of each class, by the evaluation's row id and the class's key."""
    reviews = {
        (each.evaluation_id, str(each.class_key)): each
        for each in EquivalenceReview.objects.filter(evaluation__in=rows).select_related("made_by").order_by("pk")
    }
    numbers = {(each.evaluation_id, each.revision) for each in reviews.values()}
    revisions = EquivalenceRevision.objects.filter(evaluation__in=rows, number__in={number for _, number in numbers})
    seen = {
        (each.evaluation_id, each.number): Content.read(each.content)
        for each in revisions
        if (each.evaluation_id, each.number) in numbers
    }
    found = {}
    for key, each in reviews.items():
        then = seen.get((each.evaluation_id, each.revision))
        of_class = next((one for one in then.classes if one.key == key[1]), None) if then else None
        found[key] = ReviewSeen(each, of_class, then.part if then else None)
    return found


def review_of(now: ClassContent, part: str, latest: ReviewSeen | None) -> ClassReview:
    """Return the review that counts: `changed` where the class says something else now, or another part is tested."""
    if latest is None or latest.row.decision == EquivalenceReview.Decision.TAKEN_BACK:
        return ClassReview()
    is_same = latest.part == part and latest.seen is not None and latest.seen.says == now.says
    row = latest.row
    return ClassReview(row.decision if is_same else CHANGED, row.note, row.made_by.shown_name, row.made_at)


def revisions_page(row: EquivalenceEvaluation, page: int) -> RevisionsPage:
    """Return a page of an evaluation's revisions, the newest first, without what they hold."""
    start = (page - 1) * REVISIONS_A_PAGE
    found = row.revisions.defer("content").select_related("made_by").order_by("-number")
    shown = list(found[start : start + REVISIONS_A_PAGE])
    return RevisionsPage(shown, page, max(1, -(-row.revision // REVISIONS_A_PAGE)))


def evaluations_in_use(project: Project) -> QuerySet[EquivalenceEvaluation]:
    return project.equivalence_evaluations.filter(removed_at=None)
