import type { Project } from "../api/types";

export interface Screen {
  /** Folder under features/ and, but for a path of its own, the address below the project. */
  name: string;
  title: string;
  /** Where it is more than the name. */
  path?: string;
  /** Reached from this screen, not from the header. */
  within?: string;
  /** What a member must be allowed to do; without one it is open to every member. */
  may?: Project["may"][number];
  /** In the header only where a codebook of the project has this; the address always leads there, and says why. */
  needs?: "spans" | "stages";
}

/** A project's screens in the order of the header. The folder's index.tsx exports the screen as `Component`. */
export const SCREENS: readonly Screen[] = [
  { name: "overview", title: "Overview", may: "manage" },
  { name: "import", title: "Import", may: "manage" },
  { name: "items", title: "Items", may: "manage" },
  { name: "codebook", title: "Codebook", may: "manage" },
  { name: "rounds", title: "Rounds", may: "manage" },
  { name: "insights", title: "Insights", may: "manage", needs: "stages" },
  {
    name: "simulations",
    title: "Simulations",
    path: "simulations/:simulationId?",
    may: "manage",
  },
  { name: "agreement", title: "Agreement", may: "manage" },
  { name: "report", title: "Report", may: "manage", needs: "stages" },
  {
    name: "adjudication",
    title: "Disagreements",
    path: "adjudication/:itemId?",
    may: "resolve",
    needs: "stages",
  },
  { name: "comments", title: "Comments", may: "manage" },
  { name: "export", title: "Export", may: "manage" },
  { name: "dataset", title: "Dataset", may: "manage", needs: "spans" },
  { name: "releases", title: "Release", may: "manage" },
  {
    name: "releases/datasheet",
    title: "Datasheet",
    within: "releases",
    may: "manage",
  },
  {
    name: "releases/card",
    title: "Dataset card",
    within: "releases",
    may: "manage",
  },
  { name: "members", title: "Members", may: "manage" },
  { name: "log", title: "Log", may: "manage" },
  { name: "settings", title: "Settings", may: "manage" },
  {
    name: "validation",
    title: "Validate",
    path: "validation/:itemId?",
    may: "resolve",
    needs: "spans",
  },
  {
    name: "label",
    title: "Label",
    path: "label/:assignmentId?",
  },
];

type Asking = Pick<Project, "may" | "has_spans" | "has_stages">;

/** What the header offers. */
export function screensFor({ may: allowed, has_spans, has_stages }: Asking): Screen[] {
  const has = { spans: has_spans, stages: has_stages };
  return SCREENS.filter(
    ({ may, needs, within }) => !within && (!may || allowed.includes(may)) && (!needs || has[needs]),
  );
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
