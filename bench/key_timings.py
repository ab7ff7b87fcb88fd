"""Measure how fast a screen responds to keys in a real browser, from a key's event to the paint that shows it.

The columns of an action are:

- milliseconds from the event to the end of the frame that follows it (`median`, `p95`, `most`);
- until then, processor time of the page's main thread for `script` and for `layout` with style (medians);
- the same for everything (`main` as a median, and `most`);
- `after`, the time of script from there until half a second later, such as writing the draft.

Processor time grows little by what other programs use.
"""

import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from playwright.sync_api import CDPSession, Page


@dataclass
class Timings:
    paint: list[float] = field(default_factory=list)
    script: list[float] = field(default_factory=list)
    layout: list[float] = field(default_factory=list)
    main: list[float] = field(default_factory=list)
    after: list[float] = field(default_factory=list)


# The paint is over when a message that the frame's callback sent has arrived.
WATCH = """
window.__painted = new Promise(() => {});
window.__watch = () => {
  window.__painted = new Promise(done => {
    addEventListener("keydown", event => {
      if (["Control", "Shift"].includes(event.key)) return window.__watch();
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => done(performance.now() - event.timeStamp);
        channel.port2.postMessage(null);
      });
    }, { capture: true, once: true });
  });
};
"""


class Screen:
    """Drive one screen, whose page began with WATCH; `press` measures."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.cdp: CDPSession = page.context.new_cdp_session(page)
        self.cdp.send("Performance.enable", {"timeDomain": "threadTicks"})
        self.timings: dict[str, Timings] = {}

    def spent(self) -> tuple[float, float, float]:
        """Return the milliseconds of script, of style and layout, and of all tasks, since the page began."""
        figures = {each["name"]: each["value"] for each in self.cdp.send("Performance.getMetrics")["metrics"]}
        layout = figures["LayoutDuration"] + figures["RecalcStyleDuration"]
        return figures["ScriptDuration"] * 1e3, layout * 1e3, figures["TaskDuration"] * 1e3

    def press(self, action: str, key: str) -> None:
        timings = self.timings.setdefault(action, Timings())
        self.page.evaluate("window.__watch()")
        before = self.spent()
        self.page.keyboard.press(key)
        timings.paint.append(self.page.evaluate("window.__painted"))
        then = self.spent()
        time.sleep(0.5)
        timings.script.append(then[0] - before[0])
        timings.layout.append(then[1] - before[1])
        timings.main.append(then[2] - before[2])
        timings.after.append(self.spent()[0] - then[0])


COLUMNS = ("n", "median", "p95", "most", "script", "layout", "main", "most", "after")


def report(name: str, rounds: Sequence[dict[str, Timings]]) -> None:
    print(f"\n{name}\n  {'':20} {COLUMNS[0]:>3} " + " ".join(f"{column:>7}" for column in COLUMNS[1:]))
    for action in rounds[0]:
        every = [timings[action] for timings in rounds]
        paint, script, layout, whole, after = (
            sorted(value for timings in every for value in getattr(timings, part))
            for part in ("paint", "script", "layout", "main", "after")
        )
        p95 = paint[min(len(paint) - 1, int(0.95 * len(paint)))]
        medians = [statistics.median(part) for part in (script, layout, whole)]
        figures = [statistics.median(paint), p95, paint[-1], *medians, whole[-1], statistics.median(after)]
        print(f"  {action:20} {len(paint):3} " + " ".join(f"{figure:7.1f}" for figure in figures))
