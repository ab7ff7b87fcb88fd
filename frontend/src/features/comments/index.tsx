import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import { PublishNote } from "../../annotate/threads/PublishNote";
import { Thread } from "../../annotate/threads/Thread";
import { codebooksQuery } from "../../api/codebooks";
import { membersQuery } from "../../api/members";
import type { Project } from "../../api/types";
import { useRefresh } from "../../api/useRefresh";
import { at } from "../../browser/base";
import { Field } from "../../components/Field";
import { Pages } from "../../components/Pages";
import { Refusal } from "../../components/Refusal";
import { Select } from "../../components/Select";
import { Failure, Loading } from "../../components/states";
import { useProject, useZone } from "../../session/project";
import { batchName, capitalised, counted, moment } from "../../text/format";
import {
  addressOf,
  type Filters,
  type Remark,
  type RemarksPage,
  remarksKey,
  remarksQuery,
  resolve,
} from "./api";
import "../../components/admin.css";
import "./comments.css";

const KIND: Record<Remark["kind"], string> = { comment: "Comment", skip: "Skipped", flag: "Flag" };

/** What annotators remarked, for the admins; the address holds the filters. */
export function Component() {
  const project = useProject();
  const [address, setAddress] = useSearchParams();
  const [page, setPage] = useState(1);
  const filters: Filters = {
    kind: address.get("kind") ?? "all",
    state: address.get("state") ?? "open",
    person: address.get("person") ?? "",
    batch: address.get("batch") ?? "",
    q: address.get("q") ?? "",
  };
  const { data, error, refetch } = useQuery(remarksQuery(project.id, filters, page));
  const change = (part: Partial<Filters>) => {
    setPage(1);
    setAddress(addressOf({ ...filters, ...part }));
  };
  return (
    <main className="page" id="main">
      <div className="page-head">
        <h1>Comments</h1>
        <p className="mute">
          What annotators wrote for you: comments, reasons for a skip, and flags with questions. Annotators
          see only their own, and your answers to them.
        </p>
      </div>
      <FilterRow filters={filters} batches={data?.batches ?? []} onChange={change} />
      {error && !data && <Failure error={error} retry={refetch} />}
      {!data && !error && <Loading what="the comments" />}
      {data && <Found page={data} project={project} filters={filters} onPage={setPage} />}
    </main>
  );
}

interface FilterRowProps {
  filters: Filters;
  batches: RemarksPage["batches"];
  onChange: (part: Partial<Filters>) => void;
}

function FilterRow({ filters, batches, onChange }: FilterRowProps) {
  const { id } = useProject();
  const { data: members } = useQuery({ ...membersQuery(id), refetchInterval: false });
  const [q, setQ] = useState(filters.q);
  return (
    <form
      className="card form-grid"
      aria-label="Filter"
      onSubmit={(event) => {
        event.preventDefault();
        onChange({ q });
      }}
    >
      <Select
        label="Kind"
        value={filters.kind}
        options={[
          { value: "all", text: "All" },
          { value: "comment", text: "Comments" },
          { value: "skip", text: "Skips with a reason" },
          { value: "flag", text: "Flags" },
        ]}
        onValue={(kind) => onChange({ kind })}
      />
      <Select
        label="State"
        value={filters.state}
        options={[
          { value: "open", text: "Open" },
          { value: "waiting", text: "Flags that wait for your answer" },
          { value: "resolved", text: "Resolved" },
          { value: "all", text: "Open and resolved" },
        ]}
        onValue={(state) => onChange({ state })}
      />
      <Select
        label="Whose"
        value={filters.person}
        options={[
          { value: "", text: "Everybody's" },
          ...(members ?? []).map((member) => ({ value: member.id, text: member.display_name })),
        ]}
        onValue={(person) => onChange({ person })}
      />
      <Select
        label="Batch"
        value={filters.batch}
        options={[
          { value: "", text: "All batches" },
          ...batches.map((batch) => ({
            value: batch.id,
            text: capitalised(batchName(batch.kind, batch.number)),
          })),
        ]}
        onValue={(batch) => onChange({ batch })}
      />
      <Field
        label="Words"
        type="search"
        value={q}
        maxLength={500}
        hint="Press Enter to search."
        onValue={setQ}
      />
    </form>
  );
}

