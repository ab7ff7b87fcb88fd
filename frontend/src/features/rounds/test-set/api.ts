import { queryOptions } from "@tanstack/react-query";
import { get, ofProject, remove } from "../../../api/client";
import type { Answer } from "../../../api/contract";
import { upload } from "../../../api/upload";

export type TestSetPage = Answer<"/api/projects/{project_id}/test-set/", "get">;
export type TestSet = NonNullable<TestSetPage["test_set"]>;

export const testSetQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["test-set", projectId],
    queryFn: ({ signal }) => get("/api/projects/{project_id}/test-set/", { ...ofProject(projectId), signal }),
    staleTime: 10_000,
  });

export const testSetApi = {
  /** Takes the place of one that is there. */
  attach: (projectId: string, stage: string, file: File) => {
    const form = new FormData();
    form.set("stage", stage);
    form.set("file", file);
    return upload<TestSetPage>(`/api/projects/${projectId}/test-set/`, form);
  },
  remove: (projectId: string) => remove("/api/projects/{project_id}/test-set/", ofProject(projectId)),
};
