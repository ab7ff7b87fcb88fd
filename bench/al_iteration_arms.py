"""Run one arm of bench/al_iteration.py in a process of its own, and print a JSON object on the last line.

The arms are `ours-train`, `ours-iteration`, `ours-predict`, `peer-train` and `peer-score`. The peer's calls are those
of small-text's own documentation.
"""

import argparse
import io
import json
import resource
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from al_worker.formats.run_directory import LABELED, MODEL, POOL, read_config, read_items, read_json

SECONDS: dict[str, float] = {}
CPU: dict[str, float] = {}


@contextmanager
def clock(name: str) -> Iterator[None]:
    wall, cpu = time.perf_counter(), time.process_time()
    yield
    SECONDS[name] = SECONDS.get(name, 0.0) + time.perf_counter() - wall
    CPU[name] = CPU.get(name, 0.0) + time.process_time() - cpu


def main() -> None:
    arguments = _arguments()
    if arguments.peer:
        sys.path.append(str(arguments.peer))
    found = globals()[arguments.arm.replace("-", "_")](arguments)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(json.dumps({**found, "seconds": SECONDS, "cpu": CPU, "peak_rss_mib": peak}))


def ours_train(arguments: argparse.Namespace) -> dict[str, Any]:
    pipeline = _pipeline(arguments)
    with clock("train"):
        pipeline.encode()
        pipeline.train()
    return {"n": len(read_items(arguments.run / LABELED))}


def ours_iteration(arguments: argparse.Namespace) -> dict[str, Any]:
    """Tokenise into an empty cache, score and select, with the product's own steps and files."""
    pipeline = _pipeline(arguments, force=True)
    with clock("tokenise"):
        pipeline.encode()
    with clock("score"):
        pipeline.score()
    with clock("select"):
        pipeline.select()
    return {"n": read_json(arguments.run / "steps" / "score.json")["facts"]["n_texts"]}


def ours_predict(arguments: argparse.Namespace) -> dict[str, Any]:
    from al_worker.core.backends.registry import backend_for
    from al_worker.core.run.progress import Progress

    setup = _pipeline(arguments).setup
    backend = backend_for(replace(setup, training=replace(setup.training, precision=arguments.precision)))
    texts, quiet = _texts(arguments), Progress("score", stream=io.StringIO())
    distinct = list(dict.fromkeys(texts))
    with clock("tokenise"):
        backend.encode(distinct, quiet)
    with clock("score"):
        found = backend.predict(arguments.run / MODEL, distinct, "", arguments.out.with_suffix(".shards"), quiet)
    row_of = {text: row for row, text in enumerate(distinct)}
    np.savez(arguments.out, logits=found.logits[[row_of[text] for text in texts]])
    return {"n": len(distinct)}


def peer_train(arguments: argparse.Namespace) -> dict[str, Any]:
    """Train the peer by our recipe, as far as it allows: epochs, batch, AdamW with its rate and decay, linear decay.

    There is no early stopping.
    """
    import torch
    from transformers import get_linear_schedule_with_warmup

    items = read_items(arguments.run / LABELED)
    recipe = read_config(arguments.run / "config.toml")["training"]
    clf = _classifier(arguments, arguments.pretrained, int(recipe["epochs"]))
    with clock("tokenise"):
        labels = np.array([int(item.label or 0) for item in items])
        data = _dataset(clf, [item.text for item in items], labels, arguments.max_length)
        few = _dataset(clf, [item.text for item in items[:2]], labels[:2], arguments.max_length)
    optimizer = torch.optim.AdamW(clf.model.parameters(), lr=3e-5, weight_decay=0.05)
    steps = -(-len(items) // arguments.batch) * clf.num_epochs
    schedule = get_linear_schedule_with_warmup(optimizer, num_warmup_steps=0, num_training_steps=steps)
    given = {"early_stopping": "none", "model_selection": "none", "optimizer": optimizer, "scheduler": schedule}
    with clock("train"):
        clf.fit(data, validation_set=few, **given)
    return {"n": len(items)}


def peer_score(arguments: argparse.Namespace) -> dict[str, Any]:
    from small_text import PredictionEntropy

    texts = _texts(arguments)
    clf = _classifier(arguments, str(arguments.run / MODEL), 1)
    predict, kept = clf.predict_proba, {}

    def timed(*given: Any, **more: Any) -> np.ndarray:
        with clock("score"):
            kept["proba"] = predict(*given, **more)
        return kept["proba"]

    with clock("tokenise"):
        data = _dataset(clf, texts, np.zeros(len(texts), dtype=int), arguments.max_length)
    clf.predict_proba = timed
    with clock("query"):
        PredictionEntropy().query(clf, data, np.arange(len(texts)), np.array([], dtype=int), [], n=arguments.query)
    for figures in (SECONDS, CPU):
        figures["select"] = figures.pop("query") - figures["score"]
    np.savez(arguments.out, proba=kept["proba"])
    return {"n": len(texts)}


def _classifier(arguments: argparse.Namespace, model: str, epochs: int) -> Any:
    """Return the peer's classifier with its model loaded."""
    import torch
    import transformers
    from transformers import PreTrainedTokenizerBase

    torch.set_num_threads(arguments.threads)
    if not hasattr(PreTrainedTokenizerBase, "encode_plus"):
        # transformers 5 dropped the older name of this call.
        PreTrainedTokenizerBase.encode_plus = PreTrainedTokenizerBase.__call__
    transformers.utils.logging.disable_progress_bar()
    _take_no_tensorflow()
    from small_text import TransformerBasedClassification, TransformerModelArguments

    clf = TransformerBasedClassification(
        TransformerModelArguments(model), 2, num_epochs=epochs, mini_batch_size=arguments.batch, device="cpu"
    )
    clf.initialize_transformer(str(arguments.run.parent / "peer-cache"))
    return clf


def _take_no_tensorflow() -> None:
    """Remove the argument `from_tf`, which the peer passes as False and transformers 5 does not know."""
    import transformers

    load = transformers.AutoModelForSequenceClassification.from_pretrained

    def without(*given: Any, **more: Any) -> Any:
        if more.pop("from_tf", False):
            raise ValueError("TensorFlow weights are not read")
        return load(*given, **more)

    transformers.AutoModelForSequenceClassification.from_pretrained = without


def _dataset(clf: Any, texts: list[str], labels: np.ndarray, max_length: int) -> Any:
    from small_text import TransformersDataset

    return TransformersDataset.from_arrays(
        texts, labels, clf.tokenizer, target_labels=np.arange(2), max_length=max_length
    )


def _texts(arguments: argparse.Namespace) -> list[str]:
    return [item.text for item in read_items(arguments.run / POOL)][arguments.first : arguments.last]


def _pipeline(arguments: argparse.Namespace, force: bool = False) -> Any:
    # Libraries are loaded before any clock runs, as in the peer's arms.
    import al_worker.core.backends.encoder  # noqa: F401
    from al_worker.core.pipeline import Pipeline

    return Pipeline(run=arguments.run, cache=arguments.cache, form="json", force=force)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("arm", choices=("ours-train", "ours-iteration", "ours-predict", "peer-train", "peer-score"))
    parser.add_argument("run", type=Path)
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--peer", type=Path)
    parser.add_argument("--pretrained", default="")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--precision", default="fp32")
    for name, default in (
        ("first", 0), ("last", 10**9), ("max-length", 512), ("batch", 12), ("query", 150), ("threads", 1)
    ):  # fmt: skip
        parser.add_argument(f"--{name}", type=int, default=default)
    return parser.parse_args()


if __name__ == "__main__":
    main()
