import { useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { SourceText } from "../../api/types";
import { quietly } from "../../browser/quietly";
import { type Hit, hitsOf } from "../../text/search";
import type { SourceName } from "./model/types";

const KEY = "quorum.sources-hidden";

/** The source documents of one item: their names at once, their texts as they come. */
export interface Sources {
  names: readonly SourceName[];
  isOpen: boolean;
  toggle: () => void;
  active: string | null;
  /** Opens the panel at this source. */
  show: (id: string) => void;
  text: SourceText | null;
  error: unknown;
  retry: () => void;
  sought: string;
  seek: (sought: string) => void;
  hits: readonly Hit[];
  /** The place of the hit that is shown. */
  at: number;
  step: (by: 1 | -1) => void;
  searchRef: React.RefObject<HTMLInputElement | null>;
  /** Opens the panel and goes to its search box. */
  search: () => void;
}

/** The texts of the sources, from wherever they come. */
interface SourceTexts {
  texts: readonly SourceText[] | undefined;
  error: unknown;
  retry: () => void;
}

export function useSources(
  sources: readonly Omit<SourceText, "text">[],
  { texts, error, retry }: SourceTexts,
): Sources {
  const names = useMemo(
    () => sources.map(({ id, title, external_id }) => ({ id, title: title || external_id })),
    [sources],
  );
  const [isOpen, setOpen] = useOpen();
  const [chosen, setChosen] = useState<string | null>(null);
  const [search, setSearch] = useState({ sought: "", at: 0 });
  const searchRef = useRef<HTMLInputElement>(null);
  const active = chosen ?? names[0]?.id ?? null;
  const text = texts?.find(({ id }) => id === active) ?? null;
  const hits = useMemo(() => (text ? hitsOf(text.text, search.sought) : []), [text, search.sought]);
  return {
    ...{ names, isOpen, active, text, error, hits, searchRef },
    toggle: () => setOpen(!isOpen),
    show: (id) => {
      setOpen(true);
      setChosen(id);
      setSearch({ ...search, at: 0 });
    },
    retry,
    sought: search.sought,
    seek: (sought) => setSearch({ sought, at: 0 }),
    at: Math.min(search.at, Math.max(0, hits.length - 1)),
    step: (by) =>
      setSearch({ ...search, at: hits.length === 0 ? 0 : (search.at + by + hits.length) % hits.length }),
    search: () => {
      flushSync(() => setOpen(true));
      searchRef.current?.focus();
    },
  };
}

/** Beside the text unless it was closed; kept for this browser. */
function useOpen(): [boolean, (open: boolean) => void] {
  const [isOpen, setOpen] = useState(() => quietly(() => localStorage.getItem(KEY)) !== "yes");
  return [
    isOpen,
    (open) => {
      quietly(() => localStorage.setItem(KEY, open ? "no" : "yes"));
      setOpen(open);
    },
  ];
}
