import { createContext, useContext } from "react";
import type { Project } from "../api/types";
import { useMe } from "./session";

export const ProjectContext = createContext<Project | null>(null);

/** The project of the page; only inside ProjectShell. */
export function useProject(): Project {
  const project = useContext(ProjectContext);
  if (!project) throw new Error("useProject is used outside ProjectShell");
  return project;
}

/** The time zone in which times of a project are shown: the person's, or the project's where they chose none. */
export function useZoneOf({ time_zone }: Project): string {
  return useMe().time_zone || time_zone;
}

/** The same on a page of the project. */
export function useZone(): string {
  return useZoneOf(useProject());
}
