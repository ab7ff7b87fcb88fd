import { at, BASE } from "./base";

/**
 * Lets the page be loaded anew without a network. Browsers allow it on https and on this machine itself only. A server
 * that has no such file any more takes it back: the worker and what it kept are removed.
 */
export async function registerWorker(): Promise<void> {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  const address = at("/sw.js");
  try {
    await navigator.serviceWorker.register(address, { scope: BASE, updateViaCache: "none" });
  } catch {
    // Without a network nothing is registered anew, and the one that is there stays.
    const answer = await fetch(address, { method: "HEAD", cache: "no-store" }).catch(() => null);
    if (answer && isPage(answer)) await removeWorker();
  }
}

/** Where there is no such file the server answers the page instead. A proxy's error says nothing about the file. */
function isPage(answer: Response): boolean {
  return answer.ok && (answer.headers.get("content-type") ?? "").includes("html");
}

async function removeWorker(): Promise<void> {
  await (await navigator.serviceWorker.getRegistration(BASE))?.unregister();
  for (const name of await caches.keys()) if (name.startsWith(`quorum ${BASE} `)) await caches.delete(name);
}
