import { isOwnKey, isTyping, keyNames } from "./keys";

/** A command of the page: its button, its key and its line in the help sheet all come from here. */
export interface Action {
  id: string;
  label: string;
  group: string;
  /** As `keyNames` writes it. */
  key: string | null;
  isEnabled: () => boolean;
  run: () => void;
}

/** The action that a key press asks for; null when it asks for none, or when two claim the key. */
export function actionFor(event: KeyboardEvent, actions: readonly Action[]): Action | null {
  // A held Enter must not submit a row of items.
  if (event.defaultPrevented || event.isComposing || event.repeat) return null;
  if (event.ctrlKey || event.altKey || event.metaKey) return null;
  if (isTyping(event.target) || isOwnKey(event.target, event.key)) return null;
  for (const name of keyNames(event)) {
    const matches = actions.filter((action) => action.key === name && action.isEnabled());
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

export interface ActionGroup {
  name: string;
  actions: Action[];
}

/** For the help sheet: every action that has a key now, by group, in the order of the registry. */
export function groupedActions(actions: readonly Action[]): ActionGroup[] {
  const groups = new Map<string, Action[]>();
  for (const action of actions) {
    if (action.key === null || !action.isEnabled()) continue;
    groups.set(action.group, [...(groups.get(action.group) ?? []), action]);
  }
  return [...groups].map(([name, members]) => ({ name, actions: members }));
}
