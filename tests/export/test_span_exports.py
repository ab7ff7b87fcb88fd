"""Spans out of the database: every field by hand, and whose they are."""

import hashlib
import json
from dataclasses import dataclass
from typing import Any

import pytest

from annotation_app.assignment.left_out import item_leave_out
from annotation_app.export.kinds import KINDS as EXPORT_KINDS
from annotation_app.export.options import ExportOptions
from annotation_app.export.span_rows import spans_of
from annotation_app.export.spans.linear_form import ExportedSpan
from annotation_app.export.stream import export_open
from annotation_app.models import Annotation, BatchItem, CodebookVersion
from tests.agreement.tables import at as answers_at
from tests.agreement.tables import fill
from tests.conftest import People
from tests.export.layers import MARKERS, at
from tests.export.span_rows import add_sources, decide, exported, mark, open_articles, span_codebook

pytestmark = pytest.mark.django_db(transaction=True)

#        0         1         2         3
#        0123456789012345678901234567890123456789
ALPHA = "🎉 It cut rates. Why? Minutes say so."
BETA = "The Board held."
KINDS = [kind for kind, each in EXPORT_KINDS.items() if "of" in each.takes]


@dataclass(frozen=True)
class Articles:
    codebook: CodebookVersion
    alpha: BatchItem
    beta: BatchItem
    of_alice: Annotation


ALICE_ALPHA = [
    at(ALPHA, "It cut rates.", "std_sentence"),
    at(ALPHA, "cut rates", "act", "Loosened (policy)"),
    at(ALPHA, "rates", "reference", source="press-1"),
    at(ALPHA, "Minutes say so.", "std_sentence"),
    at(ALPHA, "Minutes", "reference", source="press-2"),
]


@pytest.fixture
def articles(people: People) -> Articles:
    """Alpha carries two sources and is marked by Alice and Bob; beta carries one of them, marked by Alice alone."""
    codebook = span_codebook(people.project)
    alice, bob, _ = people.annotators
    alpha, beta = open_articles(people.project, codebook, [ALPHA, BETA], [alice, bob])
    add_sources(alpha.item, {"press-2": "Minutes.", "press-1": "Rates were cut."})
    add_sources(beta.item, {"press-1": "Rates were cut."})
    made = mark(alpha, alice, ALICE_ALPHA)
    mark(alpha, bob, [at(ALPHA, "It cut rates.", "std_sentence")] + [at(ALPHA, "It", "reference", source="press-1")])
    mark(beta, alice, [at(BETA, BETA, "std_sentence"), at(BETA, "held", "reference", source="press-1")])
    return Articles(codebook, alpha, beta, made)


def test_it_writes_text_and_spans_side_by_side(articles: Articles, people: People) -> None:
    lines = exported(ExportOptions(people.project), "spans")
    assert [(each["id"], each["annotator"]) for each in lines] == [
        ("news_0_1", "annotator 2"),
        ("news_0_1", "annotator 3"),
        ("news_1_1", "annotator 2"),
    ]
    assert lines[0] == {
        "id": "news_0_1",
        "item_id": "news_0_1",
        "document": {"id": "news", "title": "news"},
        "round": 1,
        "annotator": "annotator 2",
        "state": "submitted",
        "codebook_version": 2,
        "left_out": None,
        "speaker": "Speaker 0",
        "position": 0,
        "text": ALPHA,
        "text_sha256": hashlib.sha256(ALPHA.encode()).hexdigest(),
        "spans": [
            {"start": 2, "end": 15, "quote": "It cut rates.", "category": "std_sentence", "comment": None,
             "source": None},
            {"start": 5, "end": 14, "quote": "cut rates", "category": "act", "comment": "Loosened (policy)",
             "source": None},
            {"start": 9, "end": 14, "quote": "rates", "category": "reference", "comment": None, "source": "press-1"},
            {"start": 21, "end": 28, "quote": "Minutes", "category": "reference", "comment": None,
             "source": "press-2"},
            {"start": 21, "end": 36, "quote": "Minutes say so.", "category": "std_sentence", "comment": None,
             "source": None},
        ],
        "sources": [
            {"id": "press-2", "title": "Title of press-2", "text": "Minutes."},
            {"id": "press-1", "title": "Title of press-1", "text": "Rates were cut."},
        ],
    }  # fmt: skip


