"""Write tables and plots for paper into a results folder."""

from collections.abc import Iterable
from pathlib import Path

from al_worker.core.run.progress import Progress
from al_worker.formats.drawing import can_draw
from al_worker.formats.paper_csv import as_csv
from al_worker.formats.paper_latex import as_latex
from al_worker.formats.paper_tables import Table
from al_worker.formats.run_directory import write_atomic

TABLES, PLOTS = "tables", "plots"
NOT_DRAWN = "Plots were not drawn: Matplotlib is not installed on the model worker."


def paper_files_write(
    results: Path, tables: Iterable[Table], plots: Iterable[tuple[str, dict[str, bytes]]], progress: Progress
) -> list[str]:
    """Write tables/*.csv, tables/*.tex and the formats of plots/*, and return notices.

    `plots` yields names and files; nothing is drawn where Matplotlib is missing.
    """
    (results / TABLES).mkdir(exist_ok=True)
    for table in tables:
        write_atomic(results / TABLES / f"{table.key}.csv", as_csv(table).encode())
        write_atomic(results / TABLES / f"{table.key}.tex", as_latex(table).encode())
    if not can_draw():
        return [NOT_DRAWN]
    (results / PLOTS).mkdir(exist_ok=True)
    for name, files in plots:
        for form, data in files.items():
            write_atomic(results / PLOTS / f"{name}.{form}", data)
        progress.report(0.5, f"drew {name}")
    progress.report(1.0, "figures are written")
    return []
