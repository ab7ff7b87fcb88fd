/*
 * Answers for the page and its files where the server cannot be reached, so that the labelling screen can be loaded
 * anew without a network. Never touches the API. The build writes the two values below (vite.config.ts).
 */
const BUILD = "__BUILD__";
const FILES = ["__FILES__"];

const SCOPE = new URL(self.registration.scope);
/** Installations below other paths of this host have caches of their own. */
const OURS = `quorum ${SCOPE.pathname} `;
const CACHE = OURS + BUILD;
/** A network that is there and brings nothing, as in a train, is waited for no longer than this. */
const PATIENCE_MS = 6_000;

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (
    event.request.method !== "GET" ||
    url.origin !== SCOPE.origin ||
    !url.pathname.startsWith(SCOPE.pathname)
  )
    return;
  const path = url.pathname.slice(SCOPE.pathname.length);
  if (path.startsWith("api/")) return;
  if (event.request.mode === "navigate") event.respondWith(page(event.request));
  else if (path.startsWith("assets/")) event.respondWith(file(event.request));
});

/** All files of one build and the page that names them, or nothing: versions never mix. */
async function install() {
  try {
    await keep(await caches.open(CACHE));
  } catch (error) {
    await caches.delete(CACHE);
    throw error;
  }
  await self.skipWaiting();
}

async function keep(cache) {
  await cache.addAll(FILES.map((path) => new URL(path, SCOPE).href));
  const answer = await fetch(SCOPE.href, { cache: "no-store", redirect: "error" });
  const isOfThisBuild = answer.ok && (await answer.clone().text()).includes(FILES[0]);
  if (!isOfThisBuild) throw new Error("The server's page is of another build than this worker.");
  await cache.put(SCOPE.href, answer);
}

/** The files of the build before stay for the tabs that were opened with it; their names hold a hash of their content. */
async function activate() {
  const own = (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== CACHE);
  await Promise.all(own.slice(0, -1).map((name) => caches.delete(name)));
  await self.clients.claim();
}

/** The server's page wherever it answers, so that a new version is shown at once. */
async function page(request) {
  const kept = await caches.match(SCOPE.href, { cacheName: CACHE });
  const asked = fetch(request);
  if (!kept) return asked;
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS, kept));
  try {
    const answer = await Promise.race([asked, late]);
    return [502, 503, 504].includes(answer.status) ? kept : answer;
  } catch {
    return kept;
  }
}

/** A tab of the build before asks for that build's files, which the server may have no more. */
async function file(request) {
  const search = { ignoreVary: true };
  const ours = await caches.match(request.url, { ...search, cacheName: CACHE });
  return ours ?? (await caches.match(request.url, search)) ?? fetch(request);
}
