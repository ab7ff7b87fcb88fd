"""Compute ROUGE of generated texts against several references with rouge-score (Marfurt et al. 2022, 4.2)."""

from collections.abc import Sequence

from rouge_score.rouge_scorer import RougeScorer

MEASURES = ("rouge1", "rouge2", "rougeLsum")


def best_rouge(generated: Sequence[str], references: Sequence[Sequence[str]]) -> dict[str, float]:
    """Return ROUGE-1, ROUGE-2 and ROUGE-L as F, with the stemmer, against the best of one reference or more.

    Texts are lists of sentences; ROUGE-L is the one over sentences. The best reference has the largest sum of the three
    values, and the first of equals is taken. A text without words has 0.
    """
    scorer = RougeScorer(MEASURES, use_stemmer=True)
    prediction = "\n".join(generated)
    scores = [scorer.score("\n".join(reference), prediction) for reference in references]
    best = max(scores, key=lambda score: sum(score[measure].fmeasure for measure in MEASURES))
    return {measure: float(best[measure].fmeasure) for measure in MEASURES}
