import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { type Member, membersApi } from "../../api/members";
import { Copyable } from "../../components/Copyable";
import { Dialog } from "../../components/Dialog";
import { Refusal } from "../../components/Refusal";
import { useZone } from "../../session/project";
import { moment } from "../../text/format";
import { LinkReach } from "./LinkReach";

/** For a member who forgot their password: a link that sets a new one. */
export function PasswordLink({ member }: { member: Member }) {
  const [isOpen, setOpen] = useState(false);
  const name = member.display_name;
  return (
    <>
      <button
        type="button"
        className="button quiet"
        aria-label={`Make a password link for ${name}`}
        onClick={() => setOpen(true)}
      >
        Password link
      </button>
      {isOpen && <LinkDialog member={member} onClose={() => setOpen(false)} />}
    </>
  );
}

function LinkDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const zone = useZone();
  const name = member.display_name;
  const make = useMutation({ mutationFn: () => membersApi.passwordLink(member.id) });
  return (
    <Dialog title={`Has ${name} forgotten the password?`} onClose={onClose}>
      {make.data ? (
        <>
          <p>
            <b>Send this to {name} alone</b>: whoever opens it becomes {name}. It is shown only now, works
            once, and until {moment(make.data.expires_at, zone)}.
          </p>
          <Copyable text={make.data.url} what="link" />
          <LinkReach url={make.data.url} />
        </>
      ) : (
        <p>
          A link lets {name} choose a new password, once, within a day. The old password works until then;
          afterwards {name} is signed out everywhere else. An earlier link ends. The log says that you made
          it.
        </p>
      )}
      <Refusal error={make.error} />
      <div className="row">
        {!make.data && (
          <button
            type="button"
            className="button primary"
            disabled={make.isPending}
            onClick={() => make.mutate()}
          >
            Make the link
          </button>
        )}
        <button type="button" className="button" onClick={onClose}>
          {make.data ? "Done" : "Cancel"}
        </button>
      </div>
    </Dialog>
  );
}
