import { useSyncExternalStore } from "react";

/** Whether a finger is what this device is pointed at with: then no key is named, and no mouse. */
export function useTouch(): boolean {
  return useSyncExternalStore(subscribe, () => window.matchMedia?.(COARSE).matches ?? false);
}

const COARSE = "(hover: none) and (pointer: coarse)";

function subscribe(listener: () => void): () => void {
  const query = window.matchMedia?.(COARSE);
  query?.addEventListener("change", listener);
  return () => query?.removeEventListener("change", listener);
}
