import { useQueryClient } from "@tanstack/react-query";
import { meQuery } from "../api/queries";

/** Leads to the sign-in and back here: every signed-in page watches `me`. */
export function SignInAgain({ className }: { className: string }) {
  const client = useQueryClient();
  return (
    <button type="button" className={className} onClick={() => client.setQueryData(meQuery.queryKey, null)}>
      Sign in again
    </button>
  );
}
