"""Draw figures for paper with Matplotlib and give each as SVG, PNG and PDF: the same bytes for the same numbers.

Matplotlib is imported when something is drawn, so that nothing else waits for it or needs it.
"""

import threading
from base64 import b64encode
from collections.abc import Callable, Iterable, Sequence
from io import BytesIO
from textwrap import fill
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

MEDIA_TYPES = {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf"}
FORMATS = tuple(MEDIA_TYPES)
# The tones of the pages' charts in light: told apart by the colour-blind, 3:1 or more on white. Dashes help where
# curves coincide.
TONES = ("#0067a8", "#c65200", "#00805e", "#a8457f", "#7a6200", "#5a4fcf")
DASHES = ("-", (0, (7, 3)), (0, (2, 3)), (0, (9, 3, 2, 3)))
QUIET, INK, MUTE, RULE = "#8d9096", "#1c1e21", "#5d636b", "#e3e3df"
DOTS_PER_INCH = 200
LABEL_LETTERS, TITLE_LETTERS = 36, 80
SETTINGS: dict[Any, Any] = {
    # SVG keeps text as text: it can be searched and edited, and the reader's fonts have every script.
    "svg.fonttype": "none",
    # Identifiers in the SVG are hashes of its content with this.
    "svg.hashsalt": "quorum",
    # PDF embeds the letters it uses as TrueType, since publishers refuse Type 3.
    "pdf.fonttype": 42,
    # What people wrote is no formula.
    "text.parse_math": False,
    "font.size": 9,
    "text.color": INK,
    "figure.titlesize": 10,
    "figure.titleweight": "bold",
    "axes.labelcolor": MUTE,
    "axes.edgecolor": MUTE,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.formatter.useoffset": False,
    "xtick.color": MUTE,
    "ytick.color": MUTE,
    "grid.color": RULE,
    "legend.frameon": False,
    "legend.handlelength": 3,
}
# None leaves out what differs between two runs or two versions.
UNDATED = {
    "svg": {"Date": None, "Creator": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
# Matplotlib's settings hold for the whole process, and neither they nor its fonts are safe in several threads.
LOCK = threading.Lock()


def can_draw() -> bool:
    """Return whether Matplotlib is installed. A machine that runs only the model side may lack it."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        return False
    return True


def drawn(
    draw: Callable[["Axes"], None],
    *,
    title: str,
    alternative: str = "",
    formats: Iterable[str] = FORMATS,
    size: tuple[float, float] = (7.5, 4.4),
) -> dict[str, bytes]:
    """Return {format: file} of what `draw` puts on the axes. `size` is (width, height) in inches.

    `alternative` describes the drawing in words; the files hold it beside their title.
    """
    from matplotlib import rc_context, rcdefaults, rcParams
    from matplotlib.figure import Figure as Canvas

    with LOCK, rc_context():
        # A file of settings on this machine changes nothing.
        rcdefaults()
        rcParams.update(SETTINGS)
        # Without pyplot: no window system is looked for, and nothing is kept.
        canvas = Canvas(figsize=size, layout="constrained")
        axes = canvas.subplots()
        canvas.suptitle(fill(title, TITLE_LETTERS), x=0.01, horizontalalignment="left")
        draw(axes)
        return {kind: _file(canvas, kind, title, alternative) for kind in formats}


def key_of(axes: "Axes", named: Sequence[tuple[Any, str]], *, place: str, columns: int = 1) -> None:
    """Name what was drawn outside the axes, at a place such as "lower left"."""
    canvas: Any = axes.get_figure()
    # Named one by one: Matplotlib leaves a label that begins with "_" out of a key that it makes itself.
    labels = [fill(label, LABEL_LETTERS) for _, label in named]
    canvas.legend([handle for handle, _ in named], labels, loc=f"outside {place}", ncols=columns)


def data_address(media_type: str, data: bytes) -> str:
    """Return the address under which a page holds a file itself."""
    return f"data:{media_type};base64,{b64encode(data).decode()}"


def _file(canvas: "Canvas", kind: str, title: str, alternative: str) -> bytes:
    told = {"Title": title, "Subject" if kind == "pdf" else "Description": alternative or None}
    file = BytesIO()
    canvas.savefig(file, format=kind, dpi=DOTS_PER_INCH, metadata=UNDATED[kind] | told)
    return file.getvalue()
