"""Make sources and targets for `interpret` from press conferences and minutes of the same meetings, with silver spans.

    python simulations/interpretation_study.py --conferences ../shared/data/fomc-pressconf \\
        --pool ../shared/data/fomc-pool/pool.jsonl.gz --out var/interpretation

A source is an answer of the chair. A target is a sentence of the minutes of the same meeting, which a rule marks:
nobody has annotated or checked it. Each sentence goes to the answer that is most like it by TF-IDF. The last meetings
are the test, and those before them the validation. The output is always the same for the same input:

- sources.jsonl, targets.jsonl and evaluations.json;
- few-targets.jsonl, which has every fourth training target, for a model that is slow to train;
- other-sources.jsonl, where each source has the text of an answer of another meeting, as a control;
- small/, the shape of a small Transformer with a tokenizer of the training texts.

docs/methods/interpretation_study.md has the results.
"""

import argparse
import gzip
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from sklearn.feature_extraction.text import TfidfVectorizer
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from transformers import BertConfig, PreTrainedTokenizerFast

# Answers and sentences outside these numbers of words are left out.
ANSWER_WORDS, SENTENCE_WORDS = (60, 400), (8, 45)
SHARES = {"test": 0.15, "valid": 0.1}
DIRECTIONS = {
    "Up": "rose|had risen|increased|had increased|picked up|had picked up|moved up|had moved up|strengthened",
    "Down": "fell|had fallen|declined|had declined|decreased|had decreased|moved down|weakened|slowed|had slowed",
    "Unchanged": "was unchanged|were unchanged|remained low|remained elevated|remained stable|were little changed"
    "|was little changed|remained strong|remained subdued",
}
SCOPES = {
    "near": "in coming months|over coming months|in the near term|in coming quarters|at this meeting",
    "year": "this year|next year|later this year|in the second half of the year|over the past year",
    "long": "over time|over the medium term|over the longer run|in the longer run|over the next few years",
}
ACTORS = {
    "participants": "participants|some participants|many participants|most participants|several participants",
    "members": "members|most members|all members|a few members|several members",
    "staff": "the staff",
}
# All members are in the simple past, so that grammar does not tell the classes apart.
SIMPLE_PAST = {
    "Up": "rose|increased|picked up|moved up|strengthened",
    "Down": "fell|declined|decreased|moved down|weakened|slowed",
}
# Training targets have the two about equally often, 287 and 272 times, so that frequency does not tell them apart.
MATCHED = {"Up": "rose", "Down": "declined"}
# The small Transformer: a vocabulary of byte pairs, two layers each in encoder and decoder.
TOKENS, WIDTH, LAYERS, HEADS, POSITIONS = 4000, 128, 2, 4, 256
SPECIAL = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
ACTOR = re.compile(rf"^({'|'.join(each for group in ACTORS.values() for each in group.split('|'))})\b", re.IGNORECASE)
DIRECTION, SCOPE = (
    re.compile(
        rf"\b({'|'.join(sorted((each for group in groups.values() for each in group.split('|')), key=len)[::-1])})\b"
    )
    for groups in (DIRECTIONS, SCOPES)
)


