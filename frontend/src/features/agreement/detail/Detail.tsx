import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { type AgreementPage, type DetailsPage, detailsQuery } from "../../../api/agreement";
import { Select } from "../../../components/Select";
import { NotLoaded, Status } from "../../../components/states";
import { TableScroll } from "../../../components/TableCard";
import { useProject } from "../../../session/project";
import { count, counted } from "../../../text/format";
import { AgreementTable } from "../AgreementTable";
import type { Choice } from "../choice";
import { RoundSelect } from "../RoundSelect";
import { stageGroups } from "../rows";
import { BatchesCard } from "./BatchesCard";
import { ConfusionCard } from "./ConfusionCard";
import { MajorityCard } from "./MajorityCard";
import { SharesCard } from "./SharesCard";
import "./detail.css";

interface DetailProps {
  /** Rows of everyone, at every stage and round. */
  page: AgreementPage;
  /** The same over all items, and over those with a majority where they are asked for. */
  pages: readonly AgreementPage[];
  choice: Choice;
  onChange: (part: Partial<Choice>) => void;
}

/** One stage: who takes what for what, who says what how often, how it went, who is near the majority. */
export function Detail({ page, pages, choice, onChange }: DetailProps) {
  const stage = choice.stage ?? page.stages[0]?.key ?? "";
  const isKnown = page.stages.some(({ key }) => key === stage);
  return (
    <>
      <div className="form-grid">
        <Select
          label="Stage"
          value={isKnown ? stage : ""}
          options={[
            ...(isKnown ? [] : [{ value: "", text: "Choose a stage" }]),
            ...page.stages.map(({ key, title }) => ({ value: key, text: title })),
          ]}
          onValue={(value) => onChange({ stage: value })}
        />
        <RoundSelect page={page} round={choice.round} onRound={(round) => onChange({ round })} />
      </div>
      {isKnown ? (
        <Cards page={page} pages={pages} stage={stage} choice={choice} onChange={onChange} />
      ) : (
        <p className="notice warn">
          The codebook has no stage <code>{stage}</code>. Choose one of its stages.
        </p>
      )}
    </>
  );
}

function Cards({ page, pages, stage, choice, onChange }: DetailProps & { stage: string }) {
  const project = useProject();
  const { round, scope, phase } = choice;
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...detailsQuery(project.id, { stage, round, scope, phase }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      {error && <NotLoaded what="The stage’s agreement" error={error} retry={refetch} />}
      {!error && (!data || isPlaceholderData) && <Status>Counting this stage</Status>}
      {data && !isPlaceholderData && (
        <>
          {scope === "majority" && data.against_majority.n_circular > 0 && <CircularNotice page={data} />}
          <ConfusionCard page={data} pair={choice.pair} onPair={(pair) => onChange({ pair })} />
          <SharesCard page={data} />
        </>
      )}
      {scope === "majority" && <ScopesCard pages={pages} stage={stage} round={round} />}
      <BatchesCard page={page} stage={stage} choice={choice} onChange={onChange} />
      {data && !isPlaceholderData && <MajorityCard page={data} />}
    </>
  );
}

/** What the two cards below show of items whose answers had to be equal says nothing about people. */
function CircularNotice({ page: { against_majority } }: { page: DetailsPage }) {
  return (
    <p className="notice warn">
      {counted(against_majority.n_circular, "item")} of {count(against_majority.n_items)} with a majority had
      as many answers as a majority takes: these are equal by construction, below as well. “All items” shows
      what people said.
    </p>
  );
}

interface ScopesCardProps {
  pages: readonly AgreementPage[];
  stage: string;
  round: number | null;
}

/** The stage's agreement over all items first, and beside it over those with a majority. */
function ScopesCard({ pages, stage, round }: ScopesCardProps) {
  const id = useId();
  const [page] = pages;
  if (!page) return null;
  const groups = stageGroups(pages, "all", null)
    .filter(({ key }) => key === stage)
    .map((group) => ({ ...group, rows: group.rows.filter((row) => round === null || row.round === round) }));
  return (
    <section className="card stack" aria-labelledby={id}>
      <h2 id={id}>All items, and items with a majority</h2>
      <TableScroll title="Agreement">
        <AgreementTable page={page} groups={groups} view="all" />
      </TableScroll>
    </section>
  );
}
