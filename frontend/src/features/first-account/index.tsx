import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { type SubmitEvent, useEffect, useState } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import { post } from "../../api/client";
import { isApiError } from "../../api/errors";
import { serverQuery } from "../../api/queries";
import { bindFields } from "../../components/bindFields";
import { Field } from "../../components/Field";
import { NewPasswordField } from "../../components/PasswordField";
import { Refusal } from "../../components/Refusal";
import { Failure, Loading } from "../../components/states";
import { signInPath, useBeginSession } from "../../session/session";

/** Opened by a link whose token stands behind `#`, which browsers send to no server. */
export function Component() {
  const token = useLocation().hash.slice(1);
  const link = useQuery(linkQuery(token));
  useEffect(() => {
    document.title = "First account · Quorum";
  }, []);
  if (isApiError(link.error, 409) || isApiError(link.error, 400)) return <Lapsed />;
  if (link.error) return <Failure error={link.error} retry={() => link.refetch()} />;
  if (!link.data) return <Loading what="the link" />;
  return (
    <main className="page narrow" id="main">
      <div className="page-head">
        <h1>Make the first account</h1>
        <p className="mute">
          It may create projects. Everybody else is invited from a project's page Members.
        </p>
      </div>
      <FirstAccount token={token} />
    </main>
  );
}

/** Asked once a visit: after it was used the link is used up, which is no fault. */
const linkQuery = (token: string) =>
  queryOptions({
    queryKey: ["first-link", token],
    queryFn: ({ signal }) => post("/api/first-account/link/", { body: { token }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

function FirstAccount({ token }: { token: string }) {
  const { data: server } = useQuery(serverQuery);
  const [account, setAccount] = useState({ username: "", display_name: "", address: "", password: "" });
  const navigate = useNavigate();
  const begin = useBeginSession();
  const make = useMutation({
    mutationFn: () => post("/api/first-account/", { body: { token, ...account } }),
    onSuccess: async (me) => {
      begin(me);
      await navigate("/", { replace: true });
    },
  });
  const errors = isApiError(make.error) ? make.error.fields : {};
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    make.mutate();
  };
  const field = bindFields(account, errors, (part) => setAccount((before) => ({ ...before, ...part })));
  return (
    <form className="card stack" onSubmit={submit} aria-label="Make the first account">
      <Field label="User name" autoComplete="username" autoFocus required {...field("username")} />
      <Field label="Your name" autoComplete="name" required {...field("display_name")} />
      {server?.sends_mail && (
        <Field
          label="Your mail address (may stay empty)"
          type="email"
          autoComplete="email"
          hint="A mail with a link confirms it. It then gets you back in if you forget your password."
          {...field("address")}
        />
      )}
      <NewPasswordField label="Password" {...field("password")} />
      <Refusal error={make.error} placed={(name) => name in account} />
      <button type="submit" className="button primary" disabled={make.isPending}>
        Make the account
      </button>
    </form>
  );
}

function Lapsed() {
  return (
    <main className="page narrow" id="main">
      <div className="page-head">
        <h1>This link makes no account</h1>
        <p>
          It was used or replaced by a newer one, expired after a day, or part of it is missing. Or somebody
          runs this server already: ask them for an invitation.
        </p>
        <p>
          Whoever starts the server gets a new link with <code>manage.py first_link</code>, while nobody runs
          it.
        </p>
        <p>
          You made the account just now? <Link to={signInPath("/")}>Sign in</Link>.
        </p>
      </div>
    </main>
  );
}
