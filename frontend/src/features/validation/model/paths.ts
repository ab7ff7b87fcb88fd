/** The list, or one item of it. */
export function pathTo(projectId: string, itemId = ""): string {
  return `/projects/${projectId}/validation${itemId && `/${itemId}`}`;
}
