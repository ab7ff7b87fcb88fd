import { useQuery } from "@tanstack/react-query";
import { useProject } from "../../session/project";
import { choicesQuery } from "./api";

/** How a system is called; one that is no longer offered, or was imported, goes by its name. */
export function useSystemTitle(): (name: string) => string {
  const { id } = useProject();
  const { data } = useQuery(choicesQuery(id));
  const offered = [...(data?.systems ?? []), ...(data?.language_models ?? [])];
  return (name) => offered.find((each) => each.name === name)?.title ?? name;
}
