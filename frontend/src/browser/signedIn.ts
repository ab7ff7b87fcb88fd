import { ownName } from "./base";
import { quietly } from "./quietly";

const KEY = ownName("quorum.signed-in");
/** Where the browser keeps nothing more: who it is, as far as this page knows. */
let unkept: string | null = null;

/** Who signed in last in this browser, whichever tab did it. */
export function rememberSignedIn(userId: string | null): void {
  const isKept = quietly(() => {
    if (userId) localStorage.setItem(KEY, userId);
    else localStorage.removeItem(KEY);
    return true;
  });
  unkept = isKept ? null : userId;
}

export function signedInHere(): string | null {
  return unkept ?? quietly(() => localStorage.getItem(KEY));
}
