import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router";
import { type Column, DataTable } from "../../../components/DataTable";
import { NotLoaded, Status } from "../../../components/states";
import { TableCard } from "../../../components/TableCard";
import { bounded, count, listed, undefinedWords } from "../../../text/format";
import { agreementQuery } from "../api";
import { RELATION_WORDS, STEP_WORDS } from "../copy";
import { FileLinks } from "../FileLinks";
import type { AgreementRow, TextSet } from "../types";
import { Disagreements } from "./Disagreements";

/** Figures 1 and 3 of the paper, for each phase. */
export function Agreement({ set }: { set: TextSet }) {
  const { data, error, refetch } = useQuery(agreementQuery(set.id));
  const [address, setAddress] = useSearchParams();
  if (!data)
    return error ? (
      <NotLoaded what="Agreement" error={error} retry={refetch} />
    ) : (
      <Status>Loading agreement</Status>
    );
  const [phase, pairing] = [address.get("phase"), address.get("pairing")];
  const ask = (row: AgreementRow) =>
    setAddress({ phase: row.phase_id, ...(row.pairing && { pairing: row.pairing }) });
  const shown = set.phases.find(({ id }) => id === phase);
  return (
    <>
      <Table
        title="Agreement of annotation"
        about="An item is a factoid of the given list and a text: is it there?"
        none="None yet: it needs a closed annotation phase of two people or more."
        rows={data.annotation}
        ask={ask}
        files={set.id}
      />
      <Table
        title="Agreement of definition"
        about="An item is a text and two factoids that are equal, or of which one subsumes the other."
        none="None yet: it needs a closed definition phase whose pairs are judged."
        rows={data.definition}
        ask={ask}
        files={set.id}
        hasRelations
      />
      {shown && (
        <Disagreements
          key={`${phase} ${pairing}`}
          phase={shown}
          pairing={pairing}
          onClose={() => setAddress({})}
        />
      )}
    </>
  );
}

interface TableProps {
  title: string;
  about: string;
  none: string;
  rows: readonly AgreementRow[];
  ask: (row: AgreementRow) => void;
  files: string;
  hasRelations?: boolean;
}

function Table({ title, about, none, rows, ask, files, hasRelations = false }: TableProps) {
  const columns: Column<AgreementRow>[] = [
    [
      "Phase",
      ({ phase, step }) => (
        <>
          {phase} <span className="basis">{STEP_WORDS[step]}</span>
        </>
      ),
    ],
    ["People", ({ who }) => listed(who)],
    ...(hasRelations
      ? ([
          ["Relation", ({ relation }: AgreementRow) => (relation ? RELATION_WORDS[relation] : "all three")],
        ] as const)
      : []),
    ["K", Kappa, "number"],
    ["N", ({ N }) => (N === null ? "–" : count(N)), "number"],
    ["k", ({ k }) => count(k), "number"],
    ["n", ({ n }) => count(n), "number"],
    ["P(A)", ({ P_A }) => (P_A === null ? "–" : bounded(P_A, 3)), "number"],
    ["P(E)", ({ P_E }) => (P_E === null ? "–" : bounded(P_E, 3)), "number"],
    ["Cohen", ({ cohen }) => (cohen === null ? "–" : bounded(cohen, 2)), "number"],
    ["Items", (row) => <See row={row} ask={ask} />],
  ];
  return (
    <TableCard title={title} about={<span className="small mute">{about}</span>}>
      {rows.length === 0 ? (
        <p className="mute">{none}</p>
      ) : (
        <>
          <DataTable
            label={title}
            className="factoid-agreement listed"
            rows={rows}
            keyOf={(row) => JSON.stringify([row.phase_id, row.who, row.relation, row.pairing])}
            columns={columns}
          />
          <details className="more">
            <summary>What the numbers mean</summary>
            <dl className="meanings">
              <dt>K</dt>
              <dd>
                Agreement beyond chance, with a 95 percent interval over items (jackknife). Chance is what all
                people together say, as in Fleiss’ kappa. Items share factoids and texts, so the interval is
                rather too narrow.
              </dd>
              <dt>N, k, n</dt>
              <dd>Items, categories and annotators. The categories are: it is there, it is not.</dd>
              <dt>P(A), P(E)</dt>
              <dd>The share of agreeing pairs, and the share that chance would give.</dd>
              <dt>Cohen</dt>
              <dd>Cohen’s kappa takes each person’s own shares for chance. It is for two people alone.</dd>
            </dl>
          </details>
          <p className="card-files small">
            <FileLinks set={files} name="agreement" title="Agreement" />
          </p>
        </>
      )}
    </TableCard>
  );
}

function Kappa({ K, low, high, reason }: AgreementRow) {
  if (K === null) return <span className="why">{undefinedWords(reason)}</span>;
  return (
    <>
      <b>{bounded(K, 2)}</b>
      <span className="basis nowrap">
        {low !== null && high !== null ? `[${bounded(low, 2)}, ${bounded(high, 2)}]` : reason}
      </span>
    </>
  );
}

function See({ row, ask }: { row: AgreementRow; ask: (row: AgreementRow) => void }) {
  if (!row.N || row.P_A === 1 || row.relation !== null) return null;
  return (
    <button
      type="button"
      className="button quiet inline nowrap"
      aria-label={`See the disagreements of ${listed(row.who)} in phase ${row.phase}`}
      onClick={() => ask(row)}
    >
      Disagreements
    </button>
  );
}
