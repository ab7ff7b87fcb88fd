/** Who may import whom. CONTRIBUTING.md tells the same in words. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";

/** A folder imports only itself and those that stand before it. */
const LAYERS = [
  "styles",
  "text",
  "browser",
  "api",
  "keyboard",
  "components",
  "session",
  "kept",
  "outbox",
  "annotate",
  "activeLearning",
  "features",
  "app",
  "main.tsx",
];

const SRC = import.meta.dirname;
const FILES = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((path) =>
  /\.(tsx?|css)$/.test(path),
);
const IMPORTS = new Map(FILES.map((path) => [path, importsOf(path)]));
const PRODUCT = FILES.filter((path) => !path.startsWith("test/") && !/\.(test|d)\.tsx?$/.test(path));

function importsOf(path: string): string[] {
  if (path.endsWith(".css")) return [];
  const { importedFiles } = ts.preProcessFile(readFileSync(join(SRC, path), "utf8"), true, true);
  return importedFiles
    .map(({ fileName }) => fileName)
    .filter((name) => name.startsWith("."))
    .flatMap((name) => {
      const target = join(dirname(path), name);
      const found = ["", ".ts", ".tsx", ".d.ts"]
        .map((end) => target + end)
        .find((each) => FILES.includes(each));
      return found ? [found] : [];
    });
}

function importsThat(isWrong: (from: string, to: string) => boolean, from = PRODUCT): string[] {
  return from.flatMap((path) =>
    (IMPORTS.get(path) ?? []).filter((to) => isWrong(path, to)).map((to) => `${path} imports ${to}`),
  );
}

it("finds the imports", () => {
  expect(IMPORTS.get("main.tsx")).toContain("app/router.tsx");
  expect(PRODUCT.map((path) => path.split("/")[0]).filter((top = "") => !LAYERS.includes(top))).toEqual([]);
});

it("lets a folder import only what stands before it", () => {
  const place = (path: string) => LAYERS.indexOf(path.split("/")[0] ?? "");
  expect(importsThat((from, to) => place(to) === -1 || place(to) > place(from))).toEqual([]);
});

it("lets no screen import another one, its tests included", () => {
  const screens = FILES.filter((path) => path.startsWith("features/"));
  const isOther = (from: string, to: string) =>
    to.startsWith("features/") && to.split("/")[1] !== from.split("/")[1];
  expect(importsThat(isOther, screens)).toEqual([]);
});

it("has no files that import each other in a circle", () => {
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (path: string, way: string[]) => {
    if (way.includes(path)) circles.push([...way.slice(way.indexOf(path)), path].join(" > "));
    if (way.includes(path) || done.has(path)) return;
    for (const next of IMPORTS.get(path) ?? []) visit(next, [...way, path]);
    done.add(path);
  };
  for (const path of FILES) visit(path, []);
  expect(circles).toEqual([]);
});
