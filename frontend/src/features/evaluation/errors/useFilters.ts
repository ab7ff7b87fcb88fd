import { useSearchParams } from "react-router";
import type { PredictionFilters } from "../api";

const DEFAULTS: PredictionFilters = {
  ...{ system: "", stage: "", only: "errors", gold: "", predicted: "" },
  ...{ agreement: "any", least_confidence: "", cause: "any" },
};

/** What is listed; the address holds it, so that it outlives a reload and can be sent to somebody. */
export function useFilters() {
  const [address, setAddress] = useSearchParams();
  const names = Object.keys(DEFAULTS) as (keyof PredictionFilters)[];
  const filters = Object.fromEntries(
    names.map((name) => [name, address.get(name) ?? DEFAULTS[name]]),
  ) as unknown as PredictionFilters;
  const page = Math.max(1, Math.trunc(Number(address.get("page"))) || 1);
  const write = (next: PredictionFilters, onPage: number) => {
    const changed = Object.entries(next).filter(
      ([name, value]) => value !== DEFAULTS[name as keyof PredictionFilters],
    );
    setAddress({ ...Object.fromEntries(changed), ...(onPage > 1 && { page: String(onPage) }) });
  };
  return {
    filters,
    page,
    ask: (part: Partial<PredictionFilters>) => write({ ...filters, ...part }, 1),
    turn: (to: number) => write(filters, to),
  };
}
