import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Refusal } from "./Refusal";

interface OwnAnswerProps {
  /** What the server says: that one's own answer is settled by looking. */
  words: string;
  /** Loads the page with the others' answers, after which one's own stays as it is. */
  look: () => Promise<unknown>;
  back: ReactNode;
}

/** Before others' answers to an item that the reader answered too: looking settles their own, and nobody looks by accident. */
export function OwnAnswer({ words, look, back }: OwnAnswerProps) {
  const going = useMutation({ mutationFn: look });
  return (
    <main className="page narrow" id="main">
      <div className="card stack">
        <h1>Your own answer first</h1>
        <p>{words}</p>
        <Refusal error={going.error} />
        <div className="row">
          <button
            type="button"
            className="button primary"
            disabled={going.isPending}
            onClick={() => going.mutate()}
          >
            Mine stays as it is: show the answers
          </button>
          {back}
        </div>
      </div>
    </main>
  );
}

/** Others’ answers are not to be seen now; the server says why. */
export function NotYet({ words, back }: { words: string; back: ReactNode }) {
  return (
    <main className="page narrow" id="main">
      <div className="card stack">
        <h1>Not yet</h1>
        <p>{words}</p>
        <p>{back}</p>
      </div>
    </main>
  );
}
