"""The stage `train`: train a system's model on what its filter kept."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from al_worker.core.backends.locate import locate_files
from al_worker.core.errors import ModelUnavailable
from al_worker.core.interpretation.models.build import load_generator, markers_of
from al_worker.core.interpretation.models.generator import Generator
from al_worker.core.interpretation.models.text_tokens import continued_tokens
from al_worker.core.interpretation.models.training import CURVES, EpochReport, Example, TrainSettings, train
from al_worker.core.interpretation.run.filtering import filtered_texts
from al_worker.core.interpretation.run.work import StageProgress, Work, at_place, place_of, versions
from al_worker.equivalence.augmentation import Augmented, augmented
from al_worker.formats.interpretation import BART, TRAIN, VALID, filtered_name
from al_worker.formats.run_directory import read_rows
from al_worker.formats.tables import ConfigError
from al_worker.formats.text_form import linearize

MODELS = "models"


def train_stage(work: Work, name: str) -> None:
    """Train the model of a system, and keep the weights of its best epoch in models/NAME."""
    system, settings = work.settings.systems[name], train_settings(work, name)
    files = locate_files(work.settings.model(system.model))
    inputs = {
        "data": work.data_files(),
        "evaluations": work.evaluations_file() if system.augment else "",
        "text_form": asdict(work.settings.text_form),
        "kind": system.kind,
        "model": work.model_files(files.folder),
        "filtered": work.hash_of(work.results / filtered_name(name)),
        "augment": system.augment,
        "settings": asdict(settings),
        "device": work.execution.device_name,
        "versions": versions(),
    }
    work.stage(
        name,
        "train",
        inputs,
        [f"{MODELS}/{name}"],
        lambda progress: _trained(work, name, settings, inputs, progress),
    )
    work.scratch_delete(f"{name}-train", inputs)


def train_settings(work: Work, name: str) -> TrainSettings:
    """Return how a system is trained: its own values, else those of [training], else the kind's."""
    system, table, run = work.settings.systems[name], work.settings.training, work.settings.run
    plain = TrainSettings()
    # The kind's largest rate is given; the others keep the paper's ratio to it.
    largest = plain.rate_pretrained if system.kind == BART else plain.rate_random
    scale = (system.learning_rate or table.learning_rate or largest) / largest
    return TrainSettings(
        seed=run.seed,
        batch_size=table.batch_size,
        max_epochs=system.max_epochs or table.max_epochs,
        patience=table.patience,
        schedule="code" if table.schedule == "code" else "paper",
        max_source_tokens=table.max_source_tokens,
        max_target_tokens=table.max_target_tokens,
        rate_random=plain.rate_random * scale,
        rate_pretrained=plain.rate_pretrained * scale,
        rate_tied=plain.rate_tied * scale,
        device=run.device,
    ).of_kind(system.kind)


def _trained(
    work: Work, name: str, settings: TrainSettings, inputs: dict[str, Any], progress: StageProgress
) -> dict[str, Any]:
    generator = _built(work, name)
    check_room(work, name, generator)
    more = augmentation(work, name)
    read = filtered_texts(work, name)
    training = [*_examples(work, read, TRAIN), *_augmented_examples(work, read, more)]
    validation = list(_examples(work, read, VALID))
    scratch = work.scratch(f"{name}-train", inputs)

    def report(epoch: EpochReport) -> None:
        work.curve(name, [row for _, row in read_rows(scratch / CURVES)])
        progress.report(
            epoch.epoch / settings.max_epochs,
            f"epoch {epoch.epoch} of {settings.max_epochs}, validation loss {epoch.valid_loss:.3f}",
        )

    def on_step(done: int, steps: int) -> None:
        epoch = 1 + (done - 1) * settings.max_epochs // steps
        progress.steps(done, steps, f"epoch {epoch} of {settings.max_epochs}")

    found = train(generator, training, validation, settings, scratch, report, work.stop, on_step)
    generator.save(work.results / MODELS / name)
    work.curve(name, [asdict(epoch) for epoch in found.curves])
    return {
        **asdict(found),
        "parameters": generator.n_parameters,
        "model": generator.facts,
        "max_source_tokens": generator.max_source_tokens,
        "max_target_tokens": generator.max_target_tokens,
        "augmented": {
            "targets": len(more.targets),
            "without": more.without,
            "blocked": more.blocked,
            "unseen": more.unseen,
        },
    }


def _built(work: Work, name: str) -> Generator:
    system = work.settings.systems[name]
    try:
        return load_generator(
            system.kind,
            work.settings.model(system.model),
            markers=markers_of(work.data.linear, work.settings.text_form.style),
            seed=work.settings.run.seed,
        )
    except ModelUnavailable as error:
        raise at_place(place_of(work.settings, name, "model"), error) from error


def check_room(work: Work, name: str, generator: Generator) -> None:
    """Raise ConfigError for what the model, once it is trained, can neither generate nor score."""
    room, most = generator.max_target_tokens, work.settings.generation.max_tokens
    if most > room:
        raise ConfigError(
            f"{work.settings.path.name}: [generation] max_tokens = {most}, and the model of the system {name} takes "
            f"{room}; ask for at most that"
        )
    for number, instance in enumerate(work.data.instances):
        for words in (instance.positive, instance.negative):
            needed = sum(map(len, continued_tokens(generator, instance.prefix, words)))
            if needed > room:
                raise ConfigError(
                    f"instance {number + 1}, of target {instance.target}, has {needed} tokens with its prefix, and the "
                    f"model of the system {name} takes {room}; "
                    'set [instances] prefix = "sentence", or leave the target out'
                )


def augmentation(work: Work, name: str) -> Augmented:
    """Return the further training targets of a system."""
    factor = work.settings.systems[name].augment
    if not factor:
        return augmented((), (), factor, work.settings.run.seed)
    return augmented(work.data.targets, work.data.evaluations, factor, work.settings.run.seed)


def _examples(work: Work, read: dict[str, str], split: str) -> Iterator[Example]:
    """Yield each target of a split with each of its sources."""
    data = work.data
    for target, linear, sources in zip(data.targets, data.linear, data.sources_of, strict=True):
        if target.split == split:
            yield from (Example(read[source], linear) for source in sources)


def _augmented_examples(work: Work, read: dict[str, str], more: Augmented) -> Iterator[Example]:
    sources = dict(zip((target.id for target in work.data.targets), work.data.sources_of, strict=True))
    form = work.settings.text_form
    for target in more.targets:
        linear = linearize(target.text, target.spans, form.style, work.data.outer)
        # Its id is that of its target, and the number in brackets.
        origin = target.id.rpartition(" (augmented ")[0]
        yield from (Example(read[source], linear) for source in sources[origin])
