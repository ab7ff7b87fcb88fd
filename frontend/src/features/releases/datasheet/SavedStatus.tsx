import { useEffect, useRef } from "react";
import { useAnnounce } from "../../../components/Announcer";
import { HeaderStatus } from "../../../session/HeaderStatus";
import { savedWords } from "./copy";
import type { SheetAutosave } from "./sheetAutosave";
import { useUnsaved } from "./useAutosave";
import "../../../outbox/outbox.css";

/** In the header: whether everything is saved. Trouble and its end are said aloud too. */
export function SavedStatus({ sheetAutosave }: { sheetAutosave: SheetAutosave }) {
  const unsaved = useUnsaved(sheetAutosave);
  const { words, tone } = savedWords(unsaved);
  const announce = useAnnounce();
  const wasTrouble = useRef(false);
  const isTrouble = tone === "warn" || tone === "bad";
  useEffect(() => {
    if (isTrouble || (wasTrouble.current && tone === "ok")) announce(words);
    wasTrouble.current = isTrouble || (wasTrouble.current && tone !== "ok");
  }, [words, tone, isTrouble, announce]);
  return (
    <HeaderStatus>
      <span className={`save-status ${tone}`}>
        <span data-testid="datasheet-status">{words}</span>
        {unsaved.retrying > 0 && (
          <button type="button" className="button quiet" onClick={sheetAutosave.flush}>
            Try now
          </button>
        )}
      </span>
    </HeaderStatus>
  );
}
