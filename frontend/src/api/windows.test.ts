import { describe, expect, it } from "vitest";
import { assignment, labelWindow, sentWindow } from "../test/fixtures";
import { heldList, windowOf, withKnown } from "./windows";

describe("a window", () => {
  const window = labelWindow([assignment("a1"), assignment("a2")]);
  const sent = sentWindow(window);

  it("gets the codebook that came once beside its assignments", () => {
    expect(sent.codebooks).toHaveLength(1);
    expect(windowOf(sent)).toEqual(window);
  });

  it("gets the codebook of the item submitted, which the server leaves out", () => {
    expect(windowOf({ ...sent, codebooks: [] }, [assignment("a0").codebook])).toEqual(window);
    expect(() => windowOf({ ...sent, codebooks: [] })).toThrow("The codebook codebook did not come");
  });

  it("keeps the items that the page has in the server's order, and takes what came anew", () => {
    const anew = assignment("a2", { claimed_until: "2026-01-01T00:00:00Z" });
    const refill = labelWindow([anew, assignment("a4")], { held: ["a2", "a3", "a4"] });
    const known = [assignment("a1"), assignment("a2"), assignment("a3")];
    expect(withKnown(refill, known).assignments).toEqual([anew, assignment("a3"), assignment("a4")]);
  });
});

describe("the list of what the page has", () => {
  it("names each item once, a hundred at most, and is not sent empty", () => {
    expect(heldList([assignment("a1"), assignment("a2"), assignment("a2", { tag: "2" })])).toBe("a1.1,a2.2");
    expect(heldList([])).toBeUndefined();
    const many = Array.from({ length: 120 }, (_, place) => assignment(`a${place}`));
    expect(heldList(many)?.split(",")).toHaveLength(100);
  });
});
