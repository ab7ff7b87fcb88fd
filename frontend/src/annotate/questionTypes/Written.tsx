import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import type { StageDefinition } from "../../api/types";
import { Key } from "../../components/Key";
import { Confirm } from "./Confirm";
import { choiceName, type FormProps } from "./questionType";

interface WrittenProps extends FormProps<StageDefinition> {
  hint: string;
  inputMode: "decimal" | "text";
  /** What is written as it is stored; empty for nothing. */
  stored: (written: string) => string;
  /** Why that is no answer; null where it is one. */
  faultOf: (stored: string) => string | null;
  /** What an arrow makes of what is written. Left out: arrows move the caret. */
  stepped?: (written: string, by: 1 | -1) => string;
  /** Beside the box. */
  children?: (written: string) => ReactNode;
}

/** A box of one line: Enter confirms what is written, Escape leaves the box, and no shortcut acts in it. */
export function Written(props: WrittenProps) {
  const { stage, keys, answer, isCurrent, onAnswer, hint, inputMode, stored, faultOf, stepped, children } =
    props;
  const [written, setWritten] = useState(answer ?? "");
  const [asked, setAsked] = useState(false);
  const id = useId();
  const own = stored(written);
  const isTakenBack = own === "" && stage.required === false;
  const fault = isTakenBack ? null : faultOf(own);
  const confirm = () => {
    setAsked(true);
    if (fault === null) onAnswer(own);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") {
      event.preventDefault();
      if (!event.repeat) confirm();
    } else if (event.key === "Escape") {
      event.preventDefault();
      event.currentTarget.closest<HTMLElement>("fieldset")?.focus({ preventScroll: true });
    } else if (stepped && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
      event.preventDefault();
      setWritten(stepped(written, event.key === "ArrowUp" ? 1 : -1));
    }
  };
  const [keyName] = keys;
  return (
    <div className="put-together">
      <label htmlFor={id} className="small">
        Your answer {isCurrent && keyName && <Key name={keyName} isBound />}
      </label>
      <div className="written">
        <input
          id={id}
          className="input"
          type="text"
          inputMode={inputMode}
          autoComplete="off"
          dir="auto"
          data-choice={choiceName(stage)}
          aria-describedby={`${id}-hint`}
          aria-invalid={asked && fault !== null ? true : undefined}
          value={written}
          onChange={(event) => setWritten(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        {children?.(own)}
      </div>
      <Confirm
        hintId={`${id}-hint`}
        hint={hint}
        fault={asked ? fault : null}
        isPending={answer !== undefined || own !== ""}
        onConfirm={confirm}
      >
        Confirm
      </Confirm>
    </div>
  );
}
