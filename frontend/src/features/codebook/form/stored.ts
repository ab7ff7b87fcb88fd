import { createContext, useContext } from "react";
import { labelsOf } from "../../../api/codebooks";
import type { CodebookDefinition } from "../../../api/types";

/** The keys of the labels and categories of the version that is edited. Answers may be stored under them. */
export const StoredKeys = createContext<ReadonlySet<string>>(new Set());

export function useStoredKeys(): ReadonlySet<string> {
  return useContext(StoredKeys);
}

export function keysOf({ stages, span_layer }: CodebookDefinition): ReadonlySet<string> {
  const labels = stages.flatMap((stage) => labelsOf(stage));
  return new Set([...labels, ...(span_layer?.categories ?? [])].map(({ key }) => key));
}
