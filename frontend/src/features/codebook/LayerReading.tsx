import type { SpanCategory, SpanLayer } from "../../api/types";
import { Markdown } from "../../components/Markdown";
import { TableScroll } from "../../components/TableCard";
import { categoryWords } from "../label/spans/model/rulesInWords";
import { colorOf, nameOf } from "../label/spans/model/words";
import "../label/spans/palette.css";

/** The categories of spans as people read them. */
export function LayerReading({ layer }: { layer: SpanLayer }) {
  return (
    <section className="card stack" aria-labelledby="span-layer">
      <h3 id="span-layer">Spans</h3>
      {layer.target && (
        <p className="small mute">
          What is marked as {nameOf(layer, layer.target)} makes the targets of the dataset, one for each
          source document.
        </p>
      )}
      <TableScroll title="Categories of spans">
        <table className="table labels">
          <thead>
            <tr>
              <th scope="col">Category</th>
              <th scope="col">Means</th>
            </tr>
          </thead>
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
  return (
    <tr>
      <th scope="row">
        <i aria-hidden="true" className="swatch" style={{ background: colorOf(layer, category.key) }} />
        {category.name} <code>{category.key}</code>{" "}
        {category.marker !== category.name.toUpperCase() && <code>{category.marker}</code>}
      </th>
      <td>
        <p className="small mute">{categoryWords(category, layer)}</p>
        {category.help ? <Markdown text={category.help} /> : <span className="mute">no help written</span>}
      </td>
    </tr>
  );
}
