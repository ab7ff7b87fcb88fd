"""Bag-of-words logistic regression, the paper's baseline (D.1).

Features are at most 1000 unigrams without stop words, each in at least 5 sentences.
The regression uses L2 with C = 1 and balanced class weights. The model is stored as JSON, never as a pickle.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression

from al_worker.core.backends.base import Example, Predicted
from al_worker.core.errors import NothingToJoin
from al_worker.core.run.config import HeadSettings
from al_worker.core.run.progress import Progress
from al_worker.core.training.heads import MISSING, Unit, ordered_log_p, said_of, units_of
from al_worker.formats.heads import ONE, ORDERED
from al_worker.formats.run_directory import read_json, write_json
from al_worker.formats.words import TOKEN_RULE, without_blanks, words

FILE = "bow.json"
MIN_SENTENCES = 5
MAX_FEATURES = 1000
C = 1.0
MAX_ITERATIONS = 1000
# A label without a training item gets a probability of about 1e-13. It is not zero, so divergences stay finite.
ABSENT_LOGIT = -30.0


class BagOfWords:
    """Train in a second and without files, which also serves tests and simulations."""

    def encode(self, texts: Sequence[str], progress: Progress) -> dict[str, Any]:
        """Do nothing: words are counted when texts are read."""
        progress.report(1.0, "nothing to encode for a bag of words")
        return {}

    def train(
        self, examples: Sequence[Example], heads: Sequence[HeadSettings], folder: Path, progress: Progress
    ) -> dict[str, Any]:
        """Fit and write bow.json: the regressions of all heads on the same words, their coefficients stacked."""
        notices: list[str] = []
        vocabulary, counts = _count_words([example.text for example in examples], notices)
        columns = np.array([example.columns for example in examples])
        units = [(head, unit) for head in heads for unit in units_of(head)]
        fitted = [_fit_unit(head, unit, counts, columns[:, at], notices) for at, (head, unit) in enumerate(units)]
        coefficients, intercept = np.concatenate([w for w, _ in fitted]), np.concatenate([b for _, b in fitted])
        model = {"vocabulary": vocabulary, "coefficients": coefficients.tolist(), "intercept": intercept.tolist()}
        write_json(folder / FILE, model)
        progress.report(0.99, f"{len(vocabulary)} words, {len(examples)} items")
        return {"n_features": len(vocabulary), "notices": notices, "hyperparameters": _hyperparameters()}

    def predict(self, folder: Path, texts: Sequence[str], vector: str, scratch: Path, progress: Progress) -> Predicted:
        """Predict the texts. Vectors are the word counts, whatever kind of vector is asked for."""
        model = read_json(folder / FILE)
        vocabulary: list[str] = model["vocabulary"]
        counts = _vectorizer(vocabulary=vocabulary).transform(texts) if vocabulary else csr_matrix((len(texts), 0))
        intercept = np.array(model["intercept"])
        logits = counts @ np.array(model["coefficients"]).reshape(len(intercept), len(vocabulary)).T + intercept
        vectors = counts.toarray().astype(np.float32) if vector else None
        progress.report(0.99, f"{len(texts)} texts")
        return Predicted(logits.astype(np.float32), vectors, {"n_texts": len(texts)})

    def join(self, folder: Path, texts: Sequence[str], vector: str, scratch: Path, progress: Progress) -> int:
        """Raise NothingToJoin: there is nothing to share."""
        raise NothingToJoin("a bag of words scores in one go: there is no part of it to take over")


def _fit_unit(
    head: HeadSettings, unit: Unit, counts: csr_matrix, columns: NDArray[np.int_], notices: list[str]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return (width, words) coefficients and (width,) intercepts, from the items that have a label at this head."""
    if unit.kind == ONE:
        return _fit_head(head, counts, columns, notices)
    rows = np.flatnonzero(columns != MISSING)
    counts, columns = counts[rows], columns[rows]
    if unit.kind == ORDERED:
        # One regression for each label but the last, on the items of that label and of later ones.
        tasks = [(columns >= low, columns > low) for low in range(unit.width)]
    else:
        tasks = [(columns >= 0, columns > 0)]
    fitted = [_fit_binary(counts[of], above[of]) for of, above in tasks]
    weights, intercepts = np.stack([each for each, _ in fitted]), np.array([each for _, each in fitted])
    if len(set(columns.tolist())) == 1 or not counts.shape[1]:
        # One regression alone is the ordered case with two labels.
        always = unit.labels[int(ordered_log_p(intercepts[np.newaxis]).argmax())]
        notices.append(said_of(head, f'the model predicts "{always}" for everything: nothing to tell apart'))
    return weights, intercepts


