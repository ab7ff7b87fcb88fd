import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { api } from "../api/endpoints";
import { errorWords, isApiError } from "../api/errors";
import { meQuery } from "../api/queries";
import { Dialog } from "../components/Dialog";
import { useOutboxState } from "../outbox/OutboxProvider";
import { rememberSignedIn } from "../outbox/signedIn";
import { useMe } from "./session";

/** Signs out; with answers still on their way it asks first. */
export function SignOut() {
  const me = useMe();
  const { entries } = useOutboxState();
  const [asks, setAsks] = useState(false);
  const signOut = useSignOut();
  return (
    <>
      <button
        type="button"
        className="button quiet"
        title={`Signed in as ${me.display_name}`}
        onClick={() => (entries.length > 0 ? setAsks(true) : signOut.mutate())}
      >
        Sign out
      </button>
      {signOut.error && (
        <span className="save-status bad" role="alert">
          Not signed out: {errorWords(signOut.error)}
        </span>
      )}
      {asks && entries.length > 0 && (
        <Dialog title="Sign out with answers not saved?" onClose={() => setAsks(false)}>
          <p>
            {entries.length === 1
              ? "1 answer has not reached the server. It stays in this browser, and is sent when you sign in here again."
              : `${entries.length} answers have not reached the server. They stay in this browser, and are sent when you sign in here again.`}
          </p>
          <div className="row">
            <button type="button" className="button" onClick={() => setAsks(false)}>
              Stay signed in
            </button>
            <button type="button" className="button" onClick={() => signOut.mutate()}>
              Sign out all the same
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}

function useSignOut() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async () => {
      try {
        await api.signOut();
      } catch (error) {
        // Signed out already: that is what was asked.
        if (!isApiError(error, 401)) throw error;
      }
    },
    onSuccess: async () => {
      rememberSignedIn(null);
      client.clear();
      client.setQueryData(meQuery.queryKey, null);
      await navigate("/sign-in");
    },
  });
}
