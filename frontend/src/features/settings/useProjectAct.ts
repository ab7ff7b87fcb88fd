import { useMutation, useQueryClient } from "@tanstack/react-query";
import { projectQuery, projectsQuery } from "../../api/queries";
import type { Project } from "../../api/types";
import { useAnnounce } from "../../components/Announcer";

/** `stored` is called before the page shows what was stored: the form may then be another one. */
export function useProjectAct<T>(act: (argument: T) => Promise<Project>, said: string, stored?: () => void) {
  const client = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: act,
    onSuccess: async (project) => {
      stored?.();
      client.setQueryData(projectQuery(project.id).queryKey, project);
      announce(said);
      await client.invalidateQueries({ queryKey: projectsQuery.queryKey });
    },
  });
}
