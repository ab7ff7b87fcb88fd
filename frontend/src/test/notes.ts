import type { Kept } from "../kept/drafts";
import type { OutboxParts } from "../outbox/outbox";
import type { Draft } from "../outbox/types";

/** Notes of drafts where there is no browser to keep them. */
export function notesInMemory(notes = new Map<string, Kept<Draft>>()): OutboxParts["notes"] {
  return {
    keep: (name, draft) => {
      notes.set(name, { draft, at: Date.now(), base: "" });
      return true;
    },
    find: (name) => notes.get(name) ?? null,
    all: () => new Map(notes),
    drop: (name) => void notes.delete(name),
  };
}
