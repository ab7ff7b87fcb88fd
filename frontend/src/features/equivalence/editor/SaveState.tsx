import { useEffect, useRef } from "react";
import { useAnnounce } from "../../../components/Announcer";
import { ConfirmButton } from "../../../components/ConfirmButton";
import { counted } from "../../../text/format";
import type { Snapshot } from "../model/saver";
import type { Editor } from "./useEditor";

const TONES = { saved: "ok", saving: "", retrying: "warn", failed: "bad" } as const;

/** "All saved", or what waits and why, with the way to mend it. */
export function SaveState({ editor }: { editor: Editor }) {
  const { now, saver } = editor.saving;
  const { state, n_waiting } = now;
  const announce = useAnnounce();
  const wasTrouble = useRef(false);
  const words = stateWords(now);
  useEffect(() => {
    const isTrouble = state === "retrying" || state === "failed";
    if (isTrouble || (wasTrouble.current && state === "saved")) announce(words);
    wasTrouble.current = isTrouble || (wasTrouble.current && state !== "saved");
  }, [words, state, announce]);
  return (
    <span className={`save-status ${TONES[state]}`}>
      <span data-testid="classes-saved">{words}</span>
      {(state === "retrying" || state === "failed") && (
        <button type="button" className="button quiet" onClick={saver.retry}>
          Try now
        </button>
      )}
      {state === "failed" && (
        <ConfirmButton
          button="Give up"
          className="button quiet"
          title="Give up what is not saved?"
          act="Give it up"
          danger
          onConfirm={saver.discard}
        >
          <p>{counted(n_waiting, "change")} will be lost. What the server has stays.</p>
        </ConfirmButton>
      )}
    </span>
  );
}

function stateWords({ state, problem, n_waiting, isKept }: Snapshot): string {
  const waiting = `${counted(n_waiting, "change")} not saved yet${isKept ? ", kept in this browser" : ""}.`;
  if (state === "saved") return "All saved";
  if (state === "saving") return "Saving…";
  return state === "retrying"
    ? `${waiting} The server does not take them at the moment: trying again.`
    : `${waiting} ${problem}`;
}

/** What somebody else did meanwhile, and what became of one's own changes. */
export function ElsewhereNotice({ editor }: { editor: Editor }) {
  const { now, saver } = editor.saving;
  const { elsewhere } = now;
  if (!elsewhere) return null;
  const { by, changes, again, dropped } = elsewhere;
  return (
    <section className="notice warn stack elsewhere" role="alert" aria-label="Changed elsewhere">
      <p>
        <b>{by || "Somebody else"} changed this evaluation meanwhile.</b> Theirs is shown.
      </p>
      <Lines title="What changed" lines={changes} />
      <Lines title="Your changes, made on top" lines={again} />
      <Lines title="Your changes that no longer fit, and were not made" lines={dropped} />
      <div className="row">
        <button
          type="button"
          className="button"
          onClick={() => {
            saver.dismiss();
            editor.refs.list.current?.focus();
          }}
        >
          I have seen it
        </button>
      </div>
    </section>
  );
}

const SHOWN = 10;

function Lines({ title, lines }: { title: string; lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <div>
      <h2>{title}</h2>
      <ul className="reasons small">
        {lines.slice(0, SHOWN).map((line) => (
          <li key={line}>{line}</li>
        ))}
        {lines.length > SHOWN && <li>and {counted(lines.length - SHOWN, "more change")}</li>}
      </ul>
    </div>
  );
}
