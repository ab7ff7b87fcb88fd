import { useEffect, useId, useState } from "react";
import { CODEBOOK_KEY } from "../../annotate/actions";
import { CodebookDialog } from "../../annotate/CodebookDialog";
import { Questions } from "../../annotate/questions/Questions";
import { suggestedWords } from "../../annotate/questions/suggested";
import { isOpenAt } from "../../annotate/reading/contextLevels";
import { Reading } from "../../annotate/reading/Reading";
import { showInPanel } from "../../annotate/reading/usePreserveScroll";
import { SourcesPanel } from "../../annotate/spans/parts/SourcesPanel";
import { CodebookNotes } from "../../annotate/threads/CodebookNotes";
import { HelpSheet } from "../../components/HelpSheet";
import { Key } from "../../components/Key";
import { useKeyboard } from "../../keyboard/useKeyboard";
import { CommentBox } from "./parts/CommentBox";
import { FlagDialog } from "./parts/FlagDialog";
import { ItemFlags } from "./parts/ItemFlags";
import { PracticeNote } from "./parts/PracticeNote";
import { CompareNote, FirstLookNote, OtherTabNote, RevisitNote, UnsubmittedNote } from "./parts/RevisitNote";
import { SkipDialog } from "./parts/SkipDialog";
import { UnopenedDialog } from "./parts/UnopenedDialog";
import { WorkFoot } from "./parts/WorkFoot";
import { MarkedSentence, SpanBar } from "./spans/SpanReading";
import { SpanSide } from "./spans/SpanSide";
import { type Workbench as BenchState, useWorkbench, type WorkbenchProps } from "./useWorkbench";

const KEYS_OF_LABELS =
  "A label keeps its key for the whole codebook, and an answered question takes no key until it is opened again.";

/** One item to label: the text on one side, the open questions on the other. */
export function Workbench(props: Omit<WorkbenchProps, "onUndone">) {
  const [undone, setUndone] = useState(0);
  return <Bench key={undone} {...props} onUndone={() => setUndone((times) => times + 1)} />;
}

function Bench(props: WorkbenchProps) {
  const bench = useWorkbench(props);
  const { refs, work, spans } = bench;
  const hintId = useId();
  useKeyboard(bench.actions);
  useArrival(bench, props);
  return (
    <main
      className={spans?.sources.isOpen && spans.sources.names.length > 0 ? "label-page wide" : "label-page"}
      id="main"
      ref={refs.page}
    >
      <h1 className="visually-hidden">{headingWords(bench)}</h1>
      <div className="reading-side">
        {spans && <SpanBar bench={spans} hintId={hintId} />}
        <Reading
          item={props.assignment.item}
          claimedUntil={work.initial.stored ? null : props.assignment.claimed_until}
          opened={work.contextOpen}
          onLevel={bench.setLevel}
          markRef={refs.mark}
          sectionRef={refs.section}
        >
          {spans && (
            <section ref={refs.mark}>
              <MarkedSentence
                bench={spans}
                item={props.assignment.item}
                isWhole={isOpenAt("utterance", work.contextOpen)}
                hintId={hintId}
              />
            </section>
          )}
        </Reading>
      </div>
      {spans?.sources.isOpen && spans.sources.names.length > 0 && (
        <SourcesPanel
          sources={spans.sources}
          keyName={spans.keys.commands.sources}
          onLeave={() => spans.view.current?.focus()}
        />
      )}
      <aside
        className={spans ? "questions marking" : "questions"}
        aria-label={spans ? "Spans and questions" : "Questions"}
      >
        <Side bench={bench} props={props} />
      </aside>
      <Overlays bench={bench} props={props} />
    </main>
  );
}