def test_it_writes_the_text_form(articles: Articles, people: People) -> None:
    line = exported(ExportOptions(people.project, style="underscores"), "text")[0]
    assert line["linear"] == (
        "🎉 [STD_SENTENCE_START] It [ACT_START] cut [REFERENCE_START] rates (Loosened \\(policy\\)) [ACT_END] "
        "[REFERENCE_END]. [STD_SENTENCE_END] Why? [STD_SENTENCE_START] [REFERENCE_START] Minutes [REFERENCE_END] "
        "say so. [STD_SENTENCE_END]"
    )
    assert (line["style"], line["text_sha256"]) == ("underscores", hashlib.sha256(ALPHA.encode()).hexdigest())
    assert line["categories"] == {marker: key for key, marker in MARKERS.items()}


def test_it_writes_a_target_a_source(articles: Articles, people: People) -> None:
    """By sha256("0:split:<id>"): press-1 31.., press-2 ce..; of two sources one is for training, one for testing."""
    lines = exported(ExportOptions(people.project), "targets")
    assert [(each["item_id"], each["annotator"], each["source"]["id"], each["split"]) for each in lines] == [
        ("news_0_1", "annotator 2", "press-2", "test"),
        ("news_0_1", "annotator 2", "press-1", "train"),
        ("news_0_1", "annotator 3", "press-1", "train"),
        ("news_1_1", "annotator 2", "press-1", "train"),
    ]
    assert [each["id"] for each in lines] == [
        "news_0_1/press-2/annotator 2",
        "news_0_1/press-1/annotator 2",
        "news_0_1/press-1/annotator 3",
        "news_1_1/press-1/annotator 2",
    ]
    first = lines[0]
    assert {name: first[name] for name in ("source", "text", "linear", "spans", "ranges", "n_sentences")} == {
        "source": {"id": "press-2", "title": "Title of press-2", "text": "Minutes."},
        "text": "Minutes say so.",
        "linear": "[STD SENTENCE START] [REFERENCE START] Minutes [REFERENCE END] say so. [STD SENTENCE END]",
        "spans": [
            {"start": 0, "end": 7, "quote": "Minutes", "category": "reference", "comment": None, "source": "press-2"},
            {"start": 0, "end": 15, "quote": "Minutes say so.", "category": "std_sentence", "comment": None,
             "source": None},
        ],
        "ranges": [[21, 36]],
        "n_sentences": 1,
    }  # fmt: skip


def test_a_target_without_a_source_has_none_and_its_item_decides_the_split(people: People) -> None:
    codebook = span_codebook(people.project)
    (only,) = open_articles(people.project, codebook, [BETA], people.annotators[:1])
    mark(only, people.annotators[0], [at(BETA, BETA, "std_sentence")])
    (line,) = exported(ExportOptions(people.project), "targets")
    assert (line["id"], line["source"], line["split"]) == ("news_0_1//annotator 2", None, "test")


def test_no_two_targets_have_one_id(articles: Articles, people: People) -> None:
    """Ids as imported may hold what separates the parts; user names change nothing in them."""
    add_sources(articles.alpha.item, {"a/b": "One.", "a%2Fb": "Two."})
    articles.beta.item.external_id = "news_0_1/a"
    articles.beta.item.save()
    both = [at(ALPHA, "Minutes say so.", "std_sentence")]
    both += [at(ALPHA, "Minutes", "reference", source=name) for name in ("a/b", "a%2Fb")]
    decide(articles.alpha, people.admin, "edited", spans=both)
    lines = exported(ExportOptions(people.project), "targets")
    ids = [each["id"] for each in lines]
    assert (len(set(ids)), len(ids)) == (6, 6)
    assert [each["id"] for each in lines if each["state"] == "validated"] == [
        "news_0_1/a%2Fb/validated",
        "news_0_1/a%252Fb/validated",
    ]
    assert ids[-1] == "news_0_1%2Fa/press-1/annotator 2"
    assert [each["id"] for each in exported(ExportOptions(people.project, names=True), "targets")] == ids


