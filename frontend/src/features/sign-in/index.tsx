import { useMutation, useQuery } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { Navigate, useNavigate, useSearchParams } from "react-router";
import { api } from "../../api/endpoints";
import { errorWords } from "../../api/errors";
import { meQuery, serverQuery } from "../../api/queries";
import { Field } from "../../components/Field";
import { PasswordField } from "../../components/PasswordField";
import { ByProvider } from "../../session/ByProvider";
import { safeNext, useBeginSession } from "../../session/session";
import { Forgotten } from "./Forgotten";

export function Component() {
  const [params] = useSearchParams();
  const next = safeNext(params.get("next"));
  const { data: me } = useQuery(meQuery);
  const { data: server } = useQuery(serverQuery);
  if (me) return <Navigate to={next} replace />;
  return (
    <main className="page narrow" id="main">
      <div className="page-head">
        <h1>Quorum</h1>
        <p className="mute">Label text together, each on your own.</p>
      </div>
      {server?.awaits_first && (
        <p className="notice">
          Nobody runs this server yet. Whoever started it finds a link in what it printed: open it to make the
          first account.
        </p>
      )}
      <div className="card stack">
        <SignInForm next={next} cameBack={params.has("next")} />
        <ByProvider next={next} />
        <Forgotten />
      </div>
    </main>
  );
}

function SignInForm({ next, cameBack }: { next: string; cameBack: boolean }) {
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const navigate = useNavigate();
  const begin = useBeginSession();
  const signIn = useMutation({
    mutationFn: () => api.signIn(username, password),
    onSuccess: async (me) => {
      begin(me);
      await navigate(next, { replace: true });
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    signIn.mutate();
  };
  return (
    <form className="stack" onSubmit={submit} aria-label="Sign in">
      {cameBack && (
        <p className="small mute">Sign in to go on where you were. Answers not yet sent are kept.</p>
      )}
      <Field
        label="User name"
        autoComplete="username"
        autoFocus
        required
        value={username}
        onValue={setUsername}
      />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        value={password}
        onValue={setPassword}
      />
      {signIn.error && (
        <p className="notice bad" role="alert">
          {errorWords(signIn.error)}
        </p>
      )}
      <button type="submit" className="button primary" disabled={signIn.isPending}>
        {signIn.isPending ? "Signing in" : "Sign in"}
      </button>
    </form>
  );
}
