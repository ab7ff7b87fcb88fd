import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";
import {
  type AgreementPage,
  type AgreementRow,
  agreementQuery,
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
import { capitalised, coefficient, count } from "../../../text/format";
import { type Choice, type Pair, pairFrom, pairKey, STANDARD } from "../choice";
import { annotatorName, byRound, defined, valueWords, whyUndefined } from "../rows";
import { BASIS_WORDS, trendWords } from "./copy";
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
  const statistic = chosen(page, choice.statistic) ?? chosen(page, STANDARD.statistic);
  if (!statistic) return null;
  const controls = (
    <Controls page={page} stage={stage} choice={choice} onChange={onChange} statistic={statistic} />
  );
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
    <Batches page={shown} stage={stage} statistic={statistic} whose={whose}>
      {controls}
    </Batches>
  );
}

function chosen(page: AgreementPage, statistic: string): Statistic | undefined {
  return page.statistics.find(({ key }) => key === statistic);
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
  const said = trendWords(trend, statistic);
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
  const [low = null, high = null] = row.ci[statistic.key] ?? [];
  return { label: `Round ${row.round}`, short: String(row.round), y: row[statistic.key], low, high };
}

function measured(rounds: readonly AgreementRow[], statistic: Statistic) {
  return rounds.flatMap((row) => {
    const value = row[statistic.key];
    return value === null ? [] : [{ round: row.round ?? 0, value, weight: row[statistic.basis] }];
  });
}

/** Percentages from 0; coefficients from 0, or from as far below as a point or its interval reaches. */
function axisOf(statistic: Statistic, points: readonly IntervalPoint[]): Axis {
  return {
    name: statistic.title,
    ...coefficientEnds(points.flatMap(({ y, low }) => [y, low])),
    words: statistic.share_of ? (share) => `${Math.round(100 * share)} %` : coefficient,
  };
}

function Controls({ page, stage, choice, onChange, statistic }: BatchesCardProps & { statistic: Statistic }) {
  const rows = page.rows.filter((row) => row.stage === stage);
  const offered = defined(page, rows, choice.by ? "pairs" : "all");
  const named = page.statistics.filter((each) => each === statistic || offered.includes(each));
  return (
    <div className="form-grid">
      <Select
        label="Coefficient"
        value={statistic.key}
        options={named.map(({ key, title }) => ({ value: key, text: title }))}
        onValue={(value) => onChange({ statistic: value })}
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
        of={["Batch", number("Items"), number(BASIS_WORDS[statistic.basis]), number(statistic.title)]}
      />
      <tbody>
        {rows.map((row) => {
          const value = row[statistic.key];
          const interval = (row.ci[statistic.key] ?? []).map((end) => valueWords(statistic, end, 2));
          return (
            <tr key={row.round} className={row.round === null ? "total" : undefined}>
              <th scope="row">{row.round === null ? "All rounds" : `Round ${row.round}`}</th>
              <td className="number">{count(row.n_items)}</td>
              <td className="number">{count(row[statistic.basis])}</td>
              <td className={value === null ? "number why" : "number"}>
                {value === null ? whyUndefined(row, statistic) : valueWords(statistic, value, 2)}
                {value !== null && interval.length > 0 && (
                  <span className="basis">{interval.join(" to ")}</span>
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
