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
    files = sorted((ROOT / "al_worker" / "core").rglob("*.py"))
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
    code = CODE.format(
        blocked={*BLOCKED, "torch", "transformers", "sklearn", "scipy"}, modules=["al_worker.core.__main__"]
    )
    code = code.replace(
        "try:\n",
        f"main = sys.modules['al_worker.core.__main__'].main\nassert main(['round', {str(run)!r}]) == 0\ntry:\n",
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (run / "selected.jsonl").read_text().count("\n") == 5