def _fit_binary(counts: csr_matrix, targets: NDArray[np.bool_]) -> tuple[NDArray[np.float64], float]:
    """Return the coefficients and the intercept of one regression. Without two classes or words it is constant."""
    if len(set(targets.tolist())) == 2 and counts.shape[1]:
        fitted = LogisticRegression(C=C, class_weight="balanced", max_iter=MAX_ITERATIONS).fit(counts, targets)
        return fitted.coef_[0], float(fitted.intercept_[0])
    more_often = len(targets) > 0 and targets.mean() > 0.5
    return np.zeros(counts.shape[1]), -ABSENT_LOGIT if more_often else ABSENT_LOGIT


def _fit_head(
    head: HeadSettings, counts: csr_matrix, columns: NDArray[np.int_], notices: list[str]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return (C, words) coefficients and (C,) intercepts, from the items that have a label at this head.

    One class, or no usable word, gives a constant prediction and a notice.
    """
    rows = np.flatnonzero(columns != MISSING)
    counts, columns = counts[rows], columns[rows]
    present = sorted(set(columns.tolist()))
    coefficients = np.zeros((len(head.labels), counts.shape[1]))
    intercept = np.full(len(head.labels), ABSENT_LOGIT)
    if len(present) == 1 or not counts.shape[1]:
        always = _most_frequent(columns)
        intercept[always] = 0.0
        text = f'the model predicts "{head.labels[always]}" for everything: nothing to tell apart'
        notices.append(said_of(head, text))
    else:
        fitted = LogisticRegression(C=C, class_weight="balanced", max_iter=MAX_ITERATIONS).fit(counts, columns)
        _spread(fitted, present, coefficients, intercept)
    return coefficients, intercept


def _vectorizer(**settings: Any) -> CountVectorizer:
    return CountVectorizer(stop_words="english", tokenizer=_words, token_pattern=None, **settings)


def _words(text: str) -> list[str]:
    """Return the words of two letters or more, as scikit-learn does. In scripts without blanks, return all words."""
    return [word for word in words(text) if len(word) > 1 or without_blanks(word)]


def _count_words(texts: Sequence[str], notices: list[str]) -> tuple[list[str], csr_matrix]:
    for least in (MIN_SENTENCES, 1):
        vectorizer = _vectorizer(min_df=least, max_features=MAX_FEATURES)
        if len(texts) < least or not _has_words(texts, least):
            continue
        counts = vectorizer.fit_transform(texts)
        if least != MIN_SENTENCES:
            notices.append(
                f"no word stands in {MIN_SENTENCES} training items: all words were used (min_df 1 instead of 5)"
            )
        return list(vectorizer.get_feature_names_out()), counts
    return [], csr_matrix((len(texts), 0))


def _has_words(texts: Sequence[str], least: int) -> bool:
    analyse = _vectorizer().build_analyzer()
    seen: dict[str, int] = {}
    for text in texts:
        for word in set(analyse(text)):
            seen[word] = seen.get(word, 0) + 1
    return any(count >= least for count in seen.values())


def _most_frequent(columns: NDArray[np.int_]) -> int:
    return int(np.bincount(columns).argmax())


def _spread(
    fitted: LogisticRegression, present: list[int], coefficients: NDArray[np.float64], intercept: NDArray[np.float64]
) -> None:
    if len(present) == 2:  # there is one decision function: the first label's logit is zero
        coefficients[present[1]], intercept[present[1]] = fitted.coef_[0], fitted.intercept_[0]
        intercept[present[0]] = 0.0
        return
    coefficients[present], intercept[present] = fitted.coef_, fitted.intercept_


def _hyperparameters() -> dict[str, Any]:
    return {
        "features": "unigrams without English stop words",
        "words": TOKEN_RULE,
        "min_df": MIN_SENTENCES,
        "max_features": MAX_FEATURES,
        "C": C,
        "penalty": "l2",
        "class_weight": "balanced",
        "max_iter": MAX_ITERATIONS,
    }
