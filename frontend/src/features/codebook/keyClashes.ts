import { optionKeys, RESERVED } from "../../annotate/questions/optionKeys";
import { spanKeys } from "../../annotate/spans/model/spanKeys";
import { labelsOf } from "../../api/codebooks";
import type { CodebookDefinition } from "../../api/types";

const FIXED: Record<string, string> = {
  c: "opens more context",
  h: "shows the help",
  m: "writes a comment",
  x: "skips the item",
};

/** Shortcuts that the labelling screen cannot give, each in words with what holds instead. */
export function keyClashes({ stages, span_layer: layer }: CodebookDefinition): string[] {
  const keys = layer ? spanKeys(layer) : null;
  const ofSpans = (layer?.categories ?? []).flatMap(({ key, name, shortcut }) => {
    const asked = shortcut?.toLowerCase();
    if (!asked || !RESERVED.has(asked)) return [];
    const held = keys?.categories.get(key);
    return [
      `${name}: “${asked}” ${FIXED[asked]} there, so its key is ${held ? `“${held}”` : "none: no digit is left"}.`,
    ];
  });
  const given = optionKeys(stages, keys?.taken);
  const ofLabels = stages.flatMap((stage) =>
    labelsOf(stage).flatMap(({ name, shortcut }, place) => {
      const asked = shortcut?.toLowerCase();
      if (!asked || given.get(stage.key)?.[place] === asked) return [];
      const reason =
        FIXED[asked] ?? (keys?.taken.has(asked) ? "is a key of the spans" : "answers an earlier question");
      return [`${name} of ${stage.title}: “${asked}” ${reason} there, so it gets the next free letter.`];
    }),
  );
  return [...ofSpans, ...ofLabels];
}
