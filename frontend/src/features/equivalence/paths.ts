export const equivalencePath = (projectId: string) => `/projects/${projectId}/equivalence`;
export const evaluationPath = (projectId: string, id: string) => `${equivalencePath(projectId)}/${id}`;
export const instancesPath = (projectId: string) => `${equivalencePath(projectId)}/instances`;
