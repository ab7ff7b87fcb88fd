"""Compute the metrics of generated texts again, from their definitions and with nothing of the product.

Only the Porter stemmer is shared with rouge-score: both take nltk's.
"""

import random
import re
from collections import Counter
from statistics import fmean, pstdev, stdev
from typing import Any

from nltk.stem.porter import PorterStemmer

CATEGORIES = ("ACT", "ACTOR", "MOTIVE")
WORDS = (
    *("rates", "rate", "rising", "raised", "the", "Fed", "fed", "inflation", "inflationary"),
    *("low", "lower", "economy's", "don't", "3.5", "percent", "yesterday"),
)
MARKER = re.compile(r"\[([A-Z ]+) (START|END)\]")
STEMMER = PorterStemmer()


def texts(seed: int, n: int) -> list[dict[str, Any]]:
    """Make sources with targets and a generated text. Generated texts have faults of every kind."""
    draw = random.Random(seed)
    found = []
    for number in range(n):
        targets = [written(draw, faults=False) for _ in range(draw.randint(1, 3))]
        sentences = [" ".join(draw.choices(WORDS, k=draw.randint(2, 12))) + "." for _ in range(4)]
        found.append(
            {"id": f"s{number}", "targets": targets, "sentences": sentences, "text": written(draw, faults=True)}
        )
    return found


def written(draw: random.Random, faults: bool) -> str:
    """Write one to three standardized sentences with spans that do not overlap."""
    parts = []
    for _ in range(draw.randint(1, 3)):
        inside = []
        for _ in range(draw.randint(1, 4)):
            words = " ".join(draw.choices(WORDS, k=draw.randint(1, 4)))
            category = draw.choice([*CATEGORIES, ""])
            comment = draw.choice(["", f" ({draw.choice(WORDS)})"])
            start, end = f"[{category} START] ", f"{comment} [{category} END]"
            if faults and draw.random() < 0.2:
                start, end = draw.choice([("", end), (start, ""), (start * 2, end)])
            inside.append(f"{start}{words}{end}" if category else words)
        parts.append(f"[STD SENTENCE START] {' '.join(inside)}. [STD SENTENCE END]")
    return " ".join(parts)


def sentences(text: str, markers: bool) -> list[str]:
    cut = re.split(r"(?<=\[STD SENTENCE END\])\s*", text)
    put = (lambda found: f" {found[1].replace(' ', '')}{found[2]} ") if markers else (lambda found: " ")
    return [" ".join(MARKER.sub(put, each).split()) for each in cut if each.strip()]


def tokens(text: str) -> list[str]:
    found = re.findall("[a-z0-9]+", text.lower())
    return [STEMMER.stem(each) if len(each) > 3 else each for each in found]


def f1(hits: int, n_generated: int, n_reference: int) -> float:
    return 2 * hits / (n_generated + n_reference) if hits else 0.0


def rouge_n(generated: list[str], reference: list[str], n: int) -> float:
    def grams(lines: list[str]) -> Counter[tuple[str, ...]]:
        words = tokens(" ".join(lines))
        return Counter(tuple(words[at : at + n]) for at in range(len(words) - n + 1))

    one, other = grams(generated), grams(reference)
    return f1(sum((one & other).values()), sum(one.values()), sum(other.values()))


def common(reference: list[str], generated: list[str]) -> set[int]:
    """Give the places in the reference of one longest common subsequence: the one that rouge-score goes back to."""
    table = [[0] * (len(generated) + 1) for _ in range(len(reference) + 1)]
    for i, one in enumerate(reference, 1):
        for j, other in enumerate(generated, 1):
            table[i][j] = table[i - 1][j - 1] + 1 if one == other else max(table[i - 1][j], table[i][j - 1])
    i, j, places = len(reference), len(generated), set()
    while i and j:
        if reference[i - 1] == generated[j - 1]:
            i, j = i - 1, j - 1
            places.add(i)
        elif table[i][j - 1] > table[i - 1][j]:
            j -= 1
        else:
            i -= 1
    return places


def rouge_lsum(generated: list[str], reference: list[str]) -> float:
    """Count the union of the common subsequences of each reference sentence with all generated ones (Lin 2004, 3.2)."""
    own, theirs = [tokens(each) for each in generated], [tokens(each) for each in reference]
    left_own = Counter(word for each in own for word in each)
    left_theirs = Counter(word for each in theirs for word in each)
    n_own, n_theirs, hits = left_own.total(), left_theirs.total(), 0
    for sentence in theirs:
        for place in sorted(set().union(*(common(sentence, each) for each in own))):
            word = sentence[place]
            if left_own[word] and left_theirs[word]:
                hits += 1
                left_own[word] -= 1
                left_theirs[word] -= 1
    return f1(hits, n_own, n_theirs)


def rouge(text: str, targets: list[str], markers: bool) -> dict[str, float]:
    generated = sentences(text, markers)
    scores = []
    for each in targets:
        reference = sentences(each, markers)
        one, two = (rouge_n(generated, reference, n) for n in (1, 2))
        scores.append({"rouge1": one, "rouge2": two, "rougeLsum": rouge_lsum(generated, reference)})
    return max(scores, key=lambda score: sum(score.values()))


def pairs(lines: list[str]) -> set[str]:
    return {" ".join(words[at : at + 2]) for words in map(str.split, lines) for at in range(len(words) - 1)}


def spans(text: str) -> tuple[Counter[str], int]:
    """Give the closed spans of each category, and how many start markers there are."""
    closed: Counter[str] = Counter()
    is_open: set[str] = set()
    opened = 0
    for category, end in MARKER.findall(text):
        if end == "START":
            opened += 1
            is_open.add(category)
        elif category in is_open:
            is_open.remove(category)
            closed[category] += 1
    return closed, opened


def figures(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Give the means that the command prints, in its form but for limits and n."""
    counted = [spans(row["text"]) for row in rows]
    plain = [pairs(sentences(row["text"], False)) for row in rows]
    novel = [
        len(own - pairs([" ".join(row["sentences"])])) / len(own) for own, row in zip(plain, rows, strict=True) if own
    ]
    names = sorted({name for closed, _ in counted for name in closed})
    return {
        "rouge": {
            name: {
                measure: fmean(rouge(row["text"], row["targets"], markers)[measure] for row in rows)
                for measure in ("rouge1", "rouge2", "rougeLsum")
            }
            for name, markers in (("with_markers", True), ("without_markers", False))
        },
        "distinct_bigrams": len(set().union(*plain)),
        "novel_bigrams": fmean(novel),
        "categories": {
            name: {
                "mean": fmean(closed[name] for closed, _ in counted),
                "population_sd": pstdev(closed[name] for closed, _ in counted),
                "sample_sd": stdev(closed[name] for closed, _ in counted),
            }
            for name in names
        },
        "closed_correctly": fmean(closed.total() / opened for closed, opened in counted if opened),
    }
