import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { Link, useLocation } from "react-router";
import { post } from "../../api/client";
import { isApiError } from "../../api/errors";
import { meQuery } from "../../api/queries";
import { Refusal } from "../../components/Refusal";
import { Failure, Loading } from "../../components/states";

/** Opened by a link whose token stands behind `#`, which browsers send to no server. */
export function Component() {
  const token = useLocation().hash.slice(1);
  const link = useQuery(linkQuery(token));
  const client = useQueryClient();
  const confirm = useMutation({
    mutationFn: () => post("/api/address-links/use/", { body: { token } }),
    onSuccess: () => client.invalidateQueries({ queryKey: meQuery.queryKey }),
  });
  useEffect(() => {
    document.title = "Mail address · Quorum";
  }, []);
  if (isApiError(link.error, 409) || isApiError(link.error, 400)) return <Lapsed />;
  if (link.error) return <Failure error={link.error} retry={() => link.refetch()} />;
  if (!link.data) return <Loading what="the link" />;
  const { address, username, display_name } = link.data;
  return (
    <main className="page narrow" id="main">
      <div className="page-head">
        <h1>{confirm.isSuccess ? "The address is confirmed" : "Confirm the mail address"}</h1>
        <p className="mute">
          <b>{address}</b>, for the account <b>{username}</b> ({display_name}).
        </p>
      </div>
      <div className="card stack">
        {confirm.isSuccess ? (
          <p>
            If you forget your password, a link to choose a new one is sent to it.{" "}
            <Link to="/account">Go to your account</Link>.
          </p>
        ) : (
          <>
            <p>If this is not your account, close the page: nothing is changed.</p>
            <Refusal error={confirm.error} />
            <div className="row">
              <button
                type="button"
                className="button primary"
                disabled={confirm.isPending}
                onClick={() => confirm.mutate()}
              >
                Confirm the address
              </button>
            </div>
          </>
        )}
      </div>
    </main>
  );
}

/** Asked once a visit: after it was used the link is used up, which is no fault. */
const linkQuery = (token: string) =>
  queryOptions({
    queryKey: ["address-link", token],
    queryFn: ({ signal }) => post("/api/address-links/", { body: { token }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

function Lapsed() {
  return (
    <main className="page narrow" id="main">
      <div className="page-head">
        <h1>This link no longer confirms an address</h1>
        <p>
          It was used or replaced by a newer one, expired after a day, or part of it is missing.{" "}
          <Link to="/account">Your account</Link> says which address is confirmed, and sends a new link.
        </p>
      </div>
    </main>
  );
}
