import { Disclosure } from "../../../components/Disclosure";
import { Labelled, type LabelledProps } from "../../../components/Labelled";
import { Markdown } from "../../../components/Markdown";

interface MarkdownAreaProps extends LabelledProps {
  value: string;
  rows?: number;
  onValue: (value: string) => void;
}

/** A text in Markdown, and how people will read it. */
export function MarkdownArea({ value, rows = 4, onValue, ...about }: MarkdownAreaProps) {
  return (
    <div className="stack-tight">
      <Labelled {...about}>
        {(control) => (
          <textarea
            {...control}
            rows={rows}
            value={value}
            onChange={(event) => onValue(event.currentTarget.value)}
          />
        )}
      </Labelled>
      {value.trim() !== "" && (
        <Disclosure title={`How people read it: ${about.label}`}>
          <div className="card">
            <Markdown text={value} />
          </div>
        </Disclosure>
      )}
    </div>
  );
}
