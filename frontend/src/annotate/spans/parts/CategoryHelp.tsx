import type { SpanLayer } from "../../../api/types";
import { Markdown } from "../../../components/Markdown";
import { categoryWords } from "../model/rulesInWords";

/** What the codebook says about the categories of spans, or about one of them. */
export function CategoryHelp({ layer, only }: { layer: SpanLayer; only?: string }) {
  const shown = layer.categories.filter(({ key }) => only === undefined || key === only);
  return (
    <div className="stage-help">
      <dl>
        {shown.map((category) => (
          <div key={category.key}>
            <dt>{category.name}</dt>
            <dd>
              <p className="mute">{categoryWords(category, layer)}</p>
              {category.help && <Markdown text={category.help} />}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
