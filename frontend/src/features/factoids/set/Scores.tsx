import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { listQuery } from "../../../api/factoids";
import { DataTable } from "../../../components/DataTable";
import { Labelled } from "../../../components/Labelled";
import { Meter } from "../../../components/Meter";
import { Select } from "../../../components/Select";
import { NotLoaded, Status } from "../../../components/states";
import { TableCard } from "../../../components/TableCard";
import { bounded, boundedPercent, count, counted } from "../../../text/format";
import { naturally } from "../../../text/natural";
import { scoresQuery } from "../api";
import { FileLinks } from "../FileLinks";
import type { TextScore } from "../types";

const USUAL_SHARE = 0.5;

interface ScoresProps {
  listId: string;
  setId: string;
}

/** The weight of each factoid, the consensus summary by its threshold, and the score of each text. */
export function Scores({ listId, setId }: ScoresProps) {
  const [share, setShare] = useState(USUAL_SHARE);
  const [gold, setGold] = useState("");
  const { data, error, refetch } = useQuery(scoresQuery(listId, share, gold));
  const { data: list } = useQuery(listQuery(listId));
  if (!data)
    return error ? (
      <NotLoaded what="The scores" error={error} retry={refetch} />
    ) : (
      <Status>Loading the scores</Status>
    );
  const texts = data.scores.filter(({ is_later }) => !is_later).map(({ text }) => text);
  return (
    <>
      <Summary
        {...{ share, setShare, listId, setId }}
        weights={data.weights}
        consensus={data.consensus}
        descriptions={new Map(list?.factoids.map(({ id, description }) => [id, description]))}
      />
      <TableCard
        title="Scores of texts"
        about={<span className="small mute">A system’s text is scored, and never changes weights.</span>}
      >
        <div className="gold">
          <Select
            label="Compare with one text"
            value={gold}
            options={[{ value: "", text: "With none" }, ...texts.map((text) => ({ value: text, text }))]}
            hint="Which share of its factoids another text has."
            onValue={setGold}
          />
        </div>
        <ScoreTable rows={data.scores} gold={gold} />
        <p className="card-files small">
          <FileLinks set={setId} name="scores" title="Scores" of={{ list: listId, ...(gold && { gold }) }} />
        </p>
      </TableCard>
    </>
  );
}

function ScoreTable({ rows, gold }: { rows: readonly TextScore[]; gold: string }) {
  const ranked = rows.toSorted((a, b) => (b.score ?? -1) - (a.score ?? -1));
  return (
    <DataTable
      label="Scores of texts"
      rows={ranked}
      keyOf={({ text }) => text}
      columns={[
        [
          "Text",
          ({ text, is_system }) => (
            <>
              {text} {is_system && <span className="tag">system</span>}
            </>
          ),
        ],
        ["Score", ({ score, reason }) => value(score, reason), "number"],
        ...(gold
          ? ([
              [
                `Against ${gold}`,
                (row: TextScore) => (row.text === gold ? "itself" : value(row.gold, row.gold_reason)),
                "number",
              ],
            ] as const)
          : []),
      ]}
    />
  );
}

function value(score: number | null, reason: string | null) {
  if (score === null) return <span className="why">none: {reason ?? "no reason given"}</span>;
  return bounded(score, 3);
}

interface SummaryProps extends ScoresProps {
  share: number;
  setShare: (share: number) => void;
  weights: Record<string, number>;
  consensus: readonly string[];
  descriptions: ReadonlyMap<string, string>;
}

function Summary({ share, setShare, weights, consensus, descriptions, listId, setId }: SummaryProps) {
  const inSummary = useMemo(() => new Set(consensus), [consensus]);
  const rows = useMemo(
    () =>
      Object.entries(weights)
        .map(([id, weight]) => ({ id, weight }))
        .sort((a, b) => b.weight - a.weight || naturally(a, b)),
    [weights],
  );
  return (
    <TableCard
      title="Weights and consensus summary"
      about={
        <span className="small mute" role="status">
          {count(consensus.length)} of {counted(rows.length, "factoid")} in the summary
        </span>
      }
    >
      <div className="share-field">
        <Labelled
          label="In the summary from this share of texts"
          hint="The weight of a factoid is the share of texts that have it."
        >
          {({ className: _, ...control }) => (
            <span className="row">
              <input
                {...control}
                type="range"
                min={0}
                max={1}
                step={0.05}
                value={share}
                onChange={(event) => setShare(Number(event.currentTarget.value))}
              />
              <output className="numbers">{boundedPercent(share)}</output>
            </span>
          )}
        </Labelled>
      </div>
      <DataTable
        label="Weights of factoids"
        className="weights"
        rows={rows}
        keyOf={({ id }) => id}
        classOf={({ id }) => (inSummary.has(id) ? undefined : "below")}
        columns={[
          ["Factoid", ({ id }) => id],
          ["Description", ({ id }) => <span dir="auto">{descriptions.get(id) || "–"}</span>],
          [
            "Weight",
            ({ weight }) => (
              <>
                {bounded(weight, 3)} <Meter share={weight} />
              </>
            ),
            "number",
          ],
          ["Summary", ({ id }) => (inSummary.has(id) ? <span className="tag ok">in</span> : "")],
        ]}
      />
      <p className="card-files small">
        <FileLinks set={setId} name="weights" title="Weights" of={{ list: listId, share: String(share) }} />
      </p>
    </TableCard>
  );
}
