import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { get, ofProject } from "../../api/client";
import type { Answer } from "../../api/contract";
import type { Project } from "../../api/types";
import { counted } from "../../text/format";

type Counts = Answer<"/api/projects/{project_id}/waiting/", "get">;

/** Beside the list, which does not wait for it: counting takes a moment where many labels are. */
const waitingQuery = (id: string) => ({
  queryKey: ["waiting", id],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    get("/api/projects/{project_id}/waiting/", { ...ofProject(id), signal }),
});

/** What waits for who settles, each a link to where it is done; nothing where nothing waits. */
export function Waiting({ project }: { project: Project }) {
  const { data } = useQuery(waitingQuery(project.id));
  const lines = data ? linesOf(data) : [];
  if (lines.length === 0) return null;
  return (
    <ul className="waiting small" aria-label={`Waiting in ${project.name}`}>
      {lines.map(({ words, path }) => (
        <li key={path}>
          <Link to={`/projects/${project.id}/${path}`}>{words}</Link>
        </li>
      ))}
    </ul>
  );
}

function linesOf({ to_validate, to_decide, to_agree }: Counts): { words: string; path: string }[] {
  return [
    { n: to_validate, words: `${counted(to_validate, "item")} to validate`, path: "validation" },
    { n: to_decide, words: `${counted(to_decide, "item")} without a majority`, path: "adjudication" },
    {
      n: to_agree,
      words: `${counted(to_agree, "item")} to agree on after a second look`,
      path: "adjudication?phase=2",
    },
  ].filter(({ n }) => n > 0);
}
