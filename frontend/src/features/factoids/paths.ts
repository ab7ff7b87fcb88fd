export const factoidsPath = (projectId: string) => `/projects/${projectId}/factoids`;
export const listPath = (projectId: string, id: string) => `${factoidsPath(projectId)}/lists/${id}`;
export const pairingPath = (projectId: string, id: string) => `${factoidsPath(projectId)}/pairings/${id}`;
export const resultsPath = (projectId: string, id: string) => `${factoidsPath(projectId)}/sets/${id}`;
