"""`interpret` from its configuration to tables and plots: whole, killed, stopped, and with the authors' file."""

import json
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from al_worker.core.interpretation.run.command import interpret
from al_worker.core.run import steps
from al_worker.core.run.files import file_hash
from al_worker.formats.run_directory import read_json
from tests.core.commands import ran
from tests.interpretation.run_world import ACTS, EVALUATIONS, sources_of_world, target, write_world
from tests.shared import shared_file

ROOT = Path(__file__).parents[2]
TIMES = {"seconds", "started_at", "execution", "machine"}


def systems_of(folders: Mapping[str, Path]) -> dict[str, dict[str, Any]]:
    return {
        "tr-lead": {"kind": "transformer", "model": str(folders["transformer"]), "title": "Transformer"},
        "bert-fb": {
            "kind": "bert",
            "model": str(folders["bert"]),
            "filter": "filterbert",
            "filter_model": str(folders["bert"]),
            "budget": 24,
        },
        "bart-oracle": {"kind": "bart", "model": str(folders["bart"]), "filter": "oracle", "budget": 30, "augment": 1},
    }


def start(config: Path, *more: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "al_worker.core", "interpret", str(config), *more]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.fixture(scope="module")
def finished(tiny_folders: Mapping[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of a run of all three kinds that nothing broke off."""
    folder = tmp_path_factory.mktemp("interpretation")
    process = start(write_world(folder, systems_of(tiny_folders)), "--progress", "json")
    printed, errors = process.communicate()
    assert process.returncode == 0, errors
    (folder / "printed.jsonl").write_text(printed)
    return folder / "results"


def test_every_system_has_its_figures(finished: Path) -> None:
    figures = read_json(finished / "figures.json")
    transformer, bert, bart = figures["systems"]
    assert [system["title"] for system in figures["systems"]] == ["Transformer", "bert-fb", "bart-oracle"]
    assert figures["data"]["sources"] == {"train": 8, "valid": 2, "test": 2}
    # Each of 16 training targets has another member of its act's class or of its scope's.
    assert [system["training"]["examples"] for system in figures["systems"]] == [16, 16, 32]
    assert bart["training"]["augmented"] == {"targets": 16, "without": 0, "blocked": 0, "unseen": 0}
    assert transformer["filtering"]["sentences_mean"] == 4.0
    assert bert["filtering"]["tokens_mean"] <= 24 and bert["filtering"]["filterbert"]["epochs"] <= 2
    for system in figures["systems"]:
        assert [row["epoch"] for row in system["curves"]] == [1, 2]
        assert system["generation"]["n"] == system["metrics"]["n"] == 2
        assert [each["n"] for each in system["equivalence"]["evaluations"]] == [8, 4, 2, 8]
    assert figures["references"]["categories"]["ACT"]["mean"] == 1.0
    assert [(pair["first"], pair["second"]) for pair in figures["comparisons"]] == [
        ("tr-lead", "bert-fb"), ("tr-lead", "bart-oracle"), ("bert-fb", "bart-oracle")
    ]  # fmt: skip
    assert "bart-oracle: the filter Oracle looks at the targets, of the test sources too." in figures["notices"]
    assert read_json(finished / "curves.json") == {each["name"]: each["curves"] for each in figures["systems"]}


def test_the_files_say_what_the_figures_say(finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The commands on files give the same figures from the same files."""
    figures = read_json(finished / "figures.json")
    scored, evaluations = finished / "scored-bert-fb.jsonl", finished.parent / "evaluations.json"
    done = ran(
        capsys, "equivalence", "results", evaluations, scored, "--compare", finished / "scored-bart-oracle.jsonl"
    )
    printed = json.loads(done.stdout)
    assert printed.pop("comparison") == figures["comparisons"][2]["evaluations"]
    assert printed == figures["systems"][1]["equivalence"]
    made = ran(capsys, "equivalence", "instances", evaluations, finished.parent / "targets.jsonl")
    test_only = [line for line in made.stdout.splitlines() if json.loads(line)["target"].startswith(("t10", "t11"))]
    assert test_only == (finished / "instances.jsonl").read_text().splitlines()
    rows = [json.loads(line) for line in (finished / "generations.jsonl").read_text().splitlines()]
    assert [(row["system"], row["source"]) for row in rows] == [
        (system["name"], source) for system in figures["systems"] for source in ("s10", "s11")
    ]
    plain = ran(
        capsys, "filter", "lead", finished.parent / "sources.jsonl", "--tokenizer", figures["systems"][0]["model"]
    )
    assert plain.stdout == (finished / "filtered-tr-lead.jsonl").read_text()


def test_tables_and_plots_are_written(finished: Path) -> None:
    tables = {path.name for path in (finished / "tables").iterdir()}
    names = ("accuracy", "generation", "categories", "accuracy-in-depth", "sizes",
             "filters", "budgets", "comparisons")  # fmt: skip
    assert tables == {f"{name}.{form}" for name in names for form in ("csv", "tex")}
    plots = {path.name for path in (finished / "plots").iterdir()}
    assert {f"loss-bert-fb.{form}" for form in ("svg", "png", "pdf")} <= plots
    assert {f"confusion-bart-oracle-1-act-label.{form}" for form in ("svg", "png", "pdf")} <= plots
    assert len(plots) == 3 * 3 * 5


def test_the_record_names_everything(finished: Path, tiny_folders: Mapping[str, Path]) -> None:
    record = read_json(finished / "record.json")
    assert {"torch", "transformers", "rouge-score"} <= record["versions"].keys()
    assert record["inputs"]["targets.jsonl"] == file_hash(finished.parent / "targets.jsonl")
    system = record["systems"]["bert-fb"]
    assert system["model_files"]["model.safetensors"] == file_hash(tiny_folders["bert"] / "model.safetensors")
    assert system["trained_files"]["model.safetensors"] == file_hash(finished / "models/bert-fb/model.safetensors")
    assert {"head.safetensors", "model.safetensors"} <= system["filterbert_files"].keys()
    assert [system["steps"][stage]["step"] for stage in ("filter", "train", "generate", "score")] == [
        "bert-fb-filter", "bert-fb-train", "bert-fb-generate", "bert-fb-score"
    ]  # fmt: skip
    assert not list(finished.rglob("*.bin")) and not list(finished.rglob("*.pt"))
    assert not (finished / "work").exists()


def test_progress_lines_say_system_stage_and_steps(finished: Path) -> None:
    lines = [json.loads(line) for line in (finished.parent / "printed.jsonl").read_text().splitlines()]
    fractions = [line["fraction"] for line in lines]
    assert fractions == sorted(fractions) and fractions[-1] == 1.0
    seen = list(dict.fromkeys((line["step"], line["stage"]) for line in lines))
    stages = ("filter", "train", "generate", "score")
    expected = [(name, stage) for name in ("tr-lead", "bert-fb", "bart-oracle") for stage in stages]
    assert seen == [*expected, ("figures", "figures")]
    assert all({"done", "total", "seconds_left", "detail"} <= line.keys() for line in lines)


def untimed(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: untimed(each) for key, each in value.items() if key not in TIMES}
    return [untimed(each) for each in value] if isinstance(value, list) else value


def contents(results: Path) -> dict[str, Any]:
    """The bytes of each file, without times; paths differ between two runs in the record alone."""
    found: dict[str, Any] = {}
    for path in sorted(path for path in results.rglob("*") if path.is_file() and path.name != ".lock"):
        name = str(path.relative_to(results))
        is_timed = path.name in ("figures.json", "record.json") or "steps/" in name
        found[name] = untimed(read_json(path)) if is_timed else path.read_bytes()
    return found


def wait_for(process: subprocess.Popen[str], seen: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 300
    while not seen():
        assert process.poll() is None, f"it ended before: {process.communicate()}"
        assert time.monotonic() < deadline
        time.sleep(0.002)


# Five processes, each of which loads torch.
@pytest.mark.timeout(900)
def test_a_run_that_was_killed_and_stopped_gives_what_an_unbroken_one_gives(finished: Path, tmp_path: Path) -> None:
    """kill -9 while FilterBERT learns, and within the last training; then SIGTERM while texts are generated."""
    for name in ("sources.jsonl", "targets.jsonl", "evaluations.json", "interpretation.toml"):
        shutil.copy(finished.parent / name, tmp_path / name)
    config, results = tmp_path / "interpretation.toml", tmp_path / "results"

    def there(pattern: str) -> Callable[[], bool]:
        return lambda: any(results.glob(pattern))

    for pattern, number in (
        ("work/filterbert-*/checkpoint.safetensors", signal.SIGKILL),
        ("work/bart-oracle-train-*/checkpoint.safetensors", signal.SIGKILL),
        ("work/bart-oracle-generate-*", signal.SIGTERM),
    ):
        process = start(config)
        wait_for(process, there(pattern))
        process.send_signal(number)
        _, errors = process.communicate()
        assert process.returncode == -number, errors
        assert ("stopped; the same command goes on from here" in errors) == (number == signal.SIGTERM)
        assert not (results / "figures.json").exists()
    trained = (results / "steps/tr-lead-train.json").read_bytes()
    # As a kill may leave it, at a moment that is hard to meet.
    (results / ".curves.json.1.tmp").write_text("{")
    process = start(config)
    _, errors = process.communicate()
    assert process.returncode == 0, errors
    assert (results / "steps/tr-lead-train.json").read_bytes() == trained
    whole, again = contents(finished), contents(results)
    assert again.keys() == whole.keys()
    assert [name for name in whole if again[name] != whole[name]] == []


def test_a_change_does_again_only_what_depends_on_it(finished: Path, tmp_path: Path) -> None:
    """Longer texts need no other training, and a run that has all stages does none again."""
    shutil.copytree(finished.parent, tmp_path / "copy")
    config = tmp_path / "copy/interpretation.toml"
    config.write_text(config.read_text().replace("max_tokens = 30", "max_tokens = 31"))
    process = start(config, "--progress", "json")
    printed, errors = process.communicate()
    assert process.returncode == 0, errors
    lines = [json.loads(line) for line in printed.splitlines()]
    skipped = {(line["step"], line["stage"]) for line in lines if "up to date" in line["detail"]}
    # Where the texts are the same after all, scores are too.
    assert {each for each in skipped if each[1] != "score"} == {
        (name, stage) for name in ("tr-lead", "bert-fb", "bart-oracle") for stage in ("filter", "train")
    }


@pytest.mark.parametrize(
    ("system", "tables", "words"),
    [
        ({"model": "/nowhere"}, {}, '[systems.small] model: "/nowhere" is neither a folder on this machine'),
        ({"kind": "bart"}, {}, "interpretation.toml: [systems.small] model: "),
        ({"filter": "filterbert", "filter_model": "/nowhere"}, {}, '[systems.small] filter_model: "/nowhere"'),
        ({}, {"metrics": {"bertscore": "/nowhere"}}, '[metrics] bertscore: "/nowhere"'),
        ({}, {"generation": {"max_tokens": 400}}, "max_tokens = 400, and the model of the system small takes 95"),
    ],
)
def test_a_model_that_does_not_serve_is_named_before_anything_is_trained(
    tiny_bert: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    system: dict[str, Any],
    tables: dict[str, Any],
    words: str,
) -> None:
    config = write_world(tmp_path, {"small": {"kind": "transformer", "model": str(tiny_bert), **system}}, tables=tables)
    done = ran(capsys, "interpret", config)
    assert done.returncode == 3
    assert words in done.stderr
    assert not (tmp_path / "results/models").exists()


def test_an_instance_that_the_model_cannot_take_is_named(
    tiny_bert: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    long = [{"annotation": "act", "evaluation": "act", "equivalence_classes": [["cut rates"], ["raised " + "q," * 99]]}]
    targets = [
        target(f"t{n}", [f"s{n}"], split, "cut rates", "Cut", "soon")
        for n, split in enumerate(("train", "valid", "test"))
    ]
    config = write_world(
        tmp_path, {"small": {"kind": "transformer", "model": str(tiny_bert)}}, targets=targets, evaluations=long
    )
    done = ran(capsys, "interpret", config)
    assert done.returncode == 3
    assert "instance 1, of target t2, has " in done.stderr
    assert "the model of the system small takes 95" in done.stderr


def test_sources_that_are_cut_are_counted(tiny_bert: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One source has a sentence of more tokens than the model takes. Without evaluations nothing is scored."""
    sources = sources_of_world()
    sources[0]["sentences"] = ["rates rose " * 60]
    # The two test sources have four sentences and two, and no other source counts in the mean.
    sources[-1]["sentences"] = sources[-1]["sentences"][:2]
    config = write_world(
        tmp_path,
        {"small": {"kind": "transformer", "model": str(tiny_bert), "max_epochs": 1}},
        sources=sources,
        tables={"data": {"evaluations": ""}, "generation": {"limit": 1}, "metrics": {"bertscore": str(tiny_bert)}},
    )
    assert ran(capsys, "interpret", config).returncode == 0
    figures = read_json(tmp_path / "results/figures.json")
    (system,) = figures["systems"]
    assert (system["filtering"]["cut"], system["training"]["cut_sources"]) == (1, {"train": 2, "valid": 0})
    assert system["filtering"]["sentences_mean"] == (4 + 2) / 2
    assert "small: 1 filtered sources were cut, because the model reads 96 tokens." in figures["notices"]
    assert (system["equivalence"], system["generation"]["n"], figures["comparisons"]) == (None, 1, [])
    assert not (tmp_path / "results/tables/accuracy.csv").exists()
    scored = read_json(tmp_path / "results/steps/small-score.json")["inputs"]
    assert scored["bertscore"]["model.safetensors"] == file_hash(tiny_bert / "model.safetensors")


def test_a_stage_keeps_what_it_resumes_from_until_its_marker_is_written(
    tiny_bert: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The process ends after the training, before its marker is written."""
    config = write_world(tmp_path, {"small": {"kind": "transformer", "model": str(tiny_bert), "max_epochs": 1}})
    write_json = steps.write_json

    def written(path: Path, value: Any) -> None:
        if path.name == "small-train.json":
            raise KeyboardInterrupt
        write_json(path, value)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(steps, "write_json", written)
        with pytest.raises(KeyboardInterrupt):
            interpret(config, "none")
    assert list((tmp_path / "results/work").glob("small-train-*/checkpoint.safetensors"))
    assert list(read_json(tmp_path / "results/curves.json")) == ["small"]


def test_evaluations_that_change_during_a_run_are_scored_by_the_next_one(tiny_bert: Path, tmp_path: Path) -> None:
    """The file loses its last evaluation once the training is done: this run has all four, the next one three."""
    config = write_world(tmp_path, {"small": {"kind": "transformer", "model": str(tiny_bert), "max_epochs": 1}})
    evaluations, write_json = tmp_path / "evaluations.json", steps.write_json
    begun, text = file_hash(evaluations), config.read_text()

    def written(path: Path, value: Any) -> None:
        write_json(path, value)
        if path.name == "small-train.json":
            evaluations.write_text(json.dumps(EVALUATIONS[:3]))
            config.write_text(text.replace("beams = 2", "beams = 1"))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(steps, "write_json", written)
        interpret(config, "none")
    record = read_json(tmp_path / "results/record.json")
    assert (record["inputs"]["evaluations.json"], record["config"]["generation"]["beams"]) == (begun, 2)
    for n in (4, 3):
        (system,) = read_json(tmp_path / "results/figures.json")["systems"]
        assert len(system["equivalence"]["evaluations"]) == n
        interpret(config, "none")


@pytest.fixture(scope="module")
def roomy_shape(tiny_bert: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The shape of the small encoder, with room for 512 tokens."""
    folder = tmp_path_factory.mktemp("models") / "roomy"
    shutil.copytree(tiny_bert, folder)
    config = read_json(folder / "config.json") | {"max_position_embeddings": 512}
    (folder / "config.json").write_text(json.dumps(config))
    yield folder


def test_the_authors_evaluations_run_from_end_to_end(
    roomy_shape: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two members of each class of all 15 evaluations stand in a test target each."""
    path = shared_file("equivalence-classes") / "equivalence_classes.json"
    evaluations = json.loads(path.read_text(encoding="utf-8"))
    targets = [target(f"t-{split}", [split], split, ACTS["cut"][0], "Cut", "soon") for split in ("train", "valid")]
    for each in evaluations:
        for members in each["equivalence_classes"]:
            targets += [holding(f"t{len(targets)}", each, member) for member in members[:1]]
    sources = [{"id": name, "sentences": ["Members met today."]} for name in ("train", "valid", "test")]
    config = write_world(
        tmp_path,
        {"small": {"kind": "transformer", "model": str(roomy_shape), "max_epochs": 1}},
        sources=sources,
        targets=targets,
        evaluations=evaluations,
        tables={"training": {"max_target_tokens": 0}},
    )
    done = ran(capsys, "interpret", config)
    assert done.returncode == 0, done.stderr
    figures = read_json(tmp_path / "results/figures.json")
    found = figures["systems"][0]["equivalence"]["evaluations"]
    assert len(found) == len(evaluations) == 15
    assert sum(not each["in_depth"] for each in found) == 6
    main = [each["accuracy"]["value"] for each in found if not each["in_depth"]]
    assert figures["systems"][0]["equivalence"]["main_mean"] == pytest.approx(sum(main) / 6)
    header = (tmp_path / "results/tables/accuracy-in-depth.csv").read_text().splitlines()[0]
    assert header.count("_low") == 9
    lines = [json.loads(line) for line in (tmp_path / "results/scored-small.jsonl").read_text().splitlines()]
    assert len(lines) == sum(each["n"] for each in found) > 500
    assert all(line["log_p_positive"] < 0 and line["log_p_negative"] < 0 for line in lines)


def holding(name: str, evaluation: Mapping[str, Any], member: str) -> dict[str, Any]:
    """A target of the test split whose span has a member as its tested part."""
    words, comment, kind = member, None, evaluation["evaluation"]
    if "with label" in kind:
        words, _, comment = member.removesuffix(")").partition(" (")
    elif "label" in kind:
        words, comment = "acted", member
    text = f"The Fed {words} today."
    spans = [
        {"start": 0, "end": len(text), "category": "STD SENTENCE", "comment": None},
        {"start": 8, "end": 8 + len(words), "category": evaluation["annotation"].upper(), "comment": comment},
    ]
    return {"id": name, "sources": ["test"], "split": "test", "text": text, "spans": spans}