@pytest.mark.parametrize(
    ("kind", "options", "name"),
    [
        ("text", {"of": "validated", "style": "angle"}, "board-text-validated-angle.jsonl"),
        ("text", {}, "board-text-everyone-spaces.jsonl"),
        ("spans", {"of": "annotators", "style": "angle", "random_state": 3}, "board-spans-annotators.jsonl"),
        ("spans", {"names": True}, "board-spans-everyone-names.jsonl"),
        ("targets", {"random_state": -7}, "board-targets-everyone-spaces-seed--7.jsonl"),
        ("conll", {"of": "validated"}, "board-conll-validated.conll"),
        ("webannotation", {}, "board-webannotation-everyone.jsonl"),
        ("aggregated", {}, "board-aggregated.jsonl"),
        ("aggregated", {"phase": 2, "names": True}, "board-aggregated-second-looks-names.jsonl"),
        ("annotations", {"revisions": "all"}, "board-annotations-all-revisions.jsonl"),
    ],
)
def test_the_files_name_says_what_was_asked_for(people: People, kind: str, options: dict[str, Any], name: str) -> None:
    export = export_open(kind=kind, options=ExportOptions(people.project, **options))
    export.close()
    assert export.filename == name


def states(options: ExportOptions, kind: str = "spans") -> list[tuple[str, str, str | None]]:
    return [(each["id"], each["state"], each["annotator"]) for each in exported(options, kind)]


def test_it_tells_annotators_from_validators(articles: Articles, people: People) -> None:
    of_annotators = states(ExportOptions(people.project))
    assert states(ExportOptions(people.project, of="validated")) == []
    edited = [at(ALPHA, "It cut rates.", "std_sentence", "Both say so.")]
    decide(articles.alpha, people.admin, "accepted", annotation=articles.of_alice)
    assert states(ExportOptions(people.project, of="validated")) == [("news_0_1", "validated", None)]
    assert states(ExportOptions(people.project, of="annotators")) == of_annotators
    (accepted,) = exported(ExportOptions(people.project, of="validated"), "spans")
    assert accepted["spans"] == exported(ExportOptions(people.project, of="annotators"), "spans")[0]["spans"]
    decide(articles.alpha, people.admin, "edited", annotation=articles.of_alice, spans=edited)
    (line,) = exported(ExportOptions(people.project, of="validated", names=True), "spans")
    assert [(each["quote"], each["comment"]) for each in line["spans"]] == [("It cut rates.", "Both say so.")]
    assert line["annotator"] is None
    # Of one item the annotators first, then what was made of them.
    assert states(ExportOptions(people.project)) == [
        *of_annotators[:2],
        ("news_0_1", "validated", None),
        of_annotators[2],
    ]


@pytest.mark.parametrize("decision", ["rejected", "reopened"])
def test_what_is_rejected_or_taken_back_is_not_validated(articles: Articles, people: People, decision: str) -> None:
    decide(articles.alpha, people.admin, "accepted", annotation=articles.of_alice)
    decide(articles.alpha, people.admin, decision)
    assert [exported(ExportOptions(people.project, of="validated"), kind) for kind in ("spans", "targets")] == [[], []]


def test_an_accepted_revision_stays_the_one_that_was_accepted(articles: Articles, people: People) -> None:
    decide(articles.alpha, people.admin, "accepted", annotation=articles.of_alice)
    mark(articles.alpha, people.annotators[0], [at(ALPHA, "Why?", "evidence")], base=1)
    (line,) = exported(ExportOptions(people.project, of="validated"), "spans")
    assert len(line["spans"]) == len(ALICE_ALPHA)
    assert [each["quote"] for each in exported(ExportOptions(people.project), "spans")[0]["spans"]] == ["Why?"]


def test_annotations_and_aggregated_lines_have_the_spans_too(articles: Articles, people: People) -> None:
    spans = exported(ExportOptions(people.project), "spans")
    annotations = exported(ExportOptions(people.project), "annotations")
    assert [each["spans"] for each in annotations] == [each["spans"] for each in spans]
    alpha, beta = exported(ExportOptions(people.project), "aggregated")
    assert (alpha["spans"], alpha["spans_state"]) == (None, "not_validated")
    decide(articles.alpha, people.admin, "accepted", annotation=articles.of_alice)
    decide(articles.beta, people.admin, "rejected")
    alpha, beta = exported(ExportOptions(people.project), "aggregated")
    assert (alpha["spans"], alpha["spans_state"]) == (spans[0]["spans"], "accepted")
    assert (beta["spans"], beta["spans_state"]) == (None, "rejected")
    decide(articles.beta, people.admin, "edited", spans=[at(BETA, "held", "act")])
    assert [each["quote"] for each in exported(ExportOptions(people.project), "aggregated")[1]["spans"]] == ["held"]


