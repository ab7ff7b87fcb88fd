import { createContext, useContext } from "react";
import { labelsOf } from "../../../api/codebooks";
import type { CodebookDefinition } from "../../../api/types";

/** The labels and categories of the version that is edited, as `keyIn` writes them. Answers may be stored under them. */
export const StoredKeys = createContext<ReadonlySet<string>>(new Set());

export function useStoredKeys(): ReadonlySet<string> {
  return useContext(StoredKeys);
}

export function keysOf({ stages, span_layer }: CodebookDefinition): ReadonlySet<string> {
  const labels = stages.flatMap((stage) => labelsOf(stage).map(({ key }) => keyIn(stage.key, key)));
  return new Set([...labels, ...(span_layer?.categories ?? []).map(({ key }) => keyIn(null, key))]);
}

/** A label of a stage, or a category of spans, which is of none. */
export function keyIn(stage: string | null, key: string): string {
  return `${stage ?? ""}.${key}`;
}
