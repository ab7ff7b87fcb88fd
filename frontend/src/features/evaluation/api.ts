import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { get, ofProject, post, remove } from "../../api/client";
import type { Answer, Body } from "../../api/contract";
import { listInterval, oneInterval } from "../../api/jobs";
import { upload } from "../../api/upload";
import type { Figures } from "./figures";

export type Choices = Answer<"/api/projects/{project_id}/evaluations/choices/", "get">;
export type Gold = Choices["gold"][number];
export type SystemChoice = Choices["systems"][number];
export type LanguageModel = Choices["language_models"][number];
export type PromptChoice = Choices["prompts"][number];
export type Estimate = Answer<"/api/projects/{project_id}/evaluations/estimate/", "post">;
export type Evaluation = Answer<"/api/projects/{project_id}/evaluations/", "get">[number];
type Detail = Answer<"/api/evaluations/{evaluation_id}/", "get">;
export type EvaluationDetail = Omit<Detail, "figures"> & { figures: Figures | null };
export type SystemProgress = Evaluation["progress"]["systems"][number];
export type PredictionsPage = Answer<"/api/evaluations/{evaluation_id}/predictions/", "get">;
export type Prediction = PredictionsPage["rows"][number];
export type PredictionDetail = Answer<"/api/predictions/{prediction_id}/", "get">;
export type Cause = Answer<"/api/projects/{project_id}/error-causes/", "get">[number];
export type Preview = Answer<"/api/projects/{project_id}/prompts/preview/", "post">;
export type SpecBody = Body<"/api/projects/{project_id}/evaluations/", "post">;

const ofEvaluation = (evaluation_id: string) => ({ params: { path: { evaluation_id } } });
const ofPrediction = (prediction_id: string) => ({ params: { path: { prediction_id } } });

/** Which predictions are listed, by the names of the server's parameters. */
export interface PredictionFilters {
  system: string;
  stage: string;
  only: "all" | "errors" | "not_compliant";
  gold: string;
  predicted: string;
  agreement: "any" | "unanimous" | "majority";
  least_confidence: string;
  cause: string;
}

export const PER_PAGE = 50;

export const evaluationApi = {
  start: (projectId: string, body: SpecBody, predictions: File | null): Promise<Evaluation> => {
    if (!predictions)
      return post("/api/projects/{project_id}/evaluations/", { ...ofProject(projectId), body });
    const form = new FormData();
    form.set("spec", JSON.stringify(body));
    form.set("predictions", predictions);
    return upload<Evaluation>(`/api/projects/${projectId}/evaluations/`, form);
  },
  pause: (id: string) => post("/api/evaluations/{evaluation_id}/pause/", ofEvaluation(id)),
  resume: (id: string) => post("/api/evaluations/{evaluation_id}/resume/", ofEvaluation(id)),
  cancel: (id: string) => post("/api/evaluations/{evaluation_id}/cancel/", ofEvaluation(id)),
  show: (id: string, systems: string[]) =>
    post("/api/evaluations/{evaluation_id}/shown/", { ...ofEvaluation(id), body: { systems } }),
  approve: (projectId: string, { name, destination }: LanguageModel) =>
    post("/api/projects/{project_id}/language-models/{name}/approval/", {
      params: { path: { project_id: projectId, name } },
      body: { destination },
    }),
  takeBack: (projectId: string, { name }: LanguageModel) =>
    remove("/api/projects/{project_id}/language-models/{name}/approval/", {
      params: { path: { project_id: projectId, name } },
    }),
  savePrompt: (projectId: string, body: Body<"/api/projects/{project_id}/prompts/", "post">) =>
    post("/api/projects/{project_id}/prompts/", { ...ofProject(projectId), body }),
  nameCause: (id: string, cause: string | null) =>
    post("/api/predictions/{prediction_id}/cause/", { ...ofPrediction(id), body: { cause } }),
  makeCause: (projectId: string, name: string) =>
    post("/api/projects/{project_id}/error-causes/", { ...ofProject(projectId), body: { name } }),
};

export const filePath = (id: string, name: string) =>
  `/api/evaluations/${id}/files/${encodeURIComponent(name)}/`;

export const errorTablePath = (id: string, format: "csv" | "tex", system: string, stage: string, k: number) =>
  `/api/evaluations/${id}/error-table/${format}/?${new URLSearchParams({ system, stage, k: String(k) })}`;

export const choicesQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["evaluation-choices", projectId],
    queryFn: ({ signal }) =>
      get("/api/projects/{project_id}/evaluations/choices/", { ...ofProject(projectId), signal }),
    staleTime: 30_000,
  });

export const evaluationsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["evaluations", projectId],
    queryFn: ({ signal }) =>
      get("/api/projects/{project_id}/evaluations/", { ...ofProject(projectId), signal }),
    refetchInterval: listInterval,
  });

export const evaluationQuery = (id: string) =>
  queryOptions({
    queryKey: ["evaluation", id],
    queryFn: ({ signal }) =>
      get("/api/evaluations/{evaluation_id}/", { ...ofEvaluation(id), signal }) as Promise<EvaluationDetail>,
    refetchInterval: oneInterval,
  });

export const estimateQuery = (projectId: string, body: SpecBody | null) =>
  queryOptions({
    queryKey: ["evaluation-estimate", projectId, body],
    queryFn: ({ signal }) =>
      post("/api/projects/{project_id}/evaluations/estimate/", {
        ...ofProject(projectId),
        body: body as SpecBody,
        signal,
      }),
    enabled: body !== null,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });

export const previewQuery = (
  projectId: string,
  body: Body<"/api/projects/{project_id}/prompts/preview/", "post">,
) =>
  queryOptions({
    queryKey: ["prompt-preview", projectId, body],
    queryFn: ({ signal }) =>
      post("/api/projects/{project_id}/prompts/preview/", { ...ofProject(projectId), body, signal }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });

export const promptQuery = (projectId: string, stage: string, number: number) =>
  queryOptions({
    queryKey: ["prompt", projectId, stage, number],
    queryFn: ({ signal }) =>
      get("/api/projects/{project_id}/prompts/{stage}/{number}/", {
        params: { path: { project_id: projectId, stage, number } },
        signal,
      }),
    // A version is never changed.
    staleTime: Number.POSITIVE_INFINITY,
  });

export const predictionsKey = (id: string) => ["predictions", id];

export const predictionsQuery = (
  id: string,
  filters: Partial<PredictionFilters>,
  page = 1,
  perPage = PER_PAGE,
) =>
  queryOptions({
    queryKey: [...predictionsKey(id), filters, page],
    queryFn: ({ signal }) =>
      get("/api/evaluations/{evaluation_id}/predictions/", {
        params: {
          path: { evaluation_id: id },
          query: { ...given(filters), limit: perPage, offset: (page - 1) * perPage },
        },
        signal,
      }),
    placeholderData: keepPreviousData,
    // What was just named stays in its place until the list is asked for anew.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: "always",
    refetchOnWindowFocus: false,
  });

function given(filters: Partial<PredictionFilters>) {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ""));
}

export const predictionQuery = (id: string) =>
  queryOptions({
    queryKey: ["prediction", id],
    queryFn: ({ signal }) => get("/api/predictions/{prediction_id}/", { ...ofPrediction(id), signal }),
  });

export const causesQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["error-causes", projectId],
    queryFn: ({ signal }) =>
      get("/api/projects/{project_id}/error-causes/", { ...ofProject(projectId), signal }),
  });