def test_a_codebook_without_a_layer_has_nothing_of_it(people: People) -> None:
    fill(people.project, people.annotators, answers_at("opinion", {"i1": "YYY"}))
    assert [
        exported(ExportOptions(people.project), kind) for kind in ("spans", "text", "targets", "webannotation")
    ] == [[]] * 4
    assert "spans" not in exported(ExportOptions(people.project), "annotations")[0]
    assert "spans" not in exported(ExportOptions(people.project), "aggregated")[0]


def test_it_writes_columns(articles: Articles, people: People) -> None:
    mark(articles.beta, people.annotators[1], [ExportedSpan(4, 9, "act"), ExportedSpan(6, 14, "act", "No change")])
    export = export_open(kind="conll", options=ExportOptions(people.project))
    lines = b"".join(export).decode().split("\n")
    assert lines.pop() == ""
    assert (len(lines), export.filename) == (export.total, "board-conll-everyone.conll")
    assert lines[0].startswith("# global.columns = ID FORM QUORUM:START QUORUM:END QUORUM:STD_SENTENCE QUORUM:ACT ")
    assert "# What these columns do not hold, of 11 spans in 4 texts:" in lines
    assert [line.split(" ", 3)[2] for line in lines if line.startswith("# - ")] == ["1", "0", "0", "0", "1", "4"]
    block = lines[lines.index('# dropped = {"category": "act", "start": 6, "end": 14, "quote": "ard held"}') - 8 :]
    assert block[:3] == [
        '# item_id = "news_1_1"',
        '# document = {"id": "news", "title": "news"}',
        "# round = 1",
    ]
    assert block[9:] == [
        "1\tThe\t0\t3" + "\tO" * 8,
        "2\tBoard\t4\t9\tO\tB" + "\tO" * 6,
        "3\theld\t10\t14" + "\tO" * 8,
        "4\t.\t14\t15" + "\tO" * 8,
        "",
    ]


def test_every_kind_shows_the_moment_it_was_opened(articles: Articles, people: People) -> None:
    before = {kind: b"".join(export_open(kind=kind, options=ExportOptions(people.project))) for kind in KINDS}
    opened = {kind: export_open(kind=kind, options=ExportOptions(people.project)) for kind in KINDS}
    mark(articles.beta, people.annotators[1], [at(BETA, "Board", "actor")])
    decide(articles.alpha, people.admin, "accepted", annotation=articles.of_alice)
    assert {kind: b"".join(export) for kind, export in opened.items()} == before
    after = {kind: b"".join(export_open(kind=kind, options=ExportOptions(people.project))) for kind in KINDS}
    assert not [kind for kind in KINDS if after[kind] == before[kind]]


def test_no_kind_names_people_unless_asked(articles: Articles, people: People) -> None:
    for kind in KINDS:
        text = b"".join(export_open(kind=kind, options=ExportOptions(people.project))).decode().lower()
        assert not [name for name in ("alice", "bob") if name in text]
        if kind != "conll":
            named = exported(ExportOptions(people.project, names=True), kind)
            assert "alice" in json.dumps(named[0])


def test_an_empty_comment_is_none() -> None:
    assert spans_of('[[0, 1, "act", "", null]]') == [ExportedSpan(0, 1, "act")]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_says_that_an_item_was_left_out_of_the_pool(articles: Articles, people: People, kind: str) -> None:
    item_leave_out(item=articles.beta.item, reason="A row of a test", actor=people.admin.user)
    text = b"".join(export_open(kind=kind, options=ExportOptions(people.project))).decode()
    said = {"news_0_1": set[Any](), "news_1_1": set[Any]()}
    item = ""
    for line in text.splitlines():
        if kind == "conll":
            name, _, value = line.removeprefix("# ").partition(" = ")
            item = json.loads(value) if name == "item_id" else item
            if name == "left_out":
                said[item].add(json.loads(value))
        elif kind == "webannotation":
            source = json.loads(line)["target"]["source"]
            said[source["schema:identifier"]].add(source.get("schema:description"))
        else:
            said[json.loads(line)["item_id"]].add(json.loads(line)["left_out"])
    assert said == {"news_0_1": {None}, "news_1_1": {"A row of a test"}}
