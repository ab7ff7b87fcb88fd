import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { api } from "../api/endpoints";
import { errorWords, isApiError } from "../api/errors";
import { keepOnlyOf } from "../api/offline";
import { meQuery } from "../api/queries";
import { rememberSignedIn } from "../browser/signedIn";
import { CancelButton, Dialog } from "../components/Dialog";
import { dropAllKept, keptCount } from "../kept/drafts";
import { useOutbox, useOutboxState } from "../outbox/OutboxProvider";
import { isFlag, isSubmit } from "../outbox/order";
import type { OutboxEntry } from "../outbox/types";
import { useMe } from "../session/session";
import { counted, listed } from "../text/format";

/** Signs out; where unsent answers or unsaved texts stay in this browser, it asks first. */
export function SignOut() {
  const me = useMe();
  const outbox = useOutbox();
  const { entries } = useOutboxState();
  const [asks, setAsks] = useState<{ texts: number } | null>(null);
  const signOut = useSignOut();
  return (
    <>
      <button
        type="button"
        className="button quiet"
        title={`Signed in as ${me.display_name}`}
        onClick={() => {
          const texts = keptCount(me.id) + outbox.drafts.written();
          if (entries.length + texts > 0) setAsks({ texts });
          else signOut.mutate({ deletesTexts: false });
        }}
      >
        Sign out
      </button>
      {signOut.error && (
        <span className="save-status bad" role="alert">
          Not signed out: {errorWords(signOut.error)}
        </span>
      )}
      {asks && entries.length + asks.texts > 0 && (
        <Dialog title="Sign out with something not saved?" onClose={() => setAsks(null)}>
          {entries.length > 0 && <p>{entriesStay(entries)}</p>}
          {asks.texts > 0 && <p>{textsStay(asks.texts)}</p>}
          <div className="row">
            <button
              type="button"
              className="button primary"
              onClick={() => signOut.mutate({ deletesTexts: false })}
            >
              Sign out all the same
            </button>
            {asks.texts > 0 && (
              <button
                type="button"
                className="button danger"
                onClick={() => signOut.mutate({ deletesTexts: true })}
              >
                Delete the texts and sign out
              </button>
            )}
            <CancelButton onClose={() => setAsks(null)} />
          </div>
        </Dialog>
      )}
    </>
  );
}

function entriesStay(entries: readonly OutboxEntry[]): string {
  const answers = entries.filter(isSubmit).length;
  const flags = entries.filter(isFlag).length;
  const steps = entries.length - answers - flags;
  const what = [
    ...(answers > 0 ? [counted(answers, "answer")] : []),
    ...(flags > 0 ? [counted(flags, "flag")] : []),
    ...(steps > 0 ? [`${counted(steps, "step")} on factoid lists`] : []),
  ];
  const words = listed(what);
  return entries.length === 1
    ? `${words} has not reached the server. It stays in this browser, and is sent when you sign in here again.`
    : `${words} have not reached the server. They stay in this browser, and are sent when you sign in here again.`;
}

function textsStay(n: number): string {
  const found =
    n === 1
      ? "1 text that you typed is not saved. It stays"
      : `${n} texts that you typed are not saved. They stay`;
  return `${found} in this browser, shown to nobody but you, until you sign in here again. On a computer that others use, delete what they must not find.`;
}

function useSignOut() {
  const client = useQueryClient();
  const me = useMe();
  const outbox = useOutbox();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async (_: { deletesTexts: boolean }) => {
      try {
        await api.signOut();
      } catch (error) {
        // Signed out already: that is what was asked.
        if (!isApiError(error, 401)) throw error;
      }
    },
    onSuccess: async (_, { deletesTexts }) => {
      if (deletesTexts) {
        await outbox.drafts.dropAll();
        dropAllKept(me.id);
      }
      rememberSignedIn(null);
      await keepOnlyOf(null);
      client.clear();
      client.setQueryData(meQuery.queryKey, null);
      await navigate("/sign-in");
    },
  });
}
