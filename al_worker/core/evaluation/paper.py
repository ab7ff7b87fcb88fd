"""Write the tables and plots of an evaluation into its results folder."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from al_worker.core.evaluation.paper_plots import plots_of
from al_worker.core.run.progress import Progress
from al_worker.formats.drawing import can_draw
from al_worker.formats.evaluation import PLOTS, TABLES
from al_worker.formats.evaluation_tables import tables_of
from al_worker.formats.paper_csv import as_csv
from al_worker.formats.paper_latex import as_latex
from al_worker.formats.run_directory import write_atomic

NOT_DRAWN = "Plots were not drawn: Matplotlib is not installed on the model worker."


def files_write(results: Path, figures: Mapping[str, Any], progress: Progress) -> list[str]:
    """Write tables/*.csv, tables/*.tex, plots/*.svg and plots/*.png, and return notices."""
    (results / TABLES).mkdir(exist_ok=True)
    for table in tables_of(figures):
        write_atomic(results / TABLES / f"{table.key}.csv", as_csv(table).encode())
        write_atomic(results / TABLES / f"{table.key}.tex", as_latex(table).encode())
    if not can_draw():
        return [NOT_DRAWN]
    (results / PLOTS).mkdir(exist_ok=True)
    for name, files in plots_of(figures):
        for form, data in files.items():
            write_atomic(results / PLOTS / f"{name}.{form}", data)
        progress.report(0.5, f"drew {name}")
    progress.report(1.0, "figures are written")
    return []
