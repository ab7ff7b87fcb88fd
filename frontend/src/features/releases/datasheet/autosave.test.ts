import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "../../../api/errors";
import { question } from "../../../test/datasheet";
import type { Question } from "./api";
import { Autosave, REST_MS } from "./autosave";
import type { Draft } from "./drafts";

/** A server that holds one answer, and refuses a text that was written from another one. */
class Held {
  stored: Question;
  asked: [text: string, base: number][] = [];
  /** Thrown instead of the next answers, in turn. */
  faults: unknown[] = [];
  /** Answers are held back until `release` is called. */
  gate: Promise<void> = Promise.resolve();
  drafts = new Map<string, Draft>();
  hasRoom = true;

  constructor(stored: Question) {
    this.stored = stored;
  }

  ports = {
    save: async (_: string, text: string, base: number) => {
      this.asked.push([text, base]);
      await this.gate;
      const fault = this.faults.shift();
      if (fault) throw fault;
      if (base !== this.stored.revision)
        throw new ApiError(409, { code: "stale_revision", detail: "changed", current: this.stored });
      this.stored = { ...this.stored, answer: text, revision: base + 1, answered_by: "Me" };
      return this.stored;
    },
    drafts: {
      get: (key: string) => this.drafts.get(key) ?? null,
      keep: (key: string, draft: Draft) => {
        if (this.hasRoom) this.drafts.set(key, draft);
        return this.hasRoom;
      },
      drop: (key: string) => void this.drafts.delete(key),
    },
    onStored: vi.fn(),
    onError: vi.fn(),
  };

  byOther(answer: string): void {
    this.stored = { ...this.stored, answer, revision: this.stored.revision + 1, answered_by: "Ben" };
  }

  autosave(from: Question = this.stored): Autosave {
    return new Autosave(from, this.ports, () => {});
  }
}

const AWAY = new ApiError(0, null);
let held: Held;
let autosave: Autosave;

beforeEach(() => {
  vi.useFakeTimers();
  held = new Held(question("purpose", { answer: "old", revision: 4 }));
  autosave = held.autosave();
});

afterEach(() => vi.useRealTimers());

const arrive = () => vi.advanceTimersByTimeAsync(0);
const rest = () => vi.advanceTimersByTimeAsync(REST_MS);

describe("a text on its way", () => {
  it("is sent once the hands rest, from the revision that it was written from", async () => {
    autosave.type("n");
    await vi.advanceTimersByTimeAsync(REST_MS - 1);
    autosave.type("new");
    expect(held.asked).toEqual([]);
    expect(held.drafts.get("purpose")).toEqual({ text: "new", revision: 4 });
    await rest();
    expect(held.asked).toEqual([["new", 4]]);
    expect(autosave.state).toMatchObject({ status: "stored", text: "new", wasSaved: true });
    expect(held.drafts.size).toBe(0);
    expect(held.ports.onStored).toHaveBeenCalledWith(held.stored);
  });

  it("is sent at once when the field is left, and only if it changed", async () => {
    autosave.flush();
    autosave.type("old!");
    autosave.type("old");
    autosave.flush();
    await rest();
    expect(held.asked).toEqual([]);
    expect(autosave.state).toMatchObject({ status: "stored", wasSaved: false });
    autosave.type("new");
    autosave.flush();
    await arrive();
    expect(held.asked).toEqual([["new", 4]]);
  });

  it("waits for the one before it, and builds on what that gave", async () => {
    let open = () => {};
    held.gate = new Promise((resolve) => {
      open = resolve;
    });
    autosave.type("one");
    autosave.flush();
    autosave.type("one two");
    autosave.flush();
    expect(held.asked).toEqual([["one", 4]]);
    open();
    await arrive();
    expect(autosave.state).toMatchObject({ status: "typed", text: "one two" });
    expect(held.drafts.get("purpose")).toEqual({ text: "one two", revision: 5 });
    await rest();
    expect(held.asked).toEqual([
      ["one", 4],
      ["one two", 5],
    ]);
    expect(autosave.state.status).toBe("stored");
  });
});

