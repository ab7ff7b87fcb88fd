from annotation_app.releases.card import About, File, card_markdown
from annotation_app.releases.datasheet import datasheet_read
from annotation_app.models import *
from tests.agreement.tables import Said, at, fill
from tests.api.test_insights import round_of
from tests.conftest import People

WORKED = {"i1": "YYY", "i2": "NNN", "i3": "AAN", "i4": "YNA", "i5": "YYN"}

def show(people):
    sheet = datasheet_read(project=people.project)
    about = About("P 1. #", "d", 1, "", None, None, {}, [File("data/aggregated.jsonl", 3)])
    print(card_markdown(about=about, sheet=sheet, head="---\nx: 1\n---"))

def test_empty(people: People) -> None:
    show(people)

def test_p(people: People) -> None:
    round_of(people, fill(people.project, people.annotators, at("opinion", WORKED)), "random")
    round_of(people, fill(people.project, people.annotators, {"j1": [Said({"opinion":"yes","mp":"no"}), Said({}, "skipped"), Said({"opinion": "yes", "mp": "yes", "mp_context": "utterance", "stance_nli": "entailment", "stance_nli_context": "sentence"})], "j2": [Said(state="open")]*3}, number=2), "cal")
    show(people)
