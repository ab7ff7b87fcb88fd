import { useId } from "react";
import type { DetailsPage } from "../../../api/agreement";
import { ConfusionTable } from "../../../components/ConfusionTable";
import { Select } from "../../../components/Select";
import { counted } from "../../../text/format";
import { type Choice, pairFrom, pairKey } from "../choice";
import { type Confusion, FEW, mixedLabels, mostDifferent, shownLabels } from "./confusions";
import { mixedOverall, mixedWords, nameOf, pairName, pairWords } from "./copy";
import { Download } from "./Download";
import { confusionFile } from "./files";

const TITLE = "Confusion of labels";
/** More pairs are chosen from, not all shown. */
const MOST = 3;

interface ConfusionCardProps {
  page: DetailsPage;
  pair: Choice["pair"];
  onPair: (pair: Choice["pair"]) => void;
}

/** Which labels people give to the same items, pair by pair. */
export function ConfusionCard({ page, pair, onPair }: ConfusionCardProps) {
  const id = useId();
  const ordered = mostDifferent(page.confusion);
  const isMany = ordered.length > MOST;
  const chosen = ordered.find((each) => pair !== null && pairKey(pair) === each.pair.join(",")) ?? ordered[0];
  if (!chosen) return <Nothing id={id} />;
  return (
    <section className="card stack" aria-labelledby={id}>
      <div className="stack-tight">
        <h2 id={id}>{TITLE}</h2>
        <p className="small mute">
          Items that both answered, by what each of them said. On the outlined diagonal they agree; a deeper
          shade means more items.
        </p>
      </div>
      <p>{mixedOverall(page, mixedLabels(page.confusion, page.labels.length))}</p>
      {isMany && (
        <Select
          label="Pair, most differing items first"
          value={chosen.pair.join(",")}
          options={ordered.map((each) => ({ value: each.pair.join(","), text: pairWords(page, each) }))}
          onValue={(value) => onPair(pairFrom(value))}
        />
      )}
      <div className="confusions">
        {(isMany ? [chosen] : page.confusion).map((confusion) => (
          <Matrix key={confusion.pair.join(",")} page={page} confusion={confusion} />
        ))}
      </div>
      <Download file={confusionFile(page)} of={`${TITLE}, every pair`} />
    </section>
  );
}

function Nothing({ id }: { id: string }) {
  return (
    <section className="card stack-tight" aria-labelledby={id}>
      <h2 id={id}>{TITLE}</h2>
      <p className="mute">No two people have answered the same item here yet.</p>
    </section>
  );
}

function Matrix({ page, confusion }: { page: DetailsPage; confusion: Confusion }) {
  const { n, counts } = confusion;
  const [row = 0, column = 0] = confusion.pair;
  const title = `${pairName(page, confusion.pair)}, ${counted(n, "item")}`;
  const shown = shownLabels(confusion, page.labels.length);
  const named = shown.map((place) => ({ key: String(place), name: page.labels[place]?.name ?? "" }));
  const left = page.labels.length - shown.length;
  return (
    <div className="stack-tight">
      <h3>{title}</h3>
      <p className="small">{mixedWords(page, confusion, mixedLabels([confusion], page.labels.length))}</p>
      {left > 0 && (
        <p className="small mute">
          {counted(left, "label")} that neither of them gave {left === 1 ? "is" : "are"} left out; the file
          has every one.
        </p>
      )}
      <ConfusionTable
        title={title}
        ways={[nameOf(page, row), nameOf(page, column)]}
        rows={named}
        columns={named}
        countAt={(i, j) => counts[Number(i)]?.[Number(j)] ?? 0}
        isMany={page.labels.length > FEW}
      />
    </div>
  );
}
