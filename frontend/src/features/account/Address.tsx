import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { isApiError } from "../../api/errors";
import { meQuery, serverQuery } from "../../api/queries";
import { bindFields } from "../../components/bindFields";
import { Field } from "../../components/Field";
import { PasswordField } from "../../components/PasswordField";
import { Refusal } from "../../components/Refusal";
import { useMe } from "../../session/session";
import { accountApi } from "./api";

const NOTHING = { address: "", current: "" };

/** The mail address by which one gets back in; shown where the server sends mail, or one is still there. */
export function Address() {
  const { address, has_password } = useMe();
  const { data: server } = useQuery(serverQuery);
  if (!server?.sends_mail && !address) return null;
  return (
    <section className="card stack" aria-labelledby="address">
      <h2 id="address">Mail address</h2>
      <p className="mute small">
        {address ? (
          <>
            Your address is <b>{address}</b>.
          </>
        ) : (
          "You have none yet."
        )}{" "}
        If you forget your password, a link to choose a new one is sent to it. Nobody else sees it here.
      </p>
      {!has_password && <p className="small">To change it, choose a password first.</p>}
      {has_password && <AddressForm canAsk={Boolean(server?.sends_mail)} hasAddress={address !== ""} />}
    </section>
  );
}

function AddressForm({ canAsk, hasAddress }: { canAsk: boolean; hasAddress: boolean }) {
  const [typed, setTyped] = useState(NOTHING);
  const client = useQueryClient();
  const ask = useMutation({
    mutationFn: () => accountApi.askAddress(typed),
    onSuccess: () => setTyped(NOTHING),
  });
  const takeOff = useMutation({
    mutationFn: () => accountApi.removeAddress(typed.current),
    onSuccess: (me) => {
      setTyped(NOTHING);
      ask.reset();
      client.setQueryData(meQuery.queryKey, me);
    },
  });
  const [asked, setAsked] = useState("");
  const error = ask.error ?? takeOff.error;
  const field = bindFields(typed, isApiError(error) ? error.fields : {}, (part) =>
    setTyped((before) => ({ ...before, ...part })),
  );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    takeOff.reset();
    setAsked(typed.address);
    ask.mutate();
  };
  const remove = () => {
    ask.reset();
    takeOff.mutate();
  };
  const isBusy = ask.isPending || takeOff.isPending;
  return (
    <form className="stack" onSubmit={submit} aria-labelledby="address">
      {canAsk && (
        <Field
          label={hasAddress ? "New address" : "Address"}
          type="email"
          autoComplete="email"
          required
          maxLength={254}
          hint="It counts once you have opened the link that is sent there."
          {...field("address")}
        />
      )}
      <PasswordField label="Your password" autoComplete="current-password" {...field("current")} />
      <Refusal error={error} placed={(name) => name in typed} />
      <div role="status">
        {ask.isSuccess && (
          <p className="notice ok">
            A mail is on its way to {asked}. Open the link in it within a day. Look into the folder for spam,
            too.
          </p>
        )}
        {takeOff.isSuccess && <p className="notice ok">Your account has no mail address any more.</p>}
      </div>
      <div className="row">
        {canAsk && (
          <button type="submit" className="button" disabled={isBusy}>
            Send the link
          </button>
        )}
        {hasAddress && (
          <button type="button" className="button" disabled={isBusy || !typed.current} onClick={remove}>
            Take the address off
          </button>
        )}
      </div>
    </form>
  );
}
