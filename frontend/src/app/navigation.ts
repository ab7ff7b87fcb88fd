import type { Project } from "../api/types";

export interface Screen {
  /** Folder under features/ and, but for a path of its own, the address below the project. */
  name: string;
  title: string;
  /** Screens of one group follow each other. What is in none stands above or below the groups. */
  group?: "Set up" | "Label" | "Quality" | "Results";
  /** Where it is more than the name. */
  path?: string;
  /** Reached from this screen, not from the navigation. */
  within?: string;
  /** What a member must be allowed to do; without one it is open to every member. */
  may?: Project["may"][number];
  /** Not in the navigation of who may do this: they have it on another screen. */
  unless?: Project["may"][number];
  /** In the navigation only where the project has this; the address always leads there, and says why. */
  needs?: "spans" | "stages" | "text sets";
  /** What the screen has nothing to show without. */
  waitsFor?: keyof typeof MISSING;
}

type Asking = Pick<
  Project,
  | "may"
  | "has_spans"
  | "has_stages"
  | "has_batches"
  | "has_answers"
  | "has_text_sets"
  | "n_documents"
  | "active_codebook"
>;

/** Whether a project still lacks something, by the words that say so. */
const MISSING = {
  "an import": ({ n_documents }: Asking) => n_documents === 0,
  "an import and a published codebook": ({ n_documents, active_codebook }: Asking) =>
    n_documents === 0 || active_codebook === null,
  "the first batch": ({ has_batches }: Asking) => !has_batches,
  "the first answers": ({ has_answers }: Asking) => !has_answers,
};

/** A project's screens in the order of the navigation. The folder's index.tsx exports the screen as `Component`. */
export const SCREENS: readonly Screen[] = [
  { name: "overview", title: "Overview", may: "manage" },
  { name: "import", title: "Import", group: "Set up", may: "manage" },
  {
    name: "items",
    title: "Items",
    group: "Set up",
    path: "items/:itemId?",
    may: "manage",
    waitsFor: "an import",
  },
  { name: "codebook", title: "Codebook", group: "Set up", may: "manage" },
  { name: "members", title: "Members", group: "Set up", may: "manage" },
  { name: "settings", title: "Settings", group: "Set up", may: "manage" },
  {
    name: "rounds",
    title: "Rounds",
    group: "Label",
    may: "manage",
    waitsFor: "an import and a published codebook",
  },
  {
    name: "label",
    title: "Label",
    group: "Label",
    path: "label/:assignmentId?",
    waitsFor: "the first batch",
  },
  {
    name: "practice",
    title: "Practice",
    group: "Label",
    path: "practice/:practiceId?",
    may: "manage",
    needs: "stages",
    waitsFor: "an import and a published codebook",
  },
  {
    name: "flags",
    title: "Flags",
    group: "Label",
    may: "rate",
    unless: "manage",
    waitsFor: "the first batch",
  },
  {
    name: "pace",
    title: "Your pace",
    group: "Label",
    may: "rate",
    unless: "manage",
    waitsFor: "the first batch",
  },
  { name: "factoids", title: "Factoids", group: "Label", needs: "text sets" },
  {
    name: "factoids/pairing",
    title: "Pairing",
    within: "factoids",
    path: "factoids/pairings/:pairingId",
    may: "resolve",
  },
  {
    name: "factoids/set",
    title: "Results of a text set",
    within: "factoids",
    path: "factoids/sets/:setId",
    may: "manage",
  },
  {
    name: "simulations",
    title: "Simulations",
    group: "Label",
    path: "simulations/:simulationId?",
    may: "manage",
  },
  { name: "agreement", title: "Agreement", group: "Quality", may: "manage", waitsFor: "the first answers" },
  { name: "annotators", title: "Annotators", group: "Quality", may: "manage", waitsFor: "the first answers" },
  {
    name: "adjudication",
    title: "Disagreements",
    group: "Quality",
    path: "adjudication/:itemId?",
    may: "resolve",
    needs: "stages",
    waitsFor: "the first answers",
  },
  {
    name: "validation",
    title: "Validate",
    group: "Quality",
    path: "validation/:itemId?",
    may: "resolve",
    needs: "spans",
    waitsFor: "the first answers",
  },
  {
    name: "equivalence",
    title: "Equivalence classes",
    group: "Quality",
    may: "group",
    needs: "spans",
    waitsFor: "the first answers",
  },
  {
    name: "equivalence/instances",
    title: "Instances",
    within: "equivalence",
    may: "manage",
  },
  {
    name: "equivalence/editor",
    title: "Classes",
    within: "equivalence",
    path: "equivalence/:evaluationId",
    may: "group",
  },
  {
    name: "insights",
    title: "Insights",
    group: "Quality",
    may: "manage",
    needs: "stages",
    waitsFor: "the first batch",
  },
  { name: "comments", title: "Comments", group: "Quality", may: "manage", waitsFor: "the first answers" },
  {
    name: "report",
    title: "Report",
    group: "Results",
    may: "manage",
    needs: "stages",
    waitsFor: "the first answers",
  },
  {
    name: "evaluation",
    title: "Evaluate",
    group: "Results",
    path: "evaluation/:evaluationId?",
    may: "manage",
    needs: "stages",
    waitsFor: "the first answers",
  },
  { name: "evaluation/start", title: "Start an evaluation", within: "evaluation", may: "manage" },
  { name: "evaluation/prompts", title: "Prompts", within: "evaluation", may: "manage" },
  {
    name: "evaluation/errors",
    title: "Errors",
    within: "evaluation",
    path: "evaluation/:evaluationId/errors",
    may: "manage",
  },
  {
    name: "interpretations",
    title: "Interpret",
    group: "Results",
    path: "interpretations/:interpretationId?",
    may: "manage",
    needs: "spans",
    waitsFor: "the first answers",
  },
  {
    name: "interpretations/start",
    title: "Start an interpretation",
    within: "interpretations",
    may: "manage",
  },
  {
    name: "interpretations/generations",
    title: "Generated texts",
    within: "interpretations",
    path: "interpretations/:interpretationId/generations",
    may: "manage",
  },
  {
    name: "interpretations/instances",
    title: "Instances",
    within: "interpretations",
    path: "interpretations/:interpretationId/instances",
    may: "manage",
  },
  { name: "export", title: "Export", group: "Results", may: "manage", waitsFor: "an import" },
  {
    name: "dataset",
    title: "Dataset",
    group: "Results",
    may: "manage",
    needs: "spans",
    waitsFor: "the first answers",
  },
  { name: "releases", title: "Release", group: "Results", may: "manage", waitsFor: "the first answers" },
  { name: "releases/datasheet", title: "Datasheet", within: "releases", may: "manage" },
  { name: "releases/card", title: "Dataset card", within: "releases", may: "manage" },
  { name: "factoids/list", title: "Factoid list", within: "factoids", path: "factoids/lists/:listId" },
  { name: "log", title: "Log", may: "manage" },
];

