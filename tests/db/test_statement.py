"""Statements put together from step files and an output file."""

from pathlib import Path

import pytest

from annotation_app.db.statement import Generated, StatementInvalid, statement

STEPS = """
-- The rows to start from.
start AS (
  SELECT 1 AS n -- FROM unused
),

doubled AS (SELECT 2 * n AS n FROM start),

unused AS (SELECT ')' AS bracket FROM start)
-- Nothing follows.
"""


@pytest.fixture
def write(tmp_path: Path) -> "Write":
    return Write(tmp_path)


class Write:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path


def one_line(sql: str) -> str:
    return " ".join(sql.split())


def test_only_what_the_output_reaches_is_composed(write: Write) -> None:
    composed = statement([write("steps.sql", STEPS)], write("output.sql", "SELECT n FROM doubled\n"))

    assert composed == (
        "WITH\n"
        "-- The rows to start from.\n"
        "start AS (\n  SELECT 1 AS n -- FROM unused\n),\n\n"
        "doubled AS (SELECT 2 * n AS n FROM start)\n\n"
        "SELECT n FROM doubled"
    )


def test_an_output_that_reads_no_step_stays_as_it_is(write: Write) -> None:
    assert statement([write("steps.sql", STEPS)], write("output.sql", "-- One.\nSELECT 1\n")) == "-- One.\nSELECT 1"


def test_the_outputs_own_relations_follow_the_steps(write: Write) -> None:
    output = write(
        "output.sql", "-- All.\nWITH\nown AS (SELECT n FROM start),\nleft_out AS (SELECT 1)\nSELECT n FROM own"
    )

    assert one_line(statement([write("steps.sql", STEPS)], output)) == (
        "-- All. WITH -- The rows to start from. start AS ( SELECT 1 AS n -- FROM unused ), "
        "own AS (SELECT n FROM start) SELECT n FROM own"
    )


@pytest.mark.parametrize(
    "writing",
    [
        "DELETE FROM waiting RETURNING id",
        "INSERT INTO kept (id) SELECT n FROM start",
        "UPDATE kept k SET id = s.n FROM start s RETURNING k.id",
        "WITH own AS (SELECT 1 AS n) INSERT INTO kept (id) SELECT n FROM own",
    ],
)
def test_a_relation_that_changes_data_is_kept_with_what_it_reads(write: Write, writing: str) -> None:
    steps = write("steps.sql", f"start AS (SELECT 1 AS n), change AS ({writing}), unread AS (SELECT 1 FROM change)")
    composed = statement([steps], write("output.sql", "SELECT 1"))

    assert f"change AS ({writing})" in composed
    assert ("start AS" in composed) == ("FROM start" in writing)
    assert "unread" not in composed


@pytest.mark.parametrize(
    "reading", ["SELECT 1 FROM kept FOR UPDATE", "SELECT 'DELETE' AS verb", "SELECT (1) AS update"]
)
def test_a_relation_that_only_names_a_verb_changes_no_data(write: Write, reading: str) -> None:
    assert statement([write("steps.sql", f"read AS ({reading})")], write("output.sql", "SELECT 1")) == "SELECT 1"


def test_each_relation_stands_after_those_that_it_reads(write: Write) -> None:
    """However the files are ordered; where nothing is read early, the order of reading stays."""
    late = write("late.sql", "c AS (SELECT * FROM b), d AS (SELECT 4 AS n)")
    early = write("early.sql", "a AS (SELECT 1 AS n), b AS (SELECT * FROM d JOIN a ON true)")
    output = write("output.sql", "SELECT * FROM c CROSS JOIN a")

    composed = statement([late, early], output)
    assert [line.split(" AS")[0] for line in composed.split("\n") if " AS (" in line] == ["d", "a", "b", "c"]


def test_a_name_that_two_files_define_is_refused_with_both_files(write: Write) -> None:
    one, other = write("one.sql", "votes AS (SELECT 1)"), write("other.sql", "votes AS (SELECT 2)")

    with pytest.raises(StatementInvalid) as refused:
        statement([one, other], write("output.sql", "SELECT 1"))

    assert str(refused.value) == f"votes is defined twice: in {one} and in {other}."


def test_a_name_that_a_step_and_the_output_define_is_refused(write: Write) -> None:
    output = write("output.sql", "WITH votes AS (SELECT 1) SELECT * FROM votes")

    with pytest.raises(StatementInvalid, match=r"votes is defined twice: in one line of code and in .*output\.sql"):
        statement([Generated("one line of code", "votes AS (SELECT 2)")], output)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("votes AS (SELECT (1)", "votes has no closing bracket"),
        ("a AS (SELECT 1) b AS (SELECT 2)", "the relations end before 'b AS"),
        ("SELECT 1", "`name AS [(]` is expected at 'SELECT 1'"),
        ("a AS (SELECT 1),", "`name AS [(]` is expected at ''"),
    ],
)
def test_a_malformed_step_file_is_refused_by_name(write: Write, text: str, message: str) -> None:
    with pytest.raises(StatementInvalid, match=rf"steps\.sql: {message}"):
        statement([write("steps.sql", text)], write("output.sql", "SELECT 1"))
