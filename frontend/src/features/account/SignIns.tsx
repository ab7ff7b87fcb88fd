import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Refusal } from "../../components/Refusal";
import { NotLoaded } from "../../components/states";
import { useMe } from "../../session/session";
import { HERE, moment } from "../../text/format";
import { agentWords } from "./agent";
import { accountApi, type SignIn, signInsQuery } from "./api";
import "./account.css";

/** Where one is signed in, with a button that ends each. */
export function SignIns() {
  const { data: rows, error, refetch } = useQuery(signInsQuery);
  const act = useEnding();
  const zone = useMe().time_zone || HERE;
  const others = rows?.filter((row) => !row.is_this) ?? [];
  return (
    <section className="card stack" aria-labelledby="sign-ins">
      <h2 id="sign-ins">Where you are signed in</h2>
      {error && <NotLoaded what="The list" error={error} retry={refetch} />}
      {rows && (
        <ul className="sign-ins">
          {rows.map((row) => (
            <li key={row.id}>
              <Words row={row} zone={zone} />
              {!row.is_this && (
                <button
                  type="button"
                  className="button"
                  aria-label={`End the sign-in by ${agentWords(row.agent)}, last used ${moment(row.seen_at, zone)}`}
                  disabled={act.isPending}
                  onClick={() => act.mutate(row.id)}
                >
                  End
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      <Refusal error={act.error} />
      {others.length > 1 && (
        <div className="row">
          <button type="button" className="button" disabled={act.isPending} onClick={() => act.mutate(null)}>
            End all others
          </button>
        </div>
      )}
    </section>
  );
}

/** Ends the sign-in of an id; null ends all but this one. */
function useEnding() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string | null) => (id === null ? accountApi.endOthers() : accountApi.end(id)),
    onSettled: () => client.invalidateQueries({ queryKey: signInsQuery.queryKey }),
  });
}

function Words({ row, zone }: { row: SignIn; zone: string }) {
  return (
    <div>
      <b>{agentWords(row.agent)}</b>
      {row.is_this && " (this one)"}
      <p className="small mute">
        Since {moment(row.signed_in_at, zone)}, last used {moment(row.seen_at, zone)}. Ends{" "}
        {moment(row.expires_at, zone)} if not used before.
      </p>
    </div>
  );
}
