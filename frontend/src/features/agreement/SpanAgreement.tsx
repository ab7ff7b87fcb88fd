import { useState } from "react";
import { Link } from "react-router";
import { Select } from "../../components/Select";
import { TableScroll } from "../../components/TableCard";
import { useProject } from "../../session/project";
import { csvLink } from "../../text/csv";
import { SpanMeanings } from "./Meanings";
import { SpanAgreementTable } from "./SpanAgreementTable";
import type { SpanAgreementPage } from "./spanApi";
import { type PairKey, pairsOf, spanCsv, spanRoundsOf, spanRows } from "./spanRows";

/** Agreement on spans: categories by statistics, for a pair of annotators or the pairs together. */
export function SpanAgreement({ page }: { page: SpanAgreementPage }) {
  const [pair, setPair] = useState<PairKey>("");
  const [round, setRound] = useState<number | null>(null);
  const pairs = pairsOf(page);
  const rounds = spanRoundsOf(page);
  if (pairs.length === 0) return <NobodyTwice />;
  const rows = spanRows(page, pair, round);
  const name = ["agreement-spans", pair || "pairs", round === null ? "all" : `round-${round}`].join("-");
  return (
    <>
      <section className="card stack" aria-labelledby="spans">
        <div className="card-head">
          <h2 id="spans">On spans, by category</h2>
          <a className="button" download={`${name}.csv`} href={csvLink(spanCsv(page, rows))}>
            Download the spans’ figures (CSV)
          </a>
        </div>
        <div className="agreement-choice">
          <Select
            label="Whose spans"
            value={pair}
            options={[{ value: "", text: "The pairs together" }, ...pairs]}
            onValue={setPair}
          />
          {rounds.length > 1 && (
            <Select
              label="Round"
              value={round === null ? "" : String(round)}
              options={[
                { value: "", text: "All rounds" },
                ...rounds.map((number) => ({ value: String(number), text: `Round ${number}` })),
              ]}
              onValue={(value) => setRound(value === "" ? null : Number(value))}
            />
          )}
        </div>
        {rows.length === 0 ? (
          <p className="mute">These two have not submitted the same item in this round.</p>
        ) : (
          <>
            <TableScroll title="Agreement on spans">
              <SpanAgreementTable page={page} rows={rows} about="spans" />
            </TableScroll>
            <h3>Comments on the spans that match exactly</h3>
            <TableScroll title="Agreement on comments">
              <SpanAgreementTable page={page} rows={rows} about="comments" />
            </TableScroll>
          </>
        )}
      </section>
      <SpanMeanings statistics={page.statistics.filter(({ beside }) => !beside)} />
    </>
  );
}

function NobodyTwice() {
  const project = useProject();
  return (
    <section className="card stack" aria-labelledby="no-spans">
      <h2 id="no-spans">No spans to compare yet</h2>
      <p>
        Agreement on spans is counted from the first item that two people have submitted. Start a round and
        let people mark: <Link to={`/projects/${project.id}/rounds`}>rounds</Link>.
      </p>
    </section>
  );
}
