/** What can be downloaded, and the addresses of it. */

import type { CodebookVersion } from "./codebooks";
import type { paths } from "./schema";
import type { CodebookDefinition } from "./types";

export type Names = "pseudonyms" | "names";
export type Phase = "1" | "2";
type Query = paths["/api/projects/{project_id}/export/"]["get"]["parameters"]["query"];
export type Kind = Query["kind"];
export type Revisions = NonNullable<Query["revisions"]>;
export type Of = NonNullable<Query["of"]>;
export type Style = NonNullable<Query["style"]>;

export interface ExportOptions {
  kind: Kind;
  names: Names;
  /** Of aggregated labels: of the independent answers, or of those after second looks. */
  phase?: Phase;
  /** Where it is not the kind's own: as a table. */
  format?: NonNullable<Query["format"]>;
  /** Of CSV: a mark by which Excel knows UTF-8. */
  bom?: boolean;
  /** Of annotations only. */
  revisions?: Revisions;
  /** Of the kinds about spans. */
  of?: Of;
  /** Of text and targets. */
  style?: Style;
  /** Of targets: the seed of their split. */
  seed?: number;
}

export const SEED = 0;

export function exportPath(
  projectId: string,
  { kind, format, bom, names, revisions, phase, of, style, seed }: ExportOptions,
): string {
  const query = new URLSearchParams({
    kind,
    ...(format && { format }),
    ...(bom && format === "csv" && { bom: "1" }),
    ...(names === "names" && { names: "1" }),
    ...(revisions === "all" && { revisions }),
    ...(phase === "2" && { phase }),
    ...(of && { of }),
    ...(style && { style }),
    ...(seed !== undefined && { random_state: String(seed) }),
  });
  return `/api/projects/${projectId}/export/?${query}`;
}

type Layered = CodebookDefinition & { span_layer?: { target?: string | null } | null };

/** Whether any published version has a span layer, and whether one names a target category. */
export function spansOf(versions: readonly CodebookVersion[]): { marked: boolean; targets: boolean } {
  const layers = versions
    .filter((version) => version.state === "published")
    .map((version) => (version.definition as Layered).span_layer);
  return { marked: layers.some(Boolean), targets: layers.some((layer) => layer?.target) };
}

/** A whole number that the server takes, or null. */
export function seedOf(typed: string): number | null {
  const seed = Number(typed);
  return typed.trim() !== "" && Number.isSafeInteger(seed) ? seed : null;
}
