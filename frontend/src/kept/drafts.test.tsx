import { expect, it } from "vitest";
import { dropAllKept, KeptDrafts, keptCount } from "./drafts";

it("keeps texts by person, and shows nobody those of another", () => {
  const anna = new KeptDrafts<string>("u1", "form");
  const bruno = new KeptDrafts<string>("u2", "form");
  expect(anna.keep("codebook.p1", "Anna's", "3.2")).toBe(true);
  expect(bruno.get("codebook.p1")).toBeNull();
  bruno.keep("codebook.p1", "Bruno's");
  expect(new KeptDrafts<string>("u1", "form").find("codebook.p1")).toMatchObject({
    draft: "Anna's",
    base: "3.2",
  });
  expect([keptCount("u1"), keptCount("u2"), keptCount("u")]).toEqual([1, 1, 0]);
  dropAllKept("u1");
  expect([keptCount("u1"), keptCount("u2")]).toEqual([0, 1]);
});

it("gives all texts of one kind by name", () => {
  const drafts = new KeptDrafts<string>("u1", "label");
  new KeptDrafts<string>("u1", "form").keep("other", "x");
  drafts.keep("a", "one");
  drafts.keep("b.1", "two");
  expect([...drafts.all()].map(([name, { draft }]) => [name, draft]).sort()).toEqual([
    ["a", "one"],
    ["b.1", "two"],
  ]);
});

it("says so of a text that is too long, and leaves no older state of it to come back", () => {
  const drafts = new KeptDrafts<string>("u1", "form");
  drafts.keep("codebook.p1", "short");
  const long = "x".repeat(1_000_000);
  expect(drafts.keep("codebook.p1", long)).toBe(false);
  expect(drafts.get("codebook.p1")).toBe(long);
  expect(new KeptDrafts<string>("u1", "form").get("codebook.p1")).toBeNull();
});
