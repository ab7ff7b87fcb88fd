import { describe, expect, it } from "vitest";
import { confirmed, entry } from "../test/outbox";
import { doneItems, neighbour } from "./doneItems";

describe("doneItems and neighbour", () => {
  const server = [
    {
      id: "a1",
      position: 1,
      state: "submitted" as const,
      text: "a1",
      answers: { opinion: "yes" },
      n_spans: 0,
    },
  ];
  const items = doneItems(server, "p1", { entries: [entry("a3", 1)], confirmed: confirmed("a2") });

  it("joins what the server has with what was submitted since, by position", () => {
    expect(items.map(({ id, saved }) => [id, saved])).toEqual([
      ["a1", true],
      ["a2", true],
      ["a3", false],
    ]);
  });

  it("shows the answers on their way over the stored ones", () => {
    const [first] = doneItems(server, "p1", { entries: [entry("a1", 1, 1)], confirmed: new Map() });
    expect([first?.answers, first?.saved]).toEqual([{ opinion: "no" }, false]);
  });

  it("walks back from the item being labelled, and forward to it again", () => {
    expect(neighbour(items, null, -1)?.id).toBe("a3");
    expect(neighbour(items, "not done yet", -1)?.id).toBe("a3");
    expect(neighbour(items, "a3", -1)?.id).toBe("a2");
    expect(neighbour(items, "a1", -1)).toBeNull();
    expect(neighbour(items, "a3", 1)).toBeNull();
  });
});
