import { useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect } from "react";
import { Navigate, useLocation } from "react-router";
import { keepOnlyOf, remember } from "../api/offline";
import { meQuery } from "../api/queries";
import type { Me } from "../api/types";
import { rememberSignedIn } from "../browser/signedIn";
import { Failure, Loading } from "../components/states";

const MeContext = createContext<Me | null>(null);

/** The signed-in person; only inside RequireSession. */
export function useMe(): Me {
  const me = useContext(MeContext);
  if (!me) throw new Error("useMe is used outside RequireSession");
  return me;
}

/** Shows its children to a signed-in person, and sends anyone else to the sign-in page and back afterwards. */
export function RequireSession({ children }: { children: ReactNode }) {
  const { data: me, error, isPending, refetch } = useQuery(meQuery);
  const location = useLocation();
  useEffect(() => {
    if (me) rememberSignedIn(me.id);
  }, [me]);
  if (isPending) return <Loading what="Quorum" />;
  if (error && !me) return <Failure error={error} retry={refetch} />;
  if (!me) return <Navigate to={signInPath(location.pathname + location.search)} replace />;
  return <MeContext value={me}>{children}</MeContext>;
}

export function signInPath(next: string): string {
  return next === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(next)}`;
}

/** A path of this site only: an address given in a link must not lead elsewhere after the sign-in. */
export function safeNext(next: string | null): string {
  return next && /^\/(?![/\\])/.test(next) ? next : "/";
}

/** Takes up a new session: what was loaded for the person before is forgotten. */
export function useBeginSession(): (me: Me) => void {
  const client = useQueryClient();
  return (me) => {
    client.clear();
    rememberSignedIn(me.id);
    void keepOnlyOf(me.id);
    // Given by the sign-in itself, so that the query need not ask.
    void remember("me", me, me.id);
    client.setQueryData(meQuery.queryKey, me);
  };
}
