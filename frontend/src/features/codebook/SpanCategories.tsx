import { ColorMark } from "../../annotate/ColorMark";
import { nameOf } from "../../annotate/spans/model/categories";
import { categoryWords } from "../../annotate/spans/model/rulesInWords";
import { spanKeys } from "../../annotate/spans/model/spanKeys";
import type { SpanLayer } from "../../api/types";
import { DataTable } from "../../components/DataTable";
import { Markdown } from "../../components/Markdown";

/** The categories of spans as people read them. */
export function SpanCategories({ layer }: { layer: SpanLayer }) {
  return (
    <section className="card stack" aria-labelledby="span-categories">
      <div className="stack-tight">
        <h3 id="span-categories">Spans</h3>
        {layer.target && (
          <p className="small mute">
            Target sentences are the spans of {nameOf(layer, layer.target)}, one target for each source
            document.
          </p>
        )}
      </div>
      <DataTable
        title="Categories of spans"
        className="labels"
        rows={layer.categories}
        keyOf={({ key }) => key}
        columns={[
          [
            "Category",
            ({ key, name, color }) => (
              <>
                <ColorMark color={color} /> {name} <code>{key}</code>
              </>
            ),
          ],
          ["Key", ({ key }) => spanKeys(layer).categories.get(key) ?? "none"],
          ["In the text form", ({ marker }) => <code>{marker}</code>],
          [
            "Means",
            (category) => (
              <>
                <p>{categoryWords(category, layer)}</p>
                {category.help ? (
                  <Markdown text={category.help} />
                ) : (
                  <span className="mute">no help written</span>
                )}
              </>
            ),
          ],
        ]}
      />
    </section>
  );
}
