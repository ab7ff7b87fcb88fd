import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type AgreementPage, agreementQuery } from "../../api/agreement";
import { Select } from "../../components/Select";
import { NotLoaded, Status } from "../../components/states";
import { TableScroll } from "../../components/TableCard";
import { useProject } from "../../session/project";
import { csvLink } from "../../text/csv";
import { count } from "../../text/format";
import { AgreementTable } from "./AgreementTable";
import type { Choice } from "./choice";
import { RoundSelect } from "./RoundSelect";
import { agreementCsv, annotatorName, hasManyPairs, leastFirst, type StageGroup, stageGroups } from "./rows";
import { WhoseSwitch } from "./WhoseSwitch";

/** So many of many pairs are shown before the rest is asked for. */
const FIRST = 20;

interface PairTableProps {
  /** Of everyone: who there is, and which rounds. */
  page: AgreementPage;
  choice: Choice;
  onChange: (part: Partial<Choice>) => void;
}

/** Pairs of annotators in one round or all. Many pairs are shown at one stage, or of one person. */
export function PairTable({ page, choice, onChange }: PairTableProps) {
  const project = useProject();
  const isMany = hasManyPairs(page);
  const stage = choice.stage ?? (isMany ? page.stages[0]?.key : undefined);
  const { scope, phase, round, person } = choice;
  const rows = { phase, of: "pairs", round: round ?? 0, ...(stage !== undefined && { stage }) } as const;
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...agreementQuery(project.id, { scope, ...rows }),
    placeholderData: keepPreviousData,
  });
  const isMajority = scope === "majority";
  const { data: beside } = useQuery({
    ...agreementQuery(project.id, { scope: "all", ...rows }),
    enabled: isMajority,
  });
  const pages = data && !isPlaceholderData ? (isMajority ? beside && [beside, data] : [data]) : undefined;
  const found = pages && groupsOf(pages, { isMany, round, person });
  return (
    <section className="card stack" aria-labelledby="table">
      <div className="card-head">
        <h2 id="table">By pair of annotators</h2>
        {data && found && (
          <a
            className="button"
            download={`agreement-${scope}-pairs${phase === 2 ? "-phase-2" : ""}.csv`}
            href={csvLink(agreementCsv(data, found))}
          >
            Download this table (CSV)
          </a>
        )}
      </div>
      <WhoseSwitch whose={choice.whose} onChange={onChange} />
      <div className="form-grid">
        <Select
          label="Stage"
          value={stage ?? ""}
          options={[
            ...(isMany ? [] : [{ value: "", text: "All stages" }]),
            ...page.stages.map(({ key, title }) => ({ value: key, text: title })),
          ]}
          onValue={(value) => onChange({ stage: value || null })}
        />
        <RoundSelect page={page} round={round} onRound={(value) => onChange({ round: value })} />
        {isMany && <PersonSelect page={page} person={person} onChange={onChange} />}
      </div>
      {error && <NotLoaded what="The pairs" error={error} retry={refetch} />}
      {!error && !found && <Status>Counting the pairs</Status>}
      {data && found && (
        <Pairs key={`${stage} ${round} ${person}`} page={data} groups={found} isMany={isMany} />
      )}
    </section>
  );
}

interface Wanted {
  isMany: boolean;
  round: number | null;
  person: number | null;
}

function groupsOf(pages: readonly AgreementPage[], { isMany, round, person }: Wanted): StageGroup[] {
  const groups = stageGroups(pages, "pairs", round);
  const [page] = pages;
  if (!isMany || !page) return groups;
  return groups
    .map((group) => ({
      ...group,
      rows: leastFirst(
        page,
        group.rows.filter(({ pair }) => isOf(pair, person)),
      ),
    }))
    .filter(({ rows }) => rows.length > 0);
}

function isOf(pair: [number, number] | null, person: number | null): boolean {
  return person === null || Boolean(pair?.includes(person));
}

function PersonSelect({
  page,
  person,
  onChange,
}: Pick<PairTableProps, "page" | "onChange"> & Pick<Wanted, "person">) {
  return (
    <Select
      label="Pairs with"
      value={person === null ? "" : String(person)}
      options={[
        { value: "", text: "Anyone" },
        ...page.annotators.map(({ number }) => ({
          value: String(number),
          text: annotatorName(page, number),
        })),
      ]}
      onValue={(value) => onChange({ person: value === "" ? null : Number(value) })}
    />
  );
}

function Pairs({ page, groups, isMany }: { page: AgreementPage; groups: StageGroup[]; isMany: boolean }) {
  const [isWhole, setWhole] = useState(false);
  if (groups.length === 0) return <p className="mute">No two people have answered the same item here.</p>;
  const n = groups.reduce((sum, { rows }) => sum + rows.length, 0);
  const isCut = isMany && !isWhole && n > FIRST;
  const shown = isCut ? groups.map((group) => ({ ...group, rows: group.rows.slice(0, FIRST) })) : groups;
  return (
    <>
      {isMany && <p className="small mute">The pairs that agree least by α come first.</p>}
      <TableScroll title="Agreement">
        <AgreementTable page={page} groups={shown} view="pairs" />
      </TableScroll>
      {isCut && (
        <p>
          <button type="button" className="button" onClick={() => setWhole(true)}>
            Show all {count(n)} pairs
          </button>
        </p>
      )}
    </>
  );
}
