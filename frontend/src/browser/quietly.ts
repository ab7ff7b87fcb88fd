/** Give null where the browser lets this site keep nothing, or no more. */
export function quietly<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}
