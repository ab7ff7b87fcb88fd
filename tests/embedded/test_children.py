import os
import signal
from pathlib import Path

import pytest

from annotation_app.embedded.children import MAX_QUICK_DEATHS, Child, Supervised
from annotation_app.embedded.errors import LaunchError
from tests.embedded.launching import launcher_env, processes_of, wait_for


class Flaky:
    """Something that lives as long as the test says, on a clock that the test moves."""

    def __init__(self, log: Path) -> None:
        self.now = 0.0
        self.starts = 1
        self.status: int | None = None
        self.supervised = Supervised("thing", log, self.start, lambda: self.status, clock=lambda: self.now)

    def start(self) -> None:
        self.starts += 1
        self.status = None

    def live(self, seconds: float) -> None:
        """Lives, dies, and is looked at once."""
        self.now += seconds
        self.status = -9
        self.supervised.tend()

    def pause(self) -> float:
        assert self.supervised.due is not None
        return self.supervised.due - self.now

    def sit_out_the_pause(self) -> None:
        self.now += self.pause()
        self.supervised.tend()


@pytest.fixture
def flaky(tmp_path: Path) -> Flaky:
    log = tmp_path / "thing.log"
    log.write_text("one\nlast words\n")
    return Flaky(log)


def test_it_starts_a_dead_child_again_and_says_so(flaky: Flaky, capfd: pytest.CaptureFixture[str]) -> None:
    flaky.live(60.0)
    assert "The thing ended by SIGKILL; starting it again in 0.5 s" in capfd.readouterr().out
    flaky.now += 0.4
    flaky.supervised.tend()
    assert flaky.starts == 1
    flaky.now += 0.2
    flaky.supervised.tend()
    assert flaky.starts == 2


def test_it_waits_longer_after_each_quick_death_and_forgets_after_a_long_life(flaky: Flaky) -> None:
    pauses = []
    for life in (1.0, 1.0, 1.0, 60.0, 1.0):
        flaky.live(life)
        pauses.append(flaky.pause())
        flaky.sit_out_the_pause()
    assert pauses == [0.5, 1.0, 2.0, 0.5, 0.5]


def test_it_gives_up_loudly_at_the_fifth_quick_death(flaky: Flaky) -> None:
    for _ in range(MAX_QUICK_DEATHS - 1):
        flaky.live(1.0)
        flaky.sit_out_the_pause()
    with pytest.raises(LaunchError, match=r"The thing ended by SIGKILL, for the 5th time[\s\S]*last words"):
        flaky.live(1.0)
    assert flaky.starts == 5


def test_it_leaves_nothing_of_a_session_whose_guard_was_killed(tmp_path: Path) -> None:
    mark = f"86400.{os.getpid()}7"
    command = ["bash", "-c", f"sleep {mark} & sleep {mark}"]
    child = Child("thing", command, launcher_env(), tmp_path / "thing.log")
    child.start()
    assert child.process
    assert wait_for(lambda: len(processes_of(f"sleep {mark}")) >= 2)
    child.process.kill()
    assert wait_for(lambda: child.poll() == -signal.SIGKILL)
    assert wait_for(lambda: not processes_of(mark))
