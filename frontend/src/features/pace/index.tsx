import { useQuery } from "@tanstack/react-query";
import { type OwnPace, ownPaceQuery } from "../../api/annotators";
import { DataTable } from "../../components/DataTable";
import { Stat } from "../../components/Stat";
import { Failure, Loading } from "../../components/states";
import { useProject } from "../../session/project";
import { batchName, capitalised, count, duration } from "../../text/format";
import "../../components/admin.css";

type Part = Pick<OwnPace, "done" | "active_ms">;

/** A person's own pace. Nothing here follows from what others do. */
export function Component() {
  const project = useProject();
  const { data, error, refetch } = useQuery(ownPaceQuery(project.id));
  if (error && !data) return <Failure error={error} retry={refetch} />;
  if (!data) return <Loading what="your pace" />;
  return (
    <main className="page" id="main">
      <div className="page-head">
        <h1>Your pace</h1>
        <p className="mute">
          How much you did, and how long it took, without idle time and without practice. Your admins see this
          too, and how your answers compare with the others’; other annotators do not.
        </p>
      </div>
      {data.done === 0 ? (
        <p className="card">Nothing yet. What you submit is counted here.</p>
      ) : (
        <>
          <div className="stats">
            <Stat title="Done" value={count(data.done)} of="items, answered or skipped" />
            <Stat title="Time an item" value={anItem(data)} />
            <Stat title="Time in all" value={duration(data.active_ms / 1000)} />
          </div>
          <PaceTable
            title="By day"
            rows={data.days.map((part) => ({ name: dayWords(part.day), ...part }))}
            head="Day"
          />
          <PaceTable
            title="By batch"
            rows={data.batches.map((part) => ({
              name: capitalised(batchName(part.kind, part.number)),
              ...part,
            }))}
            head="Batch"
          />
        </>
      )}
    </main>
  );
}

interface PaceTableProps {
  title: string;
  head: string;
  rows: readonly (Part & { name: string })[];
}

function PaceTable({ title, head, rows }: PaceTableProps) {
  return (
    <section className="card stack" aria-labelledby={`pace-${head}`}>
      <h2 id={`pace-${head}`}>{title}</h2>
      <DataTable
        title={title}
        rows={rows}
        keyOf={({ name }) => name}
        columns={[
          [head, ({ name }) => name],
          ["Done", ({ done }) => count(done), "number"],
          ["Time", ({ active_ms }) => duration(active_ms / 1000), "number"],
          ["Time an item", anItem, "number"],
        ]}
      />
    </section>
  );
}

/** A day on which only earlier answers were changed has no new item. */
function anItem({ done, active_ms }: Part): string {
  return done === 0 ? "–" : duration(active_ms / 1000 / done);
}

function dayWords(day: string): string {
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeZone: "UTC" }).format(new Date(day));
}
