import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "react-router";
import { get, ofProject, post } from "../../api/client";
import { NotLoaded } from "../../components/states";
import { TokenList } from "../../components/TokenList";
import { useZone } from "../../session/project";

const memberTokensQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["tokens", projectId],
    queryFn: ({ signal }) => get("/api/projects/{project_id}/tokens/", { ...ofProject(projectId), signal }),
  });

/** The API tokens of all members for this project, which an admin may revoke. */
export function MemberTokens({ projectId }: { projectId: string }) {
  const { data: tokens, error, refetch } = useQuery(memberTokensQuery(projectId));
  const zone = useZone();
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: (id: string) =>
      post("/api/tokens/{token_id}/revoke/", { params: { path: { token_id: id } } }),
    onSettled: () => client.invalidateQueries({ queryKey: memberTokensQuery(projectId).queryKey }),
  });
  return (
    <section className="card stack" aria-labelledby="tokens">
      <h2 id="tokens">API tokens</h2>
      <p>
        Scripts of members reach this project with these. Each member makes their own on the page{" "}
        <Link to="/account">Your account</Link>; a token may never do more than its person.
      </p>
      {error && <NotLoaded what="The list of tokens" error={error} retry={refetch} />}
      {tokens?.length === 0 && <p className="mute">Nobody has one.</p>}
      {tokens && (
        <TokenList
          tokens={tokens}
          zone={zone}
          of={(token) => token.person}
          onRevoke={(id) => revoke.mutateAsync(id)}
        />
      )}
    </section>
  );
}
