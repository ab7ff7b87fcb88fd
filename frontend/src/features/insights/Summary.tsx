import { Link } from "react-router";
import { BudgetStat } from "../../activeLearning/BudgetStat";
import { baselineName, basisWords, batchTitle, liftWords } from "../../activeLearning/insightFormat";
import type { Insights } from "../../api/insights";
import type { Project } from "../../api/types";
import { Stat } from "../../components/Stat";
import { bounded, coefficient, count, counted, percent } from "../../text/format";
import { newestWith } from "./metrics";

/** One question a card: what it cost, what it brought, against what, how good the model is, how far people agree. */
export function Summary({ insights, project }: { insights: Insights; project: Project }) {
  return (
    <div className="stats">
      <BudgetStat project={project} spent={insights.budget.spent} total={insights.budget.total} />
      <Found insights={insights} />
      <BaseRate insights={insights} />
      <HeldOut insights={insights} projectId={project.id} />
      <Agreed insights={insights} />
    </div>
  );
}

function Found({ insights }: { insights: Insights }) {
  if (insights.positive.length === 0)
    return (
      <Stat title="Positives" value="none named" isNumber={false}>
        the codebook says of no label that it is positive
      </Stat>
    );
  const newest = newestWith(insights.batches, (batch) => batch.positives.share);
  if (!newest)
    return (
      <Stat title="Positives" value="none counted" isNumber={false}>
        no item has a majority yet
      </Stat>
    );
  const { positives } = newest.batch;
  const lift = liftWords(positives);
  return (
    <Stat title={`Positives, ${batchTitle(newest.batch).toLowerCase()}`} value={percent(newest.value)}>
      {basisWords(positives)}
      {lift && insights.baseline && `; ${lift} times the ${baselineName(insights.baseline)}`}
      {!newest.batch.complete && "; the batch is still open"}
    </Stat>
  );
}

function BaseRate({ insights: { baseline } }: { insights: Insights }) {
  if (!baseline)
    return (
      <Stat title="Base rate" value="not known" isNumber={false}>
        comes with the first complete prototype or random batch
      </Stat>
    );
  return (
    <Stat title="Base rate" value={percent(baseline.share)}>
      {baselineName(baseline)}: {basisWords(baseline)}
    </Stat>
  );
}

function HeldOut({ insights, projectId }: { insights: Insights; projectId: string }) {
  const newest = newestWith(insights.batches, (batch) => batch.held_out);
  if (!newest)
    return (
      <Stat title="Held-out macro-F1" value="not measured" isNumber={false}>
        no model was measured at this stage yet: that takes a{" "}
        <Link to={`/projects/${projectId}/rounds`}>test set</Link> and a round that trains
      </Stat>
    );
  const { batch, value } = newest;
  return (
    <Stat title="Held-out macro-F1" value={coefficient(value.macro_f1)}>
      {batchTitle(batch).toLowerCase()}, trained on {count(batch.n_training)}; test n = {count(value.n)}
      {batch.informative === false && "; not informative yet"}
    </Stat>
  );
}

function Agreed({ insights }: { insights: Insights }) {
  const newest = newestWith(insights.batches, (batch) =>
    batch.agreement.n_units > 0 ? batch.agreement : null,
  );
  if (!newest)
    return (
      <Stat title="Agreement" value="not known" isNumber={false}>
        no item has two answers yet
      </Stat>
    );
  const { coefficient: name, alpha, reason, n_units } = newest.value;
  return (
    <Stat
      title={`Agreement, ${batchTitle(newest.batch).toLowerCase()}`}
      value={alpha === null ? "undefined" : `${name} ${bounded(alpha)}`}
      isNumber={alpha !== null}
    >
      {alpha === null ? reason : `n = ${counted(n_units, "item")} with two answers or more`}
    </Stat>
  );
}
