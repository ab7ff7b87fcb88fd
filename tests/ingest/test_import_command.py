"""manage.py import_corpus: in place, with progress, report and exit code."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation_app.models import CodebookVersion, Import, Item, Membership, Project
from tests.conftest import People
from tests.ingest.database import database_url

pytestmark = pytest.mark.django_db(transaction=True)
ROOT = Path(__file__).resolve().parents[2]
ROWS = '{"id": "a", "text": "Two words here, or five."}\n{"id": "b", "text": "No."}\n'


@pytest.fixture
def rows(tmp_path: Path) -> str:
    path = tmp_path / "rows.jsonl"
    path.write_text(ROWS)
    return str(path)


def run(*arguments: str) -> tuple[str, str]:
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command("import_corpus", *arguments, stdout=out, stderr=err)
    except CommandError as error:
        return out.getvalue(), err.getvalue() + str(error)
    return out.getvalue(), err.getvalue()


@pytest.mark.parametrize("by", ["name", "id"])
def test_it_imports_into_a_project_by_name_or_id(people: People, rows: str, by: str) -> None:
    out, err = run(people.project.name if by == "name" else str(people.project.uuid), rows, "--rows", "utterance")
    assert err == ""
    assert "2 documents, 2 utterances, 2 items." in out
    assert "1 in the pool, 1 left out: 1 from 1 utterances that are too short" in out
    assert "Split by blank" in out and "reading, 2 rows" in out
    assert Path(rows).read_text() == ROWS
    imported = Import.objects.get()
    assert (imported.state, imported.file, imported.filename) == ("done", "", "rows.jsonl")


def test_it_counts_source_documents_and_marks(people: People, tmp_path: Path) -> None:
    path = tmp_path / "sourced.jsonl"
    path.write_text('{"id": "a", "text": "A text.", "sources": [{"id": "s", "text": "Its source."}]}\n')
    out, err = run(people.project.name, str(path), "--unit", "document")
    assert err == ""
    assert "1 source documents; 0 marks on 0 items." in out


def test_it_reads_the_columns_that_were_chosen(people: People, tmp_path: Path) -> None:
    path = tmp_path / "tweets.csv"
    path.write_text("tweet_id,Sentence,tweet\nt1,Prices rose again.,RT\n")
    out, err = run(people.project.name, str(path), "--unit", "document", "--column", "text=tweet", "--column", "title=")
    assert err == ""
    assert "text was read from the column 'tweet'." in out
    assert "id was read from the column 'tweet_id', which is a guess: --column id=NAME says another." in out
    assert Item.objects.get().text == "RT"
    assert Import.objects.get().options["columns"] == {"text": "tweet", "title": ""}
    _, err = run(people.project.name, str(path), "--unit", "document", "--column", "text=Satz")
    assert "tweets.csv:1: text: There is no column 'Satz' to read as text." in err
    for bad in (["--column", "text"], ["--column", "words=tweet"], ["--column", "id=a", "--column", "id=b"]):
        assert "columns: " in run(people.project.name, str(path), *bad)[1]


def test_it_makes_the_project_where_asked(people: People, rows: str) -> None:
    assert "--create" in run("New one", rows)[1]
    assert "--owner" in run("New one", rows, "--create")[1]
    run("New one", rows, "--create", "--owner", "ada")
    project = Project.objects.get(name="New one")
    assert Item.objects.filter(project=project).count() == 2
    assert Membership.objects.get(project=project).role == "admin"
    assert CodebookVersion.objects.get(project=project).state == "published"


def test_it_says_which_projects_share_a_name(people: People, rows: str) -> None:
    twin = Project.objects.create(name="Board", created_by=people.admin.user)
    assert str(twin.uuid) in run("Board", rows)[1]
    assert not Import.objects.exists()


def test_it_names_bad_options(people: People, rows: str) -> None:
    assert (
        "min_tokens: 9 is more than max_tokens"
        in run("Board", rows, "--format", "jsonl", "--min-tokens", "9", "--max-tokens", "8")[1]
    )
    assert "does not exist" in run("Board", rows + ".gone")[1]


def test_it_exits_with_1_and_numbered_lines(people: People, tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(ROWS + '{"id": "a", "text": "Again."}\n{"id": "c"}\n')
    command = [sys.executable, "manage.py", "import_corpus", "Board", str(path)]
    env = {**os.environ, "DATABASE_URL": database_url()}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "bad.jsonl:3: id: Duplicate id 'a': line 1 of this file has it already." in done.stderr
    assert "bad.jsonl:4: text: Missing field." in done.stderr
    assert "Nothing was imported: 2 errors." in done.stderr
    assert not Item.objects.exists()


def test_it_skips_bad_lines_where_asked(people: People, tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(ROWS + "{}\n")
    out, err = run("Board", str(path), "--skip-bad-lines")
    assert "bad.jsonl:3: id: Missing field." in err
    assert "1 bad lines were skipped." in out
    assert Item.objects.count() == 2
