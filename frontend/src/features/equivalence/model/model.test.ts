import { describe, expect, it } from "vitest";
import { acceptance, alikeTo } from "./alike";
import { changeWords } from "./changes";
import { applied, type Content, editWords, movedFrom } from "./edits";
import { between, filtered, foundStrings, nextAfter } from "./found";

const CONTENT: Content = {
  ...{ name: "temporal scope", part: "words", in_depth: false },
  classes: [
    { key: "a", name: "soon", members: ["soon", "shortly"] },
    { key: "b", name: "", members: ["next year"] },
  ],
};

const said = ({ classes }: Content) => classes.map(({ key, members }) => `${key}: ${members.join(", ")}`);
const moved = (...texts: string[]) => movedFrom(CONTENT, texts);

describe("edits", () => {
  it("moves a string from its class, so that it is in one only", () => {
    const { content, isMade } = applied(CONTENT, { kind: "put", moved: moved("soon", "now"), to: "b" });
    expect(isMade).toBe(true);
    expect(said(content)).toEqual(["a: shortly", "b: next year, soon, now"]);
  });

  it("leaves a string where somebody else put it meanwhile, and names it", () => {
    const edit = { kind: "put", moved: moved("soon", "now"), to: "b" } as const;
    const theirs = applied(CONTENT, { kind: "create", moved: moved("soon"), key: "c", name: "" }).content;
    const { content, missed } = applied(theirs, edit);
    expect(missed).toEqual(["soon"]);
    expect(said(content)).toEqual(["a: shortly", "b: next year, now", "c: soon"]);
    // Where they did the same, nothing is missed and nothing is left to do.
    const same = applied(applied(CONTENT, edit).content, edit);
    expect(same).toMatchObject({ missed: [], isMade: false });
  });

  it("makes nothing in a class that is gone", () => {
    const theirs = applied(CONTENT, { kind: "delete", key: "b", members: ["next year"] }).content;
    expect(applied(theirs, { kind: "put", moved: moved("now"), to: "b" }).isMade).toBe(false);
    expect(applied(theirs, { kind: "merge", into: "a", other: "b" }).isMade).toBe(false);
    expect(applied(theirs, { kind: "rename", key: "b", from: "", to: "later" }).isMade).toBe(false);
  });

  it("deletes a class only as it was seen", () => {
    const theirs = applied(CONTENT, { kind: "put", moved: moved("now"), to: "b" }).content;
    expect(applied(theirs, { kind: "delete", key: "b", members: ["next year"] }).isMade).toBe(false);
  });

  it("merges members, and keeps the name that there is", () => {
    const { content } = applied(CONTENT, { kind: "merge", into: "b", other: "a" });
    expect(content.classes).toEqual([{ key: "b", name: "soon", members: ["next year", "soon", "shortly"] }]);
  });

  it("says itself in words of at most 200 characters", () => {
    expect(editWords(CONTENT, { kind: "put", moved: moved("now"), to: "b" })).toBe("Put “now” into class 2");
    expect(editWords(CONTENT, { kind: "split", moved: moved("soon", "shortly"), key: "c", name: "" })).toBe(
      "Split 2 strings off “soon”",
    );
    const long = editWords(CONTENT, {
      kind: "create",
      moved: moved("x".repeat(900)),
      key: "c",
      name: "y".repeat(200),
    });
    expect(long.length).toBeLessThanOrEqual(200);
  });
});

it("tells what changed elsewhere", () => {
  const { content } = applied(CONTENT, {
    kind: "create",
    moved: moved("soon", "now"),
    key: "c",
    name: "at once",
  });
  const after = applied(content, { kind: "rename", key: "b", from: "", to: "later" }).content;
  expect(changeWords(CONTENT, after)).toEqual([
    "New: “at once”.",
    "class 2 is called “later”.",
    "2 strings went into “at once”.",
  ]);
});

describe("strings", () => {
  const all = foundStrings(
    { strings: ["soon", "now", "next year", "later"].map((text) => ({ text, n: 1, class_key: null })) },
    CONTENT,
  );
  const texts = (shown: typeof all) => shown.map(({ text }) => text);

  it("are in the class that they are in now, whatever the server said before", () => {
    expect(texts(filtered(all, { which: "free", sought: "", classKey: null }))).toEqual(["now", "later"]);
    expect(texts(filtered(all, { which: "class", sought: "", classKey: "b" }))).toEqual(["next year"]);
    expect(texts(filtered(all, { which: "all", sought: "YEAR", classKey: null }))).toEqual(["next year"]);
  });

  it("come after those that are dealt with, or before at the end", () => {
    expect(nextAfter(all, new Set(["now"]))).toBe("next year");
    expect(nextAfter(all, new Set(["now", "later"]))).toBe("next year");
    expect(nextAfter(all, new Set(["elsewhere"]))).toBeNull();
  });

  it("are selected from one to another, both ways", () => {
    expect(between(all, "next year", "soon")).toEqual(["soon", "now", "next year"]);
    expect(between(all, "gone", "soon")).toEqual(["soon"]);
  });
});

describe("suggestions", () => {
  const pair = (text: string, other: string, score: number) => ({
    text,
    other,
    score,
    shared: [],
    class_key: null,
  });

  it("are found from both ends, each once with its best score", () => {
    const pairs = [pair("now", "soon", 0.4), pair("now", "shortly", 0.9), pair("later", "soon", 0.6)];
    expect(alikeTo(pairs, new Set(["soon", "shortly"])).map(({ other, score }) => [other, score])).toEqual([
      ["now", 0.9],
      ["later", 0.6],
    ]);
  });

  it("join the class that one of both has, or make one", () => {
    const accept = (text: string, other: string) =>
      said(applied(CONTENT, acceptance(CONTENT, { text, other }, "n")).content);
    expect(accept("soon", "now")[0]).toBe("a: soon, shortly, now");
    expect(accept("now", "next year")[1]).toBe("b: next year, now");
    expect(accept("now", "later")[2]).toBe("n: now, later");
  });
});
