import { useEffect } from "react";
import { useAnnounce } from "../../../components/Announcer";
import { useZone } from "../../../session/project";
import { moment } from "../../../text/format";
import type { Autosave, AutosaveState } from "./autosave";

interface StaleChoiceProps {
  autosave: Autosave;
  state: AutosaveState;
  fieldId: string;
}

/** Somebody else saved other words while these were written: both are shown, and neither is lost unasked. */
export function StaleChoice({ autosave, state: { text, stored }, fieldId }: StaleChoiceProps) {
  const zone = useZone();
  const announce = useAnnounce();
  const who = stored.answered_by ?? "Somebody else";
  useEffect(
    () => announce(`${who} saved another answer to this question. Choose which one to keep.`),
    [announce, who],
  );
  const then = (act: () => void) => () => {
    act();
    document.getElementById(fieldId)?.focus();
  };
  return (
    <div className="notice warn stack">
      <p>
        <b>{who} saved other words</b>
        {stored.answered_at && ` on ${moment(stored.answered_at, zone)}`}, while you wrote yours:
      </p>
      <blockquote className="other-words">{stored.answer || "(blank)"}</blockquote>
      <div className="row">
        <button type="button" className="button" onClick={then(() => autosave.keep(text))}>
          Keep mine
        </button>
        <button type="button" className="button" onClick={then(() => autosave.takeOther())}>
          Take theirs
        </button>
        {stored.answer && text && (
          <button
            type="button"
            className="button"
            onClick={then(() => autosave.keep(`${stored.answer}\n\n${text}`))}
          >
            Both, theirs first
          </button>
        )}
      </div>
    </div>
  );
}
