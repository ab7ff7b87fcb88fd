import { useQuery } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { columnsQuery } from "../../api/columns";
import { membersQuery } from "../../api/members";
import { Field } from "../../components/Field";
import { Select } from "../../components/Select";
import { useProject } from "../../session/project";
import { batchName, capitalised } from "../../text/format";
import { choicesQuery, type ItemFilters, NONE } from "./api";
import { ColumnFilters } from "./ColumnFilters";

const STATES = [
  { value: "", text: "All items" },
  { value: "pool", text: "In the pool, given to nobody yet" },
  { value: "given", text: "Given to people in a batch" },
  { value: "open", text: "Waiting for answers" },
  { value: "done", text: "All answers are in" },
  { value: "left_out", text: "Left out by an admin" },
  { value: "unfit", text: "Too short or too long for the pool" },
];
const OUTCOMES = [
  { value: "", text: "Any" },
  { value: "disagreement", text: "People disagree" },
  { value: "no_majority", text: "No majority" },
  { value: "agreed", text: "All agree" },
  { value: "adjudicated", text: "Decided by an adjudicator" },
];
const REMARKS = [
  { value: "", text: "Any or none" },
  { value: "skipped", text: "Skipped by somebody" },
  { value: "flagged", text: "Flagged" },
  { value: "commented", text: "Commented" },
];
const MORE = ["stage", "label", "by", "outcome", "remark", "document", "speaker", "column"] as const;

interface FiltersProps {
  filters: ItemFilters;
  onChange: (filters: ItemFilters) => void;
}

/** Choices apply at once, words with the button or Enter. */
export function Filters({ filters, onChange }: FiltersProps) {
  const project = useProject();
  const { data: choices } = useQuery(choicesQuery(project.id));
  const asked = { q: filters.q, document: filters.document, speaker: filters.speaker };
  const [words, setWords] = useState(asked);
  // The way back in the browser's history brings other words.
  const [seen, setSeen] = useState(asked);
  if (JSON.stringify(seen) !== JSON.stringify(asked)) {
    setSeen(asked);
    setWords(asked);
  }
  const isAsked = MORE.some((name) => filters[name].length > 0);
  const [isUnfolded, setUnfolded] = useState(isAsked);
  const change = (part: Partial<ItemFilters>) => onChange({ ...filters, ...words, ...part });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    change({});
  };
  const clear = () => {
    setWords({ q: "", document: "", speaker: "" });
    onChange(NONE);
  };
  return (
    <form className="card stack" aria-label="Items" onSubmit={submit}>
      <div className="items-search">
        <Field
          label="Words of the text, or an id"
          type="search"
          value={words.q}
          maxLength={500}
          hint={'Parts of words count. "A phrase" stands together; -word leaves out.'}
          onValue={(q) => setWords({ ...words, q })}
        />
        <Select label="Which" value={filters.state} options={STATES} onValue={(state) => change({ state })} />
        <Select
          label="Batch"
          value={filters.batch}
          options={[
            { value: "", text: "In any batch or none" },
            ...(choices?.batches ?? []).map(({ id, kind, number }) => ({
              value: id,
              text: capitalised(batchName(kind, number)),
            })),
          ]}
          onValue={(batch) => change({ batch })}
        />
        <div className="row">
          <button type="submit" className="button primary">
            Search
          </button>
          <button type="button" className="button" onClick={clear}>
            Clear
          </button>
        </div>
      </div>
      <details
        className="more"
        open={isAsked || undefined}
        onToggle={(event) => setUnfolded(event.currentTarget.open)}
      >
        <summary>More filters</summary>
        <div className="stack">
          {project.has_stages && <Answers filters={filters} change={change} />}
          <div className="form-grid">
            <Field
              label="Document"
              value={words.document}
              maxLength={500}
              hint="A part of its title or id."
              onValue={(document) => setWords({ ...words, document })}
            />
            <Field
              label="Speaker"
              value={words.speaker}
              maxLength={500}
              hint="A part of the name."
              onValue={(speaker) => setWords({ ...words, speaker })}
            />
          </div>
          {/* The server reads every text for them. */}
          {isUnfolded && <Columns filters={filters} change={change} />}
        </div>
      </details>
    </form>
  );
}

interface PartProps {
  filters: ItemFilters;
  change: (part: Partial<ItemFilters>) => void;
}

/** What was answered. A label belongs to its stage, so another stage drops it. */
function Answers({ filters, change }: PartProps) {
  const project = useProject();
  const { data: choices } = useQuery(choicesQuery(project.id));
  const { data: members } = useQuery({ ...membersQuery(project.id), refetchInterval: false });
  const stages = choices?.stages ?? [];
  const labels = stages.find(({ key }) => key === filters.stage)?.labels ?? [];
  return (
    <div className="form-grid">
      <Select
        label="Stage"
        value={filters.stage}
        options={[
          { value: "", text: "Any stage" },
          ...stages.map(({ key, title }) => ({ value: key, text: title })),
        ]}
        onValue={(stage) => change({ stage, label: "", by: "" })}
      />
      <Select
        label="Label"
        value={filters.label}
        disabled={labels.length === 0}
        hint={filters.stage === "" ? "Choose a stage first." : undefined}
        options={[
          { value: "", text: "Any label or none" },
          ...labels.map(({ key, name }) => ({ value: key, text: name })),
        ]}
        onValue={(label) => change({ label })}
      />
      <Select
        label="Whose label"
        value={filters.by}
        disabled={filters.label === ""}
        options={[
          { value: "", text: "The majority's, or as decided" },
          ...(members ?? []).map(({ id, display_name }) => ({ value: id, text: display_name })),
        ]}
        onValue={(by) => change({ by })}
      />
      <Select
        label="Outcome"
        value={filters.outcome}
        hint={filters.stage === "" ? "At any stage." : "At the stage."}
        options={OUTCOMES}
        onValue={(outcome) => change({ outcome })}
      />
      <Select
        label="Remarks"
        value={filters.remark}
        options={REMARKS}
        onValue={(remark) => change({ remark })}
      />
    </div>
  );
}

function Columns({ filters, change }: PartProps) {
  const { id } = useProject();
  const { data } = useQuery(columnsQuery(id));
  if (!data || data.columns.length === 0) return null;
  return (
    <ColumnFilters columns={data.columns} values={filters.column} onValues={(column) => change({ column })} />
  );
}