/** A text that is marked takes the focus: its caret is where the work begins. */
function useArrival({ refs, spans, questions }: BenchState, { navigation }: WorkbenchProps) {
  const [takesFocus] = useState(navigation.takesFocus);
  const view = spans?.view;
  useEffect(() => {
    window.scrollTo(0, 0);
    if (view) view.current?.focus();
    else if (takesFocus) refs.section.current?.focus({ preventScroll: true });
  }, [takesFocus, refs.section, view]);
  const current = questions.current?.key;
  // biome-ignore lint/correctness/useExhaustiveDependencies(current): at each new question it is read again
  useEffect(() => showInPanel(refs.mark.current), [refs.mark, current]);
}

function headingWords({ work, spans }: BenchState): string {
  if (work.initial.stored) return "Your earlier answer";
  return spans ? "Mark this text" : "Label this item";
}

function Side({ bench, props }: { bench: BenchState; props: WorkbenchProps }) {
  const { work, refs, commands } = bench;
  return (
    <>
      {!work.initial.stored && <PracticeNote projectId={props.projectId} onBegun={props.onBegun} />}
      {work.initial.stored && <RevisitNote work={work} onUndone={props.onUndone} />}
      {props.assignment.first_look && (
        <FirstLookNote stages={bench.stages} firstLook={props.assignment.first_look} />
      )}
      {!work.isOvertaken && <OtherTabNote id={props.assignment.id} work={work} onTaken={props.onUndone} />}
      {props.navigation.compare && <CompareNote compare={props.navigation.compare} />}
      {props.navigation.unsubmitted && <UnsubmittedNote onReturn={props.navigation.unsubmitted} />}
      <Questions
        stages={bench.stages}
        answers={work.answers}
        questions={bench.questions}
        keys={bench.keys}
        otherKeys={bench.otherKeys}
        contextOpened={work.contextOpened}
        showHelp={bench.helpShown}
        suggested={(stage) => suggestedWords(props.assignment.suggestions, stage)}
        onAnswer={commands.answer}
        onReopen={commands.reopen}
        submitRef={refs.submit}
      />
      {bench.spans && <SpanSide bench={bench.spans} showHelp={bench.helpShown} />}
      {bench.helpShown && (
        <CodebookNotes {...props.assignment.codebook} only={bench.questions.current?.key ?? null} />
      )}
      {bench.helpShown && (
        <button type="button" className="button quiet" onClick={commands.codebook}>
          Read the whole codebook <Key name={CODEBOOK_KEY} />
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
      <WorkFoot bench={bench} navigation={props.navigation} />
      <ItemFlags assignmentId={props.assignment.id} projectId={props.projectId} />
    </>
  );
}

function Overlays({ bench, props }: { bench: BenchState; props: WorkbenchProps }) {
  const close = () => bench.setOverlay(null);
  const { codebook } = props.assignment;
  const { unopened, work } = bench;
  if (unopened) {
    const answer = () => work.dispatch({ kind: "answer", stage: unopened.stage.key, label: unopened.level });
    const after = (act: () => void) => () => {
      bench.setUnopened(null);
      act();
    };
    return (
      <UnopenedDialog
        asked={unopened}
        contextOpened={work.contextOpened}
        onAnswer={after(answer)}
        onOpen={after(() => bench.setLevel(unopened.level))}
        onClose={after(() => {})}
      />
    );
  }
  switch (bench.overlay) {
    case "keys":
      return <HelpSheet actions={bench.actions} about={KEYS_OF_LABELS} onClose={close} />;
    case "codebook":
      return <CodebookDialog definition={codebook.definition} version={codebook.version} onClose={close} />;
    case "flag":
      return (
        <FlagDialog
          assignment={props.assignment}
          projectId={props.projectId}
          onSkip={work.initial.stored ? undefined : () => bench.submit("Waiting for the admins' answer")}
          onClose={close}
        />
      );
    case "skip":
      return (
        <SkipDialog
          assignmentId={props.assignment.id}
          onClose={close}
          onSkip={(reason) => {
            close();
            return bench.submit(reason);
          }}
        />
      );
    case null:
      return null;
  }
}
