import type { ReactNode } from "react";
import { checkShareWords } from "../../activeLearning/checkWords";
import { standingWords } from "../../activeLearning/practiceWords";
import type { Annotator, AnnotatorsPage } from "../../api/annotators";
import { WithInterval } from "../../components/intervals";
import { TableScroll } from "../../components/TableCard";
import { boundedPercent, count, counted, duration, undefinedWords } from "../../text/format";
import { agreementAt, type Order, type Sorting, secondsAnItem, skippedShare, sorted } from "./rows";

interface PeopleTableProps {
  page: AnnotatorsPage;
  stage: AnnotatorsPage["stages"][number] | undefined;
  order: Order;
  onOrder: (order: Order) => void;
}

/** A row for each person; a head sorts by its column. */
export function PeopleTable({ page, stage, order, onOrder }: PeopleTableProps) {
  const head = (by: Sorting, title: string, isNumber = true) => (
    <SortHead by={by} order={order} onOrder={onOrder} isNumber={isNumber}>
      {title}
    </SortHead>
  );
  const hasPractices = page.annotators.some(({ practices }) => practices.length > 0);
  const hasChecks = page.annotators.some(({ checks }) => checks.answered + checks.skipped > 0);
  return (
    <TableScroll title="Annotators">
      <table className="table annotators">
        <thead>
          <tr>
            {head("name", "Annotator", false)}
            {head("done", "Done")}
            {head("skipped", "Skipped")}
            {head("time", "Active time")}
            {head("pace", "Time an item")}
            {stage && head("agreement", "Agreement with the others")}
            {hasChecks && (
              <th scope="col" className="number">
                Check items right
              </th>
            )}
            {hasPractices && <th scope="col">Practice</th>}
          </tr>
        </thead>
        <tbody>
          {sorted(page.annotators, order, stage?.key).map((each) => (
            <tr key={each.id}>
              <th scope="row">
                {each.display_name}{" "}
                <span className="small mute">
                  {[`annotator ${each.number}`, ...(each.is_active ? [] : ["deactivated"])].join(", ")}
                </span>
              </th>
              <td className="number">{count(each.done)}</td>
              <td className="number">
                <Skipped annotator={each} />
              </td>
              <td className="number nowrap">{each.done === 0 ? "–" : duration(each.active_ms / 1000)}</td>
              <td className="number nowrap">{pace(each)}</td>
              {stage && (
                <td className="number">
                  <Agreement annotator={each} stage={stage.key} few={page.few_items} />
                </td>
              )}
              {hasChecks && (
                <td className="number">
                  {checkShareWords(each.checks)}
                  {each.checks.skipped > 0 && (
                    <span className="basis">{count(each.checks.skipped)} skipped</span>
                  )}
                </td>
              )}
              {hasPractices && (
                <td>
                  {each.practices.map((practice) => (
                    <p className="small" key={practice.id}>
                      {practice.number}. {practice.title}: {standingWords(practice)}
                    </p>
                  ))}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
  );
}

interface SortHeadProps {
  by: Sorting;
  order: Order;
  onOrder: (order: Order) => void;
  isNumber: boolean;
  children: ReactNode;
}

function SortHead({ by, order, onOrder, isNumber, children }: SortHeadProps) {
  const isChosen = order.by === by;
  const direction = order.isDown ? "descending" : "ascending";
  return (
    <th scope="col" className={isNumber ? "number" : undefined} aria-sort={isChosen ? direction : undefined}>
      <button
        type="button"
        className="button quiet inline"
        onClick={() => onOrder({ by, isDown: isChosen ? !order.isDown : isNumber })}
      >
        {children}
        <span aria-hidden="true">{isChosen ? (order.isDown ? " ↓" : " ↑") : ""}</span>
      </button>
    </th>
  );
}

function Skipped({ annotator }: { annotator: Annotator }) {
  const share = skippedShare(annotator);
  if (share === null) return "–";
  return (
    <>
      {count(annotator.skipped)}
      <span className="basis">{boundedPercent(share)}</span>
    </>
  );
}

function pace(annotator: Annotator): string {
  const seconds = secondsAnItem(annotator);
  return seconds === null ? "–" : duration(seconds);
}

interface AgreementProps {
  annotator: Annotator;
  stage: string;
  few: number;
}

function Agreement({ annotator, stage, few }: AgreementProps) {
  const found = agreementAt(annotator, stage);
  if (!found) return "–";
  const { value, interval, n, reason, percent_agreement: equal } = found;
  return (
    <>
      {value === null ? (
        <span className="small mute">{undefinedWords(reason)}</span>
      ) : (
        <WithInterval value={value} low={interval?.[0]} high={interval?.[1]} />
      )}
      {n > 0 && (
        <span className="basis">
          {equal !== null && `${boundedPercent(equal)} equal, `}
          {counted(n, "item")}
        </span>
      )}
      {n > 0 && n < few && <span className="tag warn">few items</span>}
    </>
  );
}
