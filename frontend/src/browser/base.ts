/** The path of this installation, with a slash at its end: "/", or below a path of a host "/quorum/". Written into the page by the server. */
export const BASE =
  globalThis.document?.querySelector<HTMLMetaElement>('meta[name="quorum-base"]')?.content ?? "/";

/** Give the address of a path of the server: "/api/me/" is "/quorum/api/me/" below "/quorum/". */
export function at(path: string, base = BASE): string {
  return base + path.slice(1);
}

/** Give a name of this installation alone, for what browsers keep by host: "csrftoken" is "csrftoken_quorum" below "/quorum/". */
export function ownName(name: string, base = BASE): string {
  return name + base.slice(0, -1).replaceAll("/", "_");
}

/** Give the path to go to instead of one that is not below the base; null where it is. */
export function strayed(pathname: string, base = BASE): string | null {
  if (pathname.startsWith(base)) return null;
  return `${pathname}/` === base ? base : at(pathname, base);
}
