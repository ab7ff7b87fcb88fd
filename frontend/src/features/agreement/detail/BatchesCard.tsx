import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";
import {
  type AgreementPage,
  type AgreementRow,
  agreementQuery,
  isShare,
  type Statistic,
} from "../../../api/agreement";
import { ColumnHeads, number } from "../../../components/ColumnHeads";
import { IntervalPlot } from "../../../components/charts/BarCharts";
import { ChartFigure } from "../../../components/charts/ChartFigure";
import { pointWords } from "../../../components/charts/lineOption";
import { type Axis, coefficientEnds, type IntervalPoint } from "../../../components/charts/model";
import { Select } from "../../../components/Select";
import { NotLoaded, Status } from "../../../components/states";
import { useProject } from "../../../session/project";
import { bounded, boundedPercent, capitalised, coefficient, count } from "../../../text/format";
import { type Choice, type Pair, pairFrom, pairKey } from "../choice";
import { annotatorName, byRound, whyUndefined } from "../rows";
import { BASIS_WORDS, basisOf, STATISTIC_WORDS, trendWords } from "./copy";
import { Download } from "./Download";
import { batchesFile } from "./files";
import { trendOf } from "./trend";

const TITLE = "Agreement by batch";

interface BatchesCardProps {
  /** Of everyone. */
  page: AgreementPage;
  stage: string;
  choice: Choice;
  onChange: (part: Partial<Choice>) => void;
}

/** Round by round, of everyone or of one pair, whichever round is chosen above. */
export function BatchesCard({ page, stage, choice, onChange }: BatchesCardProps) {
  const project = useProject();
  const { by, scope, phase } = choice;
  const pair = useQuery({
    ...agreementQuery(project.id, { scope, phase, of: "pairs", stage, pair: by ? pairKey(by) : "" }),
    enabled: by !== null,
    placeholderData: keepPreviousData,
  });
  const shown = by ? pair.data : page;
  const controls = <Controls page={page} stage={stage} choice={choice} onChange={onChange} />;
  if (by && pair.error)
    return (
      <ChartFigure title={TITLE}>
        {controls}
        <NotLoaded what="The pair’s agreement" error={pair.error} retry={pair.refetch} />
      </ChartFigure>
    );
  if (!shown || (by && pair.isPlaceholderData))
    return (
      <ChartFigure title={TITLE}>
        {controls}
        <Status>Counting the pair’s agreement</Status>
      </ChartFigure>
    );
  const whose = by ? by.map((number) => annotatorName(page, number)).join(" – ") : "all";
  return (
    <Batches page={shown} stage={stage} statistic={choice.statistic} whose={whose}>
      {controls}
    </Batches>
  );
}

interface BatchesProps {
  page: AgreementPage;
  stage: string;
  statistic: Statistic;
  whose: string;
  children: ReactNode;
}

function Batches({ page, stage, statistic, whose, children }: BatchesProps) {
  const rows = useMemo(() => byRound(page.rows.filter((row) => row.stage === stage)), [page, stage]);
  const rounds = useMemo(() => rows.filter((row) => row.round !== null), [rows]);
  const points = useMemo(() => rounds.map((row) => pointOf(row, statistic)), [rounds, statistic]);
  const y = useMemo(() => axisOf(statistic, points), [statistic, points]);
  const trend = useMemo(() => trendOf(measured(rounds, statistic)), [rounds, statistic]);
  const line = useMemo(() => trend && rounds.map((row) => trend.at(row.round ?? 0)), [rounds, trend]);
  if (points.every((point) => point.y === null))
    return (
      <ChartFigure title={TITLE} about={`No round has a value yet. ${whyNone(rounds, statistic)}`}>
        {children}
      </ChartFigure>
    );
  const said = trendWords(trend, STATISTIC_WORDS[statistic], isShare(statistic));
  const values = points.map((point) => `${point.label}: ${pointWords(point, y)}`).join("; ");
  return (
    <ChartFigure
      title={TITLE}
      about="All rounds, with 95 % intervals over items. The dashed line is the trend: batches weigh by their items with two answers, and its interval is from their scatter about the line."
      table={<Table rows={rows} statistic={statistic} />}
    >
      {children}
      <p>{said}</p>
      <IntervalPlot
        label={`${y.name}: ${values}. ${said}`}
        points={points}
        y={y}
        xName="round"
        trend={line ?? undefined}
      />
      <Download file={batchesFile(page, rows, statistic, whose)} of={TITLE} />
    </ChartFigure>
  );
}

