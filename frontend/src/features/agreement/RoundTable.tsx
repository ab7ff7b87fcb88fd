import type { AgreementPage } from "../../api/agreement";
import { TableScroll } from "../../components/TableCard";
import { csvLink } from "../../text/csv";
import { AgreementTable } from "./AgreementTable";
import type { Choice } from "./choice";
import { agreementCsv, stageGroups } from "./rows";
import { WhoseSwitch } from "./WhoseSwitch";

interface RoundTableProps {
  /** Of everyone: over all items, and after it over those with a majority where they are asked for. */
  pages: readonly AgreementPage[];
  choice: Choice;
  onChange: (part: Partial<Choice>) => void;
}

/** Everyone together, by stage and round. */
export function RoundTable({ pages, choice, onChange }: RoundTableProps) {
  const page = pages.at(-1);
  if (!page) return null;
  const groups = stageGroups(pages, "all", null);
  return (
    <section className="card stack" aria-labelledby="table">
      <div className="card-head">
        <h2 id="table">By stage and round</h2>
        <a
          className="button"
          download={`agreement-${page.scope}-all${page.phase === 2 ? "-phase-2" : ""}.csv`}
          href={csvLink(agreementCsv(page, groups))}
        >
          Download this table (CSV)
        </a>
      </div>
      <WhoseSwitch whose={choice.whose} onChange={onChange} />
      <TableScroll title="Agreement">
        <AgreementTable page={page} groups={groups} view="all" />
      </TableScroll>
    </section>
  );
}
