import { describe, expect, it } from "vitest";
import { assignment, labelWindow } from "../../../test/fixtures";
import { confirmed, entry, refill } from "../../../test/outbox";
import { countedProgress, currentOf, newestWindow, queueOf, runsLow } from "./window";

describe("queueOf", () => {
  it("leaves out what waits in the outbox and what was accepted already", () => {
    const window = labelWindow([assignment("a1"), assignment("a2"), assignment("a3")]);
    const queue = queueOf(window, { entries: [entry("a2", 1)], confirmed: confirmed("a1") });
    expect(queue.map(({ id }) => id)).toEqual(["a3"]);
  });
});

describe("currentOf", () => {
  const nothing = { entries: [], confirmed: new Map(), left: new Set<string>() };

  it("keeps the item on the page although a newer window has none of it", () => {
    const shown = assignment("a1");
    expect(currentOf(shown, [assignment("a2")], nothing)).toBe(shown);
  });

  it("goes on when this tab has submitted it or lets go of it, on its way and accepted", () => {
    const next = assignment("a2");
    const left = new Set(["c1", "c-a1"]);
    expect(currentOf(assignment("a1"), [next], { ...nothing, left, entries: [entry("a1", 1)] })).toBe(next);
    expect(currentOf(assignment("a1"), [next], { ...nothing, left, confirmed: confirmed("a1") })).toBe(next);
    expect(currentOf(null, [], nothing)).toBeNull();
  });

  it("keeps what another tab has submitted", () => {
    const shown = assignment("a1");
    expect(currentOf(shown, [], { ...nothing, entries: [entry("a1", 1)] })).toBe(shown);
    expect(currentOf(shown, [], { ...nothing, confirmed: confirmed("a1") })).toBe(shown);
  });
});

describe("newestWindow", () => {
  const asked = labelWindow([assignment("a1")]);
  const answered = labelWindow([assignment("a2")]);

  it("takes the one that came later", () => {
    expect(newestWindow({ window: asked, at: 5 }, refill("a1", 6, answered))).toEqual(answered);
    expect(newestWindow({ window: asked, at: 7 }, refill("a1", 6, answered))).toBe(asked);
    expect(newestWindow({ window: asked, at: 7 }, undefined)).toBe(asked);
    expect(newestWindow(null, undefined)).toBeNull();
  });

  it("shows nothing of an answer to a submit that lacks the first item, before the page has asked", () => {
    const whole = labelWindow([assignment("a2")], { held: ["a2", "a3"] });
    const later = labelWindow([assignment("a3")], { held: ["a2", "a3"] });
    expect(newestWindow(null, refill("a1", 6, whole))).toEqual(whole);
    expect(newestWindow(null, refill("a1", 6, later))).toBeNull();
  });
});

describe("a window of items for working offline", () => {
  const asked = labelWindow(["a1", "a2", "a3", "a4"].map((id) => assignment(id)));

  it("keeps what is still in hand when a submit brings only the first few", () => {
    const answered = labelWindow(
      ["a2", "a3"].map((id) => assignment(id)),
      { held: ["a2", "a3", "a4", "a9"] },
    );
    const window = newestWindow({ window: asked, at: 5 }, refill("a1", 6, answered));
    expect(window?.assignments.map(({ id }) => id)).toEqual(["a2", "a3", "a4"]);
    // a9 is in hand and not loaded; a1 is done, and gone.
    expect(window?.held).toEqual(["a2", "a3", "a4", "a9"]);
  });

  it("runs low where few are loaded and the server has more", () => {
    const progress = (done: number, total: number) => ({
      progress: { done, total, withdrawn: 0, batch_number: 1 },
    });
    expect(runsLow({ ...asked, ...progress(0, 30) }, asked.assignments.slice(3))).toBe(true);
    expect(runsLow({ ...asked, ...progress(26, 30) }, asked.assignments)).toBe(false);
    const many = Array.from({ length: 25 }, (_, n) => assignment(`a${n}`));
    expect(runsLow({ ...labelWindow(many), ...progress(0, 90) }, many)).toBe(false);
    // Of long texts the server sends fewer at a time: what it has just sent is not asked for again.
    const long = many.slice(0, 12);
    expect(runsLow({ ...labelWindow(long), ...progress(0, 90) }, long)).toBe(false);
    expect(runsLow({ ...labelWindow(long), ...progress(6, 90) }, long.slice(6))).toBe(true);
  });
});

describe("countedProgress", () => {
  const progress = { done: 10, total: 30, withdrawn: 0, batch_number: 1 };
  const window = labelWindow(
    ["a1", "a2", "a3", "a4"].map((id) => assignment(id)),
    { progress },
  );
  const none = new Map();

  it("counts each item on its way once, and changes of done items not at all", () => {
    const entries = [entry("a1", 1), entry("a1", 2, 1), entry("a9", 3, 1), entry("a3", 4)];
    expect(countedProgress(window, { entries, confirmed: none }).done).toBe(12);
  });

  it("does not count an answer that is still kept here and done in the window already", () => {
    const after = labelWindow([assignment("a2")], { progress });
    expect(countedProgress(after, { entries: [entry("a1", 1)], confirmed: none }).done).toBe(10);
  });

  it("counts an accepted answer that a window from before it has in hand", () => {
    expect(countedProgress(window, { entries: [], confirmed: confirmed("a1") }).done).toBe(11);
  });
});
