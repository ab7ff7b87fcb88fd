"""Commands of the core, run in this process: another one would load torch again, which takes seconds."""

from dataclasses import dataclass

import pytest

from al_worker.core.__main__ import main


@dataclass(frozen=True)
class Done:
    returncode: int
    stdout: str
    stderr: str


def ran(capsys: pytest.CaptureFixture[str], *arguments: object) -> Done:
    capsys.readouterr()
    code = main([str(each) for each in arguments])
    printed = capsys.readouterr()
    return Done(code, printed.out, printed.err)
