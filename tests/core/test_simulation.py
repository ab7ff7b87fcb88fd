"""Simulations through the command line."""

import fcntl
import itertools
import json
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from al_worker.core.simulation.config import read_simulation
from al_worker.core.simulation.figures import area_under_curve
from al_worker.core.simulation.report import report_write
from al_worker.formats.run_directory import read_items, read_json
from al_worker.formats.ties import tie_key
from tests.core.run_dirs import core, selected_ids, write_run
from tests.core.simulations import cell_lines, result_lines, simulate, write_simulation
from tests.shared import shared_file

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four strategies, two seeds, four batches of five, finished. Not to be changed."""
    config = write_simulation(tmp_path_factory.mktemp("study"))
    assert simulate(config) == 0
    return config


def files(config: Path) -> dict[str, bytes]:
    """What a simulation gives out, byte for byte."""
    folder = config.parent / "results"
    names = ["config.json", "results.jsonl", "summary.json", "report.html"]
    return {str(p.relative_to(folder)): p.read_bytes() for p in [*map(folder.joinpath, names), *folder.glob("plots/*")]}


def start(config: Path, *more: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "al_worker.core", "simulate", str(config), "--progress", "json", *more]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_it_writes_a_line_for_each_cell_and_batch(study: Path) -> None:
    lines = result_lines(study)
    keys = [(line["strategy"], line["seed"], line["batch"]) for line in lines if line["strategy"] != "full-supervision"]
    assert sorted(keys) == sorted(itertools.product(("random", "ngram-2", "entropy", "cal"), (1, 2), range(4)))
    for line in lines:
        if line["strategy"] != "full-supervision":
            assert line["n_labeled"] == 5 * (line["batch"] + 1) == sum(line["class_counts"].values())
            assert sum(line["batch_class_counts"].values()) == 5
        assert line["class_shares"]["yes"] == line["class_counts"]["yes"] / line["n_labeled"]
        assert line["macro_f1"] == pytest.approx(sum(line["f1"].values()) / 2)
    full = [line for line in lines if line["strategy"] == "full-supervision"]
    assert [(line["model"], line["seed"], line["n_labeled"], line["macro_f1"]) for line in full] == [
        ("bow", 1, 60, 1.0)
    ]


def test_it_shares_the_first_batch_within_a_seed(study: Path) -> None:
    first = [line for line in result_lines(study) if line["batch"] == 0 and line["strategy"] != "full-supervision"]
    for seed in (1, 2):
        of_seed = [line for line in first if line["seed"] == seed]
        assert len({(line["macro_f1"], json.dumps(line["class_counts"])) for line in of_seed}) == 1
        pool = read_items(study.parent / "train.jsonl")
        drawn = sorted(pool, key=lambda item: tie_key(seed, 0, item.id))[:5]
        assert of_seed[0]["class_counts"]["yes"] == sum(item.label == "yes" for item in drawn)


@pytest.mark.parametrize(("key", "strategy", "options"), [("entropy", "entropy", {}), ("cal", "cal", {"k": 5}),
                                                          ("ngram-2", "ngram_density", {"j": 2})])  # fmt: skip
def test_it_selects_what_a_round_of_the_product_selects(
    tmp_path: Path, study: Path, key: str, strategy: str, options: dict[str, int]
) -> None:
    lines = cell_lines(study, f"{key}__bow__b5__s2")
    pool = read_items(study.parent / "train.jsonl")
    first = [item.id for item in sorted(pool, key=lambda item: tie_key(2, 0, item.id))[:5]]
    issued = first + lines[0]["selected"]
    by_id = {item.id: item for item in pool}
    run = write_run(
        tmp_path / "run",
        strategy=strategy,
        options=options,
        model="bow-logreg",
        labeled=[by_id[item_id] for item_id in issued],
        pool=pool,
        round={"number": 2, "query_size": 5, "random_state": 2},
        model_table={"labels": ["no", "yes"]},
        training={"threads": 1},
    )
    assert core("round", run) == 0
    assert selected_ids(run) == lines[1]["selected"]
    everything = issued + [item_id for line in lines[1:] for item_id in line["selected"]]
    assert len(set(everything)) == len(everything) == 25


def test_it_summarises_and_reports(study: Path) -> None:
    summary = read_json(study.parent / "results" / "summary.json")
    (found,) = summary["studies"]
    curve = [line for line in result_lines(study) if line["strategy"] == "cal" and line["seed"] == 2]
    area = area_under_curve([5, 10, 15, 20], [line["macro_f1"] for line in curve])
    assert found["strategies"]["cal"]["area_under_curve"]["by_seed"][1] == area
    against = {(d["strategy"], d["against"]) for d in found["differences"]}
    assert ("cal", "random") in against and ("random", "cal") not in against and len(against) == 3
    for difference in found["differences"]:
        measured = [found["strategies"][difference[side]][difference["measure"]]["by_seed"] for side in
                    ("strategy", "against")]  # fmt: skip
        assert difference["by_seed"] == [a - b for a, b in zip(*measured, strict=True)]
    assert found["full_supervision_macro_f1"] == 1.0
    assert found["strategies"]["random"]["labels_to_reach"]["90"]["macro_f1"] == 0.9
    report = (study.parent / "results" / "report.html").read_text()
    assert "in every seed.</p>" not in report
    assert report.count('<img src="data:image/svg+xml;base64,') == report.count("src=") == 3
    assert "http-equiv" not in report
    plots = {path.name for path in (study.parent / "results" / "plots").iterdir()}
    named = ["bow-b5-differences", "bow-b5-macro-f1", "bow-b5-share-yes"]
    assert plots == {f"{name}.{kind}" for name in named for kind in ("svg", "png", "pdf")}


def test_its_report_escapes_labels_and_notices(tmp_path: Path, study: Path) -> None:
    config = shutil.copytree(study.parent, tmp_path / "copy") / study.name
    settings, hostile = read_simulation(config), "<script>alert(1)</script>\"' onload='x' {{ name }}"
    summary = read_json(config.parent / "results" / "summary.json") | {"notices": [hostile]}
    (found,) = summary["studies"]
    found["strategies"][hostile] = dict(found["strategies"]["cal"])
    for strategy in found["strategies"].values():
        strategy["class_shares"] = {hostile: strategy["class_shares"]["yes"]}
    assert report_write(settings, summary) == []
    report = (config.parent / "results" / "report.html").read_text()
    assert "<script" not in report and "onload='" not in report
    # The notice, the strategy's row and the drawing's description.
    assert report.count("&lt;script&gt;alert(1)&lt;/script&gt;&#34;&#39; onload=&#39;x&#39; {{ name }}") == 3


def test_it_reports_without_plots_where_matplotlib_is_absent(tmp_path: Path, study: Path) -> None:
    config = shutil.copytree(study.parent, tmp_path / "copy") / study.name
    shutil.rmtree(config.parent / "results" / "plots")
    blocked = "import sys; sys.modules['matplotlib'] = None; from al_worker.core.__main__ import main; "
    code = f"{blocked}sys.exit(main(['simulate', {str(config)!r}, '--report-only']))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "There are no plots, because Matplotlib is not installed" in done.stderr
    report = (config.parent / "results" / "report.html").read_text()
    assert "There are no plots, because Matplotlib is not installed" in report
    assert "<img" not in report and "Paired differences over seeds: all test items" in report
    assert list((config.parent / "results" / "plots").iterdir()) == []


def test_it_does_nothing_twice(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = files(study)
    times = {path: path.stat().st_mtime_ns for path in study.parent.glob("results/cells/*/lines.jsonl")}
    assert len(times) == 9
    assert simulate(study, "--progress", "json") == 0
    said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert said[-1]["step"] == "simulate" and said[-1]["fraction"] == 1.0
    assert {path: path.stat().st_mtime_ns for path in times} == times
    assert files(study) == before


def test_it_gives_the_same_after_kill_9(tmp_path: Path, study: Path) -> None:
    config = write_simulation(tmp_path, run={"processes": 1})
    for _ in range(2):
        process = start(config)
        assert process.stdout is not None
        begun = json.loads(process.stdout.readline())["fraction"]
        if not any(json.loads(line)["fraction"] >= begun + 0.1 for line in process.stdout):
            pytest.fail(f"ended before it was killed: {process.communicate()[1]}")
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert process.returncode == -signal.SIGKILL
    done = sum(path.read_bytes().count(b"\n") for path in config.parent.glob("results/cells/*/lines.jsonl"))
    assert 0 < done < 33 and not (config.parent / "results" / "results.jsonl").exists()
    assert simulate(config) == 0
    expected, found = files(study), files(config)
    resolved = [json.loads(each.pop("config.json")) for each in (expected, found)]
    assert [each["run"].pop("processes") for each in resolved] == [2, 1]
    assert resolved[0] == resolved[1]
    assert found == expected


def test_it_cuts_off_half_a_line_and_continues_with_more_batches(tmp_path: Path, study: Path) -> None:
    one = {"strategies": "[strategies.entropy]", "run": {"seeds": [2], "batches": 2, "full_supervision_seeds": []}}
    config = write_simulation(tmp_path, **one)  # type: ignore[arg-type]
    assert simulate(config) == 0
    path = config.parent / "results" / "cells" / "entropy__bow__b5__s2" / "lines.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole + whole[: len(whole) // 3])
    write_simulation(tmp_path, **one | {"run": {**one["run"], "batches": 4}})  # type: ignore[dict-item, arg-type]
    assert simulate(config) == 0
    assert path.read_bytes().startswith(whole)
    expected = [line for line in result_lines(study) if line["strategy"] == "entropy" and line["seed"] == 2]
    assert result_lines(config) == expected


def test_it_ends_where_the_pool_ends(tmp_path: Path) -> None:
    config = write_simulation(
        tmp_path,
        strategies="[strategies.entropy]",
        n_train=12,
        run={"seeds": [1], "batches": 9, "batch_sizes": [5, 20]},
    )
    assert simulate(config) == 0
    labels = {size: [x["n_labeled"] for x in result_lines(config) if x["batch_size"] == size] for size in (0, 5, 20)}
    assert labels == {0: [12], 5: [5, 10, 12], 20: [12]}
    assert simulate(config) == 0


def test_it_simulates_an_encoder_the_same_twice(tmp_path: Path, tiny_modernbert: Path) -> None:
    found = []
    for name in ("one", "two"):
        config = write_simulation(
            tmp_path / name,
            strategies="[strategies.cal]\nk = 5",
            models=f'[models.tiny]\nname = "{tiny_modernbert}"',
            run={"seeds": [3], "batches": 2, "full_supervision_seeds": []},
            more="[training]\nepochs = 2\nlearning_rate = 0.001",
        )
        assert simulate(config) == 0
        found.append(files(config)["results.jsonl"])
    assert found[0] == found[1] and found[0].count(b"\n") == 2


def test_it_says_which_strategies_coincide(tmp_path: Path) -> None:
    config = write_simulation(
        tmp_path,
        strategies="[strategies.entropy]\n[strategies.breaking_ties]",
        run={"seeds": [1], "batches": 3, "full_supervision_seeds": []},
    )
    assert simulate(config) == 0
    report = (config.parent / "results" / "report.html").read_text()
    assert (
        "The curves of breaking_ties are those of entropy in every seed." in report and "Full supervision" not in report
    )
    assert read_json(config.parent / "results" / "summary.json")["studies"][0]["baseline"] is None


def test_it_refuses_results_of_another_configuration(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = {"seeds": [1], "batches": 1, "full_supervision_seeds": []}
    config = write_simulation(tmp_path, strategies="[strategies.cal]\nk = 5", run=one)
    assert simulate(config) == 0
    write_simulation(tmp_path, strategies="[strategies.cal]\nk = 6", run=one)
    assert simulate(config) == 3
    assert "was made with another strategy" in capsys.readouterr().err
    assert simulate(config, "--force") == 0


def test_it_says_which_cell_failed_and_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = write_simulation(
        tmp_path, models='[models.absent]\nname = "nobody/absent"', run={"seeds": [1], "processes": 1}
    )
    assert simulate(config) == 3
    said = capsys.readouterr().err
    assert said.startswith("CellFailed: cell full-supervision__absent__b0__s1: ModelUnavailable:")
    assert not list(config.parent.glob("results/report.html"))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"strategies": "[strategies.guess]"}, 'unknown strategy "guess"'),
        ({"strategies": "[strategies.cal]\nk = 0"}, 'strategy "cal", option "k"'),
        ({"strategies": "[strategies]\ncal = 5"}, "[strategies] cal is not a table"),
        ({"strategies": "[strategies.a__b]\nname = 'cal'"}, '"a__b" cannot name'),
        ({"models": ""}, "no model"),
        ({"more": "[training]\nepochs = 0"}, "study.toml: [training] epochs = 0 is outside"),
        ({"more": "[training]\nepochs = [[1]]"}, "study.toml: [training]"),
        ({"more": "[rounds]\ntie = 'id'"}, "no table [rounds]"),
        ({"run": {"seeds": []}}, "[run] seeds"),
        ({"run": {"seeds": [1, 1]}}, "names something twice"),
        ({"run": {"batch_sizes": ["5"]}}, "[run] batch_sizes"),
        ({"run": {"batches": 0}}, "batches = 0"),
        ({"more": '[parts.x]\nfield = "kind"'}, "[parts.x] takes a field"),
        ({"more": '[report]\nprimary = "random"'}, 'primary = "random" is none of'),
        ({"models": '[models.bow]\nname = "bow-logreg"\nlearning_rate = 0.1'}, "fitted without one"),
        ({"run": {"rounds": 3}}, '[run] takes no "rounds"'),
    ],
)
def test_it_names_the_place_of_a_wrong_value(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], changes: dict[str, str], words: str
) -> None:
    config = write_simulation(tmp_path, **changes)  # type: ignore[arg-type]
    assert simulate(config) == 3
    assert words in capsys.readouterr().err
    assert not (config.parent / "results").exists()


def test_it_refuses_data_that_are_learnt_and_tested(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = write_simulation(tmp_path)
    (tmp_path / "test.jsonl").write_text((tmp_path / "train.jsonl").read_text())
    assert simulate(config) == 3
    assert 'item "s0" stands in train and in test' in capsys.readouterr().err
    (tmp_path / "train.jsonl").unlink()
    assert simulate(config) == 3
    assert "train.jsonl, which is not there" in capsys.readouterr().err


@pytest.fixture
def with_missing(tmp_path: Path) -> Path:
    """A study whose train file has four lines more, with NA, null, -99.0 and none as labels."""
    config = write_simulation(tmp_path, strategies="[strategies.random]", run={"seeds": [1], "batches": 2})
    with (tmp_path / "train.jsonl").open("a") as file:
        for number, label in enumerate(('"NA"', "null", "-99.0", '"none"')):
            file.write(f'{{"id": "m{number}", "text": "Missing {number}.", "label": {label}}}\n')
    return config


def learned(config: Path) -> dict[str, int]:
    """Labels of the whole pool, as full supervision learned them."""
    full = read_json(config.parent / "results" / "summary.json")["full_supervision"]["bow"]
    return dict(full["class_counts"])


def test_it_leaves_out_what_is_missing_where_that_is_asked(
    with_missing: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """60 lines with yes and no, and `none`, which may be meant as missing and is told; the full model has them all."""
    assert simulate(with_missing, "--missing") == 0
    said = capsys.readouterr().err
    assert "train.jsonl: 3 lines hold a mark for missing (a blank cell: 1, -99: 1, NA: 1)" in said
    assert "left out: lines 61, 62, 63." in said and "none on 1 line" in said
    assert learned(with_missing) == {"no": 30, "none": 1, "yes": 30}
    assert "3 lines hold a mark for missing" in (with_missing.parent / "results" / "report.html").read_text()
    # Asked for otherwise, these are other data.
    assert simulate(with_missing, "--missing=NA,-99,none,") == 3
    assert "was made with another data" in capsys.readouterr().err
    assert simulate(with_missing, "--missing=NA,-99,none,", "--force") == 0
    assert learned(with_missing) == {"no": 30, "yes": 30}


def test_it_tells_marks_for_missing_that_it_learns(with_missing: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate(with_missing) == 3
    assert 'train.jsonl line 62: "label" is missing' in capsys.readouterr().err
    lines = (with_missing.parent / "train.jsonl").read_text().splitlines()
    (with_missing.parent / "train.jsonl").write_text("\n".join(lines[:61]) + "\n")
    assert simulate(with_missing) == 0
    assert "Counted as labels, though they look like marks for missing: NA on 1 line." in capsys.readouterr().err
    assert learned(with_missing) == {"NA": 1, "no": 30, "yes": 30}
    with_missing.write_text(with_missing.read_text().replace("[data]\n", '[data]\nmissing = ["NA"]\n'))
    assert simulate(with_missing, "--force") == 0
    assert (
        "NA"
        not in read_json(with_missing.parent / "results" / "summary.json")["full_supervision"]["bow"]["class_counts"]
    )


def test_it_waits_for_a_cell_that_another_process_has(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = write_simulation(tmp_path, strategies="[strategies.random]", run={"seeds": [1], "batches": 1})
    folder = tmp_path / "results" / "cells" / "random__bow__b5__s1"
    folder.mkdir(parents=True)
    with (folder / ".lock").open("a") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        timer = threading.Timer(1.0, lambda: fcntl.flock(held, fcntl.LOCK_UN))
        timer.start()
        assert simulate(config, "--cell", folder.name) == 0
        assert timer.finished.is_set()
    assert len(cell_lines(config, folder.name)) == 1


def test_it_runs_one_cell_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = write_simulation(tmp_path, run={"batches": 2})
    assert simulate(config, "--cell", "random__bow__b5__s1") == 0
    assert "batch 1, 10 labels: macro-F1" in capsys.readouterr().out
    assert len(cell_lines(config, "random__bow__b5__s1")) == 2
    assert simulate(config, "--cell", "random__bow__b5__s9") == 3
    assert 'no cell "random__bow__b5__s9"' in capsys.readouterr().err


def test_it_runs_on_data_of_the_repository(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = ROOT / "simulations"
    text = (folder / "vellmark-bow.toml").read_text(encoding="utf-8")
    config = tmp_path / "vellmark.toml"
    config.write_text(text.replace("data/", f"{folder}/data/").replace("../var/simulations", str(tmp_path)))
    assert simulate(config, "--cell", "entropy__bow__b40__s13") == 0
    assert "batch 5, 240 labels: macro-F1" in capsys.readouterr().out


def test_it_has_ready_configurations_that_are_read() -> None:
    from al_worker.core.simulation.config import read_simulation

    found = sorted((ROOT / "simulations").glob("*.toml"))
    names = ["full-supervision", "minilm-learning-rate", "tdw-an-10-bow", "tdw-an-25-bow", "tdw-an-25-minilm"]
    assert [path.stem for path in found] == [*names, "vellmark-bow"]
    assert read_simulation(found[-1]).train_file == ROOT / "simulations" / "data" / "vellmark-train.jsonl"
    shared_file("tdw")
    for path in found:
        settings = read_simulation(path)
        assert settings.train_file.is_file() and settings.results.parent == ROOT / "var" / "simulations"
