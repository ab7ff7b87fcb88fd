/** What somebody needs to know who writes a definition. */
export function Advice() {
  return (
    <div className="small mute stack">
      <p>
        A draft changes nothing yet: it takes effect when it is published, and only for batches that open
        after that.
      </p>
      <p>
        Keys are what is stored: keep them, and change names, prompts and help as you like. Removing a stage
        or label, or changing when a stage opens, is breaking: earlier answers then leave training.
      </p>
      <p>
        Conditions look back only: <code>{'{"stage": "opinion", "in": ["yes"]}'}</code>,{" "}
        <code>{'{"stage": "opinion", "answered": true}'}</code>, <code>{'{"all": [...]}'}</code> or{" "}
        <code>{'{"any": [...]}'}</code>.
      </p>
      <p>
        Spans are marked by a <code>span_layer</code>, next to or instead of stages. A category removed, or a
        rule that asks for more than before, is breaking.
      </p>
      <CategoryFields />
    </div>
  );
}

const COLORS = "blue, orange, green, purple, ochre, teal, red, pink, brown, grey, indigo or lime";

function CategoryFields() {
  return (
    <div className="stack-tight">
      <p>Of a category, only key and name are needed; the rest may be left out:</p>
      <ul className="reasons">
        <li>
          <code>color</code>: {COLORS}
        </li>
        <li>
          <code>shortcut</code>: one letter or digit that marks it; c, h, m and x belong to the screen
        </li>
        <li>
          <code>comment</code>: "none", "optional" or "required" on each span
        </li>
        <li>
          <code>refers</code>: true, and each span names the source document that it means
        </li>
        <li>
          <code>within</code>: key of the category that it stands inside
        </li>
        <li>
          <code>at_least</code>, <code>at_most</code>: how many, in the text or in each span of{" "}
          <code>within</code>; <code>at_most</code> null: any number
        </li>
      </ul>
    </div>
  );
}