def main() -> None:
    arguments = _arguments()
    meetings = dict(_answers(arguments.conferences))
    sentences = dict(_sentences(arguments.pool, set(meetings)))
    days = sorted(sentences)
    n_test, n_valid = (round(len(days) * share) for share in SHARES.values())
    splits = ["train"] * (len(days) - n_test - n_valid) + ["valid"] * n_valid + ["test"] * n_test
    sources, targets = [], []
    for day, split in zip(days, splits, strict=True):
        own = list(_targets(day, split, meetings[day], sentences[day]))
        used = {each["sources"][0] for each in own}
        sources += [each for each in meetings[day] if each["id"] in used]
        targets += own
    arguments.out.mkdir(parents=True, exist_ok=True)
    counts = {split: sum(each["split"] == split for each in targets) for split in ("train", "valid", "test")}
    split_of = {each["sources"][0]: each["split"] for each in targets}
    others = [other for split in ("train", "valid", "test") for other in _others(sources, split, split_of)]
    quarter = targets[: counts["train"] : 4] + targets[counts["train"] :]
    for name, rows in (("sources", sources), ("other-sources", others), ("targets", targets), ("few-targets", quarter)):
        lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (arguments.out / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    (arguments.out / "evaluations.json").write_text(json.dumps(list(_evaluations()), indent=2) + "\n")
    learnt = [each["text"] for each in targets if each["split"] == "train"]
    learnt += [" ".join(each["sentences"]) for each in sources if split_of[each["id"]] == "train"]
    _small_model(arguments.out / "small", learnt)
    print(f"{len(days)} meetings, {len(sources)} sources, targets: {counts}")


def silver_spans(text: str) -> list[dict[str, Any]]:
    """Return the spans that the rule marks: the sentence, who speaks, the first direction, and the first time."""
    found = [_span(0, len(text), "STD SENTENCE", None)]
    if actor := ACTOR.search(text):
        found.append(_span(*actor.span(), "ACTOR", None))
    if direction := DIRECTION.search(text):
        comment = next(name for name, group in DIRECTIONS.items() if direction[0] in group.split("|"))
        found.append(_span(*direction.span(), "DIRECTION", comment))
    if scope := SCOPE.search(text):
        found.append(_span(*scope.span(), "SCOPE", None))
    return found


def _span(start: int, end: int, category: str, comment: str | None) -> dict[str, Any]:
    return {"start": start, "end": end, "category": category, "comment": comment}


def _answers(folder: Path) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield each meeting's day, and the chair's turns of a useful length as sources."""
    speakers = json.loads((folder / "speakers.json").read_text(encoding="utf-8"))
    found: dict[str, list[dict[str, Any]]] = {}
    for line in (folder / "utterances.jsonl").read_text(encoding="utf-8").split("\n"):
        if not line:
            continue
        turn = json.loads(line)
        is_chair = speakers[turn["speaker"]]["meta"].get("chair")
        if is_chair and ANSWER_WORDS[0] <= len(turn["text"].split()) <= ANSWER_WORDS[1]:
            parts = [part for part in re.split(r"(?<=[.?!])\s+", turn["text"]) if part.strip()]
            day = turn["conversation_id"]
            found.setdefault(day, []).append({"id": turn["id"], "title": f"Answer {turn['id']}", "sentences": parts})
    yield from found.items()


def _sentences(pool: Path, days: set[str]) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Yield each meeting's day, and the useful sentences of its minutes."""
    found: dict[str, list[tuple[str, str]]] = {}
    with gzip.open(pool, "rt", encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            day = row["document_id"].removeprefix("minutes-")
            text = " ".join(row["text"].split())
            fits = SENTENCE_WORDS[0] <= len(text.split()) <= SENTENCE_WORDS[1]
            if row["document_id"] == f"minutes-{day}" and day in days and fits and _is_useful(text):
                found.setdefault(day, []).append((row["id"], text))
    yield from found.items()


def _is_useful(text: str) -> bool:
    """Return whether a sentence has a direction, or who speaks and a time."""
    return DIRECTION.search(text) is not None or len(silver_spans(text)) > 2


def _targets(
    day: str, split: str, answers: Sequence[Mapping[str, Any]], sentences: Sequence[tuple[str, str]]
) -> Iterator[dict[str, Any]]:
    """Yield the sentences of a meeting, each with the answer that is most like it."""
    texts = [" ".join(each["sentences"]) for each in answers]
    vectors = TfidfVectorizer(stop_words="english", sublinear_tf=True).fit([*texts, *(text for _, text in sentences)])
    likeness = vectors.transform([text for _, text in sentences]) @ vectors.transform(texts).T
    nearest = likeness.toarray().argmax(axis=1)
    for (name, text), at in zip(sentences, nearest, strict=True):
        yield {"id": name, "sources": [answers[at]["id"]], "split": split, "text": text, "spans": silver_spans(text)}


def _others(sources: Sequence[Mapping[str, Any]], split: str, split_of: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Yield the sources of a split, each with the text of the one half a split away, which is of another meeting."""
    own = [each for each in sources if split_of[each["id"]] == split]
    for at, source in enumerate(own):
        other = own[(at + len(own) // 2) % len(own)]
        if other["id"].split("_")[0] == source["id"].split("_")[0]:
            raise SystemExit(f"one meeting has half of the split {split} or more; give more meetings")
        yield {**source, "sentences": other["sentences"]}


def _small_model(folder: Path, texts: Sequence[str]) -> None:
    """Write the configuration of a small Transformer, and a tokenizer of byte pairs that these texts teach."""
    tokenizer = Tokenizer(models.BPE(unk_token=SPECIAL["unk_token"]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    special = list(SPECIAL.values())
    trainer = trainers.BpeTrainer(
        vocab_size=TOKENS,
        special_tokens=special,
        show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )
    tokenizer.train_from_iterator(texts, trainer)
    framed = [(name, special.index(name)) for name in ("[CLS]", "[SEP]")]
    tokenizer.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=framed)
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, **SPECIAL).save_pretrained(folder)
    BertConfig(
        vocab_size=tokenizer.get_vocab_size(),
        hidden_size=WIDTH,
        num_hidden_layers=LAYERS,
        num_attention_heads=HEADS,
        intermediate_size=4 * WIDTH,
        max_position_embeddings=POSITIONS,
    ).save_pretrained(folder)


def _evaluations() -> Iterator[dict[str, Any]]:
    for category, groups in (("direction", DIRECTIONS), ("scope", SCOPES), ("actor", ACTORS)):
        classes = [group.split("|") for group in groups.values()]
        if category == "actor":
            classes = [[each[:1].upper() + each[1:] for each in members] for members in classes]
        yield {"annotation": category, "evaluation": category, "equivalence_classes": classes}
    for name, groups in (("past", SIMPLE_PAST), ("matched", MATCHED)):
        classes = [group.split("|") for group in groups.values()]
        yield {"annotation": "direction", "evaluation": f"direction {name}", "equivalence_classes": classes}
    # The words decide the label, whatever the source says. So it is apart from the others, among those in depth.
    labels = {"equivalence_classes": [[name] for name in DIRECTIONS], "in_depth": True}
    yield {"annotation": "direction", "evaluation": "direction label", **labels}


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--conferences", type=Path, required=True, help="the folder of the ConvoKit corpus")
    parser.add_argument("--pool", type=Path, required=True, help="the sentences of the minutes, gzipped JSONL")
    parser.add_argument("--out", type=Path, required=True)
    return parser.parse_args()


if __name__ == "__main__":
    main()
