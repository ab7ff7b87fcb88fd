import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from "react";

type Announce = (words: string) => void;

const AnnounceContext = createContext<Announce>(() => {});

/** Says a change to those who cannot see it. */
export function useAnnounce(): Announce {
  return useContext(AnnounceContext);
}

/** Says what something has become; nothing of what it was when the page was opened. Empty words are not known yet. */
export function useSaidChange(words: string): void {
  const announce = useAnnounce();
  const before = useRef(words);
  useEffect(() => {
    if (before.current && before.current !== words) announce(words);
    before.current = words;
  }, [words, announce]);
}

/** One polite live region for the whole page. */
export function AnnouncerProvider({ children }: { children: ReactNode }) {
  const [said, setSaid] = useState({ words: "", turn: 0 });
  const announce = useCallback(
    (words: string) => setSaid((before) => ({ words, turn: before.turn + 1 })),
    [],
  );
  return (
    <AnnounceContext value={announce}>
      {children}
      <div className="visually-hidden" role="status" aria-live="polite" aria-label="Announcements">
        {/* A new element, so that the same words said twice are read twice. */}
        <span key={said.turn}>{said.words}</span>
      </div>
    </AnnounceContext>
  );
}
