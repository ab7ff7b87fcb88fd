import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { importPreview } from "./api";
import { importForm, type Settings } from "./settings";

const TYPING_MS = 400;
const numbers = new WeakMap<File, number>();
let last = 0;

/** A file has no identity of its own that a key could hold. */
function numberOf(file: File | null): number {
  if (!file) return 0;
  if (!numbers.has(file)) numbers.set(file, ++last);
  return numbers.get(file) as number;
}

/** What the file would bring with these settings, asked again shortly after a change of them. */
export function usePreview(projectId: string, file: File | null, settings: Settings) {
  const [settled, setSettled] = useState(settings);
  const typed = JSON.stringify(settings);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(typed)), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const query = useQuery({
    queryKey: ["import-preview", projectId, numberOf(file), settled],
    queryFn: ({ signal }) =>
      importPreview(projectId, file as File, (part) => importForm(part, settled), { signal }),
    enabled: file !== null,
    placeholderData: (before, query) =>
      query?.queryKey[2] === numberOf(file) ? keepPreviousData(before) : undefined,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isCurrent = typed === JSON.stringify(settled) && !query.isPlaceholderData && !query.isFetching;
  return { preview: file ? query.data : undefined, error: file ? query.error : null, isCurrent };
}
