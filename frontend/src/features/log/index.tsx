import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router";
import { membersQuery } from "../../api/members";
import { at } from "../../browser/base";
import { Select } from "../../components/Select";
import { NotLoaded, Status } from "../../components/states";
import { TableScroll } from "../../components/TableCard";
import { useProject } from "../../session/project";
import { type Filters, type Log, logFile, logQuery } from "./api";
import { Lines } from "./Lines";
import "../../components/admin.css";
import "./log.css";

const MAIN = "main";

export function Component() {
  const project = useProject();
  const [asked, ask] = useSearchParams();
  const filters = { kind: asked.get("kind") ?? MAIN, person: asked.get("person") ?? "" };
  const log = useInfiniteQuery({ ...logQuery(project.id, filters), placeholderData: keepPreviousData });
  const pages = log.data?.pages ?? [];
  return (
    <main className="page" id="main">
      <div className="page-head">
        <h1>Log</h1>
        <p className="mute">
          Who did what, and when: roles, rounds, decisions, exports. Each line was written together with what
          it tells of, and none can be changed. It says who answered which item, not what they answered.
        </p>
      </div>
      <section className="card stack" aria-label="Lines of the log">
        <FilterRow kinds={pages[0]?.kinds ?? []} filters={filters} onChange={ask} />
        {log.error && <NotLoaded what="The log" error={log.error} retry={log.refetch} />}
        {(log.isLoading || log.isPlaceholderData) && <Status>Loading the log</Status>}
        {pages.length > 0 && !log.isPlaceholderData && <Shown pages={pages} filters={filters} />}
        {log.hasNextPage && !log.isPlaceholderData && (
          <div>
            <button
              type="button"
              className="button"
              aria-disabled={log.isFetchingNextPage}
              onClick={() => void (log.isFetchingNextPage || log.fetchNextPage())}
            >
              {log.isFetchingNextPage ? "Loading older lines" : "Show older lines"}
            </button>
          </div>
        )}
        <Files projectId={project.id} filters={filters} />
      </section>
    </main>
  );
}

interface FilterRowProps {
  kinds: Log["kinds"];
  filters: Filters;
  onChange: (filters: Record<string, string>) => void;
}

function FilterRow({ kinds, filters, onChange }: FilterRowProps) {
  const { id: projectId } = useProject();
  // Who belongs to the project: what they have done so far is not shown here, so that it is not asked for again.
  const { data: members } = useQuery({ ...membersQuery(projectId), refetchInterval: false });
  const change = (part: Partial<Filters>) => {
    const { kind, person } = { ...filters, ...part };
    onChange({ ...(kind === MAIN ? {} : { kind }), ...(person ? { person } : {}) });
  };
  return (
    <div className="form-grid">
      <Select
        label="What"
        value={filters.kind}
        options={[
          { value: MAIN, text: "Everything but annotations" },
          { value: "all", text: "Everything" },
          ...kinds.map(({ key, title }) => ({ value: key, text: title })),
        ]}
        onValue={(kind) => change({ kind })}
      />
      <Select
        label="By whom"
        value={filters.person}
        options={[
          { value: "", text: "Everyone" },
          ...(members ?? []).map((member) => ({ value: member.id, text: member.display_name })),
          { value: "system", text: "The system" },
        ]}
        onValue={(person) => change({ person })}
      />
    </div>
  );
}

function Shown({ pages, filters }: { pages: Log[]; filters: Filters }) {
  const lines = pages.flatMap((page) => page.lines);
  if (lines.length > 0) {
    return (
      <TableScroll title="Lines, newest first">
        <Lines lines={lines} />
      </TableScroll>
    );
  }
  const isFiltered = filters.kind !== MAIN || filters.person !== "";
  return <p className="mute">{isFiltered ? "No lines of this kind." : "Nothing was written yet."}</p>;
}

function Files({ projectId, filters }: { projectId: string; filters: Filters }) {
  return (
    <p className="small">
      What is chosen above, whole, with the data of each line:{" "}
      <a href={at(logFile(projectId, filters, "csv"))} download>
        download CSV
      </a>{" "}
      or{" "}
      <a href={at(logFile(projectId, filters, "jsonl"))} download>
        download JSONL
      </a>
      . With names; who takes it is written into the log.
    </p>
  );
}
