import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { isApiError } from "../../api/errors";
import { projectsQuery } from "../../api/queries";
import { bindFields } from "../../components/bindFields";
import { Copyable } from "../../components/Copyable";
import { Disclosure } from "../../components/Disclosure";
import { Field } from "../../components/Field";
import { PasswordField } from "../../components/PasswordField";
import { Refusal } from "../../components/Refusal";
import { Select } from "../../components/Select";
import { NotLoaded } from "../../components/states";
import { TokenList } from "../../components/TokenList";
import { useMe } from "../../session/session";
import { HERE } from "../../text/format";
import { accountApi, tokensQuery } from "./api";
import "./account.css";

const SCOPES = {
  read: "Read: exports and figures; it changes nothing",
  label: "Label: answer, decide and group, as you may",
  manage: "Manage: all that an admin does with a script",
} as const;
type Scope = keyof typeof SCOPES;
const DAYS = ["1", "7", "30", "90", "366"];

/** Tokens with which the person's scripts reach a project. */
export function Tokens() {
  const { data: tokens, error, refetch } = useQuery(tokensQuery);
  const client = useQueryClient();
  const zone = useMe().time_zone || HERE;
  const revoke = useMutation({
    mutationFn: accountApi.revokeToken,
    onSettled: () => client.invalidateQueries({ queryKey: tokensQuery.queryKey }),
  });
  return (
    <section className="card stack" aria-labelledby="tokens">
      <h2 id="tokens">API tokens</h2>
      <p className="mute small">
        With a token a script of yours reaches one project, until a day that you choose. It may never do more
        than you. Whoever has it acts as you there, so keep it as you keep a password.
      </p>
      {error && <NotLoaded what="The list of tokens" error={error} retry={refetch} />}
      {tokens?.length === 0 && <p className="mute">You have none.</p>}
      {tokens && (
        <TokenList
          tokens={tokens}
          zone={zone}
          of={(token) => token.project_name}
          onRevoke={(id) => revoke.mutateAsync(id)}
        />
      )}
      <Disclosure title="Make a token">
        <NewToken />
      </Disclosure>
    </section>
  );
}

const NOTHING = { project: "", name: "", scope: "read" as Scope, days: "30", current: "" };

function NewToken() {
  const [typed, setTyped] = useState(NOTHING);
  const client = useQueryClient();
  const { data: projects } = useQuery(projectsQuery);
  const make = useMutation({
    mutationFn: () => accountApi.makeToken({ ...typed, days: Number(typed.days) }),
    onSuccess: () => {
      setTyped(NOTHING);
      return client.invalidateQueries({ queryKey: tokensQuery.queryKey });
    },
  });
  const open = (projects ?? []).filter(({ archived_at }) => archived_at === null);
  const project = open.find(({ id }) => id === typed.project);
  const scopes = (Object.keys(SCOPES) as Scope[]).filter(
    (scope) => scope !== "manage" || project?.may.includes("manage"),
  );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    make.mutate();
  };
  const errors = isApiError(make.error) ? make.error.fields : {};
  const change = (part: Partial<typeof NOTHING>) => setTyped((before) => ({ ...before, ...part }));
  const field = bindFields(typed, errors, change);
  return (
    <form className="stack" onSubmit={submit} aria-label="Make a token">
      {make.data && (
        <div className="notice ok stack" role="status">
          <p>
            <b>Copy it now</b>: it is shown only once. It reaches {make.data.project_name}.
          </p>
          <Copyable text={make.data.token} what="token" />
        </div>
      )}
      <Select
        label="Project"
        value={typed.project}
        errors={errors.project}
        options={[
          { value: "", text: "Choose a project" },
          ...open.map(({ id, name }) => ({ value: id, text: name })),
        ]}
        onValue={(id) => change({ project: id, scope: "read" })}
      />
      <Field label="What it is for" required maxLength={100} {...field("name")} />
      <Select
        label="It may"
        value={typed.scope}
        errors={errors.scope}
        options={scopes.map((scope) => ({ value: scope, text: SCOPES[scope] }))}
        onValue={(scope) => change({ scope: scope as Scope })}
      />
      <Select
        label="It works for"
        value={typed.days}
        errors={errors.days}
        options={DAYS.map((days) => ({ value: days, text: days === "1" ? "1 day" : `${days} days` }))}
        onValue={(days) => change({ days })}
      />
      <PasswordField label="Your password" autoComplete="current-password" {...field("current")} />
      <Refusal error={make.error} placed={(name) => name in typed} />
      <div className="row">
        <button type="submit" className="button" disabled={make.isPending || !typed.project}>
          Make the token
        </button>
      </div>
    </form>
  );
}
