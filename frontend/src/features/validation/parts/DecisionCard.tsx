import type { ReactNode } from "react";
import { Key } from "../../../components/Key";
import { Refusal } from "../../../components/Refusal";
import { Status } from "../../../components/states";
import { hasEarlier, KEYS } from "../actions";
import type { ItemPage } from "../api";
import { revisedWords } from "../model/copy";
import { decisionSaid, type ItemBench } from "../useItemBench";

/** What was decided, and what can be decided beside the annotations themselves. */
export function DecisionCard({ bench }: { bench: ItemBench }) {
  const { page, commands, isBusy } = bench;
  const revised = revisedWords(page);
  return (
    <section className="card stack" aria-label="Decision">
      <p>
        <b>{decisionSaid(page)}</b>
      </p>
      {revised && <p className="notice warn">{revised}</p>}
      {bench.hasEditWaiting && !isBusy && (
        <Waiting act="Drop the edit" onDrop={commands.stopEditing}>
          You have an edit here that was not stored. Reopen the item to go on with it, or drop it.
        </Waiting>
      )}
      {bench.editElsewhere === "gone" && (
        <p className="notice" role="status">
          You stored or dropped your edit of this item in another tab.
        </p>
      )}
      {isRejecting(bench) && (
        <Waiting act="Drop the rejection" onDrop={commands.dropRejection}>
          You have a rejection here that was not stored: “{bench.rejection.value}”. {rejectionWay(page)}
        </Waiting>
      )}
      {bench.overlay !== "reject" && <Refusal error={bench.error} />}
      {isBusy && <Status>Storing</Status>}
      <div className="row">
        {page.decision && (
          <Act keyName={KEYS.reopen} onClick={commands.reopen}>
            Reopen
          </Act>
        )}
        {page.decision && page.next_open && (
          <Act keyName={KEYS.nextOpen} isMain onClick={() => commands.go(page.next_open)}>
            Next item that is ready
          </Act>
        )}
        {page.state === "open" && (
          <>
            <Act keyName={KEYS.nothing} onClick={commands.editFromNothing}>
              Edit from nothing
            </Act>
            {hasEarlier(page) && (
              <Act keyName={KEYS.again} onClick={commands.editAgain}>
                Edit the previous decision
              </Act>
            )}
            <Act keyName={KEYS.reject} onClick={commands.askReject}>
              Reject all
            </Act>
          </>
        )}
      </div>
      {page.decision && !page.next_open && (
        <p className="mute small">No other item is ready at the moment.</p>
      )}
    </section>
  );
}

interface WaitingProps {
  act: string;
  onDrop: () => void;
  children: ReactNode;
}

/** What was begun here and is not stored. */
function Waiting({ act, onDrop, children }: WaitingProps) {
  return (
    <div className="notice warn stack">
      <p dir="auto">{children}</p>
      <p>
        <button type="button" className="button" onClick={onDrop}>
          {act}
        </button>
      </p>
    </div>
  );
}

function rejectionWay({ state }: ItemPage): string {
  if (state === "open") return "Go on with it by “Reject all”, or drop it.";
  if (state === "waiting") return "Go on with it once every annotation is in, or drop it.";
  return "Reopen the item to go on with it, or drop it.";
}

interface ActProps {
  keyName: string;
  isMain?: boolean;
  isOff?: boolean;
  onClick: () => void;
  children: ReactNode;
}

/** A button with its key. */
export function Act({ keyName, isMain, isOff, onClick, children }: ActProps) {
  return (
    <button type="button" className={isMain ? "button primary" : "button"} disabled={isOff} onClick={onClick}>
      {children} <Key name={keyName} />
    </button>
  );
}

/** A reason waits, that was neither stored nor dropped, here or in another tab. */
function isRejecting({ rejection, overlay, isBusy }: ItemBench): boolean {
  return rejection.value.trim() !== "" && rejection.elsewhere !== "gone" && overlay !== "reject" && !isBusy;
}
