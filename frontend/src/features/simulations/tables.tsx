import { ColumnHeads, number } from "../../components/ColumnHeads";
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

/** What a strategy must be above to say something of learning, and what all labels give. */
export function ReferencesTable({ summary }: { summary: Summary }) {
  const parts = ["", ...Object.keys(summary.parts ?? {})];
  const full = Object.entries(summary.full_supervision);
  if (!summary.references) return null;
  return (
    <TableCard title="To compare with: test macro-F1">
      <table className="table">
        <ColumnHeads of={["Reference", ...parts.map((part) => number(whereWords(part, summary)))]} />
        <tbody>
          {Object.entries(summary.references).map(([name, scores]) => (
            <tr key={name}>
              <th scope="row">{referenceWords(name)}, without learning</th>
              {parts.map((part) => (
                <td className="number" key={part}>
                  {scores[part] === undefined ? "–" : score(scores[part])}
                </td>
              ))}
            </tr>
          ))}
          {full.map(
            ([model, of]) =>
              of && (
                <tr key={model}>
                  <th scope="row">{model}, all labels</th>
                  {parts.map((part) => {
                    const spread = part ? of.parts?.[part] : of.macro_f1;
                    return (
                      <td className="number nowrap" key={part}>
                        {spread ? spreadWords(spread) : "–"}
                      </td>
                    );
                  })}
                </tr>
              ),
          )}
        </tbody>
      </table>
    </TableCard>
  );
}

interface StrategiesProps {
  study: Study;
  measured: Measured;
  summary: Summary;
}

export function StrategiesTable({ study, measured, summary }: StrategiesProps) {
  // On a part only the measures differ; what is learned is the same.
  const whole = measured.part ? null : study.strategies;
  const percents = Object.keys(Object.values(whole ?? {})[0]?.labels_to_reach ?? {});
  const title = measured.part ? `Results of each strategy: ${measured.where}` : "Results of each strategy";
  return (
    <TableCard title={title} about={whole && <StrategiesAbout study={study} summary={summary} />}>
      <table className="table">
        <ColumnHeads
          of={[
            "Strategy",
            ...["Area under the curve", "Last macro-F1"].map(number),
            ...(whole ? ["On training items", "Not informative"].map(number) : []),
            ...percents.map((percent) => number(`Labels to ${percent} %`)),
          ]}
        />
        <tbody>
          {Object.entries(measured.strategies).map(([label, own]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td className="number nowrap">{spreadWords(own.area_under_curve)}</td>
              <td className="number nowrap">{spreadWords(own.last_macro_f1)}</td>
              {whole?.[label] && <LearnedCells summary={whole[label]} percents={percents} />}
            </tr>
          ))}
        </tbody>
      </table>
    </TableCard>
  );
}

function LearnedCells({ summary, percents }: { summary: StrategySummary; percents: string[] }) {
  const last = summary.training_macro_f1.at(-1);
  return (
    <>
      <td className="number nowrap">{last ? spreadWords(last) : "–"}</td>
      <td className="number nowrap">{informativeWords(summary)}</td>
      {percents.map((percent) => (
        <td className="number nowrap" key={percent}>
          {reachedWords(summary.labels_to_reach[percent])}
        </td>
      ))}
    </>
  );
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
      <table className="table">
        <ColumnHeads
          of={[
            "First − second",
            "Measure",
            number("Mean"),
            number("t, seeds"),
            number("Seeds and items"),
            number("Seeds higher / equal / lower"),
            "Named",
            "By seed",
          ]}
        />
        <tbody>
          {differences.map((row) => (
            <tr key={`${row.strategy} ${row.against} ${row.measure}`}>
              <th scope="row" className="nowrap">
                {row.strategy} − {row.against}
              </th>
              <td>{MEASURES[row.measure]}</td>
              <td className="number nowrap">{signed(row.mean)}</td>
              <td className="number nowrap">{intervalWords(row.interval_95)}</td>
              <td className="number nowrap">{intervalWords(row.interval_95_seeds_and_items)}</td>
              <td className="number nowrap">{seedsWords(row)}</td>
              <td>{row.primary ? <b>primary</b> : "exploratory"}</td>
              <td className="small numbers">{row.by_seed.map((value) => bySeed(value)).join(", ")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableCard>
  );
}

function bySeed(value: number): string {
  return value > 0 ? `+${score(value)}` : score(value);
}
