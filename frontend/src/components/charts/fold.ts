import { N_TONES, type Part, type Stack } from "./model";

const REST = "other";

/**
 * As many parts as there are colours to tell them apart; of more, the largest ones by their sum over all stacks, in their order, and the
 * others as one, before what is quiet.
 */
export function folded(
  parts: readonly Part[],
  stacks: readonly Stack[],
): { parts: readonly Part[]; stacks: readonly Stack[] } {
  const told = parts.filter(({ tone }) => tone !== "quiet");
  if (told.length <= N_TONES) return { parts, stacks };
  const sum = ({ key }: Part) => stacks.reduce((total, { values }) => total + (values[key] ?? 0), 0);
  const largest = new Set(told.toSorted((a, b) => sum(b) - sum(a)).slice(0, N_TONES - 1));
  const rest = told.filter((part) => !largest.has(part));
  const shown: Part[] = [
    ...told.filter((part) => largest.has(part)),
    { key: REST, label: `${rest.length} others` },
    ...parts.filter(({ tone }) => tone === "quiet"),
  ];
  return {
    parts: shown,
    stacks: stacks.map((stack) => ({
      ...stack,
      values: {
        ...stack.values,
        [REST]: rest.reduce((total, { key }) => total + (stack.values[key] ?? 0), 0),
      },
    })),
  };
}
