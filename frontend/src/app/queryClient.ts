import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { isApiError } from "../api/errors";
import { meQuery } from "../api/queries";

/** Only what may pass by itself is asked again, twice. */
function retry(failures: number, error: Error): boolean {
  return isApiError(error) && error.isTemporary && failures < 2;
}

export function createQueryClient(): QueryClient {
  const signedOut = (error: Error, query?: { meta?: Record<string, unknown> }) => {
    // What is asked beside the work takes nobody from it: answers wait for the next sign-in.
    if (query?.meta?.beside) return;
    // The signed-in pages watch `me`: null sends them to the sign-in page and back afterwards.
    if (isApiError(error, 401)) client.setQueryData(meQuery.queryKey, null);
  };
  const client: QueryClient = new QueryClient({
    defaultOptions: { queries: { retry, refetchOnWindowFocus: true }, mutations: { retry: false } },
    queryCache: new QueryCache({ onError: (error, query) => signedOut(error, query) }),
    mutationCache: new MutationCache({ onError: (error) => signedOut(error) }),
  });
  return client;
}
