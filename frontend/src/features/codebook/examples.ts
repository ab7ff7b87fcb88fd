const STAGES = [
  {
    key: "opinion",
    title: "Opinion",
    prompt: "Does the speaker give an opinion here?",
    help: "",
    open_when: null,
    labels: [
      { key: "yes", name: "Yes", help: "" },
      { key: "no", name: "No", help: "" },
      { key: "ambiguous", name: "Can’t tell", help: "" },
    ],
    positive: ["yes"],
  },
];

const LEARNING = { stage: "opinion", exclude: ["ambiguous"] };

const SPAN_LAYER = {
  target: "claim",
  categories: [
    {
      key: "claim",
      name: "Claim",
      help: "What the speaker holds to be so.",
      color: "blue",
      shortcut: "1",
      at_least: 0,
      at_most: null,
      comment: "none",
      within: null,
      refers: false,
    },
    {
      key: "reason",
      name: "Reason",
      help: "What is said for it.",
      color: "orange",
      shortcut: "2",
      at_least: 1,
      at_most: 2,
      comment: "optional",
      within: "claim",
      refers: false,
    },
  ],
};

/** What an editor of the first codebook may begin with. */
export const EXAMPLES = {
  Stages: { name: "My codebook", guidelines: "", stages: STAGES, learning: LEARNING },
  Spans: { name: "My codebook", guidelines: "", stages: [], span_layer: SPAN_LAYER },
  Both: { name: "My codebook", guidelines: "", stages: STAGES, learning: LEARNING, span_layer: SPAN_LAYER },
};
