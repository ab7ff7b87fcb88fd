import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { type SubmitEvent, useEffect, useState } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import { post } from "../../api/client";
import type { Answer } from "../../api/contract";
import { isApiError } from "../../api/errors";
import { NewPasswordField } from "../../components/PasswordField";
import { Refusal } from "../../components/Refusal";
import { Failure, Loading } from "../../components/states";
import { signInPath, useBeginSession } from "../../session/session";

type Shown = Answer<"/api/password-links/", "post">;

/** Opened by a link whose token stands behind `#`, which browsers send to no server. */
export function Component() {
  const token = useLocation().hash.slice(1);
  const link = useQuery(linkQuery(token));
  useEffect(() => {
    document.title = "New password · Quorum";
  }, []);
  if (isApiError(link.error, 409) || isApiError(link.error, 400)) return <Lapsed />;
  if (link.error) return <Failure error={link.error} retry={() => link.refetch()} />;
  if (!link.data) return <Loading what="the link" />;
  return <NewPassword token={token} shown={link.data} />;
}

/** Asked once a visit: after it was used the link is used up, which is no fault. */
const linkQuery = (token: string) =>
  queryOptions({
    queryKey: ["password-link", token],
    queryFn: ({ signal }) => post("/api/password-links/", { body: { token }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

function NewPassword({ token, shown }: { token: string; shown: Shown }) {
  const [password, setPassword] = useState("");
  const navigate = useNavigate();
  const begin = useBeginSession();
  const use = useMutation({
    mutationFn: () => post("/api/password-links/use/", { body: { token, password } }),
    onSuccess: async (me) => {
      begin(me);
      await navigate("/", { replace: true });
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    use.mutate();
  };
  return (
    <main className="page narrow" id="main">
      <div className="page-head">
        <h1>Choose a new password</h1>
        <p className="mute">
          For the account <b>{shown.username}</b> ({shown.display_name}). You are then signed in here, and
          signed out everywhere else.
        </p>
      </div>
      <form className="card stack" onSubmit={submit} aria-label="Choose a new password">
        {/* Lets the browser store the new password under the right name. */}
        <input type="text" autoComplete="username" value={shown.username} readOnly hidden />
        <NewPasswordField
          label="New password"
          autoFocus
          value={password}
          onValue={setPassword}
          errors={isApiError(use.error) ? use.error.fields.password : undefined}
        />
        <Refusal error={use.error} placed={(field) => field === "password"} />
        <button type="submit" className="button primary" disabled={use.isPending}>
          Set the password and sign in
        </button>
      </form>
    </main>
  );
}

function Lapsed() {
  return (
    <main className="page narrow" id="main">
      <div className="page-head">
        <h1>This link no longer sets a password</h1>
        <p>
          It was used or replaced by a newer one, expired after a day, or part of it is missing. Ask the
          person who gave it to you for a new one.
        </p>
        <p>
          You know your password? <Link to={signInPath("/")}>Sign in</Link>.
        </p>
      </div>
    </main>
  );
}
