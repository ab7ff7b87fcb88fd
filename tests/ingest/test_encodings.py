"""Encodings of short files, which say little: Western texts are taken for no other script, nor others for Western."""

import pytest

from annotation_app.ingest.encodings import guess

WESTERN = [
    "é",
    "Café au lait, déjà vu, leçon",
    "Das ist für alle schön, Größe",
    "El niño comió mañana ¡Sí!",
    "Coração não é",
    "Città perché più",
    "själv människor svenska bra på ön",
    "Hyvää yötä",
    "Blåbær på øya",
    "“quoted” – it’s about €5 …",
]
OTHERS = [
    ("cp1250", "Příliš žluťoučký kůň úpěl"),
    ("cp1250", "Zażółć gęślą jaźń"),
    ("cp1251", "Банк повысил ставку"),
    ("cp1253", "Η επιτροπή αύξησε τα επιτόκια"),
    ("cp932", "委員会は今日、金利を引き上げました。"),
    ("gb18030", "委员会今天提高了利率"),
]


@pytest.mark.parametrize("text", WESTERN)
def test_a_short_western_text_is_read_as_such(text: str) -> None:
    data = f"id,text\na1,{text}\n".encode("cp1252")
    assert (guess(data).name, guess(data).how) == ("cp1252", "guessed")


@pytest.mark.parametrize(("encoding", "text"), OTHERS)
def test_a_text_of_another_script_is_not_taken_for_western(encoding: str, text: str) -> None:
    data = f"id,text\na1,{text}\n".encode(encoding)
    assert guess(data).name != "cp1252"
