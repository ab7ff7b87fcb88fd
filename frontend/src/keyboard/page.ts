import { useSyncExternalStore } from "react";
import { keyAsPressed, useCharacterKeys } from "./characterKeys";
import { bound, onOwnKeys, ownKeys } from "./ownKeys";
import type { Action } from "./registry";

/** The actions of the screens that are shown, by who brought them. */
const shown = new Map<symbol, readonly Action[]>();
const listeners = new Set<() => void>();

export function showActions(owner: symbol, actions: readonly Action[] | null): void {
  if (actions) shown.set(owner, actions);
  else shown.delete(owner);
  // Without keys of a person's own, what is printed does not depend on the page.
  if (Object.keys(ownKeys()).length === 0) return;
  for (const listener of listeners) listener();
}

/** All actions of the page, with the keys that they have by default. */
export function shownActions(): Action[] {
  return [...shown.values()].flat();
}

/** The key that does on this page what `name` does by default, as it is pressed now; null where none does. */
export function usePressedKey(name: string): string | null {
  const mode = useCharacterKeys();
  const key = useSyncExternalStore(subscribe, () => keyInUse(name));
  return key === null ? null : keyAsPressed(key, mode);
}

function keyInUse(name: string): string | null {
  const own = ownKeys();
  if (Object.keys(own).length === 0) return name;
  const actions = shownActions();
  const place = actions.findIndex((action) => action.key === name);
  return place === -1 ? name : (bound(actions, own)[place]?.key ?? null);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  const stop = onOwnKeys(listener);
  return () => {
    listeners.delete(listener);
    stop();
  };
}
