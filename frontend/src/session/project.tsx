import { createContext, useContext } from "react";
import type { Project } from "../api/types";

export const ProjectContext = createContext<Project | null>(null);

/** The project of the page; only inside ProjectShell. */
export function useProject(): Project {
  const project = useContext(ProjectContext);
  if (!project) throw new Error("useProject is used outside ProjectShell");
  return project;
}
