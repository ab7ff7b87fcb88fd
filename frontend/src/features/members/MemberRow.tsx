import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Member, membersApi, membersQuery } from "../../api/members";
import { meQuery } from "../../api/queries";
import { ROLE_MEANS, ROLES, withArticle } from "../../api/roles";
import type { Role } from "../../api/types";
import { useRefresh } from "../../api/useRefresh";
import { Confirm } from "../../components/Confirm";
import { ConfirmButton } from "../../components/ConfirmButton";
import { Refusal } from "../../components/Refusal";
import { count } from "../../text/format";
import { PasswordLink } from "./PasswordLink";

interface MemberRowProps {
  member: Member;
  projectId: string;
}

export function MemberRow({ member, projectId }: MemberRowProps) {
  const { setRole, deactivate, activate } = useMemberActs(member, projectId);
  const [askedRole, setAskedRole] = useState<Role | null>(null);
  const { data: me } = useQuery(meQuery);
  return (
    <>
      <tr className={member.is_active ? undefined : "gone"}>
        <th scope="row">
          {member.display_name} <span className="user-name">{member.username}</span>
        </th>
        <td className="exports">annotator {member.number}</td>
        <td className="role-cell">
          <RoleSelect member={member} busy={setRole.isPending} onRole={setAskedRole} />
          {askedRole && (
            <ConfirmRole
              member={member}
              role={askedRole}
              setRole={setRole}
              onClose={() => {
                setRole.reset();
                setAskedRole(null);
              }}
            />
          )}
        </td>
        <td className="number nowrap done">
          {count(member.done)} of {count(member.total)}
        </td>
        <td className="activity">{member.is_active ? "active" : "deactivated"}</td>
        <td className="act">
          {member.is_active && member.username !== me?.username && <PasswordLink member={member} />}
          {member.is_active ? (
            <Deactivate member={member} onConfirm={deactivate} />
          ) : (
            <button
              type="button"
              className="button quiet"
              aria-label={`Activate ${member.display_name}`}
              disabled={activate.isPending}
              onClick={() => activate.mutate()}
            >
              Activate
            </button>
          )}
        </td>
      </tr>
      {activate.error && (
        <tr>
          <td colSpan={6} className="refused">
            <Refusal error={activate.error} />
          </td>
        </tr>
      )}
    </>
  );
}

interface RoleSelectProps {
  member: Member;
  busy: boolean;
  onRole: (role: Role) => void;
}

function RoleSelect({ member, busy, onRole }: RoleSelectProps) {
  return (
    <select
      className="input role"
      aria-label={`Role of ${member.display_name}`}
      value={member.role}
      disabled={busy}
      onChange={(event) => onRole(event.currentTarget.value as Role)}
    >
      {ROLES.map((role) => (
        <option key={role} value={role}>
          {role}
        </option>
      ))}
    </select>
  );
}

function useMemberActs(member: Member, projectId: string) {
  const refresh = useRefresh();
  const onSettled = () => refresh(membersQuery(projectId).queryKey);
  const setRole = useMutation({ mutationFn: (role: Role) => membersApi.setRole(member.id, role), onSettled });
  const activate = useMutation({ mutationFn: () => membersApi.activate(member.id), onSettled });
  return { setRole, activate, deactivate: () => membersApi.deactivate(member.id).finally(onSettled) };
}

interface ConfirmRoleProps {
  member: Member;
  role: Role;
  setRole: ReturnType<typeof useMemberActs>["setRole"];
  onClose: () => void;
}

function ConfirmRole({
  member: { display_name, role: before, done, total },
  role,
  setRole,
  onClose,
}: ConfirmRoleProps) {
  return (
    <Confirm
      title={`Make ${display_name} ${withArticle(role)}?`}
      act={`Make ${display_name} ${withArticle(role)}`}
      busy={setRole.isPending}
      error={setRole.error}
      onConfirm={() => setRole.mutate(role, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>
        {display_name} is {withArticle(before)} now. {ROLE_MEANS[role]}
      </p>
      {before === "admin" && <p>{display_name} can no longer change anything in the project's pages.</p>}
      {total > 0 && (
        <p>
          {count(done)} of {count(total)} assignments are done. They stay, the open ones too, and answers keep
          counting in the rounds that named {display_name}.
        </p>
      )}
      <p>The role can be changed back at any time.</p>
    </Confirm>
  );
}

function Deactivate({ member, onConfirm }: { member: Member; onConfirm: () => Promise<unknown> }) {
  const open = member.total - member.done;
  return (
    <ConfirmButton
      button="Deactivate"
      label={`Deactivate ${member.display_name}`}
      className="button quiet"
      title={`Deactivate ${member.display_name}?`}
      act={`Deactivate ${member.display_name}`}
      danger
      onConfirm={onConfirm}
    >
      <p>
        What {member.display_name} has labelled stays and keeps counting: in the agreement, the majority, the
        training sets and the export.
      </p>
      <p>
        {open > 0
          ? `The ${count(open)} open assignments are withdrawn, so that the batch does not wait for them.`
          : "No assignment is open."}{" "}
        {member.display_name} can't open the project until activated again.
      </p>
    </ConfirmButton>
  );
}
