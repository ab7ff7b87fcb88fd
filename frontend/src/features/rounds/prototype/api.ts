import { queryOptions } from "@tanstack/react-query";
import { request } from "../../../api/http";

export interface PrototypeBatch {
  id: string;
  /** An admin ended it with what was there. */
  closed_at: string | null;
  /** Nothing of it can change any more. */
  frozen_at: string | null;
  number: number;
  size: number;
  done: number;
  total: number;
  complete: boolean;
  random_state: number | null;
  annotators_per_item: number;
  annotators: { id: string; display_name: string; done: number; total: number }[];
}

export interface PrototypePage {
  batch: PrototypeBatch | null;
  may_open: boolean;
  reasons: string[];
}

export interface PrototypeBody {
  size: number;
  random_state: number;
  annotators: string[];
  annotators_per_item: number;
}

const path = (projectId: string) => `/api/projects/${projectId}/prototype/`;

/** While people answer it their progress is followed. */
export const prototypeQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["prototype", projectId],
    queryFn: ({ signal }) => request<PrototypePage>("GET", path(projectId), { signal }),
    refetchInterval: 10_000,
  });

export function prototypeOpen(projectId: string, body: PrototypeBody): Promise<PrototypePage> {
  return request<PrototypePage>("POST", path(projectId), { body });
}
