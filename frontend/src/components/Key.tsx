import { useLayoutEffect, useRef } from "react";
import { keyAsPressed, useCharacterKeys } from "../keyboard/characterKeys";
import { usePressedKey } from "../keyboard/page";

const SHOWN: Record<string, string> = {
  enter: "⏎",
  arrowleft: "←",
  arrowright: "→",
  arrowup: "↑",
  arrowdown: "↓",
  home: "Home",
  end: "End",
  delete: "Del",
  backspace: "⌫",
  escape: "Esc",
  " ": "Space",
};

interface KeyProps {
  /** The key by default, as `keyNames` writes it. */
  name: string;
  /** The person's own keys are in it already, as in those of labels and categories. */
  isBound?: boolean;
}

/**
 * A key's cap, printed where the key acts: the one that the person gave the command, as it is pressed now. The name of the
 * control carries the words, so the cap is for the eye only; the control's `aria-keyshortcuts` says the same.
 */
export function Key({ name, isBound = false }: KeyProps) {
  const mode = useCharacterKeys();
  const inUse = usePressedKey(name);
  const pressed = isBound ? keyAsPressed(name, mode) : inUse;
  const cap = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const control = cap.current?.closest("button, a, summary");
    if (pressed === null || !control) return;
    control.setAttribute("aria-keyshortcuts", ariaKey(pressed));
    return () => control.removeAttribute("aria-keyshortcuts");
  }, [pressed]);
  if (pressed === null) return null;
  return (
    <span className="key" aria-hidden="true" ref={cap}>
      {keyWords(pressed)}
    </span>
  );
}

const ARIA_NAMES: Record<string, string> = {
  ctrl: "Control",
  arrowleft: "ArrowLeft",
  arrowright: "ArrowRight",
  arrowup: "ArrowUp",
  arrowdown: "ArrowDown",
  " ": "Space",
};

/** "ctrl+shift+z" as `aria-keyshortcuts` writes it: "Control+Shift+z". */
function ariaKey(name: string): string {
  const parts = name === "+" ? [name] : name.split(/\+(?=.)/);
  return parts
    .map(
      (part) => ARIA_NAMES[part] ?? (part.length > 1 ? part.charAt(0).toUpperCase() + part.slice(1) : part),
    )
    .join("+");
}

export function keyWords(name: string): string {
  const bare = name.replace(/^(ctrl\+)?(alt\+)?(shift\+)?/, "");
  const shown = SHOWN[bare] ?? bare;
  const held = [
    name.includes("ctrl+") && "Ctrl",
    name.includes("alt+") && "Alt",
    name.includes("shift+") && "⇧",
  ];
  return [...held, shown].filter(Boolean).join(" ");
}
