import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { get, ofProject, post } from "../../api/client";
import type { Answer } from "../../api/contract";
import { isApiError } from "../../api/errors";
import { CheckChoices } from "../../components/Choices";
import { ConfirmButton } from "../../components/ConfirmButton";
import { Copyable } from "../../components/Copyable";
import { Disclosure } from "../../components/Disclosure";
import { Field } from "../../components/Field";
import { Refusal } from "../../components/Refusal";
import { NotLoaded } from "../../components/states";
import { useZone } from "../../session/project";
import { moment } from "../../text/format";
import "./webhooks.css";

type Webhook = Answer<"/api/projects/{project_id}/webhooks/", "get">[number];
type Delivery = Webhook["deliveries"][number];

const EVENTS = {
  batch_complete: "A batch is complete",
  round_done: "A round opened its batch, or failed",
  release_made: "A release is made",
} as const;
type Event = keyof typeof EVENTS;
const WORDS: Record<string, string> = { ...EVENTS, test: "A test" };

const webhooksQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["webhooks", projectId],
    queryFn: ({ signal }) => get("/api/projects/{project_id}/webhooks/", { ...ofProject(projectId), signal }),
    // Deliveries are sent by themselves.
    refetchInterval: 10_000,
  });

/** Addresses of the project's own programs, which are told what happens, with what was sent last. */
export function Webhooks({ projectId }: { projectId: string }) {
  const { data, error, refetch } = useQuery(webhooksQuery(projectId));
  return (
    <section className="card stack" aria-labelledby="webhooks">
      <h2 id="webhooks">Webhooks</h2>
      <p>
        An address of yours is told when something happens in this project. It is sent ids and counts, no
        texts and no labels.
      </p>
      {error && <NotLoaded what="The list of webhooks" error={error} retry={refetch} />}
      {data?.length === 0 && <p className="mute">There is none.</p>}
      {data?.map((webhook) => (
        <One key={webhook.id} webhook={webhook} projectId={projectId} />
      ))}
      <Disclosure title="Make a webhook">
        <NewWebhook projectId={projectId} />
      </Disclosure>
    </section>
  );
}

/** What changes the list: it is asked for again afterwards. */
function useAct<T, R>(projectId: string, act: (argument: T) => Promise<R>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSettled: () => client.invalidateQueries({ queryKey: webhooksQuery(projectId).queryKey }),
  });
}

function One({ webhook, projectId }: { webhook: Webhook; projectId: string }) {
  const at = { params: { path: { webhook_id: webhook.id } } };
  const test = useAct(projectId, () => post("/api/webhooks/{webhook_id}/test/", at));
  const remove = useAct(projectId, () => post("/api/webhooks/{webhook_id}/remove/", at));
  return (
    <div className="webhook stack">
      <p>
        <b>{webhook.url}</b>
        <span className="small mute"> {webhook.events.map((event) => EVENTS[event]).join("; ")}</span>
      </p>
      {webhook.deliveries.length === 0 && <p className="small mute">Nothing was sent yet.</p>}
      {webhook.deliveries.length > 0 && <Deliveries rows={webhook.deliveries} projectId={projectId} />}
      <Refusal error={test.error} />
      <div className="row">
        <button
          type="button"
          className="button"
          aria-label={`Send a test to ${webhook.url}`}
          disabled={test.isPending}
          onClick={() => test.mutate(undefined)}
        >
          Send a test
        </button>
        <ConfirmButton
          button="Remove"
          label={`Remove the webhook to ${webhook.url}`}
          title="Remove the webhook?"
          act="Remove the webhook"
          danger
          onConfirm={() => remove.mutateAsync(undefined)}
        >
          <p>{webhook.url} is told nothing any more. What still waits to be sent is dropped.</p>
        </ConfirmButton>
      </div>
    </div>
  );
}

function Deliveries({ rows, projectId }: { rows: Delivery[]; projectId: string }) {
  const zone = useZone();
  const again = useAct(projectId, (id: string) =>
    post("/api/deliveries/{delivery_id}/again/", { params: { path: { delivery_id: id } } }),
  );
  return (
    <>
      <ul className="deliveries">
        {rows.map((row) => (
          <li key={row.id}>
            <div>
              {WORDS[row.event]}
              <p className="small mute">{deliveryWords(row, zone)}</p>
            </div>
            {row.attempts > 0 && (
              <button
                type="button"
                className="button quiet"
                aria-label={`Send again: ${WORDS[row.event]}, ${moment(row.created_at, zone)}`}
                disabled={again.isPending}
                onClick={() => again.mutate(row.id)}
              >
                Send again
              </button>
            )}
          </li>
        ))}
      </ul>
      <Refusal error={again.error} />
    </>
  );
}

function deliveryWords(row: Delivery, zone: string): string {
  const tried = row.tried_at ? moment(row.tried_at, zone) : "";
  if (row.state === "sent") return `Sent ${tried}: ${row.status}.`;
  if (row.state === "failed") return `Given up ${tried}. ${row.problem}`;
  if (!row.problem || !row.next_at) return "Waits to be sent.";
  return `Not sent ${tried}: ${row.problem} Next try ${moment(row.next_at, zone)}.`;
}

function NewWebhook({ projectId }: { projectId: string }) {
  const [url, setUrl] = useState("");
  const [events, setEvents] = useState<Event[]>(Object.keys(EVENTS) as Event[]);
  const make = useAct(projectId, () =>
    post("/api/projects/{project_id}/webhooks/", { ...ofProject(projectId), body: { url, events } }),
  );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    make.mutate(undefined, { onSuccess: () => setUrl("") });
  };
  const errors = isApiError(make.error) ? make.error.fields : {};
  return (
    <form className="stack" onSubmit={submit} aria-label="Make a webhook">
      {make.data && (
        <div className="notice ok stack" role="status">
          <p>
            <b>Copy the secret now</b>: it is shown only once. By it your program knows that Quorum sent
            something.
          </p>
          <Copyable text={make.data.secret} what="secret" />
        </div>
      )}
      <Field
        label="Address"
        type="url"
        required
        maxLength={500}
        hint="Such as https://example.org/quorum. It gets a POST request with JSON."
        value={url}
        onValue={setUrl}
        errors={errors.url}
      />
      <CheckChoices
        legend="It is told when"
        values={events}
        onValues={setEvents}
        errors={errors.events}
        choices={(Object.keys(EVENTS) as Event[]).map((value) => ({ value, text: EVENTS[value] }))}
      />
      <Refusal error={make.error} placed={(name) => name === "url" || name === "events"} />
      <div className="row">
        <button type="submit" className="button" disabled={make.isPending}>
          Make the webhook
        </button>
      </div>
    </form>
  );
}
