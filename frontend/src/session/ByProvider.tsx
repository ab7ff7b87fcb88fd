import { useMutation, useQuery } from "@tanstack/react-query";
import { post } from "../api/client";
import { serverQuery } from "../api/queries";
import { Refusal } from "../components/Refusal";

/** The button that signs in by OpenID Connect, where the server offers it. With an invitation it is accepted as well. */
export function ByProvider({ next = "/", invite }: { next?: string; invite?: string }) {
  const { data: server } = useQuery(serverQuery);
  const begin = useMutation({
    mutationFn: () => post("/api/openid/", { body: invite ? { next, invite } : { next } }),
    onSuccess: ({ url }) => window.location.assign(url),
  });
  if (!server?.openid_button) return null;
  return (
    <div className="stack">
      <Refusal error={begin.error} />
      <button
        type="button"
        className="button"
        // The browser is on its way once it succeeded.
        disabled={begin.isPending || begin.isSuccess}
        onClick={() => begin.mutate()}
      >
        {server.openid_button}
      </button>
    </div>
  );
}
