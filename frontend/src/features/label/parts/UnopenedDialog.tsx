import { answerName, levelWords, openedWords } from "../../../annotate/copy";
import type { ContextLevel, StageDefinition } from "../../../api/types";
import { CancelButton, Dialog } from "../../../components/Dialog";

/** An answer that names a context which was never opened on this item. */
export interface Unopened {
  stage: StageDefinition;
  level: ContextLevel;
}

interface UnopenedDialogProps {
  asked: Unopened;
  contextOpened: ContextLevel;
  onAnswer: () => void;
  onOpen: () => void;
  onClose: () => void;
}

/** Who answers that some context was needed, and has not read it, is asked whether that is meant. */
export function UnopenedDialog({ asked, contextOpened, onAnswer, onOpen, onClose }: UnopenedDialogProps) {
  const answer = answerName(asked.stage, asked.level);
  return (
    <Dialog title={`“${answer}” was not opened`} onClose={onClose}>
      <p>{openedWords(contextOpened)} Your answer says that more was needed.</p>
      <div className="row">
        <button type="button" className="button primary" data-first-focus onClick={onAnswer}>
          Answer “{answer}”
        </button>
        <button type="button" className="button" onClick={onOpen}>
          Open it: {levelWords(asked.level)}
        </button>
        <CancelButton onClose={onClose} />
      </div>
    </Dialog>
  );
}
