"""Check what a run keeps: weights that transformers loads, and what was done before it was asked to stop."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from safetensors.torch import load_file
from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

from al_worker.core.interpretation.bertscore import bert_scores
from al_worker.core.interpretation.run import command
from al_worker.core.run.stop_signal import Stopped
from al_worker.formats.run_directory import read_json
from tests.core.commands import ran
from tests.interpretation.run_world import write_world


def world(folder: Path, tiny_folders: Mapping[str, Path], **run: Any) -> Path:
    systems = {"tr": {"kind": "transformer", "model": str(tiny_folders["transformer"]), "filter": "oracle"}}
    return write_world(folder, systems, tables={"run": run} if run else None)


class Wish:
    """Stand for the wish to stop, which comes once `when` holds."""

    def __init__(self, when: Callable[[], bool]) -> None:
        self.is_set = when


def stopped_when(monkeypatch: pytest.MonkeyPatch, when: Callable[[], bool]) -> None:
    @contextmanager
    def wished() -> Iterator[Wish]:
        yield Wish(when)

    monkeypatch.setattr(command, "stop_requested", wished)


def written(path: Path) -> dict[str, float]:
    """When each file below was written."""
    return {str(each): each.stat().st_mtime_ns for each in path.rglob("*") if each.is_file()}


def test_kept_weights_are_loaded_by_transformers_and_named_in_the_record(
    tiny_folders: Mapping[str, Path], tmp_path: Path
) -> None:
    results = command.interpret(world(tmp_path, tiny_folders), "json").parent
    folder = results / read_json(results / "record.json")["systems"]["tr"]["trained_folder"]
    model = AutoModelForSeq2SeqLM.from_pretrained(folder)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    assert folder == results / "models" / "tr"
    stored = load_file(folder / "model.safetensors")
    loaded = model.state_dict()
    assert stored and all(bool((loaded[name] == value).all()) for name, value in stored.items())
    assert len(tokenizer("[ACT START]", add_special_tokens=False)["input_ids"]) == 1


def test_weights_that_are_not_kept_are_deleted_and_nothing_is_trained_again(
    tiny_folders: Mapping[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = world(tmp_path, tiny_folders, keep_weights=False)
    results = command.interpret(config, "json").parent
    assert not (results / "models").exists()
    assert read_json(results / "record.json")["systems"]["tr"]["trained_folder"] is None
    before = written(results)
    command.interpret(config, "json")
    assert written(results) == before
    figures = read_json(results / "figures.json")
    ran(capsys, "interpret", config, "--force")
    again = written(results)
    assert all(again[name] > before[name] for name in before if name.endswith((".json", ".jsonl")))
    assert read_json(results / "figures.json")["systems"][0]["metrics"] == figures["systems"][0]["metrics"]


def test_the_command_takes_no_option_that_has_no_effect(
    tiny_folders: Mapping[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        ran(capsys, "interpret", world(tmp_path, tiny_folders), "--cache", tmp_path)
    assert ended.value.code == 2
    assert "unrecognized arguments: --cache" in capsys.readouterr().err


def test_the_filter_stops_after_a_source_and_goes_on_from_there(
    tiny_folders: Mapping[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = world(tmp_path, tiny_folders)

    def lines() -> int:
        return sum(len(path.read_text().splitlines()) for path in tmp_path.rglob("filtered.jsonl"))

    with monkeypatch.context() as context:
        stopped_when(context, lambda: lines() >= 3)
        with pytest.raises(Stopped):
            command.interpret(config, "json")
    assert lines() == 3
    [kept] = tmp_path.rglob("filtered.jsonl")
    # What is there is not filtered again: a row that says otherwise stays.
    kept.write_text(kept.read_text().replace('"tokens": ', '"tokens": 1000', 1))
    results = command.interpret(config, "json").parent
    rows = (results / "filtered-tr.jsonl").read_text().splitlines()
    assert (len(rows), [at for at, row in enumerate(rows) if '"tokens": 1000' in row]) == (12, [0])


def test_plots_stop_between_two_and_are_drawn_anew(
    tiny_folders: Mapping[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = world(tmp_path, tiny_folders)
    plots = tmp_path / "results" / "plots"
    with monkeypatch.context() as context:
        stopped_when(context, lambda: any(plots.glob("*.svg")))
        with pytest.raises(Stopped):
            command.interpret(config, "json")
    assert len(list(plots.glob("*.svg"))) == 1
    assert not (tmp_path / "results" / "figures.json").exists()
    trained = (tmp_path / "results" / "models" / "tr" / "model.safetensors").stat().st_mtime_ns
    command.interpret(config, "json")
    assert len(list(plots.glob("*.svg"))) == 5
    assert (tmp_path / "results" / "models" / "tr" / "model.safetensors").stat().st_mtime_ns == trained


def test_bertscore_stops_between_two_groups_of_texts(tiny_folders: Mapping[str, Path]) -> None:
    asked: list[int] = []

    def stop() -> bool:
        asked.append(1)
        return len(asked) == 2

    texts = [f"The Fed cut rates {number} times." for number in range(40)]
    with pytest.raises(Stopped):
        bert_scores(texts, [[text] for text in texts], str(tiny_folders["bert"]), 0, stop)
    assert len(asked) == 2
