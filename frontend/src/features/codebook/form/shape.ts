import type { CodebookDefinition } from "../../../api/types";

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string";
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isNothing: Check = (value) => value === undefined || value === null;
const maybe =
  (check: Check): Check =>
  (value) =>
    isNothing(value) || check(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const object =
  (fields: Record<string, Check>): Check =>
  (value) =>
    isObject(value) && Object.entries(fields).every(([key, check]) => check(value[key]));

const isCondition: Check = (value) =>
  isObject(value) &&
  (listOf(isCondition)(value.all) ||
    listOf(isCondition)(value.any) ||
    (isText(value.stage) && (value.answered === true || listOf(isText)(value.in))));

const isLabel = object({ key: isText, name: isText, help: maybe(isText), shortcut: maybe(isText) });
const isStage: Check = (value) =>
  object({
    key: isText,
    title: isText,
    prompt: isText,
    help: maybe(isText),
    type: maybe(isText),
    open_when: maybe(isCondition),
    positive: maybe(listOf(isText)),
    anchors: maybe(listOf(object({ name: isText }))),
  })(value) && isOfItsType(value as Record<string, unknown>);
const isCategory = object({ key: isText, name: isText });

/** Those with labels list them; the form has no fields for a type that it does not know. */
function isOfItsType({ type = "label", labels }: Record<string, unknown>): boolean {
  if (type === "label" || type === "several") return listOf(isLabel)(labels);
  return type === "scale" || type === "number" || type === "text";
}

/** The definition, where its parts are of the kinds that the form can show; the server judges what they say. */
export function formable(value: unknown): CodebookDefinition | null {
  const isDefinition = object({
    name: isText,
    guidelines: maybe(isText),
    stages: listOf(isStage),
    learning: maybe(object({ stage: isText, exclude: maybe(listOf(isText)) })),
    span_layer: maybe(object({ target: maybe(isText), categories: listOf(isCategory) })),
  });
  return isDefinition(value) ? (value as CodebookDefinition) : null;
}
