import { queryOptions } from "@tanstack/react-query";
import { request } from "../../../api/http";
import { upload } from "../../../api/upload";

export interface TestSet {
  stage: string;
  n: number;
  class_counts: Record<string, number>;
  sha256: string;
  file_name: string;
  attached_at: string;
  notices: string[];
}

export interface TestSetPage {
  test_set: TestSet | null;
  stages: { key: string; title: string; labels: string[] }[];
}

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
