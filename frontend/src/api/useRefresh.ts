import { type QueryKey, useQueryClient } from "@tanstack/react-query";

/** Asks the server anew for what the keys name, and waits for what the page shows of it. */
export function useRefresh(): (...keys: readonly QueryKey[]) => Promise<unknown> {
  const client = useQueryClient();
  return (...keys) => Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
}
