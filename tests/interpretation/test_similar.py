"""The nearest strings by MiniLM's vectors, computed again a string at a time."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from al_worker.core.__main__ import main
from al_worker.core.backends.loading import load_encoder, load_tokenizer
from al_worker.core.backends.locate import locate_model
from al_worker.formats.models import MINILM

STRINGS = ["cut rates", "held interest rates steady", "lowered rates", "the weather was fine", "kept rates unchanged"]


def vector(text: str) -> np.ndarray:
    source = locate_model(MINILM)
    with torch.inference_mode():
        ids = load_tokenizer(source)(text, return_tensors="pt")
        hidden = load_encoder(source)(**ids).last_hidden_state[0].double().numpy()
    mean = hidden.mean(axis=0)
    return np.asarray(mean / np.linalg.norm(mean))


def test_they_are_the_nearest_by_cosine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "strings.json"
    file.write_text(json.dumps(STRINGS), encoding="utf-8")
    assert main(["similar", str(file), "--encoder", MINILM, "--most", "2"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["encoder"].startswith(MINILM), found["n_cut"]) == (True, 0)
    vectors = np.stack([vector(text) for text in STRINGS])
    cosines = vectors @ vectors.T
    for number, nearest in enumerate(found["nearest"]):
        others = sorted((each for each in range(5) if each != number), key=lambda each: -cosines[number, each])
        assert [each for each, _ in nearest] == others[:2]
        assert [value for _, value in nearest] == pytest.approx(
            [cosines[number, each] for each in others[:2]], abs=1e-3
        )
    assert found["nearest"][0][0][0] == 2

    out = tmp_path / "nearest.json"
    assert main(["similar", str(file), "--most", "2", "--out", str(out), "--progress", "json"]) == 0
    assert json.loads(out.read_text()) == found
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (last["step"], last["fraction"]) == ("similar", 1.0)


@pytest.mark.parametrize("text", ['{"a": 1}', '["a", ""]', "[1]", "["])
def test_it_names_what_is_wrong_in_the_file(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "strings.json"
    file.write_text(text, encoding="utf-8")
    assert main(["similar", str(file)]) == 3
    assert "strings.json" in capsys.readouterr().err
