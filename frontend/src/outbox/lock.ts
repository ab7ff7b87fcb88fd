export type Lock = (name: string, signal: AbortSignal, work: () => Promise<void>) => Promise<void>;

/**
 * One tab of this browser at a time does the work; the others wait until it ends or its tab closes.
 * Web locks exist in secure contexts only. Without them every tab sends: the server answers a repeated client id with
 * the stored annotation, so nothing is doubled.
 */
export const browserLock: Lock = async (name, signal, work) => {
  if (!navigator.locks) return work();
  try {
    await navigator.locks.request(name, { signal }, work);
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "AbortError")) throw error;
  }
};
