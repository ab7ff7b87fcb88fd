import { keyNames } from "./keys";
import { Personal, usePersonal } from "./personal";
import type { Action } from "./registry";

/** Command -> the key that a person gave it, as `keyNames` writes it. */
export type OwnKeys = Readonly<Record<string, string>>;

const NONE: OwnKeys = {};
const given = new Personal("own-keys", read);

export const ownKeys = given.get;

export function setOwnKeys(keys: OwnKeys): void {
  given.set(JSON.stringify(keys));
}

export function useOwnKeys(): OwnKeys {
  return usePersonal(given);
}

/** Calls `listener` after every change. */
export const onOwnKeys = given.subscribe;

function read(written: string | null): OwnKeys {
  if (written === null) return NONE;
  try {
    const found: unknown = JSON.parse(written);
    if (typeof found !== "object" || found === null) return NONE;
    return Object.fromEntries(Object.entries(found).filter(([, key]) => typeof key === "string"));
  } catch (error) {
    if (error instanceof SyntaxError) return NONE;
    throw error;
  }
}

/** The actions with the keys that the person gave them. A key that was given away is nobody else's. */
export function bound(actions: readonly Action[], own: OwnKeys): readonly Action[] {
  const holders = new Map<string, string>();
  for (const { id } of actions) {
    const key = own[id];
    if (key !== undefined && !holders.has(key)) holders.set(key, id);
  }
  if (holders.size === 0) return actions;
  return actions.map((action) => {
    const key = own[action.id];
    if (key !== undefined && holders.get(key) === action.id) return { ...action, key };
    return action.key !== null && holders.has(action.key) ? { ...action, key: null } : action;
  });
}

/** The other action of the page that has this key now. */
export function holderOf(actions: readonly Action[], own: OwnKeys, id: string, key: string): Action | null {
  return bound(actions, own).find((action) => action.key === key && action.id !== id) ?? null;
}

/** The person's keys once `id` has this one. What had it gets the key that `id` had, or none where that had none. */
export function withKey(actions: readonly Action[], own: OwnKeys, id: string, key: string): OwnKeys {
  const former = bound(actions, own).find((action) => action.id === id)?.key ?? null;
  const holder = holderOf(actions, own, id, key);
  const { [holder?.id ?? ""]: _, ...others } = own;
  return { ...others, ...(holder && former !== null && { [holder.id]: former }), [id]: key };
}

const ALONE = new Set(["Shift", "Control", "Alt", "AltGraph", "Meta", "CapsLock", "Fn", "OS"]);
/** Closing, moving the focus, scrolling, and what a browser does itself. */
const NOT_TO_GIVE =
  /^(shift\+)?(escape|tab| |contextmenu)$|^ctrl\+(shift\+)?[acflnprstvwx]$|^(f5|f11|f12)$|^(process|unidentified)$/;

/** The name to keep for a key press: null while only Shift and its like are held, "" for a key that no command can have. */
export function keyToGive(event: KeyboardEvent): string | null {
  if (ALONE.has(event.key)) return null;
  const names = keyNames(event);
  // A name that every layout can write outlives a change of the layout.
  const name = names.find((each) => /^[!-~]+$/.test(each)) ?? names[0] ?? "";
  return NOT_TO_GIVE.test(name) || /(^|\+) $/.test(name) ? "" : name;
}
