import { useState } from "react";
import { Copyable } from "../../components/Copyable";
import { Markdown } from "../../components/Markdown";
import { Switch } from "../../components/Switch";
import { cardParts } from "./cardParts";

interface CardViewProps {
  markdown: string;
  /** Level of the heading that the card's own title becomes. */
  top: 2 | 3;
}

/** A dataset card as a reader of the dataset sees it, or as the file has it. */
export function CardView({ markdown, top }: CardViewProps) {
  const [as, setAs] = useState<"read" | "source">("read");
  const { head, body } = cardParts(markdown);
  return (
    <div className="stack">
      <Switch
        label="Show the card"
        value={as}
        options={[
          { value: "read", text: "To read" },
          { value: "source", text: "As the file" },
        ]}
        onValue={setAs}
      />
      {as === "source" ? (
        <Copyable text={markdown} what="card" isBlock />
      ) : (
        <div className={`dataset-card top-${top}`}>
          {head && (
            <details className="more">
              <summary>What data hubs read (YAML)</summary>
              <Copyable text={head} what="YAML head" isBlock />
            </details>
          )}
          <Markdown text={body} top={top} />
        </div>
      )}
    </div>
  );
}
