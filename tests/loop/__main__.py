"""make loop: the whole loop, headless, over HTTP, with real servers and a real worker.

python -m tests.loop [--corpus FOLDER] [--query-size 30] [--model NAME]
"""

import argparse
import sys
import time
from pathlib import Path

from annotation_app.demo.paths import CORPUS
from tests.loop.run import loop_run, people_create
from tests.stack import ROOT, running_stack

SHARED = ROOT.parent / "shared" / "data" / "fomc-pressconf"


def main() -> int:
    parser = argparse.ArgumentParser(prog="make loop")
    parser.add_argument("--corpus", type=Path, help="a ConvoKit folder, JSONL or CSV")
    parser.add_argument("--query-size", type=int, default=30)
    parser.add_argument("--model", default="", help="a name of QUORUM_MODELS; the first one by default")
    options = parser.parse_args()
    corpus = options.corpus or (SHARED if SHARED.is_dir() else CORPUS)
    if not corpus.exists():
        parser.error(f"{corpus} does not exist")
    which = "named" if options.corpus else "shared press conferences" if corpus == SHARED else "bundled demo text"
    print(f"Corpus: {corpus.name} ({which})", flush=True)
    started = time.monotonic()
    with running_stack() as stack:
        print(f"Servers ready in {time.monotonic() - started:.1f} s at {stack.url}", flush=True)
        people_create(stack)
        loop_run(
            stack, corpus, query_size=options.query_size, model=options.model, say=lambda line: print(line, flush=True)
        )
    print(f"The loop is closed: {time.monotonic() - started:.0f} s in all.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
