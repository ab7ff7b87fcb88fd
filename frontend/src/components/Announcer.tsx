import { createContext, type ReactNode, useCallback, useContext, useState } from "react";

type Announce = (words: string) => void;

const AnnounceContext = createContext<Announce>(() => {});

/** Says a change to those who cannot see it. */
export function useAnnounce(): Announce {
  return useContext(AnnounceContext);
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
