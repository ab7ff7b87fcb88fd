import type { ReactNode } from "react";
import { errorWords } from "../api/errors";

/** What the page waits for, in words and not as a spinner; said aloud too. */
export function Status({ children }: { children: ReactNode }) {
  return (
    <p className="mute" role="status">
      {children}
    </p>
  );
}

/** A whole page that is not there yet. */
export function Loading({ what }: { what: string }) {
  return (
    <main className="page narrow" id="main">
      <Status>Loading {what}</Status>
    </main>
  );
}

/** A whole page that could not be loaded. */
export function Failure({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <main className="page narrow" id="main">
      <Broken words={errorWords(error)} retry={retry} />
    </main>
  );
}

/** Part of a page that could not be loaded. */
export function NotLoaded({ what, error, retry }: { what: string; error: unknown; retry: () => void }) {
  return <Broken words={`${what} could not be loaded. ${errorWords(error)}`} retry={retry} />;
}

function Broken({ words, retry }: { words: string; retry: () => void }) {
  return (
    <div className="notice bad stack" role="alert">
      <p>{words}</p>
      <p>
        <button type="button" className="button" onClick={() => retry()}>
          Try again
        </button>
      </p>
    </div>
  );
}
