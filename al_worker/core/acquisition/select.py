"""The select step: from scores to the ordered batch. It reads the JSONL files and, if needed, predictions."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from al_worker.core.acquisition.combine import combine, distributions, head_inputs
from al_worker.core.acquisition.inputs import Floats, Greedy, Inputs
from al_worker.core.acquisition.ngram_cache import NgramCache
from al_worker.core.acquisition.ranking import Pick, in_rank_order, random_draw, take, text_key
from al_worker.core.acquisition.registry import NOTICES, REGISTRY
from al_worker.core.errors import NonFiniteScores, NotEnoughLabels, PoolExhausted
from al_worker.core.evaluation.figures import uncertainty
from al_worker.core.run.config import HeadSettings, RoundSettings, RunConfig, StrategySettings
from al_worker.core.run.progress import Progress
from al_worker.core.scoring.predictions import check_heads, read_arrays, read_part, write_arrays
from al_worker.core.training.heads import blocks, label_at, said_of
from al_worker.formats.run_directory import (
    ISSUED,
    LABELED,
    METRICS,
    POOL,
    PREDICTIONS,
    SCORES,
    SELECTED,
    Item,
    Selected,
    read_items,
    read_json,
    write_selected,
)
from al_worker.formats.strategies import check_options
from al_worker.formats.ties import tie_key


def select(run: Path, config: RunConfig, progress: Progress, cache: Path | None = None) -> dict[str, Any]:
    """Write scores.npz and selected.jsonl. Return what the record says about the step.

    `cache` is a folder that may save time; it does not change the result.
    Raises PoolExhausted, NotEnoughLabels, NonFiniteScores, PredictionsMismatch.
    """
    settings, heads = config.round, config.scored_heads
    strategy, stand_in = strategy_in_use(run, config.strategy)
    labeled, issued = read_items(run / LABELED), read_items(run / ISSUED)
    pool = eligible(read_items(run / POOL), labeled, issued)
    progress.report(0.1, f"{len(pool)} items to choose from")
    inputs = _inputs(run, config, strategy, pool, labeled, issued)
    ngrams = None if cache is None else NgramCache(cache)
    if ngrams is not None:
        inputs = replace(inputs, make_ngram_table=ngrams.table)
    scored = strategy_scores(strategy, inputs, pool, _by_head(strategy, heads, inputs, labeled))
    progress.report(0.8, "scores computed")
    picks = choose(settings, scored, inputs, pool)
    write_arrays(run / SCORES, {"ids": np.array([item.id for item in pool]), "scores": scored.scores})
    chosen = [Selected(pool[p.index].id, rank, p.score, p.source) for rank, p in enumerate(picks, start=1)]
    write_selected(run / SELECTED, chosen)
    kept = {"gram_index": ngrams.outcome} if ngrams is not None and ngrams.outcome else {}
    facts = _facts(settings, strategy, heads, pool, labeled, picks)
    facts["notices"] = stand_in + facts["notices"]
    return {"strategy_used": strategy.name} | facts | _uncertainty(heads, inputs, picks) | kept


def strategy_in_use(run: Path, strategy: StrategySettings) -> tuple[StrategySettings, list[str]]:
    """Return the strategy that selects, and notices where it is not the one asked for.

    Where the model is not informative at any head, the alternative that [strategy] allows takes its place.
    """
    if not strategy.alternative or not strategy.declaration.needs_model:
        return strategy, []
    if not (run / METRICS).is_file():
        return strategy, [f"{METRICS} is missing, so whether the model is informative was not checked"]
    metrics = read_json(run / METRICS)
    measured = metrics.get("heads") or {"": metrics}
    if any(figures["informative"] for figures in measured.values()):
        return strategy, []
    used = strategy.alternative
    said = f"asked for {strategy.name}, used {used}: the model is not informative yet, and the round allows it"
    return StrategySettings(name=used, options=check_options(used, {})), [said]


def eligible(pool: Sequence[Item], labeled: Sequence[Item], issued: Sequence[Item]) -> list[Item]:
    """Return the items of the pool that were never handed out. Raises PoolExhausted if there are none."""
    handed_out = {item.id for item in labeled} | {item.id for item in issued}
    left = [item for item in pool if item.id not in handed_out]
    if not left:
        raise PoolExhausted(f"all {len(pool)} items of {POOL} have been handed out; import more text or stop here")
    return left


def strategy_scores(
    strategy: StrategySettings, inputs: Inputs, pool: Sequence[Item], by_head: Sequence[Sequence[Inputs]] = ()
) -> Greedy:
    """Return the scores of the whole pool and the order that they give. Scores of several heads are combined.

    Raises NonFiniteScores.
    """
    found = _scores_of_heads(strategy, by_head) if by_head else REGISTRY[strategy.name](inputs, strategy.options)
    scores = found.scores if isinstance(found, Greedy) else found
    bad = np.flatnonzero(~np.isfinite(scores))
    if len(bad):
        raise NonFiniteScores(
            f'strategy "{strategy.name}" gave {len(bad)} scores that are NaN or infinite, the first for '
            f'"{pool[bad[0]].id}"; nothing was selected'
        )
    return found if isinstance(found, Greedy) else Greedy(scores, lambda taken: in_rank_order(scores, inputs.pool_keys))


def _scores_of_heads(strategy: StrategySettings, by_head: Sequence[Sequence[Inputs]]) -> Floats:
    of_heads = []
    for parts in by_head:
        found = [REGISTRY[strategy.name](inputs, strategy.options) for inputs in parts]
        of_heads.append(combine([scores for scores in found if not isinstance(scores, Greedy)], "sum"))
    return combine(of_heads, strategy.combine)


def _by_head(
    strategy: StrategySettings, heads: Sequence[HeadSettings], inputs: Inputs, labeled: Sequence[Item]
) -> list[list[Inputs]]:
    """Return the inputs of each head's strategy, one for each of the head's distributions.

    One that compares with labelled items sees those that have a label at that head. Raises NotEnoughLabels where there
    are none.
    """
    if not strategy.declaration.needs_model:
        return []
    compares, parts = strategy.declaration.needs_labels, []
    for head, columns in blocks(heads):
        known = np.array([label_at(head, item) is not None for item in labeled], dtype=np.bool_)
        if compares and not known.any():
            raise NotEnoughLabels(f'{LABELED} holds no label for the head "{head.name}"; take it out of [[heads]]')
        parts.append([*distributions(head, head_inputs(inputs, columns, known if compares else None))])
    return parts


def choose(settings: RoundSettings, scored: Greedy, inputs: Inputs, pool: Sequence[Item]) -> list[Pick]:
    """Return the ordered batch: the strategy's items first, then the random share.

    The random share is drawn from the whole pool.
    """
    size = min(settings.query_size, len(pool))
    text_keys = [text_key(item.text) for item in pool] if settings.no_duplicate_texts else None
    drawn = _random_share(settings, scored.scores, pool, size, text_keys)
    taken = {pick.index for pick in drawn}
    return take(scored.picks(frozenset(taken)), size - len(drawn), taken, text_keys) + drawn


def _random_share(
    settings: RoundSettings, scores: Floats, pool: Sequence[Item], size: int, text_keys: Sequence[str] | None
) -> list[Pick]:
    wanted = int(settings.random_share * size + 0.5)
    if wanted == 0:
        return []
    order = random_draw([item.id for item in pool], settings.random_state, settings.number)
    drawn = take(((index, float(scores[index])) for index in order), wanted, set(), text_keys)
    return [Pick(pick.index, pick.score, "random") for pick in drawn]


def _inputs(
    run: Path,
    config: RunConfig,
    strategy: StrategySettings,
    pool: Sequence[Item],
    labeled: Sequence[Item],
    issued: Sequence[Item],
) -> Inputs:
    settings = config.round
    pool_keys = _keys(settings, [item.id for item in pool])
    texts = [item.text for item in pool]
    read = [item.text for item in (*labeled, *issued)]
    if not strategy.declaration.needs_model:
        return Inputs(pool_texts=texts, pool_keys=pool_keys, issued_texts=read)
    arrays = read_arrays(run / PREDICTIONS)
    vectors, compares = strategy.declaration.needs_vectors, strategy.declaration.needs_labels
    check_heads(arrays, config.heads)
    if compares and not labeled:
        raise NotEnoughLabels(f'strategy "{strategy.name}" compares with labelled items and {LABELED} is empty')
    labeled_ids, sizes = [item.id for item in labeled], config.label_counts
    of_pool = read_part(arrays, "pool", [item.id for item in pool], vectors=vectors, sizes=sizes)
    of_labeled = read_part(arrays, "labeled", labeled_ids, vectors=vectors, sizes=sizes) if compares else None
    return Inputs(
        pool_texts=texts,
        pool_keys=pool_keys,
        issued_texts=read,
        labeled_keys=_keys(settings, labeled_ids),
        pool_logits=of_pool.logits,
        pool_vectors=of_pool.vectors,
        labeled_logits=of_labeled.logits if of_labeled else None,
        labeled_vectors=of_labeled.vectors if of_labeled else None,
    )


def _keys(settings: RoundSettings, ids: Sequence[str]) -> np.ndarray:
    if settings.tie == "id":
        return np.array([f"{position:012d}" for position in range(len(ids))], dtype=np.bytes_)
    return np.array([tie_key(settings.random_state, settings.number, item_id) for item_id in ids], dtype=np.bytes_)


def _facts(
    settings: RoundSettings,
    strategy: StrategySettings,
    heads: Sequence[HeadSettings],
    pool: Sequence[Item],
    labeled: Sequence[Item],
    picks: Sequence[Pick],
) -> dict[str, Any]:
    n_random = sum(pick.source == "random" for pick in picks)
    return {
        "n_pool": len(pool),
        "n_selected": len(picks),
        "n_random_share": n_random,
        "random_share_inclusion_probability": n_random / len(pool),
        "notices": [
            *_notices(settings, len(pool), len(picks)),
            *_labels_notices(strategy, heads, labeled),
        ],
    }


def _uncertainty(heads: Sequence[HeadSettings], inputs: Inputs, picks: Sequence[Pick]) -> dict[str, Any]:
    """Return the batch's mean entropy divided by its maximum, from 0 to 1; by head where heads have names.

    The result is empty where no model chose.
    """
    if inputs.pool_logits is None:
        return {}
    logits = inputs.pool_logits[[pick.index for pick in picks]]
    found = {head.name: _mean_uncertainty(head, logits[:, columns]) for head, columns in blocks(heads)}
    if not found:
        found[""] = _mean_uncertainty(HeadSettings(name="", labels=()), logits)
    return {"selected_entropy_over_ln_c": found.get("", found)}


def _mean_uncertainty(head: HeadSettings, logits: Floats) -> float:
    return float(uncertainty(head, logits).mean())


def _notices(settings: RoundSettings, n_pool: int, n_picks: int) -> list[str]:
    notices = []
    if n_pool < settings.query_size:
        notices.append(f"the pool holds {n_pool} items, fewer than the {settings.query_size} asked for: all were taken")
    elif n_picks < settings.query_size:
        notices.append(
            f"only {n_picks} items of distinct text are left in the pool; {settings.query_size} were asked for"
        )
    return notices


def _labels_notices(
    strategy: StrategySettings, heads: Sequence[HeadSettings], labeled: Sequence[Item]
) -> Iterator[str]:
    """Yield what the strategy says of the labelled items that it compares with, head by head."""
    notice = NOTICES.get(strategy.name)
    for head in heads or [HeadSettings(name="", labels=())]:
        n = sum(not head.name or label_at(head, item) is not None for item in labeled)
        if notice is not None and (said := notice(strategy.options, n)):
            yield said_of(head, said)
