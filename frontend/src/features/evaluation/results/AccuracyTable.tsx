import { useState } from "react";
import { type Column, DataTable } from "../../../components/DataTable";
import { CardFiles } from "../../../components/FileLinks";
import { intervalWords } from "../../../components/intervals";
import { Switch } from "../../../components/Switch";
import { TableCard } from "../../../components/TableCard";
import { bounded, count } from "../../../text/format";
import { type Figures, type Humans, isReason, type StageFigures, type SystemFigures } from "../figures";
import type { Names } from "./names";

type Interval = [value: number | null, low?: number | null, high?: number | null];

/** Of a system: `n` items that it answered, and whether these are all of the stage. */
interface Found {
  value: Interval;
  n: number;
  isWhole: boolean;
}

const MEASURES = {
  accuracy: "Accuracy",
  compliant: "Accuracy of compliant answers",
  macro_f1: "Macro-F1",
  weighted_f1: "Weighted F1",
} as const;
type Measure = keyof typeof MEASURES;

const VALUES: Record<Measure, (of: SystemFigures) => Interval> = {
  accuracy: (of) => [of.accuracy, of.accuracy_low, of.accuracy_high],
  compliant: (of) => [of.accuracy_of_compliant],
  macro_f1: (of) => [of.macro_f1, of.macro_f1_low, of.macro_f1_high],
  weighted_f1: (of) => [of.weighted_f1, of.weighted_f1_low, of.weighted_f1_high],
};

const ABOUT: Record<Measure, string> = {
  accuracy: "Share of items with the gold label. An answer that is not compliant counts as wrong.",
  compliant: "As the accuracy, without the answers that are not compliant.",
  macro_f1: "The mean F1 of the labels that occur.",
  weighted_f1: "F1 of the labels, weighed by how often each is the gold label.",
};

/** The table of each measure among the files. */
const STEMS: Record<Measure, string> = {
  ...{ accuracy: "accuracy", compliant: "accuracy", macro_f1: "f1", weighted_f1: "weighted_f1" },
};

interface Row {
  name: string;
  title: string;
  /** A value, a range of values in words, or why there is none. */
  cell: (stage: StageFigures) => Found | { range: string } | string;
}

/** Systems by stages, with 95 % intervals. */
export function AccuracyTable({ figures, names }: { figures: Figures; names: Names }) {
  const [measure, setMeasure] = useState<Measure>("accuracy");
  const systems = figures.systems.map(
    ({ name }): Row => ({
      name,
      title: names.system(name),
      cell: (stage) => {
        const found = stage.systems.find((each) => each.name === name);
        if (!found) return "no answers";
        return { value: VALUES[measure](found), n: found.n, isWhole: found.n === stage.n };
      },
    }),
  );
  const isPartial = figures.stages.some(({ n, systems }) => systems.some((each) => each.n !== n));
  const rows = measure === "accuracy" ? [...systems, ...peopleRows(figures)] : systems;
  return (
    <TableCard
      title="Systems against people"
      about={
        <>
          <Switch
            label="Measure"
            value={measure}
            options={(Object.keys(MEASURES) as Measure[]).map((value) => ({ value, text: MEASURES[value] }))}
            onValue={setMeasure}
          />
          <p className="table-about">
            {ABOUT[measure]} In brackets: 95 % interval. Bold: the highest of the systems that answered every
            item.
            {isPartial && " A system with its own n answered only so many, and its figures are of these."}
          </p>
        </>
      }
    >
      <DataTable
        label={MEASURES[measure]}
        className="accuracies"
        rows={rows}
        keyOf={({ name }) => name}
        columns={[
          ["System", ({ title }) => title],
          ...figures.stages.map(
            (stage): Column<Row> => [
              `${names.stage(stage.key)} (${count(stage.n)})`,
              (row) => <Cell found={row.cell(stage)} best={bestOf(systems, stage)} />,
              "number nowrap",
            ],
          ),
        ]}
      />
      <CardFiles stem={STEMS[measure]} />
    </TableCard>
  );
}

function Cell({ found, best }: { found: ReturnType<Row["cell"]>; best: number | null }) {
  if (typeof found === "string") return <span className="why">{found}</span>;
  if ("range" in found) return found.range;
  const [value, low, high] = found.value;
  if (value === null) return <span className="mute">–</span>;
  return (
    <>
      {found.isWhole && value === best ? <b>{bounded(value)}</b> : bounded(value)}
      <span className="basis">{intervalWords(low, high)}</span>
      {!found.isWhole && <span className="basis">n = {count(found.n)}</span>}
    </>
  );
}

function bestOf(systems: readonly Row[], stage: StageFigures): number | null {
  const values = systems.flatMap(({ cell }) => {
    const found = cell(stage);
    return typeof found === "object" && "isWhole" in found && found.isWhole && found.value[0] !== null
      ? [found.value[0]]
      : [];
  });
  return values.length === 0 ? null : Math.max(...values);
}

/** The people themselves: from the lowest of them to the highest. */
function peopleRows({ stages }: Figures): Row[] {
  if (stages.every(({ humans }) => humans === null)) return [];
  const row = (title: string, of: (humans: Humans) => Humans["own"]): Row => ({
    ...{ name: title, title },
    cell: ({ humans }) => {
      if (humans === null) return "not asked for";
      return isReason(humans) ? humans.reason : { range: endsWords(of(humans)) };
    },
  });
  return [
    row("People, lowest to highest", ({ own }) => own),
    row("People without their own vote in the majority", ({ others }) => others),
  ];
}

function endsWords({ lowest, highest }: Humans["own"]): string {
  return lowest === null || highest === null ? "–" : `${bounded(lowest)} to ${bounded(highest)}`;
}
