import { useMutation } from "@tanstack/react-query";
import { type ReactNode, type SubmitEvent, useEffect } from "react";
import { flagsApi, flagsKey, type ThreadMessage } from "../../api/flags";
import { useRefresh } from "../../api/useRefresh";
import { Labelled } from "../../components/Labelled";
import { Refusal } from "../../components/Refusal";
import { KeptNotice } from "../../kept/KeptNotice";
import { useKept } from "../../kept/useKept";
import { type Sent, useKeptClientId } from "../../outbox/useKeptClientId";
import { useProject, useZone } from "../../session/project";
import { moment } from "../../text/format";
import "./threads.css";

interface ThreadProps {
  flagId: string;
  messages: readonly ThreadMessage[];
  /** The reader flagged the item: what the others say are answers to them. */
  isOwn: boolean;
  isUnread: boolean;
  /** What else shows this thread. */
  refreshes: readonly (readonly unknown[])[];
  children?: ReactNode;
}

/** What was said after a flag, oldest first, and a box to say more. What is shown counts as read. */
export function Thread({ flagId, messages, isOwn, isUnread, refreshes, children }: ThreadProps) {
  const { id: projectId } = useProject();
  const zone = useZone();
  const refresh = useRefresh();
  const n = messages.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies(refresh): once for each message that came
  useEffect(() => {
    if (!isUnread) return;
    void flagsApi
      .read(projectId, flagId, n)
      .then(() => refresh(["notices"]))
      // It stays unread, and is marked when it is shown again.
      .catch(() => {});
  }, [projectId, flagId, n, isUnread]);
  return (
    <div className="stack-tight thread">
      {n > 0 && (
        <ol className="thread-messages" aria-label="Messages">
          {messages.map((message) => (
            <li key={message.id} className={message.is_asker ? "asker" : undefined}>
              <p className="small mute">
                {message.is_asker && isOwn ? "You" : message.who}
                {message.is_note && " · published to everybody as a note"} ·{" "}
                {moment(message.created_at, zone)}
              </p>
              <p className="thread-words">{message.words}</p>
            </li>
          ))}
        </ol>
      )}
      <Reply flagId={flagId} isOwn={isOwn} refreshes={refreshes}>
        {children}
      </Reply>
    </div>
  );
}

type ReplyProps = Pick<ThreadProps, "flagId" | "isOwn" | "refreshes" | "children">;

function Reply({ flagId, isOwn, refreshes, children }: ReplyProps) {
  const { id: projectId } = useProject();
  // The same words may be said again, once the server has confirmed the first.
  const form = useKept(`message.${flagId}`, { words: "", sent: null as Sent | null });
  const { words } = form.value;
  const clientId = useKeptClientId(form);
  const refresh = useRefresh();
  const say = useMutation({
    mutationFn: () => flagsApi.say(projectId, flagId, { client_id: clientId(words), words }),
    onSuccess: () => {
      form.discard();
      return refresh(flagsKey(projectId), ["notices"], ...refreshes);
    },
    // It is refused at once without a network, and the words stay in the box.
    networkMode: "always",
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (words.trim()) say.mutate();
  };
  return (
    <form className="stack-tight" onSubmit={submit}>
      <KeptNotice form={form} what="the message" />
      <Labelled
        label={isOwn ? "Reply to the admins" : "Answer"}
        hint={
          isOwn ? undefined : "Only the person who flagged the item sees it. Do not quote anybody's answer."
        }
      >
        {(control) => (
          <textarea
            {...control}
            rows={2}
            maxLength={5_000}
            value={words}
            onChange={(event) => {
              const typed = event.currentTarget.value;
              form.set(({ sent }) => ({ words: typed, sent: typed ? sent : null }));
            }}
          />
        )}
      </Labelled>
      <Refusal error={say.error} />
      <div className="row">
        <button type="submit" className="button" disabled={say.isPending || !words.trim()}>
          {isOwn ? "Send the reply" : "Send the answer"}
        </button>
        {children}
      </div>
    </form>
  );
}
