const KEY = "quorum.signed-in";

/** Who signed in last in this browser, whichever tab did it. */
export function rememberSignedIn(userId: string | null): void {
  if (userId) localStorage.setItem(KEY, userId);
  else localStorage.removeItem(KEY);
}

export function signedInHere(): string | null {
  return localStorage.getItem(KEY);
}
