import type {
  Assignment,
  CodebookDefinition,
  ItemContext,
  LabelDefinition,
  LabelWindow,
  SentWindow,
  StageDefinition,
} from "../api/types";

function labels(...keys: string[]): LabelDefinition[] {
  return keys.map((key) => ({ key, name: key.charAt(0).toUpperCase() + key.slice(1) }));
}

const LEVELS = ["sentence", "utterance", "minus_5_sentences", "minus_200_tokens"];

/** Five stages as in the papers: opinion, mp, mp_context, stance, stance_context. */
export const STAGES: StageDefinition[] = [
  {
    key: "opinion",
    title: "Opinion",
    prompt: "Does it take a side?",
    labels: labels("yes", "no", "ambiguous"),
  },
  {
    key: "mp",
    title: "Monetary policy",
    prompt: "Is it about rates?",
    open_when: { stage: "opinion", in: ["yes"] },
    labels: labels("yes", "no", "ambiguous"),
  },
  {
    key: "mp_context",
    title: "Context",
    prompt: "The least that lets you answer.",
    open_when: { stage: "mp", in: ["yes"] },
    labels: labels(...LEVELS),
  },
  {
    key: "stance",
    title: "Stance",
    prompt: "Does it support tightening?",
    open_when: {
      all: [
        { stage: "opinion", in: ["yes"] },
        { stage: "mp", in: ["yes"] },
      ],
    },
    labels: labels("entailment", "contradiction", "neutral", "ambiguous"),
  },
  {
    key: "stance_context",
    title: "Stance context",
    prompt: "The least that lets you answer.",
    open_when: { stage: "stance", answered: true },
    labels: labels(...LEVELS),
  },
];

export const DEFINITION: CodebookDefinition = {
  name: "Five stages",
  guidelines: "Judge the **marked** sentence.",
  stages: STAGES,
  learning: { stage: "opinion", exclude: ["ambiguous"] },
};

export const CONTEXT: ItemContext = {
  utterance: {
    speaker: "MS. OKAFOR",
    before: "Thank you.\r\nTwice\tin a  row. ",
    after: " My only hesitation 😀.",
  },
  minus_5_sentences: [
    { speaker: "MR. LINDQVIST", text: "I can see the case for it." },
    { speaker: "CHAIR", text: "Ms. Okafor." },
  ],
  minus_200_tokens: [
    { speaker: "CHAIR", text: "Let us begin." },
    { speaker: "MR. LINDQVIST", text: "Five percent. I can see the case for it." },
    { speaker: "CHAIR", text: "Ms. Okafor." },
  ],
};

export function assignment(id: string, over: Partial<Assignment> = {}): Assignment {
  return {
    id,
    tag: "1",
    state: "claimed",
    position: Number(/\d+/.exec(id)?.[0] ?? 1),
    claimed_until: null,
    item: {
      id: `item-${id}`,
      external_id: `ext_${id}`,
      text: `I would go along with ${id}.`,
      speaker: "MS. OKAFOR",
      document: { title: "Meeting of 4 March", external_id: "m4" },
      utterance: { external_id: "u212", number: 212 },
      sentence_number: 3,
      context: CONTEXT,
      beside: [],
      sources: [],
      marks: [],
    },
    codebook: { id: "codebook", version: 1, definition: DEFINITION },
    current: null,
    first_look: null,
    suggestions: null,
    key: null,
    batch: { number: 1, total: 30, open: true, is_practice: false },
    final: null,
    ...over,
  };
}

/** A window as the server sends it. */
export function sentWindow({ assignments, ...standing }: LabelWindow): SentWindow {
  const codebooks = new Map(assignments.map(({ codebook }) => [codebook.id, codebook]));
  return {
    ...standing,
    assignments: assignments.map((each) => ({ ...each, codebook: each.codebook.id })),
    codebooks: [...codebooks.values()],
  };
}

export function labelWindow(assignments: Assignment[], over: Partial<LabelWindow> = {}): LabelWindow {
  const held = assignments.map(({ id }) => id);
  return {
    assignments,
    held,
    to_compare: [],
    state: "ok",
    progress: { done: 0, total: 30, withdrawn: 0, batch_number: 1 },
    ...over,
  };
}
