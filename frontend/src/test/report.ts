import type { Report, ReportExample, ReportFigure, ReportTable } from "../features/report/api";

/** A made-up report for the tests. */
const cell = (text: string, repeats = false, interval = "", basis = "") => ({
  ...{ text, why: "", repeats, interval, basis },
});

const LABELS: ReportTable = {
  key: "table_3",
  title: "Labels by stage",
  source: "Table 3",
  about: "Items by majority label.",
  columns: [
    { name: "stage", title: "Stage", kind: "text" },
    { name: "label", title: "Label", kind: "text" },
    { name: "n", title: "n", kind: "number" },
  ],
  rows: [
    [cell("Opinion"), cell("Yes"), cell("546", false, "[500, 600]", "n = 13")],
    [cell("Opinion", true), cell("No"), cell("496")],
  ],
  notes: ["Items without a majority have no label."],
  missing: "",
  csv: "stage,label,n\r\nOpinion,yes,546\r\n",
  latex: "% Needs \\usepackage{booktabs}.\n",
};

const CONTEXT: ReportFigure = {
  key: "figure_4_mp_context",
  title: "Labels of each annotator",
  source: "Figure 4",
  about: "Share of each annotator's own labels.",
  x_name: "annotator",
  y_name: "share",
  is_share: true,
  parts: [
    { key: "sentence", label: "Sentence only", quiet: false },
    { key: "utterance", label: "Whole turn", quiet: false },
  ],
  bars: [{ label: "2", values: { sentence: 0.25, utterance: 0.75 } }],
  alternative: "Annotator 2: Sentence only 25.0%, Whole turn 75.0%",
  notes: [],
  missing: "",
  table: { ...LABELS, key: "figure_4_mp_context", title: "Labels of each annotator" },
};

const nothing: ReportTable = {
  ...LABELS,
  key: "table_2",
  title: "Class yield",
  rows: [],
  csv: "",
  latex: "",
};
const MISSING = { ...nothing, missing: "No round has opened a batch yet." };

export const CANDIDATE: ReportExample = {
  id: "19791006_304_14",
  text: "That sounds like a good idea.",
  speaker: "Chair",
  document: "October 1979",
  round: 2,
  labels: [
    { stage: "Opinion", label: "Yes" },
    { stage: "Stance", label: "*" },
  ],
  needed: "Whole turn",
  needed_text: "A percentage point more. That sounds like a good idea.",
};

export const REPORT: Report = {
  made_at: "2025-11-27T14:05:00Z",
  notices: ["Round 2 is open: 3 of 450 assignments are done."],
  sections: [
    { key: "yield", title: "Class yield", question: "What did it bring?", figures: [], tables: [MISSING] },
    { key: "labels", title: "Labels", question: "What is in it?", figures: [], tables: [LABELS] },
    { key: "agreement", title: "Agreement", question: "Who agrees?", figures: [], tables: [] },
    { key: "context", title: "Context", question: "How much?", figures: [CONTEXT], tables: [] },
    {
      key: "examples",
      title: "Examples",
      question: "Which items show it?",
      figures: [],
      tables: [
        { ...MISSING, key: "table_1", title: "Chosen examples", missing: "No examples are chosen yet." },
      ],
    },
  ],
  annotators: [2, 3, 4],
  compared: [2, 3, 4],
  chosen: [],
  candidates: [CANDIDATE],
};
