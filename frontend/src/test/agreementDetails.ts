import type { AgreementPage, AgreementRow, DetailsPage } from "../api/agreement";
import { agreementRow, STATISTICS } from "./agreement";

export const ANNOTATORS = [
  { number: 2, display_name: "Ann" },
  { number: 3, display_name: "Ben" },
  { number: 4, display_name: "Cleo" },
];

export function row(part: Partial<AgreementRow>): AgreementRow {
  const counted = { n_items: 30, n_units: 28, fleiss_items: 25, general_items: 25 };
  const values = {
    percent_agreement: 0.8,
    item_agreement: 0.8,
    fleiss_kappa: 0.5,
    fleiss_kappa_general: 0.5,
  };
  return agreementRow({
    ...{ ...counted, ...values, alpha_nominal: 0.5, cohen_kappa: null, ci: { alpha_nominal: [0.3, 0.7] } },
    ...part,
  });
}

export const EVERYONE: AgreementPage = {
  scope: "all",
  phase: 1,
  second_looks: [],
  stages: [
    { key: "opinion", title: "Opinion", coefficient: "alpha_nominal" },
    { key: "mp_context", title: "Context", coefficient: "alpha_nominal" },
  ],
  annotators: ANNOTATORS,
  statistics: STATISTICS,
  rows: [
    row({ round: null, alpha_nominal: 0.55 }),
    row({ round: 1, alpha_nominal: 0.4 }),
    row({ round: 2, alpha_nominal: 0.5 }),
    row({ round: 3, alpha_nominal: 0.9 }),
  ],
};

export const PAIR: AgreementPage = {
  ...EVERYONE,
  rows: [row({ pair: [2, 3], round: 1, alpha_nominal: 0.25 })],
};

const habit = (own: number, others: number, standard_error: number | null, much_more = false) => ({
  own,
  others,
  standard_error,
  much_more,
});

const UNCOLLAPSED = {
  ...{ n_collapsed: null, collapsed: null, collapsed_interval: null },
  ...{ n_circular: 0, reason: "" },
};

/** Ann and Ben on 30 items, of which Cleo had 20. */
export const DETAILS: DetailsPage = {
  scope: "all",
  phase: 1,
  stage: "opinion",
  title: "Opinion",
  scale: "nominal",
  round: null,
  labels: [
    { key: "yes", name: "Yes" },
    { key: "no", name: "No" },
    { key: "ambiguous", name: "Can’t tell" },
  ],
  annotators: ANNOTATORS,
  confusion: [
    {
      pair: [2, 3],
      n: 30,
      counts: [
        [15, 3, 0],
        [1, 8, 0],
        [0, 2, 1],
      ],
    },
    {
      pair: [2, 4],
      n: 20,
      counts: [
        [10, 0, 4],
        [0, 4, 1],
        [0, 0, 1],
      ],
    },
    {
      pair: [3, 4],
      n: 20,
      counts: [
        [11, 0, 0],
        [0, 9, 0],
        [0, 0, 0],
      ],
    },
  ],
  label_shares: [
    {
      ...{ annotator: 2, n: 30, counts: [18, 9, 3], shares: [0.6, 0.3, 0.1], n_compared: 30 },
      habits: [habit(0.6, 0.5, 0.05), habit(0.3, 0.4, 0.05), habit(0.1, 0.1, 0.02)],
    },
    {
      ...{ annotator: 4, n: 20, counts: [10, 4, 6], shares: [0.5, 0.2, 0.3], n_compared: 20 },
      habits: [habit(0.5, 0.6, 0.08), habit(0.2, 0.3, 0.08), habit(0.3, 0.1, 0.06, true)],
    },
  ],
  much_more_from: { items: 20, standard_errors: 3, times: 1.5, points: 0.1 },
  leave_one_out: {
    rows: [
      { ...{ annotator: 2, n: 20, n_right: 14, accuracy: 0.7, interval: [0.48, 0.86] }, ...UNCOLLAPSED },
      {
        ...{ annotator: 3, n: 0, n_right: 0, accuracy: null, interval: null },
        ...UNCOLLAPSED,
        reason: "nobody else answered these items",
      },
    ],
    ...{ minimum: 0.7, maximum: 0.7, collapsed_minimum: null, collapsed_maximum: null },
  },
  against_majority: {
    n_items: 25,
    n_circular: 3,
    ambiguous: ["ambiguous"],
    rows: [
      {
        ...{ annotator: 2, n: 25, n_right: 20, accuracy: 0.8, interval: [0.609, 0.911] },
        ...UNCOLLAPSED,
      },
      {
        ...{ annotator: 3, n: 25, n_right: 25, accuracy: 1, interval: [0.867, 1] },
        ...UNCOLLAPSED,
      },
    ],
    ...{ minimum: 0.8, maximum: 1, collapsed_minimum: null, collapsed_maximum: null },
  },
};
