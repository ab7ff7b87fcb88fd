import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useSearchParams } from "react-router";
import { isApiError } from "../../api/errors";
import { at } from "../../browser/base";
import { Refusal } from "../../components/Refusal";
import { Failure, Loading } from "../../components/states";
import { useProject, useZone } from "../../session/project";
import { moment } from "../../text/format";
import {
  addressOf,
  optionsOf,
  PaperContext,
  type Report,
  type ReportOptions,
  type ReportSection,
  reportPath,
  reportQuery,
} from "./api";
import { Compared } from "./Compared";
import { Examples } from "./Examples";
import { FigureView } from "./FigureView";
import { TableView } from "./Tables";
import "../../components/admin.css";
import "./report.css";

export function Component() {
  const zone = useZone();
  const project = useProject();
  const client = useQueryClient();
  const [address, setAddress] = useSearchParams();
  // The address keeps them for a reload; a press of a key is answered before it has changed.
  const [asked, setAsked] = useState(() => optionsOf(address));
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...reportQuery(project.id, asked),
    placeholderData: keepPreviousData,
  });
  const ask = (changed: Partial<ReportOptions>) => {
    const now = { ...asked, ...changed };
    setAsked(now);
    setAddress(addressOf(now), { replace: true, preventScrollReset: true });
  };
  if (isApiError(error, 400))
    return <BadChoice error={error} onClear={() => ask({ examples: [], annotators: [] })} />;
  if (error && !data) return <Failure error={error} retry={refetch} />;
  if (!data) return <Loading what="the report" />;
  return (
    <main className="page" id="main">
      <Top
        report={data}
        file={at(reportPath(project.id, asked, true))}
        timeZone={zone}
        paper={asked.paper}
        onPaper={(paper) => ask({ paper })}
      />
      {error && (
        <p className="notice bad" role="alert">
          The server cannot be reached: what is shown may be old.
        </p>
      )}
      <PaperContext value={asked.paper}>
        {data.sections.map((section) => (
          <Section key={section.key} section={section}>
            {section.key === "examples" && (
              <Examples
                report={data}
                chosen={asked.examples}
                isMaking={isPlaceholderData}
                onChosen={(examples) => ask({ examples })}
                onTry={(examples) => client.fetchQuery(reportQuery(project.id, { ...asked, examples }))}
              />
            )}
            {section.key === "agreement" && (
              <Compared
                report={data}
                chosen={asked.annotators}
                isMaking={isPlaceholderData}
                onChosen={(annotators) => ask({ annotators })}
              />
            )}
          </Section>
        ))}
      </PaperContext>
    </main>
  );
}

interface TopProps {
  report: Report;
  file: string;
  timeZone: string;
  paper: boolean;
  onPaper: (paper: boolean) => void;
}

function Top({ report, file, timeZone, paper, onPaper }: TopProps) {
  return (
    <>
      <div className="page-head">
        <h1>Report</h1>
        <p className="mute">
          Tables and figures of your study, from its labels as of {moment(report.made_at, timeZone)}.
          Annotators stand by number.
        </p>
      </div>
      {report.notices.map((notice) => (
        <p className="notice" key={notice}>
          {notice}
        </p>
      ))}
      <nav className="row report-nav" aria-label="Sections of the report">
        {report.sections.map(({ key, title }) => (
          <a key={key} href={`#${key}`}>
            {title}
          </a>
        ))}
        <a className="button" href={file} download>
          Everything in one file (HTML)
        </a>
      </nav>
      <label className="small row">
        <input type="checkbox" checked={paper} onChange={(event) => onPaper(event.target.checked)} />
        Name the table or figure of the OP-FED paper that each follows
      </label>
    </>
  );
}

function Section({ section, children }: { section: ReportSection; children?: ReactNode }) {
  const { key, title, question, figures, tables } = section;
  return (
    <section className="report-section" id={key} aria-labelledby={`${key}-title`}>
      <div className="stack-tight">
        <h2 id={`${key}-title`}>{title}</h2>
        <p className="mute">{question}</p>
      </div>
      {children}
      {figures.map((figure) => (
        <FigureView key={figure.key} figure={figure} />
      ))}
      {tables.map((table) => (
        <TableView key={table.key} table={table} />
      ))}
    </section>
  );
}

function BadChoice({ error, onClear }: { error: unknown; onClear: () => void }) {
  return (
    <main className="page narrow" id="main">
      <h1>Report</h1>
      <Refusal error={error} />
      <p>
        <button type="button" className="button" onClick={onClear}>
          Go on without what was chosen
        </button>
      </p>
    </main>
  );
}