interface FoundProps {
  page: RemarksPage;
  project: Project;
  filters: Filters;
  onPage: (page: number) => void;
}

function Found({ page, project, filters, onPage }: FoundProps) {
  return (
    <section className="card stack" aria-label="Found">
      <div className="card-head">
        <p className="small mute" role="status">
          {page.n === 0 ? "No comment matches." : `${counted(page.n, "remark")}.`}
          {page.hidden > 0 &&
            ` ${counted(page.hidden, "remark")} not shown: you annotate these items yourself, and your own answer is not final yet.`}
        </p>
        <a
          className="button"
          href={at(`/api/projects/${project.id}/remarks/csv/?${addressOf(filters)}`)}
          download
        >
          Download as CSV
        </a>
      </div>
      <ul className="remarks">
        {page.remarks.map((remark) => (
          <li key={`${remark.kind} ${remark.id}`} className="stack-tight">
            <OneRemark remark={remark} project={project} />
          </li>
        ))}
      </ul>
      <Pages page={page.page} n_pages={page.n_pages} onPage={onPage} />
    </section>
  );
}

function OneRemark({ remark, project }: { remark: Remark; project: Project }) {
  const zone = useZone();
  const [wasUnread] = useState(remark.unread);
  return (
    <>
      <p className="small">
        {wasUnread && <b className="new-remark">New</b>} <b>{KIND[remark.kind]}</b> by {remark.who}{" "}
        <span className="mute">
          {moment(remark.created_at, zone)} · {batchName(remark.batch_kind, remark.batch_number)}
        </span>
      </p>
      <p className="remark-words">{remark.words || "(no note)"}</p>
      <blockquote className="remark-text">
        <span className="mute">{remark.before}</span>
        <mark>{remark.text}</mark>
        <span className="mute">{remark.after}</span>
      </blockquote>
      <div className="row">
        <Resolve remark={remark} project={project} />
        <Link to={`/projects/${project.id}/items?${new URLSearchParams({ q: remark.item_id })}`}>
          Item {remark.item_id}
        </Link>
        {remark.batch_kind === "round" && project.has_stages && (
          <Link to={`/projects/${project.id}/adjudication/${remark.item}?kind=any`}>Look at its answers</Link>
        )}
        {remark.batch_kind === "round" && project.has_spans && (
          <Link to={`/projects/${project.id}/validation/${remark.item}`}>Look at its spans</Link>
        )}
      </div>
      {remark.kind === "flag" && <FlagThread remark={remark} project={project} />}
    </>
  );
}

/** The thread of a flag, and a note to everybody as another way to answer. */
function FlagThread({ remark, project }: { remark: Remark; project: Project }) {
  const [publishes, setPublishes] = useState(false);
  const { data: versions = [] } = useQuery({ ...codebooksQuery(project.id), enabled: publishes });
  const refreshes = [remarksKey(project.id)];
  return (
    <>
      <Thread
        flagId={remark.id}
        messages={remark.messages}
        isOwn={false}
        isUnread={remark.unread}
        refreshes={refreshes}
      >
        <button type="button" className="button quiet" onClick={() => setPublishes(true)}>
          Publish a note instead
        </button>
      </Thread>
      {publishes && (
        <PublishNote
          stages={versions.find(({ version }) => version === remark.codebook)?.definition.stages ?? []}
          flag={remark.id}
          refreshes={refreshes}
          onClose={() => setPublishes(false)}
        />
      )}
    </>
  );
}

function Resolve({ remark, project }: { remark: Remark; project: Project }) {
  const zone = useZone();
  const refresh = useRefresh();
  const act = useMutation({
    mutationFn: () => resolve(project.id, remark.id, !remark.resolved),
    onSettled: () => refresh(remarksKey(project.id), ["notices"]),
  });
  return (
    <>
      <button type="button" className="button" disabled={act.isPending} onClick={() => act.mutate()}>
        {remark.resolved ? "Open it again" : "Mark as resolved"}
      </button>
      {remark.resolved_at && (
        <span className="small mute">
          {remark.resolved ? "Resolved" : "Opened again"} by {remark.resolved_by},{" "}
          {moment(remark.resolved_at, zone)}
        </span>
      )}
      <Refusal error={act.error} />
    </>
  );
}
