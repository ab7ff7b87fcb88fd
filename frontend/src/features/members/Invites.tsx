import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useId, useState } from "react";
import { isApiError } from "../../api/errors";
import { type Invite, invitesQuery, membersApi } from "../../api/members";
import { serverQuery } from "../../api/queries";
import { ROLE_MEANS, ROLES } from "../../api/roles";
import type { Project, Role } from "../../api/types";
import { useRefresh } from "../../api/useRefresh";
import { ConfirmButton } from "../../components/ConfirmButton";
import { Field } from "../../components/Field";
import { Refusal } from "../../components/Refusal";
import { Select } from "../../components/Select";
import { NotLoaded } from "../../components/states";
import { KeptNotice } from "../../kept/KeptNotice";
import { useKept } from "../../kept/useKept";
import { useClientId } from "../../outbox/useClientId";
import { type Sent, useKeptClientId } from "../../outbox/useKeptClientId";
import { useZone } from "../../session/project";
import { counted, moment } from "../../text/format";
import { LinkReach } from "./LinkReach";

export function Invites({ project }: { project: Project }) {
  const { data: invites, error, refetch } = useQuery(invitesQuery(project.id));
  return (
    <section className="card stack" aria-labelledby="invite">
      <div className="stack-tight">
        <h2 id="invite">Invite somebody</h2>
        <p className="mute">
          One link a person: it works once, for an account that they make or already have. People cannot be
          looked up by name.
        </p>
      </div>
      <NewInvite project={project} invites={invites} />
      {error && <NotLoaded what="The list of invitations" error={error} retry={refetch} />}
      {invites && invites.length > 0 && <InviteList invites={invites} project={project} />}
    </section>
  );
}

function NewInvite({ project, invites = [] }: { project: Project; invites?: Invite[] }) {
  const form = useKept(`invitation.${project.id}`, {
    ...{ role: "annotator" as Role, note: "", address: "" },
    sent: null as Sent | null,
  });
  const { sent: _, ...body } = form.value;
  const { role, note, address } = body;
  const change = (part: Partial<typeof body>) => form.set((before) => ({ ...before, ...part }));
  const clientId = useKeptClientId(form);
  const zone = useZone();
  const { data: server } = useQuery(serverQuery);
  const client = useQueryClient();
  const [links, setLinks] = useState<Invite[]>([]);
  const invite = useMutation({
    mutationFn: () => membersApi.invite(project.id, { ...body, client_id: clientId(body) }),
    onSuccess: (made) => {
      // A link is told once: the next one must not hide it.
      if (made.url) setLinks((before) => [made, ...before.filter(({ id }) => id !== made.id)]);
      // The next press makes another one.
      if (isOpen(made)) form.discard();
      else form.set((before) => ({ ...before, sent: null }));
      return client.invalidateQueries({ queryKey: invitesQuery(project.id).queryKey });
    },
  });
  const errors = isApiError(invite.error) ? invite.error.fields : {};
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    invite.mutate();
  };
  return (
    <>
      <KeptNotice form={form} what="the invitation" />
      <form className="invite-form" onSubmit={submit} aria-label="Invite somebody">
        <Select
          label="As"
          value={role}
          options={ROLES.map((value) => ({ value, text: value }))}
          hint={ROLE_MEANS[role]}
          onValue={(value) => change({ role: value as Role })}
        />
        <Field
          label="Note"
          value={note}
          maxLength={200}
          hint="Whom the link is for, so that you can tell links apart. Only admins see it."
          errors={errors.note}
          onValue={(value) => change({ note: value })}
        />
        {server?.sends_mail && (
          <Field
            label="Mail address"
            type="email"
            value={address}
            maxLength={254}
            hint="The link is sent there, and only an account with this address can use it. Left empty, you pass the link on yourself."
            errors={errors.address}
            onValue={(value) => change({ address: value })}
          />
        )}
        <button type="submit" className="button primary" disabled={invite.isPending}>
          {address ? "Send the link" : "Make a link"}
        </button>
      </form>
      <Refusal error={invite.error} placed={(field) => field === "note" || field === "address"} />
      {invite.data && !isOpen(invite.data) && (
        <p className="notice warn" role="alert">
          This invitation was made before, and no longer lets anybody in: {inviteWords(invite.data, zone)}.
          Press the button again to make a new one.
        </p>
      )}
      {invite.data?.address && isOpen(invite.data) && !isGone(invite.data, invites) && (
        <p className="notice ok" role="status">
          A mail with the link for one {invite.data.role} is on its way to {invite.data.address}.
        </p>
      )}
      {links.map(
        (made) => made.url && !isGone(made, invites) && <Link key={made.id} invite={made} url={made.url} />,
      )}
    </>
  );
}

