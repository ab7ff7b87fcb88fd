import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { isApiError } from "../../api/errors";
import { meQuery } from "../../api/queries";
import { bindFields } from "../../components/bindFields";
import { Field } from "../../components/Field";
import { NewPasswordField, PasswordField } from "../../components/PasswordField";
import { Refusal } from "../../components/Refusal";
import { useMe } from "../../session/session";
import { Address } from "./Address";
import { Appearance } from "./Appearance";
import { accountApi, signInsQuery } from "./api";
import { NoticeMails } from "./NoticeMails";
import { OwnData } from "./OwnData";
import { NoPassword, Provider } from "./Provider";
import { SignIns } from "./SignIns";
import { Tokens } from "./Tokens";

export function Component() {
  const me = useMe();
  return (
    <main className="page narrow" id="main">
      <div className="page-head">
        <h1>Your account</h1>
        <p className="mute">
          You sign in as <b>{me.username}</b>.
        </p>
      </div>
      <NameForm name={me.display_name} />
      <Appearance />
      <Address />
      <NoticeMails />
      {me.has_password ? <PasswordForm /> : <NoPassword />}
      <Provider />
      <SignIns />
      <Tokens />
      <OwnData />
    </main>
  );
}

function NameForm({ name }: { name: string }) {
  const [typed, setTyped] = useState(name);
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: () => accountApi.setProfile({ display_name: typed }),
    onSuccess: (me) => client.setQueryData(meQuery.queryKey, me),
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <form className="card stack" onSubmit={submit} aria-labelledby="name">
      <h2 id="name">Name</h2>
      <Field
        label="Your name"
        autoComplete="name"
        required
        maxLength={150}
        hint="Admins of your projects see this name. Exports show a number instead."
        value={typed}
        onValue={setTyped}
        errors={isApiError(change.error) ? change.error.fields.display_name : undefined}
      />
      <Refusal error={change.error} placed={(field) => field === "display_name"} />
      <Done when={change.isSuccess && typed === name}>Your name is changed.</Done>
      <div className="row">
        <button type="submit" className="button" disabled={change.isPending || typed === name}>
          Change name
        </button>
      </div>
    </form>
  );
}

const NOTHING = { current: "", password: "" };

function PasswordForm() {
  const [typed, setTyped] = useState(NOTHING);
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: () => accountApi.setPassword(typed.current, typed.password),
    onSuccess: () => {
      setTyped(NOTHING);
      return client.invalidateQueries({ queryKey: signInsQuery.queryKey });
    },
  });
  const errors = isApiError(change.error) ? change.error.fields : {};
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    change.mutate();
  };
  const field = bindFields(typed, errors, (part) => setTyped((before) => ({ ...before, ...part })));
  return (
    <form className="card stack" onSubmit={submit} aria-labelledby="password">
      <h2 id="password">Password</h2>
      <p className="mute small">A new password signs you out everywhere else.</p>
      <PasswordField label="Current password" autoComplete="current-password" {...field("current")} />
      <NewPasswordField label="New password" {...field("password")} />
      <Refusal error={change.error} placed={(name) => name in typed} />
      <Done when={change.isSuccess && typed === NOTHING}>Your password is changed.</Done>
      <div className="row">
        <button type="submit" className="button" disabled={change.isPending}>
          Change password
        </button>
      </div>
    </form>
  );
}

function Done({ when, children }: { when: boolean; children: string }) {
  return <div role="status">{when && <p className="notice ok">{children}</p>}</div>;
}
