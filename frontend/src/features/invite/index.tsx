import { useMutation, useQuery } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { api, type InviteAnswer } from "../../api/endpoints";
import { errorWords, isApiError } from "../../api/errors";
import { meQuery } from "../../api/queries";
import { signInPath, useBeginSession } from "../../app/session";
import { Field } from "../../components/Field";
import { Failure, Loading } from "../../components/states";

export function Component() {
  const { token = "" } = useParams();
  const { data: me, error, isPending, refetch } = useQuery(meQuery);
  if (isPending) return <Loading what="the invitation" />;
  if (error) return <Failure error={error} retry={refetch} />;
  return (
    <main className="page narrow" id="main">
      <div className="page-head">
        <h1>You are invited</h1>
        <p className="mute">Somebody asks you to work on a project in Quorum.</p>
      </div>
      {me ? <JoinAs name={me.display_name} token={token} /> : <NewAccount token={token} />}
    </main>
  );
}

function useAccept() {
  const navigate = useNavigate();
  const begin = useBeginSession();
  return useMutation({
    mutationFn: (body: InviteAnswer) => api.acceptInvite(body),
    onSuccess: async (me) => {
      begin(me);
      await navigate("/", { replace: true });
    },
  });
}

function JoinAs({ name, token }: { name: string; token: string }) {
  const accept = useAccept();
  return (
    <div className="card stack">
      <p>
        You are signed in as <b>{name}</b>.
      </p>
      <Refusal error={accept.error} />
      <button
        type="button"
        className="button primary"
        disabled={accept.isPending}
        onClick={() => accept.mutate({ token })}
      >
        Join the project
      </button>
    </div>
  );
}

function NewAccount({ token }: { token: string }) {
  const [account, setAccount] = useState({ username: "", display_name: "", password: "" });
  const accept = useAccept();
  const errors = isApiError(accept.error) ? accept.error.fields : {};
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    accept.mutate({ token, ...account });
  };
  const field = (name: keyof typeof account) => ({
    value: account[name],
    errors: errors[name],
    onValue: (value: string) => setAccount((before) => ({ ...before, [name]: value })),
  });
  return (
    <form className="card stack" onSubmit={submit} aria-label="Make an account">
      <Field label="User name" autoComplete="username" required {...field("username")} />
      <Field label="Your name" autoComplete="name" required {...field("display_name")} />
      <Field
        label="Password"
        type="password"
        autoComplete="new-password"
        required
        hint="Long and known only to you; four unrelated words do well."
        {...field("password")}
      />
      <Refusal error={accept.error} />
      <button type="submit" className="button primary" disabled={accept.isPending}>
        Make the account and join
      </button>
      <p className="small mute">
        You have an account already? <Link to={signInPath(`/invite/${token}`)}>Sign in with it</Link>.
      </p>
    </form>
  );
}

function Refusal({ error }: { error: Error | null }) {
  if (!error) return null;
  return (
    <p className="notice bad" role="alert">
      {isApiError(error, 404)
        ? "This invitation is not known, was used, or has lapsed. Ask for a new one."
        : errorWords(error)}
    </p>
  );
}
