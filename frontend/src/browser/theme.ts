import { ownName } from "./base";
import { quietly } from "./quietly";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const KEY = ownName("quorum.theme");

/** The colours that were chosen in this browser; "system" follows the device. */
export function chosenTheme(): Theme {
  const kept = quietly(() => localStorage.getItem(KEY));
  return THEMES.find((theme) => theme === kept) ?? "system";
}

/** Shows the page in the colours, and keeps the choice for this browser. */
export function chooseTheme(theme: Theme): void {
  quietly(() => localStorage.setItem(KEY, theme));
  show(theme);
}

/** Shows the page in the chosen colours, also when another tab chooses others. */
export function followTheme(): void {
  show(chosenTheme());
  window.addEventListener("storage", ({ key }) => {
    if (key === KEY || key === null) show(chosenTheme());
  });
}

function show(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
}
