import { queryOptions } from "@tanstack/react-query";
import type { Answer } from "../../../api/contract";
import { request } from "../../../api/http";
import { upload } from "../../../api/upload";

export type TestSetPage = Answer<"/api/projects/{project_id}/test-set/", "get">;
export type TestSet = NonNullable<TestSetPage["test_set"]>;

const path = (projectId: string) => `/api/projects/${projectId}/test-set/`;

export const testSetQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["test-set", projectId],
    queryFn: ({ signal }) => request<TestSetPage>("GET", path(projectId), { signal }),
    staleTime: 10_000,
  });

export const testSetApi = {
  /** Takes the place of one that is there. */
  attach: (projectId: string, stage: string, file: File) => {
    const form = new FormData();
    form.set("stage", stage);
    form.set("file", file);
    return upload<TestSetPage>(path(projectId), form);
  },
  remove: (projectId: string) => request<null>("DELETE", path(projectId)),
};
