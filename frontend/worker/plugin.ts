import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Plugin, Rolldown } from "vite";

/** What works without a network: the screens of somebody who labels, and what reads the codebook on them. */
const SCREENS = /\/(features\/(label|answers|projects|sign-in)\/index|components\/MarkdownText)\.tsx$/;
const ICON = "assets/favicon.svg";

/**
 * Writes sw.js beside the built page, with the names of the files that it keeps. Workbox's plug-in would keep the built
 * page itself; here the server writes its path into the page (config/page.py), so that the worker asks the server for it.
 */
export function serviceWorker(): Plugin {
  return {
    name: "service-worker",
    enforce: "post",
    // After Vite has taken chunks away that held nothing but styles.
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        const chunks = Object.values(bundle).filter((each) => each.type === "chunk");
        const entry = chunks.find((chunk) => chunk.isEntry);
        if (!entry) throw new Error("The build has no entry.");
        const screens = chunks.filter((chunk) => SCREENS.test(chunk.facadeModuleId ?? ""));
        const files = new Set([entry.fileName]);
        for (const chunk of [entry, ...screens]) add(chunk, bundle, files);
        const listed = JSON.stringify([...files, ICON]);
        const source = readFileSync(new URL("./serviceWorker.js", import.meta.url), "utf-8");
        const build = createHash("sha256").update(listed).update(source).digest("hex").slice(0, 12);
        this.emitFile({
          type: "asset",
          fileName: "sw.js",
          source: source.replace('["__FILES__"]', listed).replace("__BUILD__", build),
        });
      },
    },
  };
}

/** A chunk, what it imports, and their styles. */
function add(chunk: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle, files: Set<string>): void {
  files.add(chunk.fileName);
  for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(style);
  for (const name of chunk.imports) {
    const imported = bundle[name];
    if (imported?.type === "chunk" && !files.has(name)) add(imported, bundle, files);
  }
}
