from pathlib import Path

import pytest

from al_worker.formats.models import BOW_LOGREG, MINILM, MODELS, MODERNBERT, OFFERED, model_folder, model_is_local


def test_it_finds_the_encoder_inside_its_package() -> None:
    folder = model_folder(MINILM)
    assert folder is not None
    assert (folder / "model.safetensors").is_file() and (folder / "tokenizer.json").is_file()


def test_it_finds_a_model_fetched_from_the_hub_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    assert model_folder(MODERNBERT) is None and not model_is_local(MODERNBERT)
    snapshot = tmp_path / "models--answerdotai--ModernBERT-base" / "snapshots" / "abc"
    snapshot.mkdir(parents=True)
    (snapshot / "config.json").write_text("{}")
    assert model_folder(MODERNBERT) is None, "no weights yet"
    (snapshot / "model.safetensors").write_bytes(b"")
    assert model_folder(MODERNBERT) == snapshot and model_is_local(MODERNBERT)


def test_it_takes_a_folder_by_path(tmp_path: Path) -> None:
    assert model_folder(str(tmp_path)) == tmp_path.resolve()
    assert model_folder("") is None and model_folder("../nowhere/else") is None


def test_it_offers_a_baseline_that_needs_no_files() -> None:
    assert BOW_LOGREG in OFFERED and model_is_local(BOW_LOGREG)


def test_it_offers_every_declared_model() -> None:
    assert set(MODELS) <= set(OFFERED)
