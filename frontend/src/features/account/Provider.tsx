import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { isApiError } from "../../api/errors";
import { serverQuery } from "../../api/queries";
import { PasswordField } from "../../components/PasswordField";
import { Refusal } from "../../components/Refusal";
import { NotLoaded } from "../../components/states";
import { useMe } from "../../session/session";
import { accountApi, providerQuery } from "./api";

/** What stands in place of the form for a password where the account has none. */
export function NoPassword() {
  const { data: server } = useQuery(serverQuery);
  const { address } = useMe();
  return (
    <section className="card stack" aria-labelledby="password">
      <h2 id="password">Password</h2>
      <p>
        You have none: you sign in with “{server?.openid_button || "your institution"}”. To choose one, ask an
        admin of your project for a link
        {server?.sends_mail && address && ", or let the sign-in page send one to your address"}.
      </p>
    </section>
  );
}

/** Whether one's account is linked with the provider of OpenID Connect; shown where the server offers it. */
export function Provider() {
  const { data: server } = useQuery(serverQuery);
  return server?.openid_button ? <ProviderCard button={server.openid_button} /> : null;
}

function ProviderCard({ button }: { button: string }) {
  const { data, error, refetch } = useQuery(providerQuery);
  const { has_password } = useMe();
  return (
    <section className="card stack" aria-labelledby="provider">
      <h2 id="provider">Sign-in by your institution</h2>
      {error && <NotLoaded what="The link" error={error} retry={refetch} />}
      {data && (
        <p className="mute small">
          {data.linked ? (
            <>
              Your account is linked
              {data.name && (
                <>
                  {" "}
                  as <b>{data.name}</b>
                </>
              )}
              . The button “{button}” of the sign-in page leads to it
              {has_password && ", and so does your password"}.
            </>
          ) : (
            <>Once you have linked your account, the button “{button}” of the sign-in page leads to it.</>
          )}
        </p>
      )}
      {data && has_password && <LinkForm isLinked={data.linked} />}
      {data && !has_password && <p className="small">To unlink it, choose a password first.</p>}
    </section>
  );
}

function LinkForm({ isLinked }: { isLinked: boolean }) {
  const [current, setCurrent] = useState("");
  const client = useQueryClient();
  const link = useMutation({
    mutationFn: () => accountApi.link(current),
    onSuccess: ({ url }) => window.location.assign(url),
  });
  const unlink = useMutation({
    mutationFn: () => accountApi.unlink(current),
    onSuccess: () => {
      setCurrent("");
      return client.invalidateQueries({ queryKey: providerQuery.queryKey });
    },
  });
  const act = isLinked ? unlink : link;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    act.mutate();
  };
  return (
    <form className="stack" onSubmit={submit} aria-labelledby="provider">
      <PasswordField
        label="Your password"
        autoComplete="current-password"
        value={current}
        onValue={setCurrent}
        errors={isApiError(act.error) ? act.error.fields.current : undefined}
      />
      <Refusal error={act.error} placed={(name) => name === "current"} />
      <div role="status">
        {unlink.isSuccess && !isLinked && <p className="notice ok">Your account is unlinked.</p>}
      </div>
      <div className="row">
        <button type="submit" className="button" disabled={act.isPending}>
          {isLinked ? "Unlink it" : "Link it"}
        </button>
      </div>
    </form>
  );
}
