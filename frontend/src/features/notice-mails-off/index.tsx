import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { Link, useLocation } from "react-router";
import { post } from "../../api/client";
import { meQuery } from "../../api/queries";
import { Refusal } from "../../components/Refusal";

/** Opened by the link in a mail, whose token stands behind `#`. Nobody needs to sign in. */
export function Component() {
  const token = useLocation().hash.slice(1);
  const client = useQueryClient();
  const stop = useMutation({
    mutationFn: () => post("/api/notice-mails/off/", { body: { token } }),
    onSuccess: () => client.invalidateQueries({ queryKey: meQuery.queryKey }),
  });
  useEffect(() => {
    document.title = "Mail about what waits · Quorum";
  }, []);
  return (
    <main className="page narrow" id="main">
      <div className="page-head">
        <h1>{stop.isSuccess ? "You get no more such mail" : "Stop mail about what waits?"}</h1>
      </div>
      <div className="card stack">
        {stop.data ? (
          <p role="status">
            For the account <b>{stop.data.username}</b>. <Link to="/account">Your account</Link> turns it on
            again. Links for a new password are still sent when you ask for one.
          </p>
        ) : (
          <>
            <p>The bell in Quorum goes on to list what waits for you.</p>
            <Refusal error={stop.error} />
            <div className="row">
              <button
                type="button"
                className="button primary"
                disabled={stop.isPending}
                onClick={() => stop.mutate()}
              >
                Stop the mail
              </button>
            </div>
          </>
        )}
      </div>
    </main>
  );
}
