"""Hold the fixed training recipe as plain data: what the web side displays and the record repeats.

The values of the paper's Table 11 come first. Below them are the choices that the table leaves open.
Each of those has a name, so that a record says everything that was done.
"""

PAPER_TABLE_11: dict[str, int | float] = {
    "epochs": 5,
    "batch_size": 50,
    "learning_rate": 3e-5,
    "weight_decay": 0.05,
    "dropout": 0.1,
    "max_tokens": 512,
}

UNSTATED_CHOICES: dict[str, int | float | bool | str] = {
    "optimizer": "adamw",
    "adam_beta1": 0.9,
    "adam_beta2": 0.999,
    "adam_epsilon": 1e-8,
    "schedule": "linear",
    "warmup_steps": 0,
    "clip_norm": 1.0,
    "decay_bias_and_norm": False,
    "class_weights": "none",
    "dropout_where": "all",
    "pooling": "cls",
}

# How the same arithmetic is executed. This changes speed, memory and the last bits, but not the recipe.
EXECUTION: dict[str, int | str] = {
    "device": "auto",
    "precision": "auto",
    "attention": "sdpa",
    "threads": 0,
    "micro_batch_tokens": 0,
    "score_batch_tokens": 0,
    "shard_sentences": 0,
    "scoring_path": "auto",
}

DEFAULTS: dict[str, int | float | bool | str] = {**PAPER_TABLE_11, **UNSTATED_CHOICES, **EXECUTION}
