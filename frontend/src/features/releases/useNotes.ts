import { useState } from "react";

/** Notes of the next release. They stay in this browser until it is asked for: what the page loses is typed twice. */
export function useNotes(userId: string, projectId: string): [string, (text: string) => void] {
  const key = `quorum.release-notes.${userId}.${projectId}`;
  const [notes, setNotes] = useState(() => localStorage.getItem(key) ?? "");
  const write = (text: string) => {
    setNotes(text);
    try {
      if (text) localStorage.setItem(key, text);
      else localStorage.removeItem(key);
    } catch (error) {
      // Without room in the browser they stand on the page alone.
      if (!(error instanceof DOMException)) throw error;
    }
  };
  return [notes, write];
}
