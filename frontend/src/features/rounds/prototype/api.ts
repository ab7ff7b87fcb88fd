import { queryOptions } from "@tanstack/react-query";
import { get, post } from "../../../api/client";
import type { Answer } from "../../../api/contract";

export type PrototypePage = Answer<"/api/projects/{project_id}/prototype/", "get">;
export type PrototypeBatch = NonNullable<PrototypePage["batch"]>;

export interface PrototypeBody {
  size: number;
  random_state: number;
  annotators: string[];
  annotators_per_item: number;
  shares?: Record<string, number>;
  check_items?: { practice: string; percent: number };
}

const project = (project_id: string) => ({ params: { path: { project_id } } });

/** While people answer it their progress is followed. */
export const prototypeQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["prototype", projectId],
    queryFn: ({ signal }) => get("/api/projects/{project_id}/prototype/", { ...project(projectId), signal }),
    refetchInterval: 10_000,
  });

export function prototypeOpen(projectId: string, body: PrototypeBody): Promise<PrototypePage> {
  return post("/api/projects/{project_id}/prototype/", { ...project(projectId), body });
}
