import { useState } from "react";
import { useSearchParams } from "react-router";
import { useAnnounce } from "../../../components/Announcer";
import { Key } from "../../../components/Key";
import { Switch } from "../../../components/Switch";
import type { Action } from "../../../keyboard/registry";
import { useKeyboard } from "../../../keyboard/useKeyboard";
import { useProject } from "../../../session/project";
import { counted } from "../../../text/format";
import { type Datasheet, isOpen, type Question, type Section } from "./api";
import { Leaving } from "./Leaving";
import { fieldId, QuestionField, questionId } from "./QuestionField";
import { SavedStatus } from "./SavedStatus";
import type { SheetAutosave } from "./sheetAutosave";
import { useSheetAutosave } from "./useAutosave";

type Shown = "all" | "open";

/** The whole form. */
export function Sheet({ sheet, userId }: { sheet: Datasheet; userId: string }) {
  const sheetAutosave = useSheetAutosave(useProject().id, userId, sheet);
  const { shown, show, sections } = useShown(sheet);
  const goOn = useGoOn(sheetAutosave, sections);
  return (
    <div className="sheet">
      <SavedStatus sheetAutosave={sheetAutosave} />
      <Leaving sheetAutosave={sheetAutosave} />
      <div className="sheet-side">
        <p className="numbers">
          <b>{sheet.n_open === 0 ? "No question is open" : `${counted(sheet.n_open, "question")} open`}</b>{" "}
          <span className="mute">of {sheet.n_questions}</span>
        </p>
        <Switch<Shown>
          label="Which questions"
          value={shown}
          options={[
            { value: "all", text: "All" },
            { value: "open", text: "Only open ones" },
          ]}
          onValue={show}
        />
        <button type="button" className="button" onClick={goOn}>
          Next open question <Key name="ctrl+enter" />
        </button>
        <nav className="sheet-nav" aria-label="Sections of the datasheet">
          {sections.map((section) => (
            <a key={section.key} href={`#section-${section.key}`}>
              {section.title} <span className="numbers">{openWords(section)}</span>
            </a>
          ))}
        </nav>
      </div>
      <div className="sheet-sections">
        {sections.length === 0 && <NothingOpen onAll={() => show("all")} />}
        {sections.map((section) => (
          <SectionCard key={section.key} section={section} sheetAutosave={sheetAutosave} />
        ))}
      </div>
    </div>
  );
}

/** What is open when the filter is chosen stays in sight while it is answered. */
function useShown(sheet: Datasheet) {
  const [address, setAddress] = useSearchParams();
  const [shown, setShown] = useState<Shown>(address.get("show") === "open" ? "open" : "all");
  const [held, setHeld] = useState(() => openKeys(sheet));
  const show = (next: Shown) => {
    setShown(next);
    setHeld(openKeys(sheet));
    setAddress(next === "open" ? { show: "open" } : {}, { replace: true, preventScrollReset: true });
  };
  const sections = shown === "all" ? sheet.sections : onlyThose(sheet, held);
  return { shown, show, sections };
}

function openKeys(sheet: Datasheet): ReadonlySet<string> {
  return new Set(sheet.sections.flatMap(({ questions }) => questions.filter(isOpen).map(({ key }) => key)));
}

function onlyThose(sheet: Datasheet, keys: ReadonlySet<string>): Section[] {
  return sheet.sections
    .map((section) => ({ ...section, questions: section.questions.filter(({ key }) => keys.has(key)) }))
    .filter(({ questions }) => questions.length > 0);
}

/** To the next question that waits for a person, after the one at hand and around the end; Ctrl+Enter does it too. */
function useGoOn(sheetAutosave: SheetAutosave, sections: Section[]): () => void {
  const announce = useAnnounce();
  const goOn = () => {
    const questions = sections.flatMap((section) => section.questions);
    const at = questions.findIndex(({ key }) => document.activeElement?.id === fieldId(key));
    const next = [...questions.slice(at + 1), ...questions.slice(0, at + 1)].find(
      (question) => question.needs_answer && sheetAutosave.of(question).state.text.trim() === "",
    );
    if (next) go(next);
    else announce("Every question that waits for you is answered.");
  };
  const action: Action = {
    ...{ id: "next-open-question", label: "Next open question", group: "Datasheet", key: "ctrl+enter" },
    ...{ isEnabled: () => true, run: goOn, from: () => true },
  };
  useKeyboard([action]);
  return goOn;
}

function go({ key }: Question): void {
  document.getElementById(questionId(key))?.scrollIntoView?.({ block: "start" });
  document.getElementById(fieldId(key))?.focus({ preventScroll: true });
}

function openWords({ questions }: Section): string {
  const n = questions.filter(isOpen).length;
  return n === 0 ? "" : `${n} open`;
}

function SectionCard({ section, sheetAutosave }: { section: Section; sheetAutosave: SheetAutosave }) {
  const id = `section-${section.key}`;
  return (
    <section className="card stack" id={id} aria-labelledby={`${id}-title`}>
      <div className="card-head">
        <h2 id={`${id}-title`}>{section.title}</h2>
        <span className="small mute numbers">{openWords(section) || "none open"}</span>
      </div>
      {section.questions.map((question) => (
        <QuestionField key={question.key} question={question} sheetAutosave={sheetAutosave} />
      ))}
    </section>
  );
}

function NothingOpen({ onAll }: { onAll: () => void }) {
  return (
    <div className="card stack">
      <p>Every question that only a person can answer is answered.</p>
      <div className="row">
        <button type="button" className="button" onClick={onAll}>
          Show all questions
        </button>
      </div>
    </div>
  );
}
