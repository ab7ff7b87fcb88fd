"""Hold how FilterBERT is trained (Marfurt et al. 2022, 4.3)."""

from dataclasses import dataclass

from al_worker.formats.tables import setting

CHUNKS, SENTENCES = UNITS = ("chunks", "sentences")
F1, ROUGE_2 = MEASURES = ("f1", "rouge2")


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterBertSettings:
    """Hold the table [filterbert]. Defaults are the paper's.

    `unit` is what the model reads at a time: chunks of `chunk_tokens` at most, or a sentence, as the authors' programs
    do. It learns the oracle selection of `selection_budget` of its own tokens. Training stops once `patience` epochs
    in a row have not raised `stop_on` of the validation sources: F1 of the sentences to keep, or ROUGE-2 F1 of what is
    kept within that budget against what the oracle selects, as the authors' programs do.
    """

    unit: str = setting(CHUNKS, choices=UNITS)
    chunk_tokens: int = setting(512, least=8)
    selection_budget: int = setting(512, least=1)
    batch_size: int = setting(5, least=1)
    max_epochs: int = setting(10, least=1)
    patience: int = setting(1, least=1)
    learning_rate: float = setting(1e-3, least=0)
    warmup: float = setting(0.1, least=0, most=1)
    schedule: str = setting("paper", choices=("paper", "code"))
    stop_on: str = setting(F1, choices=MEASURES)
