import { nameOf } from "../../annotate/spans/model/categories";
import { categoryWords } from "../../annotate/spans/model/rulesInWords";
import { spanKeys } from "../../annotate/spans/model/spanKeys";
import type { SpanCategory, SpanLayer } from "../../api/types";
import { ColumnHeads } from "../../components/ColumnHeads";
import { Markdown } from "../../components/Markdown";
import { TableScroll } from "../../components/TableCard";
import "../../annotate/spans/palette.css";

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
      <TableScroll title="Categories of spans">
        <table className="table labels">
          <ColumnHeads of={["Category", "Key", "In the text form", "Means"]} />
          <tbody>
            {layer.categories.map((category) => (
              <CategoryRow key={category.key} category={category} layer={layer} />
            ))}
          </tbody>
        </table>
      </TableScroll>
    </section>
  );
}

function CategoryRow({ category, layer }: { category: SpanCategory; layer: SpanLayer }) {
  const { key, name, color, marker, help } = category;
  const held = spanKeys(layer).categories.get(key);
  return (
    <tr>
      <th scope="row">
        <i aria-hidden="true" className="category-color" style={{ background: `var(--span-${color})` }} />{" "}
        {name} <code>{key}</code>
      </th>
      <td>{held ?? "none"}</td>
      <td>
        <code>{marker}</code>
      </td>
      <td>
        <p>{categoryWords(category, layer)}</p>
        {help ? <Markdown text={help} /> : <span className="mute">no help written</span>}
      </td>
    </tr>
  );
}
