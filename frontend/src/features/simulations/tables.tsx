import { type Column, DataTable } from "../../components/DataTable";
import { TableCard } from "../../components/TableCard";
import type { Difference, StrategySummary, Study, Summary } from "./api";
import {
  informativeWords,
  intervalWords,
  reachedWords,
  score,
  seedsWords,
  signed,
  spreadWords,
} from "./copy";
import { type Measured, referenceWords, whereWords } from "./measured";

const MEASURES: Record<Difference["measure"], string> = {
  area_under_curve: "area under the curve",
  last_macro_f1: "macro-F1 after the last batch",
};

/** The name of a reference, and its score at a part. */
type Reference = [name: string, scoreOf: (part: string) => string];

/** What a strategy must be above to say something of learning, and what all labels give. */
export function ReferencesTable({ summary }: { summary: Summary }) {
  const parts = ["", ...Object.keys(summary.parts ?? {})];
  if (!summary.references) return null;
  const rows = [
    ...Object.entries(summary.references).map(
      ([name, scores]): Reference => [
        `${referenceWords(name)}, without learning`,
        (part) => (scores[part] === undefined ? "–" : score(scores[part])),
      ],
    ),
    ...Object.entries(summary.full_supervision).flatMap(([model, of]): Reference[] => {
      const spreadOf = (part: string) => (part ? of?.parts?.[part] : of?.macro_f1);
      return of ? [[`${model}, all labels`, (part) => spreadWords(spreadOf(part))]] : [];
    }),
  ];
  return (
    <TableCard title="To compare with: test macro-F1">
      <DataTable
        rows={rows}
        keyOf={([name]) => name}
        columns={[
          ["Reference", ([name]) => name],
          ...parts.map(
            (part): Column<Reference> => [
              whereWords(part, summary),
              ([, scoreOf]) => scoreOf(part),
              "number nowrap",
            ],
          ),
        ]}
      />
    </TableCard>
  );
}

interface StrategiesProps {
  study: Study;
  measured: Measured;
  summary: Summary;
}

export function StrategiesTable({ study, measured, summary }: StrategiesProps) {
  const title = measured.part ? `Results of each strategy: ${measured.where}` : "Results of each strategy";
  return (
    <TableCard title={title} about={!measured.part && <StrategiesAbout study={study} summary={summary} />}>
      <DataTable
        rows={Object.entries(measured.strategies)}
        keyOf={([label]) => label}
        columns={[
          ["Strategy", ([label]) => label],
          ["Area under the curve", ([, own]) => spreadWords(own.area_under_curve), "number nowrap"],
          ["Last macro-F1", ([, own]) => spreadWords(own.last_macro_f1), "number nowrap"],
          ...(measured.part ? [] : learned(study)),
        ]}
      />
    </TableCard>
  );
}

/** What is learned is the same on every part; there only the measures differ. */
function learned({ strategies }: Study): Column<[label: string, unknown]>[] {
  const of =
    (words: (summary: StrategySummary) => string) =>
    ([label]: [string, unknown]) =>
      strategies[label] ? words(strategies[label]) : "–";
  const percents = Object.keys(Object.values(strategies)[0]?.labels_to_reach ?? {});
  return [
    [
      "On training items",
      of(({ training_macro_f1 }) => spreadWords(training_macro_f1.at(-1))),
      "number nowrap",
    ],
    ["Not informative", of(informativeWords), "number nowrap"],
    ...percents.map(
      (percent): Column<[label: string, unknown]> => [
        `Labels to ${percent} %`,
        of(({ labels_to_reach }) => reachedWords(labels_to_reach[percent])),
        "number nowrap",
      ],
    ),
  ];
}

function StrategiesAbout({ study, summary }: Omit<StrategiesProps, "measured">) {
  const later =
    summary.area_includes_first_batch === false ? ", from the second batch on, as all share the first" : "";
  return (
    <p className="table-about">
      Area: trapezoid rule over labels, divided by their range{later}. Labels needed for a share of full
      supervision: the first batch at which the mean curve is there, in brackets how many seeds get there by
      themselves
      {study.baseline ? `; x: over those of ${study.baseline}` : ""}. On training items: after the last batch,
      far above the test it over-fits. Not informative: models that learned nothing by their own figures, so
      that what they ranked was ranked by chance.
    </p>
  );
}

export function DifferencesTable({ measured: { part, where, differences } }: { measured: Measured }) {
  if (differences.length === 0) return null;
  return (
    <TableCard
      title={part ? `Paired differences: ${where}` : "Paired differences"}
      about={
        <p className="table-about">
          Per seed, first minus second: seeds share the first batch and the model's seeds. 95 % intervals: of
          the mean over seeds (Student's t), and of seeds and test items resampled together.
        </p>
      }
    >
      <DataTable
        rows={differences}
        keyOf={({ strategy, against, measure }) => `${strategy} ${against} ${measure}`}
        columns={[
          ["First − second", ({ strategy, against }) => `${strategy} − ${against}`, "nowrap"],
          ["Measure", ({ measure }) => MEASURES[measure]],
          ["Mean", ({ mean }) => signed(mean), "number nowrap"],
          ["t, seeds", ({ interval_95 }) => intervalWords(interval_95), "number nowrap"],
          ["Seeds and items", (row) => intervalWords(row.interval_95_seeds_and_items), "number nowrap"],
          ["Seeds higher / equal / lower", seedsWords, "number nowrap"],
          ["Named", ({ primary }) => (primary ? <b>primary</b> : "exploratory")],
          ["By seed", ({ by_seed }) => by_seed.map(bySeed).join(", "), "small numbers"],
        ]}
      />
    </TableCard>
  );
}

function bySeed(value: number): string {
  return value > 0 ? `+${score(value)}` : score(value);
}
