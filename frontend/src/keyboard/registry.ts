import { namesThatAct } from "./characterKeys";
import { isOwnKey, isTyping, keyNames } from "./keys";

/** A command of the page: its button, its key and its line in the help sheet all come from here. */
export interface Action {
  id: string;
  label: string;
  group: string;
  /** As `keyNames` writes it. */
  key: string | null;
  isEnabled: () => boolean;
  /** In a word, when it is enabled: "with a span in hand". Left out: always. */
  when?: string;
  run: () => void;
  /** Acts again and again while its key is held down. */
  whileHeld?: boolean;
  /** Where a key press must come from; left out: anywhere but a box that is typed in. */
  from?: (target: EventTarget | null) => boolean;
}

/** One command of a page. `when` says in a word when it is enabled, where it is not always. */
export function action(
  id: string,
  label: string,
  group: string,
  key: string | null,
  isEnabled: boolean | (() => boolean),
  run: () => void,
  when?: string,
): Action {
  return {
    ...{ id, label, group, key, run, when },
    isEnabled: typeof isEnabled === "function" ? isEnabled : () => isEnabled,
  };
}

/** The action that a key press asks for; null when it asks for none, or when two claim the key. */
export function actionFor(event: KeyboardEvent, actions: readonly Action[]): Action | null {
  // 229: an input method has the key, though it composes nothing yet.
  if (event.defaultPrevented || event.isComposing || event.keyCode === 229) return null;
  if (isOwnKey(event.target, event.key)) return null;
  for (const name of namesThatAct(keyNames(event))) {
    const matches = actions.filter((action) => action.key === name && isMeant(action, event));
    if (matches.length === 1) return matches[0] ?? null;
    if (matches.length > 1) {
      console.warn(
        `Key "${name}" is claimed by ${matches.map((action) => action.id).join(" and ")}; it does nothing.`,
      );
      return null;
    }
  }
  return null;
}

function isMeant(action: Action, event: KeyboardEvent): boolean {
  // A held Enter must not submit a row of items.
  if (event.repeat && !action.whileHeld) return false;
  const comesFrom = action.from ?? ((target) => !isTyping(target));
  return comesFrom(event.target) && action.isEnabled();
}

export interface HelpLine {
  label: string;
  /** Those that do it, each with its key. */
  commands: { id: string; key: string | null }[];
  /** When it acts; null where it acts now. */
  when: string | null;
}

interface HelpGroup {
  name: string;
  lines: HelpLine[];
}

/**
 * For the help sheet: what has a key, by group, in the order of the registry; two keys for one thing share a line.
 * `withKeyless`: what has none too.
 */
export function helpGroups(actions: readonly Action[], withKeyless = false): HelpGroup[] {
  const groups = new Map<string, Map<string, HelpLine>>();
  for (const { id, key, label, group, isEnabled, when = "not now" } of actions) {
    if (key === null && !withKeyless) continue;
    const lines = groups.get(group) ?? new Map<string, HelpLine>();
    const line = lines.get(label);
    const isNow = isEnabled() || line?.when === null;
    lines.set(label, {
      label,
      commands: [...(line?.commands ?? []), { id, key }],
      when: isNow ? null : when,
    });
    groups.set(group, lines);
  }
  return [...groups].map(([name, lines]) => ({ name, lines: [...lines.values()] }));
}
