import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { get, ofProject, patch, post } from "../../api/client";
import type { Body } from "../../api/contract";
import { upload } from "../../api/upload";
import type { TextSet } from "./types";

const ofSet = (text_set_id: string) => ({ params: { path: { text_set_id } } });
const ofPhase = (phase_id: string) => ({ params: { path: { phase_id } } });
const ofDraft = (draft_id: string) => ({ params: { path: { draft_id } } });
const ofPairing = (pairing_id: string) => ({ params: { path: { pairing_id } } });

export type Format = "auto" | "jsonl" | "csv" | "txt";

export interface ImportBody {
  files: readonly File[];
  format: Format;
}

function fileForm({ files, format }: ImportBody, more: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...more, format })) form.set(name, value);
  for (const file of files) form.append("files", file);
  return form;
}

const AS_IN_PAPER = { threshold: 0.8, description_weight: 0 };

export const factoidsApi = {
  importSet: (projectId: string, name: string, body: ImportBody) =>
    upload<TextSet>(`/api/projects/${projectId}/text-sets/`, fileForm(body, { name })),
  addTexts: (setId: string, body: ImportBody, isSystem: boolean) =>
    upload<TextSet>(`/api/text-sets/${setId}/texts/`, fileForm(body, { is_system: String(isSystem) })),
  importList: (setId: string, file: File, phase: string, member: string) => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ phase, member, file })) form.set(name, value);
    return upload<unknown>(`/api/text-sets/${setId}/lists/`, form);
  },
  openPhase: (setId: string, body: Body<"/api/text-sets/{text_set_id}/phases/", "post">) =>
    post("/api/text-sets/{text_set_id}/phases/", { ...ofSet(setId), body }),
  close: (id: string) => post("/api/factoid-phases/{phase_id}/close/", ofPhase(id)),
  reopen: (id: string) => post("/api/factoid-phases/{phase_id}/reopen/", ofPhase(id)),
  addPeople: (id: string, members: string[]) =>
    post("/api/factoid-phases/{phase_id}/members/", { ...ofPhase(id), body: { members } }),
  pair: (setId: string, first: string, second: string) =>
    post("/api/text-sets/{text_set_id}/pairings/", {
      ...ofSet(setId),
      body: { first, second, ...AS_IN_PAPER },
    }),
  changePairing: (id: string, body: { threshold: number; description_weight: number }) =>
    patch("/api/factoid-pairings/{pairing_id}/", { ...ofPairing(id), body }),
  judge: (id: string, body: Body<"/api/factoid-pairings/{pairing_id}/relations/", "post">) =>
    post("/api/factoid-pairings/{pairing_id}/relations/", { ...ofPairing(id), body }),
  draft: (setId: string, body: { pairing: string | null; from: string | null }) =>
    post("/api/text-sets/{text_set_id}/consensus/", { ...ofSet(setId), body }),
  publish: (id: string) => post("/api/factoid-lists/{draft_id}/publish/", ofDraft(id)),
  discard: (id: string) => post("/api/factoid-lists/{draft_id}/discard/", ofDraft(id)),
};

export const exportPath = (setId: string) => `/api/text-sets/${setId}/export/`;

/** A table or figure of a set; `of` says of which list or pairing. */
export function filePath(setId: string, name: string, of: Record<string, string> = {}): string {
  const query = new URLSearchParams(of).toString();
  return `/api/text-sets/${setId}/files/${name}/${query && `?${query}`}`;
}

/** Others work on their lists meanwhile. */
export const setsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["text-sets", projectId],
    queryFn: ({ signal }) =>
      get("/api/projects/{project_id}/text-sets/", { ...ofProject(projectId), signal }),
    refetchInterval: 10_000,
  });

export const pairingsQuery = (setId: string) =>
  queryOptions({
    queryKey: ["pairings", setId],
    queryFn: ({ signal }) =>
      get("/api/text-sets/{text_set_id}/pairings/", {
        ...ofSet(setId),
        signal,
      }),
  });

export const pairingQuery = (id: string) =>
  queryOptions({
    queryKey: ["pairing", id],
    queryFn: ({ signal }) => get("/api/factoid-pairings/{pairing_id}/", { ...ofPairing(id), signal }),
    // A pair stays in its place while it is judged.
    refetchOnWindowFocus: false,
  });

export const agreementQuery = (setId: string) =>
  queryOptions({
    queryKey: ["factoid-agreement", setId],
    queryFn: ({ signal }) => get("/api/text-sets/{text_set_id}/agreement/", { ...ofSet(setId), signal }),
    refetchOnMount: "always",
  });

export const PER_PAGE = 50;

export const disagreementsQuery = (phaseId: string, pairing: string | null, page: number) =>
  queryOptions({
    queryKey: ["factoid-disagreements", phaseId, pairing, page],
    queryFn: ({ signal }) =>
      get("/api/factoid-phases/{phase_id}/disagreements/", {
        params: {
          path: { phase_id: phaseId },
          query: { ...(pairing && { pairing }), limit: PER_PAGE, offset: (page - 1) * PER_PAGE },
        },
        signal,
      }),
    placeholderData: keepPreviousData,
  });

export const scoresQuery = (listId: string, share: number, gold: string) =>
  queryOptions({
    queryKey: ["factoid-scores", listId, share, gold],
    queryFn: ({ signal }) =>
      get("/api/factoid-lists/{draft_id}/scores/", {
        params: { path: { draft_id: listId }, query: { share, ...(gold && { gold }) } },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchOnMount: "always",
  });

export const stabilityQuery = (listId: string, draws: number, seed: number) =>
  queryOptions({
    queryKey: ["factoid-stability", listId, draws, seed],
    queryFn: ({ signal }) =>
      get("/api/factoid-lists/{draft_id}/stability/", {
        params: { path: { draft_id: listId }, query: { draws, seed } },
        signal,
      }),
    // The draws of a seed are always the same.
    staleTime: 60_000,
  });
