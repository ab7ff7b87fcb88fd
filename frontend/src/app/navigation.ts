import type { Project } from "../api/types";

export interface Screen {
  /** Folder under features/ and, but for a path of its own, the address below the project. */
  name: string;
  title: string;
  /** Where it is more than the name. */
  path?: string;
  /** Reached from this screen, not from the header. */
  within?: string;
  roles: readonly Project["role"][];
  /** In the header only where a codebook of the project has this; the address always leads there, and says why. */
  needs?: "spans" | "stages";
}

/** A project's screens in the order of the header. The folder's index.tsx exports the screen as `Component`. */
export const SCREENS: readonly Screen[] = [
  { name: "overview", title: "Overview", roles: ["admin"] },
  { name: "import", title: "Import", roles: ["admin"] },
  { name: "items", title: "Items", roles: ["admin"] },
  { name: "codebook", title: "Codebook", roles: ["admin"] },
  { name: "rounds", title: "Rounds", roles: ["admin"] },
  { name: "insights", title: "Insights", roles: ["admin"], needs: "stages" },
  {
    name: "simulations",
    title: "Simulations",
    path: "simulations/:simulationId?",
    roles: ["admin"],
  },
  { name: "agreement", title: "Agreement", roles: ["admin"] },
  { name: "report", title: "Report", roles: ["admin"], needs: "stages" },
  {
    name: "adjudication",
    title: "Disagreements",
    path: "adjudication/:itemId?",
    roles: ["admin", "adjudicator"],
    needs: "stages",
  },
  { name: "comments", title: "Comments", roles: ["admin"] },
  { name: "export", title: "Export", roles: ["admin"] },
  { name: "dataset", title: "Dataset", roles: ["admin"], needs: "spans" },
  { name: "releases", title: "Release", roles: ["admin"] },
  {
    name: "releases/datasheet",
    title: "Datasheet",
    within: "releases",
    roles: ["admin"],
  },
  {
    name: "releases/card",
    title: "Dataset card",
    within: "releases",
    roles: ["admin"],
  },
  { name: "members", title: "Members", roles: ["admin"] },
  { name: "log", title: "Log", roles: ["admin"] },
  { name: "settings", title: "Settings", roles: ["admin"] },
  {
    name: "validation",
    title: "Validate",
    path: "validation/:itemId?",
    roles: ["admin", "adjudicator"],
    needs: "spans",
  },
  {
    name: "label",
    title: "Label",
    path: "label/:assignmentId?",
    roles: ["admin", "annotator", "adjudicator"],
  },
];

type Asking = Pick<Project, "role" | "has_spans" | "has_stages">;

/** What the header offers. */
export function screensFor({ role, has_spans, has_stages }: Asking): Screen[] {
  const has = { spans: has_spans, stages: has_stages };
  return SCREENS.filter(
    ({ roles, needs, within }) => !within && roles.includes(role) && (!needs || has[needs]),
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
