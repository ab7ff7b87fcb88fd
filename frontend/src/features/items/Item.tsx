import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import { isApiError } from "../../api/errors";
import { NotFoundPage } from "../../components/NotFoundPage";
import { Refusal } from "../../components/Refusal";
import { Failure, Loading } from "../../components/states";
import { useProject, useZone } from "../../session/project";
import { moment } from "../../text/format";
import { historyQuery, type ItemHistory, itemsApi } from "./api";
import { ItemLine } from "./ItemLine";

/** One item, and all that happened to it. */
export function Item() {
  const project = useProject();
  const id = useParams().itemId ?? "";
  const { data, error, refetch } = useQuery(historyQuery(id));
  if (isApiError(error, 404) || (data && data.project !== project.id)) return <NotFoundPage />;
  if (error && !data) return <Failure error={error} retry={refetch} />;
  if (!data) return <Loading what="the item" />;
  return (
    <main className="page narrow" id="main">
      <div className="page-head">
        <h1 className="item-id">Item {data.listed.item_id}</h1>
        <p>
          <Link to={`/projects/${project.id}/items`}>All items</Link>
        </p>
      </div>
      <section className="card stack-tight" aria-label="The item">
        <ItemLine item={data.listed} text={<InContext item={data.item} />} />
      </section>
      {data.columns.length > 0 && <Columns columns={data.columns} />}
      <History history={data} itemId={id} />
    </main>
  );
}

/** The text within its turn, which is in grey. */
function InContext({ item }: { item: ItemHistory["item"] }) {
  const around = item.context.utterance;
  return (
    <p className="item-text whole">
      {around?.before && <span className="mute">{around.before}</span>}
      {around ? <mark>{item.text}</mark> : item.text}
      {around?.after && <span className="mute">{around.after}</span>}
    </p>
  );
}

function Columns({ columns }: Pick<ItemHistory, "columns">) {
  return (
    <section className="card stack" aria-labelledby="item-columns">
      <h2 id="item-columns">Imported columns</h2>
      <dl className="figures">
        {columns.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{typeof value === "string" ? value : JSON.stringify(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function History({ history, itemId }: { history: ItemHistory; itemId: string }) {
  const zone = useZone();
  return (
    <section className="card stack" aria-labelledby="item-history">
      <h2 id="item-history">What happened to it</h2>
      {history.hidden && <Hidden hidden={history.hidden} itemId={itemId} />}
      <ol className="item-history">
        {history.lines.map((line, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines are only ever added at the end.
          <li key={place} className="stack-tight">
            <p className="small">
              <time className="mute numbers" dateTime={line.at}>
                {moment(line.at, zone)}
              </time>{" "}
              <b>{line.who}</b> {line.sentence}
            </p>
            <Said line={line} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Said({ line }: { line: ItemHistory["lines"][number] }) {
  if (line.is_hidden) return <p className="small mute">What it says is hidden from you.</p>;
  return (
    <>
      {line.answers && line.answers.length > 0 && (
        <ul className="small">
          {line.answers.map(({ stage, answer }) => (
            <li key={stage}>
              {stage}: <b>{answer}</b>
            </li>
          ))}
        </ul>
      )}
      {line.spans.length > 0 && (
        <ul className="small">
          {line.spans.map(({ category, quote }, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: equal spans may stand twice.
            <li key={place}>
              {category}: <q>{quote}</q>
            </li>
          ))}
        </ul>
      )}
      {line.note && <blockquote className="small item-note">{line.note}</blockquote>}
    </>
  );
}

interface HiddenProps {
  hidden: NonNullable<ItemHistory["hidden"]>;
  itemId: string;
}

/** Why others' answers are not here. Where the reader has answered, looking locks their own. */
function Hidden({ hidden, itemId }: HiddenProps) {
  const client = useQueryClient();
  const look = useMutation({
    mutationFn: () => itemsApi.history(itemId, "locked"),
    onSuccess: (shown) => client.setQueryData(historyQuery(itemId).queryKey, shown),
  });
  return (
    <div className="notice stack-tight">
      <p>{hidden.detail}</p>
      <Refusal error={look.error} />
      {hidden.code === "own_answer" && (
        <div className="row">
          <button type="button" className="button" disabled={look.isPending} onClick={() => look.mutate()}>
            Mine stays as it is: show the answers
          </button>
        </div>
      )}
    </div>
  );
}
