import { useEffect, useRef, useState } from "react";
import { useAnnounce } from "../../components/Announcer";
import { refusedEntries, saveWords } from "../../outbox/copy";
import { useOutbox, useOutboxState } from "../../outbox/OutboxProvider";
import { SignInAgain } from "../../outbox/SignInAgain";
import { Undelivered } from "./Undelivered";
import "../../outbox/outbox.css";

/** "All saved", or what is not and why, with the way to mend it beside the words. */
export function SaveStatus() {
  const state = useOutboxState();
  const outbox = useOutbox();
  const [deciding, setDeciding] = useState(false);
  const { words, tone } = saveWords(state);
  useAnnounceTrouble(words, tone === "warn" || tone === "bad");
  const refused = refusedEntries(state.entries).length > 0;
  if (deciding && !refused) setDeciding(false);
  return (
    <span className={`save-status ${tone}`}>
      <span data-testid="save-status">{words}</span>
      {refused && (
        <button type="button" className="button quiet" onClick={() => setDeciding(true)}>
          Decide
        </button>
      )}
      {state.connection === "signed-out" && <SignInAgain className="button quiet" />}
      {state.connection === "retrying" && (
        <button type="button" className="button quiet" onClick={outbox.retryNow}>
          Try now
        </button>
      )}
      {deciding && <Undelivered onClose={() => setDeciding(false)} />}
    </span>
  );
}

/** Trouble, and its end, are said aloud; the quiet coming and going of saves is not. */
function useAnnounceTrouble(words: string, isTrouble: boolean): void {
  const announce = useAnnounce();
  const wasTrouble = useRef(false);
  useEffect(() => {
    if (isTrouble || (wasTrouble.current && words === "All saved")) announce(words);
    wasTrouble.current = isTrouble || (wasTrouble.current && words !== "All saved");
  }, [words, isTrouble, announce]);
}
