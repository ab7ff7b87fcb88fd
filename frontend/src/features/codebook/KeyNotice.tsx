import type { CodebookDefinition } from "../../api/types";
import { keyClashes } from "./keyClashes";

/** Says which of the codebook's shortcuts will not hold on the labelling screen. */
export function KeyNotice({ definition }: { definition: CodebookDefinition }) {
  const clashes = keyClashes(definition);
  if (clashes.length === 0) return null;
  return (
    <div className="notice warn stack-tight">
      <p>The labelling screen keeps some of these shortcuts for itself:</p>
      <ul className="reasons">
        {clashes.map((words) => (
          <li key={words}>{words}</li>
        ))}
      </ul>
    </div>
  );
}
