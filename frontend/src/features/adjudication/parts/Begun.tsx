import { useEffect, useRef } from "react";
import { useAnnounce } from "../../../components/Announcer";
import type { Decision } from "../api";
import type { CaseState } from "../useCase";

/** What was begun here before and is not stored: nothing of it is lost unasked, or stored over another's decision. */
export function Begun({ bench: { page, own, commands, elsewhere } }: { bench: CaseState }) {
  if (own.begun === "overtaken")
    return <Overtaken decision={page.decision} keep={commands.keepOwn} drop={commands.dropOwn} />;
  if (own.begun === null)
    return elsewhere === "gone" ? (
      <p className="notice" role="status">
        You stored or dropped in another tab what you had begun.
      </p>
    ) : null;
  return (
    <div className="notice stack">
      <p role="status">
        {elsewhere === "changed"
          ? "Not stored yet: what you chose and wrote in another tab."
          : "Not stored yet: what you began here before."}
      </p>
      <p>
        <button type="button" className="button" onClick={commands.dropOwn}>
          Drop it
        </button>
      </p>
    </div>
  );
}

interface OvertakenProps {
  decision: Decision | null;
  keep: () => void;
  drop: () => void;
}

function Overtaken({ decision, keep, drop }: OvertakenProps) {
  const announce = useAnnounce();
  const keepRef = useRef<HTMLButtonElement>(null);
  const words = overtakenWords(decision);
  useEffect(() => {
    announce(words);
    keepRef.current?.focus();
  }, [announce, words]);
  return (
    <div className="notice warn stack">
      <p>
        <b>{words}</b> What you chose and wrote is below, and is not stored.
      </p>
      <div className="row">
        <button type="button" className="button" ref={keepRef} onClick={keep}>
          Keep mine
        </button>
        <button type="button" className="button" onClick={drop}>
          {decision?.withdraws ? "Drop mine" : "Take the other"}
        </button>
      </div>
    </div>
  );
}

function overtakenWords(decision: Decision | null): string {
  const who = decision?.mine ? "You, in another window," : "Somebody else";
  return `${who} ${decision?.withdraws ? "took the decision back" : "decided this"} while you wrote.`;
}
