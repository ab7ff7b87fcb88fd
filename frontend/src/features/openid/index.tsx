import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Link, Navigate, useNavigate, useSearchParams } from "react-router";
import { meQuery } from "../../api/queries";
import { Failure, Loading } from "../../components/states";
import { safeNext, signInPath, useBeginSession } from "../../session/session";
import { problemOf } from "./problems";

/** Where the browser comes back from the provider: it goes on as the signed-in person, or says what went wrong. */
export function Component() {
  const [params] = useSearchParams();
  const why = params.get("why");
  return why ? <Problem code={why} /> : <GoOn next={safeNext(params.get("next"))} />;
}

function GoOn({ next }: { next: string }) {
  const me = useQuery({ ...meQuery, staleTime: 0 });
  const begin = useBeginSession();
  const navigate = useNavigate();
  const hasBegun = useRef(false);
  const person = me.isFetching ? undefined : me.data;
  useEffect(() => {
    if (!person || hasBegun.current) return;
    hasBegun.current = true;
    begin(person);
    void navigate(next, { replace: true });
  });
  if (me.error) return <Failure error={me.error} retry={() => me.refetch()} />;
  if (person === null) return <Navigate to={signInPath(next)} replace />;
  return <Loading what="Quorum" />;
}

function Problem({ code }: { code: string }) {
  const { title, ways } = problemOf(code);
  const { data: me } = useQuery(meQuery);
  useEffect(() => {
    document.title = "Sign-in · Quorum";
  }, []);
  return (
    <main className="page narrow" id="main">
      <div className="page-head">
        <h1>{title}</h1>
      </div>
      <div className="card stack">
        {ways.map((way) => (
          <p key={way}>{way}</p>
        ))}
        <p>
          {me ? (
            <Link to="/account">Go to your account</Link>
          ) : (
            <Link to="/sign-in">Go to the sign-in page</Link>
          )}
        </p>
      </div>
    </main>
  );
}
