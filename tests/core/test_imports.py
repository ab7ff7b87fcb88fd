import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
BLOCKED = ("django", "rest_framework", "celery", "annotation_app", "psycopg2", "redis")

CODE = """
import importlib, sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {blocked}:
            raise ImportError(f"{{name}} is blocked")

sys.meta_path.insert(0, Blocked())
for module in {modules}:
    importlib.import_module(module)
try:
    importlib.import_module("django")
except ImportError:
    sys.exit(0)
sys.exit("the blocker does not block")
"""


def modules() -> list[str]:
    files = sorted(path for folder in ("core", "factoids") for path in (ROOT / "al_worker" / folder).rglob("*.py"))
    names = [str(path.relative_to(ROOT).with_suffix("")).replace("/", ".") for path in files]
    return [name.removesuffix(".__init__") for name in names]


def test_it_imports_every_core_module_where_the_web_side_is_absent() -> None:
    assert len(modules()) > 20
    code = CODE.format(blocked=set(BLOCKED), modules=modules())
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_it_selects_without_torch_or_scikit_learn(tmp_path: Path) -> None:
    from tests.core.run_dirs import sentences, write_run

    run = write_run(tmp_path / "run", strategy="ngram_density", pool=sentences(20))
    done = ran_without_libraries("round", str(run))
    assert done.returncode == 0, done.stderr
    assert (run / "selected.jsonl").read_text().count("\n") == 5


def test_it_computes_metrics_without_libraries_that_take_long_to_import(tmp_path: Path) -> None:
    """scipy.stats alone took half of the time that 100,000 predictions take."""
    gold, predictions = tmp_path / "gold.jsonl", tmp_path / "predictions.jsonl"
    gold.write_text('{"id": "i1", "stage": "opinion", "label": "yes"}\n')
    predictions.write_text('{"id": "i1", "stage": "opinion", "label": "yes", "confidence": 0.9}\n')
    done = ran_without_libraries("metrics", str(gold), str(predictions))
    assert done.returncode == 0, done.stderr
    assert '"accuracy": 1.0' in done.stdout


def ran_without_libraries(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run a command of the core where neither torch nor scikit-learn nor SciPy can be imported."""
    blocked = {*BLOCKED, "torch", "transformers", "sklearn", "scipy"}
    code = CODE.format(blocked=blocked, modules=["al_worker.core.__main__"])
    command = f"main = sys.modules['al_worker.core.__main__'].main\nassert main({list(arguments)!r}) == 0\ntry:\n"
    code = code.replace("try:\n", command)
    return subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