/** Used, revoked or given up since the link was shown or mailed. */
function isGone({ id }: Invite, invites: readonly Invite[]): boolean {
  return invites.some((each) => each.id === id && (!isOpen(each) || each.mail_problem));
}

function Link({ invite, url }: { invite: Invite; url: string }) {
  const zone = useZone();
  const id = useId();
  const [said, setSaid] = useState("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url);
      setSaid("Copied.");
    } catch {
      // Browsers refuse the clipboard on pages that are not served over https.
      document.getElementById(id)?.focus();
      setSaid("The browser did not allow copying. The link is selected: copy it with the keyboard.");
    }
  };
  return (
    <div className="notice ok stack" role="status">
      <label htmlFor={id}>
        <b>
          Link for one {invite.role}
          {invite.note && ` (${invite.note})`}.
        </b>{" "}
        It is shown only now; send it to the person. It works until {moment(invite.expires_at, zone)}.
      </label>
      <div className="row invite-link">
        <input
          id={id}
          className="input"
          readOnly
          value={url}
          onFocus={(event) => event.currentTarget.select()}
        />
        <button type="button" className="button" onClick={copy}>
          Copy
        </button>
      </div>
      {said && <p className="small">{said}</p>}
      <LinkReach url={url} />
    </div>
  );
}

function InviteList({ invites, project }: { invites: Invite[]; project: Project }) {
  const zone = useZone();
  const open = invites.filter(isOpen);
  return (
    <>
      {open.length > 0 && (
        <ul className="invite-list" aria-label="Open invitations">
          {open.map((invite) => (
            <OpenInvite key={invite.id} invite={invite} project={project} />
          ))}
        </ul>
      )}
      <details className="more">
        <summary>
          {counted(invites.length, "invitation")} so far, {open.length} open
        </summary>
        <ul className="invite-list">
          {invites.map((invite) => (
            <li key={invite.id}>
              <b>{nameOf(invite)}</b>, made {moment(invite.created_at, zone)}: {inviteWords(invite, zone)}
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

/** "annotator (for Bruno)", "annotator (bruno@example.org)". */
function nameOf({ role, note, address }: Invite): string {
  const whom = [note, address].filter(Boolean).join(", ");
  return whom ? `${role} (${whom})` : role;
}

/** A link that still lets somebody in. */
function OpenInvite({ invite, project }: { invite: Invite; project: Project }) {
  const zone = useZone();
  const refresh = useRefresh();
  const revoke = () => membersApi.revoke(invite.id).finally(() => refresh(invitesQuery(project.id).queryKey));
  const made = `made ${moment(invite.created_at, zone)}`;
  return (
    <li>
      <b>{nameOf(invite)}</b>, {made}: {inviteWords(invite, zone)}{" "}
      <ConfirmButton
        button="Revoke"
        label={`Revoke the link for one ${nameOf(invite)}, ${made}`}
        className="button quiet inline"
        title="Revoke this link?"
        act="Revoke the link"
        danger
        onConfirm={revoke}
      >
        <p>
          The link for one {nameOf(invite)}, {made}, no longer works. Whoever holds it needs a new one. People
          who joined by other links stay.
        </p>
      </ConfirmButton>
      {invite.mail_problem && <LinkInstead invite={invite} project={project} />}
    </li>
  );
}

/** A link that the admin passes on, since the mail with the other one was given up. */
function LinkInstead({ invite: { role, note, address }, project }: { invite: Invite; project: Project }) {
  const refresh = useRefresh();
  const idOf = useClientId();
  const make = useMutation({
    mutationFn: () => {
      const body = { role, note: note || address, address: "" };
      return membersApi.invite(project.id, { ...body, client_id: idOf(body) });
    },
    onSuccess: () => refresh(invitesQuery(project.id).queryKey),
  });
  if (make.data?.url) return <Link invite={make.data} url={make.data.url} />;
  return (
    <>
      <button
        type="button"
        className="button quiet inline"
        disabled={make.isPending}
        onClick={() => make.mutate()}
      >
        Make a link to pass on yourself
      </button>
      <Refusal error={make.error} />
    </>
  );
}

function isOpen({ used_at, revoked_at, expires_at }: Invite): boolean {
  return !used_at && !revoked_at && Date.parse(expires_at) >= Date.now();
}

function inviteWords(invite: Invite, zone: string): string {
  if (invite.used_at) return `used ${moment(invite.used_at, zone)}`;
  if (invite.revoked_at) return `revoked ${moment(invite.revoked_at, zone)}`;
  if (!isOpen(invite)) return "ran out unused";
  if (invite.mail_problem) return `the mail was given up, so nobody has the link (${invite.mail_problem})`;
  const isWaiting = invite.address && !invite.mailed_at;
  return `open until ${moment(invite.expires_at, zone)}${isWaiting ? ", the mail has not left yet" : ""}`;
}
