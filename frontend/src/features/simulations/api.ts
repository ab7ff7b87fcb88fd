import { queryOptions } from "@tanstack/react-query";
import { get, ofProject, post } from "../../api/client";
import type { Answer, Body } from "../../api/contract";
import { isUnfinished, listInterval } from "../../api/jobs";
import type { OptionValue, Strategy } from "../../api/rounds";
import { type UploadOptions, upload } from "../../api/upload";

type Detail = Answer<"/api/simulations/{simulation_id}/", "get">;

export type Simulation = Answer<"/api/projects/{project_id}/simulations/", "get">[number];
export type SimulationState = Simulation["state"];
export type SimulationDetail = Omit<Detail, "summary"> & { summary: Summary | null };
export type Curve = Detail["curves"][number];
type Offered = Answer<"/api/projects/{project_id}/simulations/choices/", "get">;
export type Choices = Omit<Offered, "strategies"> & { strategies: Strategy[] };
export type StageChoice = Choices["stages"][number];

/** A figure over seeds. */
export interface Spread {
  mean: number;
  sd: number | null;
  by_seed: number[];
}

export interface Reached {
  macro_f1: number;
  /** Labels on the mean curve; null: not reached. */
  mean_curve: number | null;
  by_seed: (number | null)[];
  /** Labels needed over those of the baseline. */
  utilisation?: number | null;
}

/** A strategy on all test items, or on a part of them. */
export interface Measures {
  n_labeled: number[];
  macro_f1: Spread[];
  area_under_curve: Spread;
  last_macro_f1: Spread;
}

export interface StrategySummary extends Measures {
  class_shares: Record<string, Spread[]>;
  training_macro_f1: Spread[];
  /** By batch, how many seeds' models had learned nothing; simulations of earlier versions did not ask. */
  n_not_informative?: number[];
  labels_to_reach: Record<string, Reached>;
}

export interface Difference extends Spread {
  strategy: string;
  against: string;
  measure: "area_under_curve" | "last_macro_f1";
  interval_95: [number, number] | null;
  /** Of seeds and test items resampled together. */
  interval_95_seeds_and_items?: [number, number] | null;
  /** Named before the run. */
  primary?: boolean;
  n_higher: number;
  n_equal: number;
}

export interface Study {
  model: string;
  batch_size: number;
  seeds: number[];
  full_supervision_macro_f1: number | null;
  baseline: string | null;
  strategies: Record<string, StrategySummary>;
  differences: Difference[];
  /** {strategy: an earlier one whose curves it repeats in every seed}. */
  same_curves?: Record<string, string>;
  parts?: Record<string, StudyPart>;
}

/** The same models on a part of the test items. */
interface StudyPart {
  n: number;
  full_supervision_macro_f1: number | null;
  strategies: Record<string, Measures>;
  differences: Difference[];
}

export interface FullSupervision {
  n_labeled: number;
  seeds: number[];
  macro_f1: Spread;
  training_macro_f1: Spread;
  accuracy: Spread;
  parts?: Record<string, Spread>;
}

/** summary.json of the results: docs/methods/simulation.md says what its figures are. */
export interface Summary {
  n_test?: number;
  /** Test items of each part. */
  parts?: Record<string, number>;
  /** {reference without learning: {part: macro-F1}}; the part "" is all test items. */
  references?: Record<string, Record<string, number>>;
  area_includes_first_batch?: boolean;
  full_supervision: Record<string, FullSupervision | null>;
  studies: Study[];
}

export type Source =
  | { kind: "upload"; missing: string }
  | { kind: "stage"; stage: string; share: number; random_state: number };

export interface SimulationBody {
  name: string;
  source: Source;
  strategies: { key: string; name: string; options: Record<string, OptionValue> }[];
  models: string[];
  seeds: number[];
  batch_sizes: number[];
  batches: number;
  full_supervision: "first" | "all" | "none";
  baseline: string;
  positive_labels: string[];
  parts: { key: string; field: string; value: string | number | boolean }[];
  string_test: { phrases: string[]; label: string; otherwise: string } | null;
  primary: string;
  primary_part: string;
  first_batch_in_area: boolean;
}

export interface Texts {
  train: File;
  test: File;
}

export const simulationsApi = {
  start: (projectId: string, body: SimulationBody, texts: Texts | null, options: UploadOptions = {}) => {
    const path = `/api/projects/${projectId}/simulations/`;
    if (!texts)
      return post("/api/projects/{project_id}/simulations/", {
        ...ofProject(projectId),
        // The schema does not tell the two kinds of sources apart.
        body: body as Body<"/api/projects/{project_id}/simulations/", "post">,
      });
    const form = new FormData();
    form.set("spec", JSON.stringify(body));
    form.set("train", texts.train);
    form.set("test", texts.test);
    return upload<Simulation>(path, form, options);
  },
  cancel: (id: string) =>
    post("/api/simulations/{simulation_id}/cancel/", { params: { path: { simulation_id: id } } }),
  restart: (id: string, anew: boolean) =>
    post("/api/simulations/{simulation_id}/restart/", {
      params: { path: { simulation_id: id } },
      body: { anew },
    }),
};

export const reportPath = (id: string) => `/api/simulations/${id}/report/`;
export const resultsPath = (id: string) => `/api/simulations/${id}/results/`;
export const plotPath = (id: string, name: string) =>
  `/api/simulations/${id}/plots/${encodeURIComponent(name)}/`;

export const simulationsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["simulations", projectId],
    queryFn: ({ signal }) =>
      get("/api/projects/{project_id}/simulations/", { ...ofProject(projectId), signal }),
    refetchInterval: listInterval,
  });

export const choicesQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["simulation-choices", projectId],
    queryFn: ({ signal }) =>
      get("/api/projects/{project_id}/simulations/choices/", {
        ...ofProject(projectId),
        signal,
      }) as Promise<Choices>,
    staleTime: 30_000,
  });

export const simulationQuery = (id: string) =>
  queryOptions({
    queryKey: ["simulation", id],
    queryFn: ({ signal }) =>
      get("/api/simulations/{simulation_id}/", {
        params: { path: { simulation_id: id } },
        signal,
      }) as Promise<SimulationDetail>,
    refetchInterval: (query) => (query.state.data && !isUnfinished(query.state.data) ? false : 2_000),
  });
