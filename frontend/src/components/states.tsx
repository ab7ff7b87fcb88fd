import { errorWords } from "../api/errors";

/** Said in words, not as a spinner. */
export function Loading({ what }: { what: string }) {
  return (
    <main className="page narrow" id="main">
      <p className="mute" role="status">
        Loading {what}
      </p>
    </main>
  );
}

export function Failure({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <main className="page narrow" id="main">
      <div className="notice bad stack" role="alert">
        <p>{errorWords(error)}</p>
        <p>
          <button type="button" className="button" onClick={() => retry()}>
            Try again
          </button>
        </p>
      </div>
    </main>
  );
}
