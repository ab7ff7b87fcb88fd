import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Progress, WindowState } from "../../../api/types";
import { Key } from "../../../components/Key";
import { type Action, action } from "../../../keyboard/registry";
import { useKeyboard } from "../../../keyboard/useKeyboard";
import { SignInAgain } from "../../../outbox/SignInAgain";
import { count, withdrawnWords } from "../../../text/format";
import type { Navigation } from "../useNavigation";
import { PracticeNote } from "./PracticeNote";

interface RestingProps {
  state: WindowState;
  progress: Progress;
  projectId: string;
  /** Answers of this project are on their way, and more items come with the server's answer to them. */
  waitsForServer: boolean;
  isSignedOut: boolean;
  navigation: Navigation;
  onBegun: () => void;
}

/** No item at hand: says which of the four reasons it is, and what will change it. */
export function AllDone(props: RestingProps) {
  const { state, progress, projectId, waitsForServer, isSignedOut, navigation, onBegun } = props;
  const onBack = navigation.back;
  useKeyboard(backAction(onBack));
  const words = waitsForServer ? waitingWords(isSignedOut) : wordsFor(state, progress);
  return (
    <main className="page narrow" id="main">
      <div className="card stack resting" role="status">
        <h1>{words.title}</h1>
        {words.body}
        {waitsForServer && isSignedOut && (
          <div className="row">
            <SignInAgain className="button primary" />
          </div>
        )}
      </div>
      <PracticeNote projectId={projectId} onBegun={onBegun} />
      <div className="row">
        {onBack && (
          <button type="button" className="button" onClick={onBack}>
            Back to your last answer <Key name="arrowleft" />
          </button>
        )}
        {onBack && (
          <Link className="button" to={`/projects/${projectId}/answers`}>
            All your answers in this batch
          </Link>
        )}
        <Link className="button quiet" to="/">
          Your projects
        </Link>
      </div>
    </main>
  );
}

function waitingWords(isSignedOut: boolean) {
  if (isSignedOut)
    return {
      title: "You are signed out",
      body: text(
        "Your answers are saved on this device. Sign in again: then they are sent, and the next items come. You come back to this page.",
      ),
    };
  return {
    title: "Waiting for the server",
    body: text(
      "The loaded items are used up. Your answers are saved on this device; they are sent, and the next items come, as soon as the server can be reached.",
    ),
  };
}

function wordsFor(state: WindowState, { total, withdrawn, batch_number }: Progress) {
  const batch = batch_number === null ? "this batch" : `batch ${batch_number}`;
  const answered = withdrawn
    ? `You answered ${count(total)}. ${withdrawnWords(withdrawn)}`
    : `You answered all of your ${count(total)}.`;
  switch (state) {
    case "finished":
      return {
        title: `${capital(batch)} is complete`,
        body: text(
          `${answered} Nobody has open items in it. The next round brings new items; they appear here by themselves.`,
        ),
      };
    case "waiting":
      return {
        title: `You are done with ${batch}`,
        body: text(
          `${answered} Waiting for others to finish theirs. Until the next round begins you can still change your answers.`,
        ),
      };
    case "none":
      return {
        title: "Nothing is assigned to you",
        body: text(
          "No batch is open for you. When an admin starts a round with you among its annotators, the items appear here by themselves.",
        ),
      };
    case "ok":
      return {
        title: "Asking for the next items",
        body: text("The server is sending you more items."),
      };
  }
}

function text(words: string): ReactNode {
  return <p>{words}</p>;
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function backAction(onBack: (() => void) | null): Action[] {
  const run = () => onBack?.();
  return [action("back", "Back to your last answer", "Going on", "arrowleft", onBack !== null, run)];
}