describe("a server that is away", () => {
  it("is asked again by itself, and the text is kept", async () => {
    held.faults = [AWAY, new ApiError(503, { detail: "The database does not answer." })];
    autosave.type("new");
    await rest();
    expect(autosave.state).toMatchObject({ status: "retrying", isKept: true });
    expect(autosave.state.reason).toContain("cannot be reached");
    await vi.advanceTimersByTimeAsync(1_250);
    expect(autosave.state.reason).toBe("The database does not answer.");
    await vi.advanceTimersByTimeAsync(2_500);
    expect(autosave.state.status).toBe("stored");
    expect(held.stored.answer).toBe("new");
  });

  it("is asked at once when the page is told to", async () => {
    held.faults = [AWAY];
    autosave.type("new");
    await rest();
    autosave.flush();
    await arrive();
    expect(autosave.state.status).toBe("stored");
  });

  it("is not asked by a page that was left", async () => {
    held.faults = [AWAY];
    autosave.type("new");
    autosave.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(held.asked).toEqual([["new", 4]]);
    expect(held.drafts.get("purpose")).toEqual({ text: "new", revision: 4 });
    const again = held.autosave();
    expect(again.state).toMatchObject({ status: "typed", text: "new" });
    again.resume();
    await arrive();
    expect(again.state).toMatchObject({ status: "stored", wasSaved: true });
    expect(held.drafts.size).toBe(0);
  });

  it("says where the browser has no room for the text", () => {
    held.hasRoom = false;
    autosave.type("new");
    expect(autosave.state.isKept).toBe(false);
  });
});

describe("a page that was left", () => {
  it("does not drop what was typed on the next one", async () => {
    let open = () => {};
    held.gate = new Promise((resolve) => {
      open = resolve;
    });
    autosave.type("one");
    autosave.stop();
    const again = held.autosave();
    again.type("one two");
    open();
    await arrive();
    expect(held.drafts.get("purpose")?.text).toBe("one two");
  });
});

describe("a text that the server does not take", () => {
  it("stays, with the reason, and is not sent again unchanged", async () => {
    held.faults = [new ApiError(400, { detail: "Mend.", errors: { text: ["Too long."] } })];
    autosave.type("new");
    await rest();
    expect(autosave.state).toMatchObject({ status: "refused", text: "new", reason: "Too long." });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(held.asked).toHaveLength(1);
    autosave.type("ne");
    await rest();
    expect(autosave.state).toMatchObject({ status: "stored", text: "ne" });
  });

  it("tells the page of a sign-out", async () => {
    const gone = new ApiError(401, null);
    held.faults = [gone];
    autosave.type("new");
    await rest();
    expect(held.ports.onError).toHaveBeenCalledWith(gone);
    expect(held.drafts.get("purpose")).toEqual({ text: "new", revision: 4 });
  });
});

describe("another's text", () => {
  const overtaken = async () => {
    held.byOther("theirs");
    autosave.type("mine");
    await rest();
    expect(autosave.state).toMatchObject({ status: "stale", text: "mine", stored: { answer: "theirs" } });
  };

  it("stops the sending until the person decides for the own", async () => {
    await overtaken();
    autosave.type("mine too");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(held.asked).toHaveLength(1);
    autosave.keep("mine too");
    await arrive();
    expect(held.asked.at(-1)).toEqual(["mine too", 5]);
    expect(autosave.state).toMatchObject({ status: "stored", text: "mine too" });
  });

  it("stands where the person takes it", async () => {
    await overtaken();
    autosave.takeOther();
    expect(autosave.state).toMatchObject({ status: "stored", text: "theirs" });
    expect(held.drafts.size).toBe(0);
    autosave.type("theirs and mine");
    await rest();
    expect(held.asked.at(-1)).toEqual(["theirs and mine", 5]);
  });

  it("is overtaken once more, and asks once more", async () => {
    await overtaken();
    held.byOther("theirs again");
    autosave.keep("mine");
    await arrive();
    expect(autosave.state).toMatchObject({ status: "stale", stored: { answer: "theirs again" } });
  });

  it("needs no decision where both wrote the same", async () => {
    held.byOther("same");
    autosave.type("same");
    await rest();
    expect(autosave.state).toMatchObject({ status: "stored", text: "same" });
  });

  it("comes in by itself where nothing was written here, but never over a text", async () => {
    held.byOther("theirs");
    autosave.adopt(held.stored);
    expect(autosave.state).toMatchObject({ status: "stored", text: "theirs" });
    autosave.adopt(question("purpose", { answer: "old", revision: 4 }));
    expect(autosave.state.text).toBe("theirs");
    autosave.type("mine");
    held.byOther("theirs 2");
    autosave.adopt(held.stored);
    expect(autosave.state).toMatchObject({ status: "typed", text: "mine" });
  });
});
