import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useSearchParams } from "react-router";
import { isApiError } from "../../api/errors";
import { useProject } from "../../app/project";
import { Refusal } from "../../components/Refusal";
import { Failure, Loading } from "../../components/states";
import { moment } from "../../components/words";
import { type Report, type ReportSection, reportPath, reportQuery } from "./api";
import { Examples } from "./Examples";
import { FigureView } from "./FigureView";
import { TableView } from "./Tables";
import "../../components/admin.css";
import "./report.css";

export function Component() {
  const project = useProject();
  const client = useQueryClient();
  const [address, setAddress] = useSearchParams();
  // The address keeps them for a reload; a press of a key is answered before it has changed.
  const [chosen, setChosen] = useState(() => address.getAll("example"));
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...reportQuery(project.id, chosen),
    placeholderData: keepPreviousData,
  });
  const choose = (ids: string[]) => {
    setChosen(ids);
    setAddress(
      ids.map((id): [string, string] => ["example", id]),
      { replace: true, preventScrollReset: true },
    );
  };
  if (isApiError(error, 400)) return <BadExamples error={error} onClear={() => choose([])} />;
  if (error && !data) return <Failure error={error} retry={refetch} />;
  if (!data) return <Loading what="the report" />;
  return (
    <main className="page" id="main">
      <Top report={data} file={reportPath(project.id, chosen, true)} timeZone={project.time_zone} />
      {error && (
        <p className="notice bad" role="alert">
          The server cannot be reached: what is shown may be old.
        </p>
      )}
      {data.sections.map((section) => (
        <Section key={section.key} section={section}>
          {section.key === "examples" && (
            <Examples
              report={data}
              chosen={chosen}
              isMaking={isPlaceholderData}
              onChosen={choose}
              onTry={(ids) => client.fetchQuery(reportQuery(project.id, ids))}
            />
          )}
        </Section>
      ))}
    </main>
  );
}

function Top({ report, file, timeZone }: { report: Report; file: string; timeZone: string }) {
  return (
    <>
      <div className="page-head">
        <h1>Report</h1>
        <p className="mute">
          The tables and figures of the OP-FED paper, from this project’s rows as of{" "}
          {moment(report.made_at, timeZone)}. Annotators stand by number.
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
          All of it in one file (HTML)
        </a>
      </nav>
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

function BadExamples({ error, onClear }: { error: unknown; onClear: () => void }) {
  return (
    <main className="page narrow" id="main">
      <h1>Report</h1>
      <Refusal error={error} />
      <p>
        <button type="button" className="button" onClick={onClear}>
          Go on without chosen examples
        </button>
      </p>
    </main>
  );
}
