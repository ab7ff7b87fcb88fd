import { Personal, usePersonal } from "./personal";

/** When shortcuts of one letter, digit or sign act: always, with Alt alone, or never (WCAG 2.1.4). */
export type CharacterKeys = "on" | "alt" | "off";

const MODES: readonly CharacterKeys[] = ["on", "alt", "off"];
const chosen = new Personal("character-keys", (written) => MODES.find((mode) => mode === written) ?? "on");

export const characterKeys = chosen.get;

export function setCharacterKeys(mode: CharacterKeys): void {
  chosen.set(mode);
}

/** The person's choice in this browser. */
export function useCharacterKeys(): CharacterKeys {
  return usePersonal(chosen);
}

/** A key that writes a character, with or without Shift: what screen readers and dictation send too. */
function isCharacterKey(name: string): boolean {
  return /^(shift\+)?.$/u.test(name);
}

/** The names of a key press as the person's choice lets them act. */
export function namesThatAct(names: readonly string[], mode: CharacterKeys = characterKeys()): string[] {
  if (mode === "on") return [...names];
  const others = names.filter((name) => !isCharacterKey(name));
  if (mode === "off") return others;
  return others.flatMap((name) => {
    const bare = name.replace("alt+", "");
    return bare !== name && isCharacterKey(bare) ? [name, bare] : [name];
  });
}

/** The key as it is pressed now; null where it does not act. */
export function keyAsPressed(name: string, mode: CharacterKeys): string | null {
  if (mode === "on" || !isCharacterKey(name)) return name;
  return mode === "alt" ? `alt+${name}` : null;
}
