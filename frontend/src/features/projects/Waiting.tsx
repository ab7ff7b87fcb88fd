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

const ownListsQuery = (id: string) => ({
  queryKey: ["own-factoid-lists", id],
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await get("/api/projects/{project_id}/text-sets/", { ...ofProject(id), signal })).mine,
});

/** What waits for who settles, and one's factoid lists, each a link to where it is done; nothing where nothing waits. */
export function Waiting({ project }: { project: Project }) {
  const settles = project.may.includes("resolve") && (project.has_spans || project.has_stages);
  const hasLists = project.has_text_sets && !project.archived_at;
  const { data: counts } = useQuery({ ...waitingQuery(project.id), enabled: settles });
  const { data: lists = [] } = useQuery({ ...ownListsQuery(project.id), enabled: hasLists });
  const toDo = lists.filter(({ done_at }) => done_at === null).length;
  const lines = [
    ...(counts ? linesOf(counts) : []),
    { n: toDo, words: `${counted(toDo, "factoid list")} to work on`, path: "factoids" },
  ].filter(({ n }) => n > 0);
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

function linesOf({ to_validate, to_decide, to_agree }: Counts) {
  return [
    { n: to_validate, words: `${counted(to_validate, "item")} to validate`, path: "validation" },
    { n: to_decide, words: `${counted(to_decide, "item")} without a majority`, path: "adjudication" },
    {
      n: to_agree,
      words: `${counted(to_agree, "item")} to agree on after a second look`,
      path: "adjudication?phase=2",
    },
  ];
}
