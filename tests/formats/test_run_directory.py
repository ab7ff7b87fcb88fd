from pathlib import Path

import pytest

from al_worker.formats.run_directory import (
    Item,
    RunDirectoryError,
    Selected,
    read_config,
    read_items,
    read_json,
    read_selected,
    write_config,
    write_items,
    write_json,
    write_selected,
)

TRICKY = 'Tab\there, "quotes", CR\r\nline, U+2028 \u2028, NEL \x85, emoji 🏦, no-break\u00a0space'


def test_it_gives_back_items_exactly_as_written(tmp_path: Path) -> None:
    items = [Item("a_1", TRICKY, "yes"), Item("a_2", "  two  spaces ", None), Item("3", "x", "no")]
    path = tmp_path / "pool.jsonl"
    assert write_items(path, items) == 3
    assert path.read_bytes().count(b"\n") == 3
    assert read_items(path) == items


def test_it_gives_back_labels_by_head(tmp_path: Path) -> None:
    items = [Item("a", "x", labels={"opinion": "yes", "mp": "no"}), Item("b", "y", labels={"opinion": "no"})]
    path = tmp_path / "labeled.jsonl"
    write_items(path, items)
    assert path.read_text().splitlines()[1] == '{"id": "b", "text": "y", "labels": {"opinion": "no"}}'
    assert read_items(path, need_label=True) == items
    path.write_text('{"id": "a", "text": "x", "labels": {"mp": null, "opinion": 1}}\n')
    assert read_items(path) == [Item("a", "x", labels={"opinion": "1"})]


def test_it_accepts_an_empty_file_and_blank_lines(tmp_path: Path) -> None:
    path = tmp_path / "issued.jsonl"
    path.write_text("")
    assert read_items(path) == []
    path.write_text('\n{"id": 7, "text": "x", "label": 1}\r\n\n')
    assert read_items(path) == [Item("7", "x", "1")]


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        (b'{"id": "a", "text": "x"}\n{"id": "b", "text": \n', 2, "not valid JSON"),
        (b'{"id": "a", "text": "x"}\n["a"]\n', 2, "JSON object"),
        (b'{"text": "x"}\n', 1, '"id" is missing'),
        (b'{"id": true, "text": "x"}\n', 1, '"id" is missing'),
        (b'{"id": "a"}\n', 1, '"text" is missing'),
        (b'{"id": "a", "text": "x"}\n\n{"id": "a", "text": "y"}\n', 3, "already given on line 1"),
        (b'{"id": "a", "text": "x"}\n{"id": "b", "text": "\xff"}\n', 2, "not UTF-8"),
        (b'{"id": "a", "text": "\\ud83d"}\n', 1, "surrogate"),
        (b'{"id": "a", "text": "x", "label": 0.5}\n', 1, '"label"'),
        (b'{"id": "a\\u0000", "text": "x"}\n', 1, "NUL"),
        (b'{"id": "a", "text": "x", "labels": ["yes"]}\n', 1, '"labels" is not an object'),
        (b'{"id": "a", "text": "x", "labels": {"mp": 0.5}}\n', 1, '"mp"'),
        (b'{"id": "a", "text": "x", "labels": {"mp": "\\ud83d"}}\n', 1, "surrogate"),
        (b'{"id": "a", "text": "x", "label": "no", "labels": {"mp": "no"}}\n', 1, '"label" and "labels"'),
    ],
)
def test_it_names_the_line_of_a_wrong_item(tmp_path: Path, content: bytes, line: int, words: str) -> None:
    path = tmp_path / "pool.jsonl"
    path.write_bytes(content)
    with pytest.raises(RunDirectoryError, match=f"pool.jsonl line {line}: .*{words}") as caught:
        read_items(path)
    assert caught.value.line == line


def test_it_asks_for_labels_only_where_they_are_used(tmp_path: Path) -> None:
    path = tmp_path / "labeled.jsonl"
    path.write_text('{"id": "a", "text": "x", "label": null}\n')
    assert read_items(path) == [Item("a", "x", None)]
    with pytest.raises(RunDirectoryError, match=r"labeled.jsonl line 1: .*belong in issued.jsonl"):
        read_items(path, need_label=True)


def test_it_says_how_to_mend_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(RunDirectoryError, match=r"issued.jsonl: missing in .*write an empty file"):
        read_items(tmp_path / "issued.jsonl")


def test_it_gives_back_the_selection_in_rank_order(tmp_path: Path) -> None:
    chosen = [Selected("b", 1, 0.1 + 0.2), Selected("a", 2, 0.0, "random")]
    path = tmp_path / "selected.jsonl"
    write_selected(path, chosen)
    assert read_selected(path) == chosen
    path.write_text('{"id": "b", "rank": 2, "score": 0.5}\n')
    with pytest.raises(RunDirectoryError, match="line 1: rank 2 where 1"):
        read_selected(path)


def test_it_gives_back_every_kind_of_config_value(tmp_path: Path) -> None:
    tables = {
        "round": {"number": 0, "query_size": 150, "random_state": 13, "no_duplicate_texts": False},
        "strategy": {"name": "cal", "k": 100},
        "model": {"name": 'C:\\models\\"x"\x7f'},
        "training": {"learning_rate": 3e-5, "clip_norm": 1.0, "labels": ["no", "yes ✓"]},
    }
    write_config(tmp_path / "config.toml", tables)
    assert read_config(tmp_path / "config.toml") == tables
    assert type(read_config(tmp_path / "config.toml")["training"]["clip_norm"]) is float


def test_it_refuses_a_config_that_is_not_tables(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("number = 1\n")
    with pytest.raises(RunDirectoryError, match="outside a table"):
        read_config(path)
    path.write_text("[round\n")
    with pytest.raises(RunDirectoryError, match="not valid TOML"):
        read_config(path)
    with pytest.raises(TypeError, match="not dict"):
        write_config(path, {"round": {"x": {"y": 1}}})  # type: ignore[dict-item]


def test_it_writes_json_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "metrics.json"
    write_json(path, {"a": 1})
    with pytest.raises(ValueError, match="JSON"):
        write_json(path, {"a": float("nan")})
    assert read_json(path) == {"a": 1}
    assert [p.name for p in tmp_path.iterdir()] == ["metrics.json"]


def test_it_reads_back_a_list_of_tables_and_refuses_a_lone_one(tmp_path: Path) -> None:
    heads = [{"name": "opinion", "labels": ["no", "yes"]}, {"name": "mp", "labels": ["no", "yes"]}]
    path = tmp_path / "config.toml"
    write_config(path, {"round": {"number": 1}, "heads": heads})
    assert read_config(path) == {"round": {"number": 1}, "heads": heads}
    path.write_text('[heads]\nname = "opinion"\n')
    with pytest.raises(RunDirectoryError, match=r"must be \[\[heads\]\], one table a head"):
        read_config(path)


def test_it_needs_a_label_or_labels_where_they_are_learned_from(tmp_path: Path) -> None:
    path = tmp_path / "labeled.jsonl"
    path.write_text('{"id": "a", "text": "x", "labels": {"mp": null}}\n')
    with pytest.raises(RunDirectoryError, match="without a usable label belong in"):
        read_items(path, need_label=True)
