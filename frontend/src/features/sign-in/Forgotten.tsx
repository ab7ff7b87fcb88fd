import { useMutation, useQuery } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { post } from "../../api/client";
import { isApiError } from "../../api/errors";
import { serverQuery } from "../../api/queries";
import { Disclosure } from "../../components/Disclosure";
import { Field } from "../../components/Field";
import { Refusal } from "../../components/Refusal";

/** How one gets back in: by mail where the server sends any, and by an admin's link. */
export function Forgotten() {
  return (
    <Disclosure title="Forgotten your password?">
      <WaysBack />
    </Disclosure>
  );
}

function WaysBack() {
  const { data: server } = useQuery(serverQuery);
  return (
    <div className="stack small">
      {server?.sends_mail && <MailForm />}
      <p>
        {server?.sends_mail && "You have confirmed no mail address? "}Ask an admin of your project: they make
        you a link on their page Members, with which you choose a new one. Your labels stay as they are.
      </p>
      <p>
        Are you an admin yourself, or in several projects? Ask whoever runs this server. They make the link
        with <code>manage.py password_link NAME</code>.
      </p>
    </div>
  );
}

function MailForm() {
  const [address, setAddress] = useState("");
  const ask = useMutation({
    mutationFn: () => post("/api/password-mails/", { body: { address } }),
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    ask.mutate();
  };
  return (
    <form className="stack" onSubmit={submit} aria-label="Get a link by mail">
      <Field
        label="Your mail address"
        type="email"
        autoComplete="email"
        required
        hint="The one that you confirmed on the page Your account."
        value={address}
        onValue={setAddress}
        errors={isApiError(ask.error) ? ask.error.fields.address : undefined}
      />
      <Refusal error={ask.error} placed={(field) => field === "address"} />
      <div role="status">
        {ask.isSuccess && (
          <p className="notice ok">
            If an account has confirmed this address, a mail with a link is on its way. The link works once,
            within an hour. Look into the folder for spam, too.
          </p>
        )}
      </div>
      <div className="row">
        <button type="submit" className="button" disabled={ask.isPending}>
          Send a link
        </button>
      </div>
    </form>
  );
}
