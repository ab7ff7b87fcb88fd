import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { meQuery, serverQuery } from "../../api/queries";
import { RadioChoices } from "../../components/Choices";
import { Refusal } from "../../components/Refusal";
import { useMe } from "../../session/session";
import { accountApi } from "./api";

const OFTEN = [
  { value: "off", text: "Never" },
  { value: "daily", text: "Once a day at most" },
  { value: "at_once", text: "Soon, once an hour at most" },
] as const;

/** How often what waits for a person is mailed to them; shown where the server sends mail. */
export function NoticeMails() {
  const { address, notice_mails } = useMe();
  const { data: server } = useQuery(serverQuery);
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (often: (typeof OFTEN)[number]["value"]) => accountApi.setProfile({ notice_mails: often }),
    onSuccess: (me) => client.setQueryData(meQuery.queryKey, me),
  });
  if (!server?.sends_mail) return null;
  return (
    <section className="card stack" aria-labelledby="notice-mails">
      <h2 id="notice-mails">Mail about what waits</h2>
      {address ? (
        <>
          <p className="mute small">
            What the bell lists and you have not read is mailed to {address}, each thing once. It quotes no
            texts and no answers.
          </p>
          <RadioChoices
            legend="How often"
            choices={OFTEN}
            value={change.isPending ? change.variables : notice_mails}
            onValue={(often) => change.mutate(often)}
          />
          <Refusal error={change.error} />
        </>
      ) : (
        <p className="mute small">Confirm a mail address above to get mail about what waits for you.</p>
      )}
    </section>
  );
}
