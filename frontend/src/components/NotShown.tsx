import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { isApiError } from "../api/errors";
import { NotFoundPage } from "./NotFoundPage";
import { Refusal } from "./Refusal";
import { Failure, Loading } from "./states";

interface OwnAnswerProps {
  /** What the server says: that one's own answer is settled by looking. */
  words: string;
  /** Loads the page with the others' answers, after which one's own stays as it is. */
  look: () => Promise<unknown>;
  back: ReactNode;
}

/** Before others' answers to an item that the reader answered too: looking settles their own, and nobody looks by accident. */
function OwnAnswer({ words, look, back }: OwnAnswerProps) {
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
function NotYet({ words, back }: { words: string; back: ReactNode }) {
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

interface NotShownProps {
  /** Why the item's answers are not there; null while they are loaded. */
  error: unknown;
  what: string;
  /** The list that leads to the item. */
  list: { to: string; words: string };
  /** Locks one's own answer, and puts the others' on the page. */
  look: () => Promise<void>;
  retry: () => void;
}

/** In place of an item's answers: they are loaded, they are nobody's to see, or one's own can still change. */
export function NotShown({ error, what, list, look, retry }: NotShownProps) {
  if (!error) return <Loading what={what} />;
  if (isApiError(error, 404)) return <NotFoundPage />;
  if (!isApiError(error, 409)) return <Failure error={error} retry={retry} />;
  const back = (
    <Link className="button" to={list.to}>
      {list.words}
    </Link>
  );
  if (error.code !== "own_answer") return <NotYet words={error.message} back={back} />;
  return <OwnAnswer words={error.message} look={look} back={back} />;
}
