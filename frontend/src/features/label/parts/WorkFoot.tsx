import type { ReactNode } from "react";
import { CODEBOOK_KEY, FLAG_KEY } from "../../../annotate/actions";
import { Key } from "../../../components/Key";
import type { Navigation } from "../useNavigation";
import type { Work } from "../useWork";
import type { Workbench } from "../useWorkbench";

interface WorkFootProps {
  bench: Workbench;
  navigation: Navigation;
}

/** The ways on from this item, each with its key. */
export function WorkFoot({ bench, navigation }: WorkFootProps) {
  const { commands, isComplete, work, refs, screenKeys } = bench;
  return (
    <>
      <div className="go-row">
        <button type="button" className="button" disabled={!navigation.back} onClick={commands.back}>
          Back <Key name={screenKeys.back} />
        </button>
        <button
          type="button"
          className="button primary"
          ref={refs.submit}
          aria-disabled={!isComplete && (work.isChanged || !work.initial.stored)}
          onClick={commands.submit}
        >
          {submitWords(work)} <Key name="enter" />
        </button>
        {navigation.forward && (
          <button type="button" className="button" onClick={commands.forward}>
            Forward <Key name={screenKeys.forward} />
          </button>
        )}
      </div>
      <div className="more-row">
        {!bench.commentShown && (
          <More keyName={screenKeys.comment} onClick={commands.comment}>
            Comment
          </More>
        )}
        <More keyName="h" onClick={commands.toggleHelp} isPressed={bench.helpShown}>
          Help
        </More>
        <More keyName={CODEBOOK_KEY} onClick={commands.codebook}>
          Codebook
        </More>
        <More keyName={FLAG_KEY} onClick={commands.flag}>
          Flag
        </More>
        <More keyName="x" onClick={commands.skip}>
          Skip
        </More>
        <More keyName="?" onClick={commands.keys}>
          Keys
        </More>
      </div>
      {bench.stages.length > 0 && (
        <p className="foot-note">Changing an earlier answer closes what depends on it.</p>
      )}
    </>
  );
}

function submitWords({ initial, isChanged }: Work): string {
  if (!initial.stored) return "Submit and next";
  return isChanged ? "Submit change" : "Go on";
}

interface MoreProps {
  keyName: string;
  onClick: () => void;
  isPressed?: boolean;
  children: ReactNode;
}

function More({ keyName, onClick, isPressed, children }: MoreProps) {
  return (
    <button type="button" className="button quiet" aria-pressed={isPressed} onClick={onClick}>
      {children} <Key name={keyName} />
    </button>
  );
}
