import { type KeyboardEvent, useId, useState } from "react";
import type { SeveralStage } from "../../api/types";
import { Options } from "../questions/Options";
import { Confirm } from "./Confirm";
import { choiceName, type FormProps, type QuestionType } from "./questionType";

/** Several labels of a list: keys check and uncheck them, and Enter confirms the set. */
export const several: QuestionType<SeveralStage> = {
  accepts: (stage, answer) => {
    const keys = keysIn(answer);
    if (keys === null) return false;
    const known = stage.labels.map(({ key }) => key);
    return keys.every((key) => known.includes(key)) && numberFault(stage, keys) === null;
  },
  nameOf: (stage, answer) => {
    const keys = keysIn(answer) ?? [answer];
    const names = stage.labels.filter(({ key }) => keys.includes(key)).map(({ name }) => name);
    const unknown = keys.filter((key) => !stage.labels.some((label) => label.key === key));
    return [...names, ...unknown].join(", ") || "none of them";
  },
  labelsIn: (answer) => keysIn(answer) ?? [],
  isConfirmed: true,
  Form: SeveralForm,
};

/** A set as it is stored: distinct keys in alphabetical order, as a JSON list without spaces. */
function setText(keys: readonly string[]): string {
  return JSON.stringify([...new Set(keys)].sort());
}

/** The keys of a stored set; null where a text is none. */
function keysIn(answer: string): string[] | null {
  let said: unknown;
  try {
    said = JSON.parse(answer);
  } catch {
    return null;
  }
  const isList = Array.isArray(said) && said.every((key) => typeof key === "string");
  return isList && setText(said as string[]) === answer ? (said as string[]) : null;
}

function mostOf({ labels, most }: SeveralStage): number {
  return most ?? labels.length;
}

/** Why a set is too small or too large; null where it is neither. */
function numberFault(stage: SeveralStage, keys: readonly string[]): string | null {
  const { least = 1 } = stage;
  if (keys.length < least) return `Choose at least ${least}; you chose ${keys.length || "none"}.`;
  if (keys.length > mostOf(stage)) return `Choose at most ${mostOf(stage)}; you chose ${keys.length}.`;
  return null;
}

function SeveralForm({ stage, keys, answer, isCurrent, onAnswer }: FormProps<SeveralStage>) {
  const before = answer === undefined ? [] : (keysIn(answer) ?? []);
  const [chosen, setChosen] = useState(before);
  const [asked, setAsked] = useState(false);
  const id = useId();
  const fault = numberFault(stage, chosen);
  const isTakenBack = stage.required === false && chosen.length === 0 && fault !== null;
  const toggle = (key: string) =>
    setChosen((now) => (now.includes(key) ? now.filter((each) => each !== key) : [...now, key]));
  const confirm = () => {
    setAsked(true);
    if (isTakenBack) onAnswer("");
    else if (fault === null) onAnswer(setText(chosen));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isOnBox = event.target instanceof Element && event.target.getAttribute("role") === "checkbox";
    if (event.key !== "Enter" || !isOnBox || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (!event.repeat) confirm();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Enter of the boxes inside
    <div className="put-together" onKeyDown={onKeyDown}>
      <Options
        labels={stage.labels}
        keys={keys}
        chosen={chosen}
        isCurrent={isCurrent}
        onChoose={toggle}
        nameOfChoice={(key) => choiceName(stage, key)}
      />
      <Confirm
        hintId={`${id}-hint`}
        hint={howMany(stage)}
        fault={asked && !isTakenBack ? fault : null}
        isPending={answer !== undefined || chosen.length > 0}
        onConfirm={confirm}
      >
        {chosen.length === 0 && stage.least === 0
          ? "Confirm: none of them"
          : `Confirm ${chosen.length || ""}`.trim()}
      </Confirm>
    </div>
  );
}

function howMany(stage: SeveralStage): string {
  const { least = 1, labels } = stage;
  const most = mostOf(stage);
  if (least === most) return `Choose ${least}.`;
  if (most === labels.length) return least === 0 ? "Choose any, or none." : `Choose ${least} or more.`;
  return least === 0 ? `Choose up to ${most}, or none.` : `Choose ${least} to ${most}.`;
}