/** The first round's reason stands for all. */
function whyNone([row]: readonly AgreementRow[], statistic: Statistic): string {
  return row ? `${capitalised(whyUndefined(row, statistic))}.` : "Nobody has answered at this stage.";
}

function pointOf(row: AgreementRow, statistic: Statistic): IntervalPoint {
  const [low = null, high = null] = row.ci[statistic] ?? [];
  return { label: `Round ${row.round}`, short: String(row.round), y: row[statistic], low, high };
}

function measured(rounds: readonly AgreementRow[], statistic: Statistic) {
  return rounds.flatMap((row) => {
    const value = row[statistic];
    return value === null ? [] : [{ round: row.round ?? 0, value, weight: basisOf(row, statistic) }];
  });
}

function valueWords(statistic: Statistic, value: number): string {
  return isShare(statistic) ? boundedPercent(value) : bounded(value);
}

/** Percentages from 0; coefficients from 0, or from as far below as a point or its interval reaches. */
function axisOf(statistic: Statistic, points: readonly IntervalPoint[]): Axis {
  return {
    name: STATISTIC_WORDS[statistic],
    ...coefficientEnds(points.flatMap(({ y, low }) => [y, low])),
    words: isShare(statistic) ? (share) => `${Math.round(100 * share)} %` : coefficient,
  };
}

function Controls({ page, stage, choice, onChange }: BatchesCardProps) {
  const isOrdered = page.rows.some((row) => row.stage === stage && row.alpha_ordinal !== null);
  const statistics: Statistic[] = [
    ...(["alpha_nominal", "fleiss_kappa", "fleiss_kappa_general"] as const),
    ...(["ac1", "percent_agreement", "item_agreement"] as const),
    ...(isOrdered ? (["alpha_ordinal"] as const) : []),
    ...(choice.by ? (["cohen_kappa"] as const) : []),
  ];
  const named = statistics.includes(choice.statistic) ? statistics : [...statistics, choice.statistic];
  return (
    <div className="form-grid">
      <Select
        label="Coefficient"
        value={choice.statistic}
        options={named.map((value) => ({ value, text: STATISTIC_WORDS[value] }))}
        onValue={(value) => onChange({ statistic: named.find((each) => each === value) })}
      />
      <Select
        label="Whose agreement, batch by batch"
        value={choice.by ? pairKey(choice.by) : ""}
        options={[{ value: "", text: "Everyone’s" }, ...pairOptions(page)]}
        onValue={(value) => onChange({ by: pairFrom(value) })}
      />
    </div>
  );
}

function pairOptions(page: AgreementPage) {
  const numbers = page.annotators.map(({ number }) => number);
  const pairs = numbers.flatMap((a, place) => numbers.slice(place + 1).map((b): Pair => [a, b]));
  return pairs.map((pair) => ({
    value: pairKey(pair),
    text: pair.map((number) => annotatorName(page, number)).join(" – "),
  }));
}

function Table({ rows, statistic }: { rows: readonly AgreementRow[]; statistic: Statistic }) {
  return (
    <table className="table agreement">
      <ColumnHeads
        of={[
          "Batch",
          number("Items"),
          number(BASIS_WORDS[statistic] ?? "With 2+ answers"),
          number(STATISTIC_WORDS[statistic]),
        ]}
      />
      <tbody>
        {rows.map((row) => {
          const value = row[statistic];
          const [low, high] = row.ci[statistic] ?? [];
          return (
            <tr key={row.round} className={row.round === null ? "total" : undefined}>
              <th scope="row">{row.round === null ? "All rounds" : `Round ${row.round}`}</th>
              <td className="number">{count(row.n_items)}</td>
              <td className="number">{count(basisOf(row, statistic))}</td>
              <td className={value === null ? "number why" : "number"}>
                {value === null ? whyUndefined(row, statistic) : valueWords(statistic, value)}
                {low !== undefined && high !== undefined && value !== null && (
                  <span className="basis">
                    {valueWords(statistic, low)} to {valueWords(statistic, high)}
                  </span>
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
