import { describe, expect, it } from "vitest";
import { below, seeded } from "../../../test/random";
import { FREE, LAYER } from "../../../test/spanFixtures";
import { type EditorAction, type EditorFrame, type EditorState, editorFrom, editorReducer } from "./editor";
import { inTextOrder, type Mark } from "./types";

const FRAME: EditorFrame = { layer: LAYER, sources: [] };

function run(actions: EditorAction[], frame = FRAME, from = editorFrom([])): EditorState {
  return actions.reduce((state, action) => editorReducer(frame, state, action), from);
}

function marked(category: string, start: number, end: number): EditorAction[] {
  return [{ kind: "mark", category, range: { start, end } }];
}

const shown = ({ spans }: EditorState) =>
  spans.map(({ start, end, category, comment }) => [start, end, category, comment]);

describe("marking", () => {
  it("takes the new span in hand, and leaves the caret behind it", () => {
    const state = run([
      { kind: "selectText", selection: { anchor: 10, head: 4 } },
      { kind: "mark", category: "act", range: { start: 4, end: 9 } },
    ]);
    expect(shown(state)).toEqual([[4, 9, "act", ""]]);
    expect(state).toMatchObject({ selectedId: 1, selection: { anchor: 9, head: 9 } });
  });

  it("marks nothing that is empty", () => {
    expect(run(marked("act", 4, 4)).past).toEqual([]);
  });

  it("keeps text order, and identical ranges apart", () => {
    const state = run([...marked("motive", 5, 9), ...marked("act", 0, 3), ...marked("act", 5, 9)]);
    expect(shown(state)).toEqual([
      [0, 3, "act", ""],
      [5, 9, "act", ""],
      [5, 9, "motive", ""],
    ]);
  });

  it("links a reference to the one source there is", () => {
    const one = run(marked("reference", 0, 3), { ...FRAME, sources: ["s1"] });
    const two = run(marked("reference", 0, 3), { ...FRAME, sources: ["s1", "s2"] });
    expect([one.spans[0]?.source, two.spans[0]?.source]).toEqual(["s1", null]);
  });
});

describe("changing", () => {
  const begun = run(marked("act", 0, 5));

  it("gives another category, with the link that belongs to it", () => {
    const frame = { ...FRAME, sources: ["s1"] };
    const there = run([{ kind: "recategorise", id: 1, category: "reference" }], frame, begun);
    expect(there.spans[0]).toMatchObject({ category: "reference", source: "s1" });
    const back = run([{ kind: "recategorise", id: 1, category: "act" }], frame, there);
    expect(back.spans[0]).toMatchObject({ category: "act", source: null });
  });

  it("moves, and refuses an empty range", () => {
    expect(shown(run([{ kind: "move", id: 1, range: { start: 2, end: 7 } }], FRAME, begun))).toEqual([
      [2, 7, "act", ""],
    ]);
    expect(run([{ kind: "move", id: 1, range: { start: 5, end: 5 } }], FRAME, begun)).toBe(begun);
  });

  it("deletes, and takes the next one in hand", () => {
    const two = run(marked("motive", 7, 9), FRAME, begun);
    expect(run([{ kind: "delete", id: 1 }], FRAME, two)).toMatchObject({ selectedId: 2 });
    expect(run([{ kind: "delete", id: 1 }], FRAME, begun)).toMatchObject({ selectedId: null, spans: [] });
  });

  it("adds imported marks in one step, those that are there already not again", () => {
    const imported: Mark[] = [
      { start: 0, end: 5, category: "act", comment: "", source: null },
      { start: 2, end: 4, category: "motive", comment: "why", source: null },
    ];
    const state = run([{ kind: "add", marks: imported }], FRAME, begun);
    expect(shown(state)).toEqual([
      [0, 5, "act", ""],
      [2, 4, "motive", "why"],
    ]);
    expect(shown(run([{ kind: "undo" }], FRAME, state))).toEqual([[0, 5, "act", ""]]);
  });
});

describe("undo", () => {
  const typed = (comment: string): EditorAction => ({ kind: "comment", id: 1, comment });

  it("takes back a word of a comment at a time", () => {
    const letters = ["w", "wa", "wai", "wait", "wait ", "wait n", "wait no", "wait n", "wait no"].map(typed);
    const state = run(letters, FRAME, run(marked("act", 0, 5)));
    const once = run([{ kind: "undo" }], FRAME, state);
    const twice = run([{ kind: "undo" }], FRAME, once);
    expect([once, twice].map(({ spans }) => spans[0]?.comment)).toEqual(["wait ", ""]);
    expect(run([{ kind: "redo" }, { kind: "redo" }], FRAME, twice).spans[0]?.comment).toBe("wait no");
  });

  it("keeps typing on two spans apart", () => {
    const two = run([...marked("act", 0, 5), ...marked("motive", 6, 8)]);
    const state = run(
      [typed("a"), { kind: "comment", id: 2, comment: "b" }, typed("ab"), { kind: "undo" }],
      FRAME,
      two,
    );
    expect(state.spans.map(({ comment }) => comment)).toEqual(["a", "b"]);
  });

  it("forgets what was undone once something else is done", () => {
    const state = run([
      ...marked("act", 0, 5),
      { kind: "undo" },
      ...marked("motive", 1, 2),
      { kind: "redo" },
    ]);
    expect(shown(state)).toEqual([[1, 2, "motive", ""]]);
  });

  it("goes all the way back and forward again, whatever was done", () => {
    const random = seeded(9);
    const keys = FREE.categories.map(({ key }) => key);
    const some = () => keys[below(random, keys.length)] ?? "a";
    const frame = { layer: FREE, sources: [] };
    for (let round = 0; round < 60; round += 1) {
      let state = editorFrom([{ start: 3, end: 8, category: "a", comment: "x", source: null }]);
      const first = shown(state);
      const seen: unknown[] = [];
      for (let turn = 0; turn < 40; turn += 1) {
        const id = 1 + below(random, state.nextId);
        const [start, length] = [below(random, 20), below(random, 6)];
        const choices: EditorAction[][] = [
          marked(some(), start, start + length),
          [{ kind: "recategorise", id, category: some() }],
          [{ kind: "move", id, range: { start, end: start + length } }],
          [{ kind: "comment", id, comment: "y".repeat(length) }],
          [{ kind: "delete", id }],
        ];
        const before = state.past.length;
        state = run(choices[below(random, choices.length)] ?? [], frame, state);
        expect(
          [...state.spans].sort(inTextOrder).map((span) => shown({ ...state, spans: [span] })[0]),
        ).toEqual(shown(state).map((line) => line));
        if (state.past.length > before) seen.push(null);
      }
      const last = shown(state);
      const steps = state.past.length;
      for (let turn = 0; turn < steps; turn += 1) state = run([{ kind: "undo" }], frame, state);
      expect(shown(state)).toEqual(first);
      for (let turn = 0; turn < steps; turn += 1) state = run([{ kind: "redo" }], frame, state);
      expect(shown(state)).toEqual(last);
      expect(seen).toHaveLength(steps);
    }
  });
});
