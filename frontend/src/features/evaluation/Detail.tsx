import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Link } from "react-router";
import { isApiError } from "../../api/errors";
import type { Project } from "../../api/types";
import { useAnnounce } from "../../components/Announcer";
import { NotFoundPage } from "../../components/NotFoundPage";
import { Failure, Loading } from "../../components/states";
import { counted, moment } from "../../text/format";
import { Acts } from "./actions";
import { type EvaluationDetail, evaluationQuery } from "./api";
import { stateWords } from "./copy";
import { Now } from "./Now";
import { Results } from "./results/Results";
import { Setup } from "./Setup";
import { TriedItems } from "./TriedItems";

export function Detail({ id, project }: { id: string; project: Project }) {
  const { data, error, refetch } = useQuery(evaluationQuery(id));
  useSaid(data);
  if (isApiError(error, 404)) return <NotFoundPage />;
  if (!data) return error ? <Failure error={error} retry={refetch} /> : <Loading what="the evaluation" />;
  const isDone = data.state === "done";
  return (
    <main className="page" id="main">
      <div className="page-head">
        <p className="small">
          <Link to={`/projects/${project.id}/evaluation`}>All evaluations</Link>
        </p>
        <h1>{data.name}</h1>
        <p className="mute">
          Evaluation {data.number}, started by {data.created_by}, {moment(data.created_at, project.time_zone)}
          .
        </p>
      </div>
      {error && (
        <p className="notice bad" role="alert">
          The server cannot be reached: what is shown may be old. Trying again.
        </p>
      )}
      <Notices notices={data.notices} />
      {isDone && data.n_unanswered > 0 && <Acts evaluation={data} projectId={project.id} />}
      {!isDone && <Now evaluation={data} project={project} />}
      {data.is_dry_run ? <TriedItems evaluation={data} /> : <Results evaluation={data} project={project} />}
      <Setup evaluation={data} />
    </main>
  );
}

/** More than these are folded, so that they do not push the figures away. */
const NOTICES_SHOWN = 2;

function Notices({ notices }: { notices: readonly string[] }) {
  if (notices.length === 0) return null;
  const list = notices.map((notice) => <li key={notice}>{notice}</li>);
  if (notices.length <= NOTICES_SHOWN) return <ul className="notice warn reasons notices">{list}</ul>;
  return (
    <details className="notice warn more">
      <summary>{counted(notices.length, "notice")} about the systems</summary>
      <ul className="reasons notices">{list}</ul>
    </details>
  );
}

function useSaid(evaluation: EvaluationDetail | undefined) {
  const announce = useAnnounce();
  const words = evaluation ? `The evaluation is ${stateWords(evaluation)}.` : "";
  const before = useRef(words);
  useEffect(() => {
    if (before.current && before.current !== words) announce(words);
    before.current = words;
  }, [words, announce]);
}
