"""What records tell of the machine, and what not."""

import json
import platform
from pathlib import Path

import pytest

from al_worker.core.run import machine
from al_worker.formats.run_directory import read_json
from tests.core.run_dirs import core, sentences, write_run


def test_a_record_names_no_host_and_no_kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "node", lambda: "adas-laptop")
    run = write_run(tmp_path / "run", strategy="random", pool=sentences(30))
    assert core("round", run) == 0
    record = read_json(run / "record.json")
    assert record["machine"] == machine.machine_facts()
    assert record["machine"]["system"] == platform.system()
    text = json.dumps(record)
    assert platform.release() not in text and "adas-laptop" not in text
    assert record["versions"]["python"] == platform.python_version()


def test_the_processor_is_named_where_the_system_tells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    info = tmp_path / "cpuinfo"
    monkeypatch.setattr(machine, "CPU_INFO", info)
    info.write_text("processor\t: 0\nmodel\t\t: 85\nmodel name\t: Some Processor @ 2.00GHz\n\nmodel name\t: Some\n")
    assert machine.processor_name() == "Some Processor @ 2.00GHz"
    info.write_text("processor\t: 0\nBogoMIPS\t: 50.00\n")
    assert machine.processor_name() == ""
