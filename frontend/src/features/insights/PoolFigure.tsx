import { batchTitle } from "../../activeLearning/insightFormat";
import type { BatchInsight, Insights, PoolFigures } from "../../api/insights";
import { ColumnHeads, number } from "../../components/ColumnHeads";
import { ChartFigure } from "../../components/charts/ChartFigure";
import { Histogram } from "../../components/charts/Histogram";
import { TableScroll } from "../../components/TableCard";
import { coefficient, count, percent } from "../../text/format";

const TITLE = "What the models predict for the pool";

interface Seen {
  batch: BatchInsight;
  pool: PoolFigures;
}

/** One row a model: how much of the pool it takes for positive, and how sure it is. */
export function PoolFigure({ insights }: { insights: Insights }) {
  const seen = insights.batches.flatMap((batch) => (batch.pool ? [{ batch, pool: batch.pool }] : []));
  if (seen.length === 0)
    return <ChartFigure title={TITLE} about="No model has scored the pool at this stage yet." />;
  return (
    <ChartFigure
      title={TITLE}
      about="Probability of a positive label, and entropy of the prediction divided by ln C: 0 is sure, 1 is guessing. Predictions, not labels: they shift with the model."
      table={seen.some(({ pool }) => pool.entropy_histogram) && <BinTable seen={seen} />}
    >
      <TableScroll title={TITLE}>
        <table className="table pool-table">
          <ColumnHeads
            of={[
              "Model of",
              number("Pool"),
              number("Predicted positive"),
              "Probability of a positive",
              number("Entropy, median (mean)"),
              "Entropy / ln C",
            ]}
          />
          <tbody>
            {seen.map((each) => (
              <PoolRow key={batchTitle(each.batch)} {...each} />
            ))}
          </tbody>
        </table>
      </TableScroll>
    </ChartFigure>
  );
}

function PoolRow({ batch, pool }: Seen) {
  const { median, mean, q05, q95 } = pool.entropy_over_ln_c;
  const name = batchTitle(batch);
  return (
    <tr>
      <th scope="row">
        {name}
        {batch.informative === false && <span className="tag warn">not informative yet</span>}
      </th>
      <td className="number">{count(pool.n)}</td>
      <td className="number">
        {pool.predicted_positive_share === null ? "–" : percent(pool.predicted_positive_share)}
      </td>
      <td>
        <Bins
          bins={pool.positive_histogram}
          label={`Probability of a positive over the pool, ${name}`}
          tone={0}
        />
      </td>
      <td className="number nowrap">
        {coefficient(median)} ({coefficient(mean)})
        <br />
        <span className="why">
          90 % from {coefficient(q05)} to {coefficient(q95)}
        </span>
      </td>
      <td>
        <Bins bins={pool.entropy_histogram} label={`Entropy over the pool, ${name}`} tone={2} />
      </td>
    </tr>
  );
}

function Bins({ bins, label, tone }: { bins: number[] | null | undefined; label: string; tone: number }) {
  if (!bins) return <span className="why">not kept</span>;
  return <Histogram bins={bins} low={0} high={1} label={label} tone={tone} />;
}

/** The counts behind the small histograms. */
function BinTable({ seen }: { seen: readonly Seen[] }) {
  const n = Math.max(...seen.map(({ pool }) => pool.entropy_histogram?.length ?? 0));
  const edge = (place: number) => (place / n).toFixed(2);
  return (
    <table className="table">
      <ColumnHeads
        of={[
          "From, to",
          ...seen.flatMap(({ batch }) => [
            number(`${batchTitle(batch)}: probability`),
            number(`${batchTitle(batch)}: entropy`),
          ]),
        ]}
      />
      <tbody>
        {Array.from({ length: n }, (_, place) => (
          <tr key={edge(place)}>
            <th scope="row" className="nowrap">
              {edge(place)} to {edge(place + 1)}
            </th>
            {seen.map(({ batch, pool }) => [
              <td className="number" key={`${batchTitle(batch)} p`}>
                {binWords(pool.positive_histogram, place)}
              </td>,
              <td className="number" key={`${batchTitle(batch)} h`}>
                {binWords(pool.entropy_histogram, place)}
              </td>,
            ])}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function binWords(bins: number[] | null | undefined, place: number): string {
  const n = bins?.[place];
  return n === undefined ? "–" : count(n);
}
