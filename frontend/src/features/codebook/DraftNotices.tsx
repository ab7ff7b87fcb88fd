import { useZone } from "../../session/project";
import { moment } from "../../text/format";
import type { SharedDraft } from "./useSharedDraft";

interface DraftNoticesProps {
  shared: SharedDraft;
  /** The server does not hold what is shown. */
  isChanged: boolean;
}

/** Where the text is kept, who changed it last, and the choice where two admins changed it at once. */
export function DraftNotices({ shared, isChanged }: DraftNoticesProps) {
  const { draft, isStale, replaced } = shared;
  const who = draft.by ?? "Somebody";
  return (
    <>
      {isStale && (
        <div className="notice warn stack-tight" role="alert">
          {draft.text === null ? (
            <p>
              <b>{who} ended the draft meanwhile</b>: it was saved as a version, or discarded. Your text
              stands below, and only in this browser.
            </p>
          ) : (
            <p>
              <b>{who} changed the draft meanwhile.</b> Your text stands below, and only in this browser;
              theirs is on the server. Nothing is stored until you choose.
            </p>
          )}
          {draft.text !== null && (
            <details className="more">
              <summary>Read the text of {who}</summary>
              <textarea
                className="input code"
                aria-label={`Text of ${who} (JSON)`}
                readOnly
                rows={12}
                value={draft.text}
              />
            </details>
          )}
          <div className="row">
            <button type="button" className="button" onClick={shared.keepMine}>
              {draft.text === null ? "Go on with my text" : "Put my text in its place"}
            </button>
            {draft.text !== null && (
              <button type="button" className="button" onClick={shared.takeTheirs}>
                Take the text of {who}
              </button>
            )}
          </div>
        </div>
      )}
      {replaced !== null && !isStale && (
        <p className="notice row" role="status">
          <span>What you see is the text of {who}, who changed the draft meanwhile.</span>
          <button type="button" className="button quiet inline" onClick={shared.bringBack}>
            Bring my text back
          </button>
        </p>
      )}
      <KeptWords shared={shared} isChanged={isChanged} />
    </>
  );
}

function KeptWords({ shared: { draft, isStale, isAway, isSending }, isChanged }: DraftNoticesProps) {
  const zone = useZone();
  if (isStale) return null;
  if (isAway)
    return (
      <p className="notice warn" role="status">
        The server does not have your last changes yet. They are kept in this browser, and sent again by
        themselves.
      </p>
    );
  if (draft.text === null && !isChanged) return null;
  return (
    <p className="small mute">
      {isChanged || isSending
        ? "Your last changes are kept in this browser, and go to the server when you pause."
        : `All admins of the project can go on with this draft. ${draft.by ?? "Somebody"} changed it last, on ${moment(draft.changed_at, zone)}.`}
    </p>
  );
}
