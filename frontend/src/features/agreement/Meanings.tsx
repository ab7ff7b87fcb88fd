import type { ReactNode } from "react";

interface ExplainedProps {
  summary: string;
  /** As the server declares them. */
  statistics: readonly { key: string; title: string; help: string; paper: string }[];
  children: ReactNode;
}

/** What the figures say, and what they do not. */
function Explained({ summary, statistics, children }: ExplainedProps) {
  return (
    <details className="more">
      <summary>{summary}</summary>
      <dl className="meanings">
        {statistics.map(({ key, title, help, paper }) => (
          <div key={key}>
            <dt>{title}</dt>
            <dd>
              {help} {paper && <span className="mute">{paper}.</span>}
            </dd>
          </div>
        ))}
        {children}
      </dl>
    </details>
  );
}

export function Meanings({ statistics }: Pick<ExplainedProps, "statistics">) {
  return (
    <Explained summary="What the numbers mean" statistics={statistics}>
      <dt>The range below a value</dt>
      <dd>
        95 percent interval over items, by leaving out one at a time (jackknife). Without one the CSV says
        why.
      </dd>
      <dt>A later stage</dt>
      <dd>Counts only the people whose own answers opened it on that item.</dd>
      <dt>Undefined</dt>
      <dd>
        Where everyone gave the same label there is no variation to correct for chance, so that κ and α have
        no value. That is neither 0 nor 1. Percent agreement and AC1 are 1 there.
      </dd>
      <dt>Items with a majority</dt>
      <dd>
        Leaves out, stage by stage, the items without a majority. Higher by construction: it stands beside the
        figure over all items, not in its place. With two answers an item has a majority only where both are
        equal, so that agreement would be perfect whatever people do: there is no figure.
      </dd>
    </Explained>
  );
}

export function SpanMeanings({ statistics }: Pick<ExplainedProps, "statistics">) {
  return (
    <Explained summary="What the numbers on spans mean" statistics={statistics}>
      <dt>The pairs together</dt>
      <dd>
        The mean over the pairs that have a value, each pair weighing the same. αᵤ is of everyone at once.
      </dd>
      <dt>All categories</dt>
      <dd>
        The spans of all categories counted together; a partner must have the same category. Token κ has none,
        since a word may belong to several categories.
      </dd>
      <dt>Undefined</dt>
      <dd>
        Where neither marked a category there is nothing to compare. Where only one did, F1 is 0. An item
        without any span counts: both left it empty.
      </dd>
    </Explained>
  );
}
