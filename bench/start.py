"""Time `up` until ready, the first time and with data, and Ctrl-C until stopped: `python -m bench.start`.

Each run of the script uses a new folder under the system's temporary folder. Dependencies and front end must exist.
"""

import signal
import subprocess
import sys
import time

from annotation_app.embedded.servers import State, temporary_state
from annotation_app.embedded.state import CLONE


def main() -> None:
    with temporary_state() as state:
        for title in ("first start", "second start", "third start"):
            ready, stopped = start_and_stop(state)
            print(f"{title}: ready after {ready:.1f} s, stopped {stopped:.1f} s after Ctrl-C", flush=True)


def start_and_stop(state: State) -> tuple[float, float]:
    command = [sys.executable, "-m", "annotation_app.embedded", "up", "--state-dir", str(state.folder), "--port", "0"]
    begun = time.perf_counter()
    process = subprocess.Popen(command, cwd=CLONE, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    told = []
    for line in process.stdout:
        told.append(line)
        if "ready at http" in line:
            break
    else:
        raise SystemExit("The launcher did not start:\n" + "".join(told))
    ready = time.perf_counter() - begun
    process.send_signal(signal.SIGINT)
    process.stdout.read()
    process.wait()
    return ready, time.perf_counter() - begun - ready


if __name__ == "__main__":
    main()
