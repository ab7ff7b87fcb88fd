"""Files of factoids: what is wrong in them is refused, with the file, the place and the remedy."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from al_worker.factoids.errors import FactoidsInvalid
from al_worker.factoids.reading import factoid_list, read_list
from annotation_app.demo.paths import FACTOIDS
from tests.core.factoid_lists import DEMO_A, DEMO_B, answer, list_json, refusal, write

TEXTS = ["M01", "M02"]
GOOD = list_json(TEXTS, {"P1": ["M01-001"], "P2": ["M02-001"]})


def with_factoids(*factoids: Any) -> dict[str, Any]:
    return {**GOOD, "factoids": list(factoids)}


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([], 'must be an object: {"annotator", "texts": [id], "factoids":'),
        ({**GOOD, "annotator": None}, "annotator: must be a text that is not empty"),
        ({**GOOD, "texts": "M01"}, "texts: must be a list of ids"),
        ({**GOOD, "texts": ["M01"]}, "texts: a set has two texts or more, not 1; name all of them"),
        ({**GOOD, "texts": ["M01", "M02", "M01"]}, "texts[2]: 'M01' is texts[0] too; leave one of them"),
        ({**GOOD, "factoids": {}}, "factoids: must be a list"),
        (with_factoids("P1"), "factoids[0]: must be an object"),
        (with_factoids({"id": 1, "sentences": []}), "factoids[0].id: must be a text that is not empty"),
        (
            with_factoids({"id": "P1", "sentences": []}, {"id": "P2", "sentences": []}, {"id": "P1", "sentences": []}),
            "factoids[2].id: 'P1' is the id of factoids[0] too; renumber one",
        ),
        (
            with_factoids({"id": "P1", "description": 5, "sentences": []}),
            "factoids[0].description: must be a text; it may be empty",
        ),
        (with_factoids({"id": "P1"}), "factoids[0].sentences: must be a list of ids; it may be empty"),
        (
            with_factoids({"id": "P1", "sentences": ["M01-001", "M02-001", "M01-001"]}),
            "factoids[0].sentences[2]: 'M01-001' is factoids[0].sentences[0] too; leave one of them",
        ),
        (
            with_factoids({"id": "P1", "sentences": ["M01-001", "M03-001"]}),
            "factoids[0].sentences[1]: 'M03-001' is of the text 'M03', which is not in the set; correct it, or add it",
        ),
        (
            with_factoids({"id": "P1", "sentences": ["M01"]}),
            "factoids[0].sentences[0]: 'M01' has no hyphen after its text's id; name its text in \"sentences\"",
        ),
        (
            {**GOOD, "sentences": [{"id": "M01-001", "text": "M01"}]},
            "factoids[1].sentences[0]: 'M02-001' is not in the set; correct it, or add it to the set's own",
        ),
        (
            {**GOOD, "sentences": [{"id": "s", "text": "M01"}, {"id": "s", "text": "M02"}]},
            "sentences[1].id: 's' is the id of sentences[0] too; leave one of them",
        ),
        (
            {**GOOD, "sentences": [{"id": "s", "text": "M09"}]},
            "sentences[0].text: 'M09' is not in the set; correct it, or add it to \"texts\"",
        ),
    ],
)
def test_a_faulty_list_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path, value: Any, message: str) -> None:
    good, bad = write(tmp_path / "A.json", GOOD), write(tmp_path / "B.json", value)
    for command in (["pair", good, bad], ["agreement", bad, good], ["scores", bad], ["atomicity", bad]):
        assert refusal(capsys, *command).startswith(f"{bad}: {message}")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'{"annotator": "A",\n "texts": [}', "line 2, column 12: not valid JSON (Expecting value); correct it there"),
        (b'{"annotator": "\xff"}', "byte 15: is not UTF-8; save the file as UTF-8"),
        (b"[" * 100_000, "not usable JSON: nested too deeply"),
        (b"1" * 5_000, "not usable JSON: nested too deeply, or a number too long"),
        (b"", "line 1, column 1: not valid JSON"),
        (b'["\\ud800"]', "holds half of a surrogate pair, which is not text; write the whole character"),
    ],
)
def test_what_is_no_json_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, data: bytes, message: str
) -> None:
    path = tmp_path / "A.json"
    path.write_bytes(data)
    assert refusal(capsys, "scores", path).startswith(f"{path}: {message}")
    assert refusal(capsys, "agreement", DEMO_A, DEMO_B, "--relations", path).startswith(f"{path}: {message}")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["", "M01", "M02", "M01-001", "P1"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["annotator", "texts", "factoids", "sentences", "id", "text"]), inner)
    ),
)


@given(
    st.fixed_dictionaries({"annotator": JSON, "texts": JSON | st.just(TEXTS), "factoids": st.lists(JSON) | JSON})
    | st.fixed_dictionaries({**{key: st.just(GOOD[key]) for key in GOOD}, "sentences": JSON})
    | JSON
)
def test_any_json_is_a_list_or_is_refused_at_a_place(value: Any) -> None:
    try:
        assert len(factoid_list(value, "A.json").texts) >= 2
    except FactoidsInvalid as error:
        assert str(error).startswith("A.json: ")


def test_a_file_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    missing = tmp_path / "A.json"
    assert (
        refusal(capsys, "scores", missing) == f"{missing}: cannot be read (No such file or directory); check the path"
    )
    assert "cannot be read (Is a directory)" in refusal(capsys, "scores", tmp_path)


@pytest.mark.parametrize("command", ["pair", "agreement"])
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"texts": ["M01", "M02", "M03"]}, "texts: has 'M03', unlike {a}; lists of one set name the same texts"),
        (
            {"texts": ["M01", "M03"], "factoids": []},
            "texts: lacks 'M02' and has 'M03', unlike {a}; lists of one set name the same texts",
        ),
        (
            {"sentences": [{"id": "M01-001", "text": "M02"}, {"id": "M02-001", "text": "M02"}]},
            "sentences: 'M01-001' of 'M02' is not so in {a}; lists of one set have one division into sentences",
        ),
    ],
)
def test_a_list_of_another_set_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str, change: dict[str, Any], message: str
) -> None:
    a, b = write(tmp_path / "A.json", GOOD), write(tmp_path / "B.json", GOOD | change)
    assert refusal(capsys, command, a, b) == f"{b}: {message.format(a=a)}"


def test_a_sentence_that_the_other_list_does_not_declare_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    rows = [{"id": f"{text}-001", "text": text} for text in TEXTS]
    a = write(tmp_path / "A.json", {**GOOD, "sentences": rows})
    b = write(tmp_path / "B.json", list_json(TEXTS, {"P1": ["M01-002"], "P2": []}))
    said = "sentences: 'M01-002' of 'M01' is not so in"
    assert refusal(capsys, "pair", a, b).startswith(f"{b}: {said} {a}; ")
    assert refusal(capsys, "pair", b, a).startswith(f"{b}: {said} {a}; ")
    # One list declares the sentences, the other does not and uses the same.
    assert answer(capsys, "pair", a, write(tmp_path / "B.json", GOOD))["unlinked"] == {"a": [], "b": []}


def test_annotation_of_two_lists_of_factoids_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    said = refusal(capsys, "agreement", DEMO_A, DEMO_B)
    assert said.startswith(f"{DEMO_B}: factoids: lacks 'P1', 'P2', 'P3' and others and has 'F1.1', 'F1.2', 'F1.3' and")
    assert said.endswith("annotate one list, or give the relations of two lists with --relations")
    assert refusal(capsys, "agreement", DEMO_A).endswith("is list 1; agreement is between two lists or more")
    relations = write(tmp_path / "R.json", [])
    said = refusal(capsys, "agreement", DEMO_A, DEMO_A, DEMO_A, "--relations", relations)
    assert said.endswith("is list 3; agreement is between exactly two lists")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({}, 'must be a list: [{"a", "b", "relation"}]'),
        ([{"a": "P1", "b": "F1.1"}], "[0].relation: None is no relation; it is one of equal, subsumes, subsumed, rel"),
        ([{"a": "P1", "b": "F1.1", "relation": "="}], "[0].relation: '=' is no relation; it is one of equal, subsumes"),
        ([{"a": "P1", "b": "F1.1", "relation": []}], "[0].relation: [] is no relation"),
        (
            [{"a": "F1.1", "b": "P1", "relation": "equal"}],
            f"[0].a: {DEMO_A} has no factoid 'F1.1'; correct the id, or leave the relation out",
        ),
        ([{"a": "P1", "b": "F9", "relation": "equal"}], f"[0].b: {DEMO_B} has no factoid 'F9'; correct the id"),
        (
            [{"a": "P1", "b": "F1.1", "relation": kind} for kind in ("equal", "related")],
            "[1]: 'P1' and 'F1.1' have a relation already (equal); leave one of the two",
        ),
    ],
)
@pytest.mark.parametrize("command", ["pair", "agreement"])
def test_a_faulty_relation_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str, value: Any, message: str
) -> None:
    path = write(tmp_path / "R.json", value)
    assert refusal(capsys, command, DEMO_A, DEMO_B, "--relations", path).startswith(f"{path}: {message}")


@pytest.mark.parametrize("options", [["--threshold", "1.1"], ["--description-weight", "nan"], ["--threshold", "x"]])
def test_a_number_outside_its_range_is_a_wrong_command_line(
    capsys: pytest.CaptureFixture[str], options: list[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        answer(capsys, "pair", DEMO_A, DEMO_B, *options)
    assert stopped.value.code == 2
    assert options[0] in capsys.readouterr().err


def test_the_text_of_a_sentence_stands_before_its_last_hyphen_unless_the_list_says_it() -> None:
    read = factoid_list(list_json(["a-b", "c"], {"P1": ["a-b-001", "c-1"], "P2": []}), "A.json")
    assert read.by_id["P1"].texts == {"a-b", "c"}
    declared = [{"id": "a-b-001", "text": "c"}, {"id": "s", "text": "a-b"}]
    given = {**list_json(["a-b", "c"], {"P1": ["a-b-001"]}), "sentences": declared}
    assert factoid_list(given, "A.json").by_id["P1"].texts == {"c"}


def test_a_mark_of_byte_order_and_a_description_that_is_null_are_read(tmp_path: Path) -> None:
    path = tmp_path / "A.json"
    value = with_factoids({"id": "P1", "description": None, "sentences": []})
    path.write_text(json.dumps(value), encoding="utf-8-sig")
    assert read_list(path).by_id["P1"].description == ""


def test_the_demo_lists_link_sentences_that_its_texts_have() -> None:
    rows = [json.loads(line) for line in (FACTOIDS / "texts.jsonl").read_text(encoding="utf-8").splitlines()]
    sentences = {each["id"]: row["id"] for row in rows for each in row["sentences"]}
    assert len(rows) >= 6
    for path in (DEMO_A, DEMO_B):
        read = read_list(path)
        assert list(read.texts) == [row["id"] for row in rows]
        assert read.text_of.items() <= sentences.items()
        assert all(factoid.sentences and factoid.description for factoid in read.factoids)


def test_the_page_of_the_docs_shows_what_the_commands_print(capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).parents[2] / "docs/methods/factoids.md").read_text(encoding="utf-8")
    shown = re.findall(
        r"^    python -m al_worker\.core factoids ([^\n]+)\n\n```json\n(.+?)```", page, re.MULTILINE | re.DOTALL
    )
    assert len(shown) >= 4
    for command, printed in shown:
        paths = [str(FACTOIDS / word) if word.endswith(".json") else word for word in command.split()]
        found = answer(capsys, *paths)
        assert (
            json.loads(printed).items()
            <= json.loads(json.dumps(found), parse_float=lambda n: round(float(n), 3)).items()
        )
