import type { Case, Listing, LookPlace } from "../features/adjudication/api";
import { CONTEXT, DEFINITION } from "./fixtures";

const COUNTS = { majority: 0, adjudicated: 0, tie: 0, no_majority: 0, not_applicable: 0 };

export const LISTING: Listing = {
  items: [
    {
      id: "i1",
      text: "I would go along with it.",
      document: "Meeting of 4 March",
      round: 1,
      stages: [{ stage: "opinion", state: "tie", label_key: null, differs: true }],
      revised_since: false,
    },
    {
      id: "i2",
      text: "Rates are where they are.",
      document: "Meeting of 4 March",
      round: 2,
      stages: [
        { stage: "opinion", state: "majority", label_key: "yes", differs: false },
        { stage: "mp", state: "no_majority", label_key: null, differs: true },
      ],
      revised_since: false,
    },
  ],
  counts: { open: 2, tie: 1, no_majority: 1, few: 0, any: 7, decided: 0, revised: 0 },
  stages: [
    { ...COUNTS, key: "opinion", title: "Opinion", majority: 8, tie: 1 },
    { ...COUNTS, key: "mp", title: "Monetary policy", majority: 3, no_majority: 1, not_applicable: 5 },
  ],
  waiting: 3,
  rounds: [1, 2],
  second_looks: [],
  hidden_editable: 0,
  hidden_pending: 0,
  page: 1,
  n_pages: 1,
};

const said = (answers: Record<string, string>, comment = "") => ({ answers, comment, skip_reason: null });

/** Three people, three labels at the first stage; one of them went on. */
export const TIE: Case = {
  item: {
    id: "i1",
    external_id: "ext_1",
    text: "I would go along with it.",
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
  round: 1,
  answers: [
    { letter: "A", first: said({ opinion: "no" }), second: null },
    { letter: "B", first: said({ opinion: "yes", mp: "no" }, "She means the vote."), second: null },
    { letter: "C", first: said({ opinion: "ambiguous" }), second: null },
  ],
  predictions: [],
  voted: [
    { stage: "opinion", state: "tie", label_key: null, votes: { yes: 1, no: 1, ambiguous: 1 } },
    { stage: "mp", state: "not_applicable", label_key: null, votes: { no: 1 } },
  ],
  majorities: {},
  decision: null,
  revised_since: false,
  previous: null,
  next: "i2",
  place: 1,
  total: 2,
};

/** Its opinion has a majority; the next stage has none. */
export const LATER: Case = {
  ...TIE,
  item: { ...TIE.item, id: "i2", text: "Rates are where they are." },
  answers: [
    { letter: "A", first: said({ opinion: "yes", mp: "yes" }), second: null },
    { letter: "B", first: said({ opinion: "yes", mp: "no" }), second: null },
    { letter: "C", first: said({ opinion: "no" }), second: null },
  ],
  voted: [
    { stage: "opinion", state: "majority", label_key: "yes", votes: { yes: 2, no: 1 } },
    { stage: "mp", state: "tie", label_key: null, votes: { yes: 1, no: 1 } },
  ],
  majorities: { opinion: "yes" },
  previous: "i1",
  next: null,
  place: 2,
};

export const LOOK: LookPlace = {
  round_id: "r1",
  number: 1,
  size: 150,
  n_differing: 2,
  second_look: null,
  may_open: true,
  reason: "",
};
