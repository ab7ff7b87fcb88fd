import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Failure, Loading } from "../../components/states";
import { useProject } from "../../session/project";
import { setsQuery } from "./api";
import { ImportSet } from "./ImportSet";
import { MyWork } from "./MyWork";
import { SetCard } from "./SetCard";
import { SetToJudge } from "./SetToJudge";
import "../../components/admin.css";
import "./factoids.css";

/** One's own open lists; for admins the text sets too. */
export function Component() {
  const { id: projectId, may } = useProject();
  const { data, error, refetch } = useQuery(setsQuery(projectId));
  if (!data) return error ? <Failure error={error} retry={refetch} /> : <Loading what="the text sets" />;
  const manages = may.includes("manage");
  return (
    <main className="page factoid-page" id="main">
      <div className="page-head">
        <h1>Factoids</h1>
        <p className="mute">
          A factoid is a smallest piece of information that tells texts of one set apart. People find them
          alone, then what they found is compared.
        </p>
      </div>
      {error && (
        <p className="notice bad" role="alert">
          The server cannot be reached: what is shown may be old. Trying again.
        </p>
      )}
      {(data.mine.length > 0 || !manages) && <MyWork lists={data.mine} projectId={projectId} />}
      {manages && <Import projectId={projectId} isFirst={data.sets.length === 0} />}
      {data.sets.map((set) =>
        manages ? <SetCard key={set.id} set={set} /> : <SetToJudge key={set.id} set={set} />,
      )}
    </main>
  );
}

/** Open before the first set; later it waits behind a button. */
function Import({ projectId, isFirst }: { projectId: string; isFirst: boolean }) {
  const [isOpen, setOpen] = useState(false);
  if (isFirst)
    return (
      <>
        <Steps />
        <ImportSet projectId={projectId} onDone={() => setOpen(false)} />
      </>
    );
  if (isOpen)
    return (
      <div className="stack">
        <ImportSet projectId={projectId} onDone={() => setOpen(false)} />
        <div className="row">
          <button type="button" className="button" onClick={() => setOpen(false)}>
            Import nothing
          </button>
        </div>
      </div>
    );
  return (
    <div className="row">
      <button type="button" className="button" onClick={() => setOpen(true)}>
        Import a text set
      </button>
    </div>
  );
}

/** What the work is, before there is any. */
function Steps() {
  return (
    <section className="card stack" aria-labelledby="none">
      <h2 id="none">No text sets yet</h2>
      <p>Import two or more texts about the same source. Then the work goes in this order:</p>
      <ol className="reasons">
        <li>
          <b>Definition.</b> Two people or more break the texts into factoids, blind to each other.
        </li>
        <li>
          <b>Pairing.</b> The machine proposes which factoids correspond, and you judge the pairs.
        </li>
        <li>
          <b>Consensus list.</b> It is proposed from the judged pairs. You edit and publish it.
        </li>
        <li>
          <b>Annotation.</b> People mark the published list in every text, then look at what differs.
        </li>
        <li>
          <b>Results.</b> Agreement in each phase, the weight of each factoid, and a score for each text.
        </li>
      </ol>
    </section>
  );
}