/** What the navigation offers. */
export function screensFor({ may: allowed, has_spans, has_stages, has_text_sets }: Asking): Screen[] {
  // Admins import the first set there.
  const has = {
    spans: has_spans,
    stages: has_stages,
    "text sets": has_text_sets || allowed.includes("manage"),
  };
  return SCREENS.filter(
    ({ may, unless, needs, within }) =>
      !within &&
      (!may || allowed.includes(may)) &&
      !(unless && allowed.includes(unless)) &&
      (!needs || has[needs]),
  );
}

export interface ScreenGroup {
  title: Screen["group"];
  screens: Screen[];
}

/** Runs of screens of the same group, in the order of the navigation. */
export function grouped(screens: readonly Screen[]): ScreenGroup[] {
  const groups: ScreenGroup[] = [];
  for (const screen of screens) {
    if (groups.length === 0 || groups.at(-1)?.title !== screen.group)
      groups.push({ title: screen.group, screens: [] });
    groups.at(-1)?.screens.push(screen);
  }
  return groups;
}

/** What a screen waits for in this project, in words. */
export function waitingFor({ waitsFor }: Screen, project: Asking): string | null {
  return waitsFor && MISSING[waitsFor](project) ? waitsFor : null;
}

/** "Rounds · Committee stance · Quorum": the most particular first, as tabs are cut at their end. */
export function pageTitle(pathname: string, projectName: string | undefined): string {
  if (pathname === "/account") return "Your account · Quorum";
  const parts = pathname.split("/").slice(3);
  const screen =
    SCREENS.find((each) => each.within && each.name === parts.join("/")) ??
    SCREENS.find((each) => parts[0] === each.name);
  return [screen?.title, projectName, "Quorum"].filter(Boolean).join(" · ");
}
