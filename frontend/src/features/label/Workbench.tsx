import { useEffect, useState } from "react";
import { useKeyboard } from "../../keyboard/useKeyboard";
import { CodebookDialog } from "./parts/CodebookDialog";
import { CommentBox } from "./parts/CommentBox";
import { HelpSheet } from "./parts/HelpSheet";
import { Questions } from "./parts/Questions";
import { Reading } from "./parts/Reading";
import { RevisitNote, UnsubmittedNote } from "./parts/RevisitNote";
import { SkipDialog } from "./parts/SkipDialog";
import { WorkFoot } from "./parts/WorkFoot";
import { type Workbench as BenchState, useWorkbench, type WorkbenchProps } from "./useWorkbench";

/** One item to label: the text on one side, the open questions on the other. */
export function Workbench(props: Omit<WorkbenchProps, "onUndone">) {
  const [undone, setUndone] = useState(0);
  return <Bench key={undone} {...props} onUndone={() => setUndone((times) => times + 1)} />;
}

function Bench(props: WorkbenchProps) {
  const bench = useWorkbench(props);
  const { refs, work } = bench;
  useKeyboard(bench.actions);
  const [takesFocus] = useState(props.going.takesFocus);
  useEffect(() => {
    window.scrollTo(0, 0);
    if (takesFocus) refs.section.current?.focus({ preventScroll: true });
  }, [takesFocus, refs.section]);
  return (
    <main className="label-page" id="main" ref={refs.page}>
      <h1 className="visually-hidden">
        {work.beginning.stored ? "Your earlier answer" : "Label this sentence"}
      </h1>
      <Reading
        item={props.assignment.item}
        claimedUntil={work.beginning.stored ? null : props.assignment.claimed_until}
        opened={work.contextOpen}
        onLevel={bench.setLevel}
        markRef={refs.mark}
        sectionRef={refs.section}
      />
      <aside className="questions" aria-label="Questions">
        <Side bench={bench} props={props} />
      </aside>
      <Overlays bench={bench} props={props} />
    </main>
  );
}

function Side({ bench, props }: { bench: BenchState; props: WorkbenchProps }) {
  const { work, refs, commands } = bench;
  return (
    <>
      {work.beginning.stored && (
        <RevisitNote work={work} batch={props.assignment.batch} onUndone={props.onUndone} />
      )}
      {props.going.unsubmitted && <UnsubmittedNote onReturn={props.going.unsubmitted} />}
      <Questions
        stages={bench.stages}
        answers={work.answers}
        hands={bench.hands}
        keys={bench.keys}
        contextOpened={work.contextOpened}
        showHelp={bench.helpShown}
        onAnswer={commands.answer}
        onReopen={commands.reopen}
        submitRef={refs.submit}
      />
      {bench.helpShown && (
        <button type="button" className="button quiet" onClick={() => bench.setOverlay("codebook")}>
          Read the whole codebook
        </button>
      )}
      {bench.change && <p className="notice change">{bench.change}</p>}
      {bench.commentShown && (
        <CommentBox
          comment={work.comment}
          onComment={work.setComment}
          onLeave={() => refs.submit.current?.focus()}
          boxRef={refs.comment}
        />
      )}
      {bench.problem && <p className="notice warn">{bench.problem}</p>}
      <WorkFoot bench={bench} going={props.going} />
    </>
  );
}

function Overlays({ bench, props }: { bench: BenchState; props: WorkbenchProps }) {
  const close = () => bench.setOverlay(null);
  const { codebook } = props.assignment;
  switch (bench.overlay) {
    case "keys":
      return <HelpSheet actions={bench.actions} onClose={close} />;
    case "codebook":
      return <CodebookDialog definition={codebook.definition} version={codebook.version} onClose={close} />;
    case "skip":
      return (
        <SkipDialog
          onClose={close}
          onSkip={(reason) => {
            close();
            void bench.submit(reason);
          }}
        />
      );
    case null:
      return null;
  }
}
