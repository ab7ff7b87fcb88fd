import { type ReactNode, type RefObject, useId } from "react";
import { locate } from "./locate";

interface JsonEditorProps {
  areaRef: RefObject<HTMLTextAreaElement | null>;
  text: string;
  isReadOnly: boolean;
  isFaulty: boolean;
  onText: (text: string) => void;
  /** What is said beside the text. */
  children: ReactNode;
}

/** The whole definition as JSON. */
export function JsonEditor({ areaRef, text, isReadOnly, isFaulty, onText, children }: JsonEditorProps) {
  const id = useId();
  return (
    <div className="editor">
      <div className="field">
        <label htmlFor={id}>Definition (JSON)</label>
        <textarea
          ref={areaRef}
          id={id}
          className="input code"
          spellCheck={false}
          readOnly={isReadOnly}
          value={text}
          aria-describedby={`${id}-faults`}
          aria-invalid={isFaulty || undefined}
          onChange={(event) => onText(event.currentTarget.value)}
        />
      </div>
      <div id={`${id}-faults`} className="faults" role="status">
        {children}
      </div>
    </div>
  );
}

/** Selects the value at a path, such as "stages[1].title", and scrolls to it. */
export function selectPlace(area: HTMLTextAreaElement | null, text: string, path: string): void {
  const place = locate(text, path);
  if (!place || !area) return;
  area.focus();
  area.setSelectionRange(place.start, place.end);
  // Line height is the text's own 1.5; a browser scrolls to a selection only where it was typed.
  area.scrollTop = (area.scrollHeight / text.split("\n").length) * (place.line - 3);
}
