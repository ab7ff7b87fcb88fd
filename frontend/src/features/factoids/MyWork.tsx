import { Link } from "react-router";
import { Begin } from "../../components/Begin";
import { DataTable } from "../../components/DataTable";
import { ownProgress, phaseTitle, workWords } from "./copy";
import { listPath } from "./paths";
import type { OwnList } from "./types";

/** What waits for this person; Enter begins with the first that is not done. */
export function MyWork({ lists, projectId }: { lists: readonly OwnList[]; projectId: string }) {
  const first = lists.find(({ done_at }) => done_at === null);
  return (
    <section className="card stack" aria-labelledby="mine">
      <div className="card-head">
        <h2 id="mine">My work</h2>
        <Begin to={first && listPath(projectId, first.list)} page={1} />
      </div>
      {lists.length === 0 ? (
        <p className="mute">
          Nothing is given to you at the moment. An admin opens a phase for chosen people: your list then
          appears here by itself.
        </p>
      ) : (
        <DataTable
          title="My work"
          className="listed"
          rows={lists}
          keyOf={({ list }) => list}
          columns={[
            [
              "List",
              (own) => (
                <>
                  <Link to={listPath(projectId, own.list)}>
                    {workWords(own)}: {own.set}
                  </Link>
                  <span className="basis">{phaseTitle({ ...own, number: own.phase_number })}</span>
                </>
              ),
            ],
            ["Progress", (own) => ownProgress(own), "nowrap"],
            ["State", State],
          ]}
        />
      )}
    </section>
  );
}

function State({ done_at }: OwnList) {
  return done_at ? <span className="tag ok">done</span> : <span className="tag">open</span>;
}
