import { expect, it } from "vitest";
import type { CodebookDefinition } from "../../api/types";
import { textAt } from "./textAt";

const DEFINITION: CodebookDefinition = {
  name: "Rates",
  stages: [
    {
      key: "topic",
      title: "Topic",
      prompt: "What about?",
      labels: [{ key: "rates", name: "Rates", help: "Of banks." }],
    },
  ],
};

it.each([
  ["name", "Rates"],
  ["stages.topic.prompt", "What about?"],
  ["stages.topic.labels.rates.help", "Of banks."],
  ["stages.topic.labels", null],
  ["stages.gone.labels.rates.help", null],
  ["span_layer.categories.act.name", null],
])("finds the text at %s", (path, text) => {
  expect(textAt(DEFINITION, path)).toBe(text);
});
