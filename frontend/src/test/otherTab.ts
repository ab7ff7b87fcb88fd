import { api } from "../api/endpoints";
import { listApi } from "../api/factoids";
import { flagsApi } from "../api/flags";
import type { AnnotationBody, Assignment } from "../api/types";
import { openDatabase } from "../browser/database";
import { Outbox } from "../outbox/outbox";
import { OutboxStore } from "../outbox/store";
import type { Draft } from "../outbox/types";
import { notesInMemory } from "./notes";

/** A second outbox of Anna's on the same browser database, as another tab of hers has one. */
export async function otherTab() {
  const outbox = new Outbox({
    userId: "anna",
    store: new OutboxStore(await openDatabase(), "anna"),
    notes: notesInMemory(),
    remember: () => Promise.resolve(),
    rememberStep: () => Promise.resolve(),
    channel: new BroadcastChannel("quorum-outbox-anna"),
    lock: (_name, _signal, work) => work(),
    send: (entry, known) => api.annotate(entry.assignment, entry.body, known),
    loaded: () => undefined,
    sendStep: (entry) => listApi.revise(entry.list.id, entry.body),
    sendFlag: (entry) => flagsApi.flag(entry.flagged.id, entry.body),
    signedIn: () => "anna",
    whoAmI: async () => "anna",
  });
  await outbox.open();
  return {
    submit: (assignment: Assignment, said: Partial<AnnotationBody>) =>
      outbox.commit({ projectId: "p1", assignment, body: { ...BODY, ...said } }),
    change: (assignmentId: string, said: Partial<Draft>) =>
      outbox.drafts.save(assignmentId, { ...DRAFT, ...said }, true),
    isBehind: (assignmentId: string) => outbox.snapshot().elsewhere.has(assignmentId),
    close: () => outbox.stop(),
  };
}

const DRAFT: Draft = {
  ...{ baseRevision: 0, given: {}, spans: [], comment: "" },
  ...{ contextOpen: "sentence", contextOpened: "sentence", activeMs: 1, wallMs: 1 },
};

const BODY: AnnotationBody = {
  client_id: "0b0e7a52-0000-4000-8000-000000000001",
  base_revision: 0,
  answers: {},
  spans: [],
  comment: "",
  context_opened: "sentence",
  active_ms: 1,
  wall_ms: 1,
};
