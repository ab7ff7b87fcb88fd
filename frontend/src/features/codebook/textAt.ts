import type { CodebookDefinition } from "../../api/types";

/**
 * The text at a path of changes, such as "stages.topic.labels.rates.help", where parts of a list stand by their keys.
 * null where no text is there.
 */
export function textAt(definition: CodebookDefinition, path: string): string | null {
  let value: unknown = definition;
  for (const step of path.split("."))
    value = Array.isArray(value)
      ? value.find((part: { key?: unknown }) => part.key === step)
      : (value as Record<string, unknown> | null | undefined)?.[step];
  return typeof value === "string" ? value : null;
}
