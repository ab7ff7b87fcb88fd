import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { get, ofProject, post } from "../../api/client";
import type { Answer, Body } from "../../api/contract";
import { listInterval, oneInterval } from "../../api/jobs";
import type { Figures } from "./figures";

type One = "/api/projects/{project_id}/interpretations/{interpretation_id}/";

export type Choices = Answer<"/api/projects/{project_id}/interpretations/choices/", "get">;
export type EvaluationChoice = Choices["evaluations"][number];
export type SpecBody = Body<"/api/projects/{project_id}/interpretations/", "post">;
export type SystemBody = SpecBody["systems"][number];
export type Estimate = Answer<"/api/projects/{project_id}/interpretations/estimate/", "post">;
export type Interpretation = Answer<"/api/projects/{project_id}/interpretations/", "get">[number];
export type InterpretationDetail = Answer<One, "get">;
export type Progress = Interpretation["progress"];
export type LeftOut = InterpretationDetail["left_out"][number];
export type Epoch = InterpretationDetail["curves"][string][number];
export type Generation = Answer<`${One}generations/`, "get">["rows"][number];
export type MarkedText = Pick<Generation["generated"], "text" | "spans">;
export type Instance = Answer<`${One}instances/`, "get">["rows"][number];
export type Compared = Answer<`${One}compare/`, "get">;

/** Which instances are listed, by the names of the server's parameters. */
export interface InstanceFilters {
  system: string;
  annotation: string;
  evaluation: string;
  positive_class: string;
  negative_class: string;
  mistakes: "1" | "";
}

const of = (project_id: string, interpretation_id: string) => ({
  params: { path: { project_id, interpretation_id } },
});

export const interpretationApi = {
  start: (projectId: string, body: SpecBody) =>
    post("/api/projects/{project_id}/interpretations/", { ...ofProject(projectId), body }),
  pause: (projectId: string, id: string) =>
    post("/api/projects/{project_id}/interpretations/{interpretation_id}/pause/", of(projectId, id)),
  resume: (projectId: string, id: string) =>
    post("/api/projects/{project_id}/interpretations/{interpretation_id}/resume/", of(projectId, id)),
  remove: (projectId: string, id: string) =>
    post("/api/projects/{project_id}/interpretations/{interpretation_id}/remove/", of(projectId, id)),
  cancel: (projectId: string, id: string) =>
    post("/api/projects/{project_id}/interpretations/{interpretation_id}/cancel/", of(projectId, id)),
};

export const filePath = (projectId: string, id: string, name: string) =>
  `/api/projects/${projectId}/interpretations/${id}/files/${encodeURIComponent(name)}/`;

export const choicesQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["interpretation-choices", projectId],
    queryFn: ({ signal }) =>
      get("/api/projects/{project_id}/interpretations/choices/", { ...ofProject(projectId), signal }),
    staleTime: 30_000,
  });

export const interpretationsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["interpretations", projectId],
    queryFn: ({ signal }) =>
      get("/api/projects/{project_id}/interpretations/", { ...ofProject(projectId), signal }),
    refetchInterval: listInterval,
  });

export const interpretationQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: ["interpretation", id],
    queryFn: ({ signal }) =>
      get("/api/projects/{project_id}/interpretations/{interpretation_id}/", {
        ...of(projectId, id),
        signal,
      }),
    refetchInterval: oneInterval,
  });

export const figuresQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: ["interpretation-figures", id],
    queryFn: ({ signal }) =>
      get("/api/projects/{project_id}/interpretations/{interpretation_id}/results/", {
        ...of(projectId, id),
        signal,
      }) as Promise<unknown> as Promise<Figures>,
    // What is done is never changed.
    staleTime: Number.POSITIVE_INFINITY,
  });

export const estimateQuery = (projectId: string, body: SpecBody | null) =>
  queryOptions({
    queryKey: ["interpretation-estimate", projectId, body],
    queryFn: ({ signal }) =>
      post("/api/projects/{project_id}/interpretations/estimate/", {
        ...ofProject(projectId),
        body: body as SpecBody,
        signal,
      }),
    enabled: body !== null,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });

/** One source at a time: its texts may be long. `place` is from 0. */
export const generationQuery = (projectId: string, id: string, system: string, place: number) =>
  queryOptions({
    queryKey: ["interpretation-generation", id, system, place],
    queryFn: ({ signal }) =>
      get("/api/projects/{project_id}/interpretations/{interpretation_id}/generations/", {
        params: {
          path: { project_id: projectId, interpretation_id: id },
          query: { system, limit: 1, offset: place },
        },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });

export const INSTANCES_PER_PAGE = 20;

export const instancesQuery = (projectId: string, id: string, filters: InstanceFilters, page: number) =>
  queryOptions({
    queryKey: ["interpretation-instances", id, filters, page],
    queryFn: ({ signal }) =>
      get("/api/projects/{project_id}/interpretations/{interpretation_id}/instances/", {
        params: {
          path: { project_id: projectId, interpretation_id: id },
          query: {
            system: filters.system,
            annotation: filters.annotation,
            evaluation: filters.evaluation,
            ...ofClass("positive_class", filters),
            ...ofClass("negative_class", filters),
            mistakes: filters.mistakes === "1",
            limit: INSTANCES_PER_PAGE,
            offset: (page - 1) * INSTANCES_PER_PAGE,
          },
        },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });

function ofClass(side: "positive_class" | "negative_class", filters: InstanceFilters) {
  return filters[side] === "" ? {} : { [side]: Number(filters[side]) };
}

export const compareQuery = (projectId: string, id: string, other: string) =>
  queryOptions({
    queryKey: ["interpretation-compare", id, other],
    queryFn: ({ signal }) =>
      get("/api/projects/{project_id}/interpretations/{interpretation_id}/compare/", {
        params: { path: { project_id: projectId, interpretation_id: id }, query: { other } },
        signal,
      }),
    enabled: other !== "",
    staleTime: Number.POSITIVE_INFINITY,
  });
