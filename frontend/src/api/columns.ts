import { queryOptions } from "@tanstack/react-query";
import { get, ofProject } from "./client";

/** The imported columns of the project's texts, and which of them stand beside a text. */
export const columnsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["columns", projectId],
    queryFn: ({ signal }) => get("/api/projects/{project_id}/columns/", { ...ofProject(projectId), signal }),
  });
