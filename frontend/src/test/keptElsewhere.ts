import { act } from "@testing-library/react";

/** Does in this browser's storage what another tab does, and tells the page of it as a browser does. */
export function inAnotherTab(change: () => void): void {
  const before = { ...localStorage };
  change();
  const keys = new Set([...Object.keys(before), ...Object.keys(localStorage)]);
  for (const key of keys)
    if (before[key] !== (localStorage.getItem(key) ?? undefined))
      act(() => void window.dispatchEvent(new StorageEvent("storage", { key })));
}
