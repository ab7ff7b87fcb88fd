import { batchTitle } from "../../activeLearning/insightFormat";
import type { BatchInsight, Insights, PoolFigures } from "../../api/insights";
import { ChartFigure } from "../../components/charts/ChartFigure";
import { Histogram } from "../../components/charts/Histogram";
import { type Column, DataTable } from "../../components/DataTable";
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
      about="Probability of a positive label, and entropy of the prediction divided by its maximum (ln C; of sets the sum over the labels, divided by L ln 2): 0 is sure, 1 is guessing. Predictions, not labels: they shift with the model."
      table={seen.some(({ pool }) => pool.entropy_histogram) && <BinTable seen={seen} />}
    >
      <DataTable
        title={TITLE}
        className="pool-table"
        rows={seen}
        keyOf={nameOf}
        columns={[
          [
            "Model of",
            (each) => (
              <>
                {nameOf(each)}
                {each.batch.informative === false && <span className="tag warn">not informative yet</span>}
              </>
            ),
          ],
          ["Pool", ({ pool }) => count(pool.n), "number"],
          [
            "Predicted positive",
            ({ pool: { predicted_positive_share: share } }) => (share === null ? "–" : percent(share)),
            "number",
          ],
          [
            "Probability of a positive",
            (each) => (
              <Bins
                bins={each.pool.positive_histogram}
                label={`Probability of a positive over the pool, ${nameOf(each)}`}
                tone={0}
              />
            ),
          ],
          ["Entropy, median (mean)", Entropy, "number nowrap"],
          [
            "Entropy / ln C",
            (each) => (
              <Bins
                bins={each.pool.entropy_histogram}
                label={`Entropy over the pool, ${nameOf(each)}`}
                tone={2}
              />
            ),
          ],
        ]}
      />
    </ChartFigure>
  );
}

const nameOf = ({ batch }: Seen) => batchTitle(batch);

function Entropy({ pool: { entropy_over_ln_c } }: Seen) {
  const { median, mean, q05, q95 } = entropy_over_ln_c;
  return (
    <>
      {coefficient(median)} ({coefficient(mean)})
      <br />
      <span className="why">
        90 % from {coefficient(q05)} to {coefficient(q95)}
      </span>
    </>
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
    <DataTable
      rows={Array.from({ length: n }, (_, place) => place)}
      keyOf={edge}
      columns={[
        ["From, to", (place) => `${edge(place)} to ${edge(place + 1)}`, "nowrap"],
        ...seen.flatMap(({ batch, pool }): Column<number>[] => [
          [`${batchTitle(batch)}: probability`, (at) => binWords(pool.positive_histogram, at), "number"],
          [`${batchTitle(batch)}: entropy`, (at) => binWords(pool.entropy_histogram, at), "number"],
        ]),
      ]}
    />
  );
}

function binWords(bins: number[] | null | undefined, place: number): string {
  const n = bins?.[place];
  return n === undefined ? "–" : count(n);
}
