import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { api, type InviteAnswer } from "../../api/endpoints";
import { isApiError } from "../../api/errors";
import { meQuery } from "../../api/queries";
import { bindFields } from "../../components/bindFields";
import { Field } from "../../components/Field";
import { NewPasswordField } from "../../components/PasswordField";
import { Refusal } from "../../components/Refusal";
import { Failure, Loading } from "../../components/states";
import { ByProvider } from "../../session/ByProvider";
import { signInPath, useBeginSession } from "../../session/session";

export function Component() {
  const { token = "" } = useParams();
  const me = useQuery(meQuery);
  const accept = useAccept();
  // The new session forgets what was loaded: asked again, the used link would be refused.
  const isUsed = accept.isPending || accept.isSuccess;
  const invite = useQuery({ ...inviteQuery(token), enabled: !isUsed });
  if (isApiError(invite.error, 409)) return <Lapsed isSignedIn={Boolean(me.data)} />;
  const error = me.error ?? invite.error;
  if (error) return <Failure error={error} retry={() => (me.error ? me.refetch() : invite.refetch())} />;
  if (me.data === undefined || !invite.data) return <Loading what="the invitation" />;
  return (
    <main className="page narrow" id="main">
      <div className="page-head">
        <h1>You are invited</h1>
        <p className="mute">
          {invite.data.invited_by} asks you to join the project <b>{invite.data.project}</b> in Quorum as{" "}
          {invite.data.role}.
        </p>
      </div>
      {me.data ? (
        <JoinAs name={me.data.display_name} token={token} accept={accept} />
      ) : (
        <NewAccount token={token} accept={accept} />
      )}
    </main>
  );
}

/** Asked once a visit: after it was accepted the link is used up, which is no fault. */
const inviteQuery = (token: string) =>
  queryOptions({
    queryKey: ["invite", token],
    queryFn: ({ signal }) => api.invite(token, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

function Lapsed({ isSignedIn }: { isSignedIn: boolean }) {
  return (
    <main className="page narrow" id="main">
      <div className="page-head">
        <h1>This link no longer works</h1>
        <p>
          It was used or revoked, has expired, or part of it is missing. Ask the person who sent it for a new
          one.
        </p>
        <p>
          {isSignedIn ? (
            <Link to="/">Go to your projects</Link>
          ) : (
            <>
              You used it yourself? <Link to={signInPath("/")}>Sign in</Link>.
            </>
          )}
        </p>
      </div>
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

interface JoinProps {
  token: string;
  accept: ReturnType<typeof useAccept>;
}

function JoinAs({ name, token, accept }: JoinProps & { name: string }) {
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

function NewAccount({ token, accept }: JoinProps) {
  const [account, setAccount] = useState({ username: "", display_name: "", password: "" });
  const errors = isApiError(accept.error) ? accept.error.fields : {};
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    accept.mutate({ token, ...account });
  };
  const field = bindFields(account, errors, (part) => setAccount((before) => ({ ...before, ...part })));
  return (
    <form className="card stack" onSubmit={submit} aria-label="Create an account">
      <Field label="User name" autoComplete="username" required {...field("username")} />
      <Field label="Your name" autoComplete="name" required {...field("display_name")} />
      <NewPasswordField label="Password" {...field("password")} />
      <Refusal error={accept.error} placed={(name) => name in account} />
      <button type="submit" className="button primary" disabled={accept.isPending}>
        Create the account and join
      </button>
      <ByProvider invite={token} />
      <p className="small mute">
        You have an account already? <Link to={signInPath(`/invite/${token}`)}>Sign in with it</Link>.
      </p>
    </form>
  );
}
