import { fireEvent, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import type { CodebookDraft } from "../../../api/codebooks";
import type { CodebookDefinition } from "../../../api/types";
import { Answer, expectAccessible, renderScreen, serve } from "../../../test/admin";
import { CODEBOOK } from "../../../test/rounds";
import { Component } from "../index";

const DEFINITION: CodebookDefinition = {
  name: "Rates",
  stages: [
    {
      key: "opinion",
      title: "Opinion",
      prompt: "Is there an opinion?",
      labels: [
        { key: "yes", name: "Yes" },
        { key: "no", name: "No" },
      ],
    },
    { key: "topic", title: "Topic", prompt: "What about?", type: "text" },
  ],
  learning: { stage: "opinion" },
};

const ITEMS = { items: [{ id: "i1", text: "Rates should fall." }], before: null, after: null };

let saved: CodebookDefinition[] = [];

beforeEach(async () => {
  saved = [];
  let held: CodebookDraft = {
    revision: 0,
    text: null,
    base: "",
    by: null,
    changed_at: "2026-11-28T09:00:00Z",
  };
  serve({
    "GET /api/projects/p1/codebooks/": [{ ...CODEBOOK, definition: DEFINITION }],
    "GET /api/codebook-templates/": [],
    "GET /api/projects/p1/codebook-draft/": held,
    "PUT /api/projects/p1/codebook-draft/": ({ body }: { body: { text: string } }) => {
      held = { ...held, revision: held.revision + 1, text: body.text };
      return held;
    },
    "GET /api/projects/p1/items/": ITEMS,
    "POST /api/projects/p1/codebooks/": ({ body }: { body: { definition: CodebookDefinition } }) => {
      saved.push(body.definition);
      const errors = { "definition.stages[1].title": ["must not be empty"] };
      return new Answer(400, { detail: "The codebook has faults.", errors });
    },
  });
  renderScreen(Component);
  await userEvent.click(await screen.findByRole("button", { name: "Edit as a new draft" }));
});

async function save(): Promise<CodebookDefinition> {
  await userEvent.click(screen.getByRole("button", { name: "Save as a draft" }));
  await screen.findByText("Not saved: 1 place to fix.");
  return saved.at(-1) as CodebookDefinition;
}

it("adds a question with labels and a condition without a line of JSON", async () => {
  const user = userEvent.setup();
  await user.click(screen.getByRole("button", { name: "Add a question" }));
  await user.type(screen.getByLabelText("Short name"), "Strength");
  await user.type(screen.getByLabelText("The question that people read"), "How strong?");
  await user.clear(screen.getByLabelText("Label 1"));
  await user.type(screen.getByLabelText("Label 1"), "Very strong");
  await user.click(screen.getByRole("button", { name: "Add a condition" }));
  await user.selectOptions(screen.getByLabelText("Condition 1: the answer to"), "opinion");
  expect(screen.getByText("Opens when Opinion is “Yes”.")).toBeVisible();
  expect((await save()).stages[2]).toEqual({
    key: "question",
    title: "Strength",
    prompt: "How strong?",
    labels: [
      { key: "very_strong", name: "Very strong" },
      { key: "no", name: "No" },
    ],
    open_when: { stage: "opinion", in: ["yes"] },
  });
});

it("puts conditions into groups, and takes them apart again", async () => {
  const user = userEvent.setup();
  await user.click(screen.getByRole("button", { name: "Add a question" }));
  await user.click(screen.getByRole("button", { name: "Add a condition" }));
  await user.click(screen.getByRole("button", { name: "Add a group" }));
  await user.selectOptions(screen.getByLabelText("Condition 2.1: the answer to"), "opinion");
  expect(
    screen.getByText("Opens when Topic is answered and (Opinion is “Yes” or Topic is answered)."),
  ).toBeVisible();
  const answered = { stage: "topic", answered: true };
  const grouped = { all: [answered, { any: [{ stage: "opinion", in: ["yes"] }, answered] }] };
  expect((await save()).stages[2]?.open_when).toEqual(grouped);
  await user.click(screen.getByRole("button", { name: "Remove group 2" }));
  expect((await save()).stages[2]?.open_when).toEqual(answered);
});

it("shows what the server found at its field, in a question that is folded too", async () => {
  await save();
  const head = screen.getByRole("button", { name: /2. Topic/ });
  expect(head).toHaveTextContent("1 place to fix");
  await userEvent.click(head);
  expect(screen.getByLabelText("Short name")).toHaveAccessibleDescription(/must not be empty/);
});

it("keeps the key of a label that answers may have, whatever its name becomes", async () => {
  const user = userEvent.setup();
  await user.click(screen.getByRole("button", { name: /1. Opinion/ }));
  await user.type(screen.getByLabelText("Label 1"), ", clearly");
  await user.click(screen.getByRole("button", { name: "Add a label" }));
  await user.type(screen.getByLabelText("Label 3"), "Can't tell{Enter}");
  expect((await save()).stages[0]).toMatchObject({
    labels: [
      { key: "yes", name: "Yes, clearly" },
      { key: "no", name: "No" },
      { key: "can_t_tell", name: "Can't tell" },
    ],
  });
  // Enter in a field saves nothing by itself.
  expect(saved).toHaveLength(1);
});

it("takes a key once its field is left, and not that of another", async () => {
  const user = userEvent.setup();
  await user.click(screen.getByRole("button", { name: /2. Topic/ }));
  const key = () => screen.getByLabelText("Key");
  await user.clear(key());
  await user.type(key(), "opinion");
  expect(key()).toHaveAccessibleDescription(/Another one has this key/);
  await user.tab();
  expect((await save()).stages.map((stage) => stage.key)).toEqual(["opinion", "topic"]);
  await user.type(key(), "s");
  await user.tab();
  expect((await save()).stages.map((stage) => stage.key)).toEqual(["opinion", "opinions"]);
});

it("gives the learning up with the labels, and brings the labels back", async () => {
  const user = userEvent.setup();
  await user.click(screen.getByRole("button", { name: /1. Opinion/ }));
  await user.selectOptions(screen.getByLabelText("Answered with"), "text");
  expect((await save()).learning).toBeNull();
  await user.selectOptions(screen.getByLabelText("Answered with"), "label");
  expect(await save()).toEqual(DEFINITION);
});

it("makes a question a scale, orders questions, and writes both into the JSON", async () => {
  const user = userEvent.setup();
  await user.click(screen.getByRole("button", { name: /2. Topic/ }));
  await user.selectOptions(screen.getByLabelText("Answered with"), "scale");
  await user.clear(screen.getByLabelText("Highest point"));
  await user.type(screen.getByLabelText("Highest point"), "7");
  await user.type(screen.getByLabelText("Point 1"), "not at all");
  await user.click(screen.getByRole("button", { name: "Move Topic up" }));
  await user.click(screen.getByRole("button", { name: "JSON" }));
  const text = screen.getByLabelText<HTMLTextAreaElement>("Definition (JSON)").value;
  expect(JSON.parse(text).stages[0]).toEqual({
    type: "scale",
    key: "topic",
    title: "Topic",
    prompt: "What about?",
    low: 1,
    high: 7,
    anchors: [{ point: 1, name: "not at all" }],
  });
});

it("orders questions and labels by dragging, each within its own list", async () => {
  const user = userEvent.setup();
  const dataTransfer = { setData: () => undefined, effectAllowed: "" };
  const drag = (from: Element | undefined, to: Element | null | undefined) => {
    if (!from || !to) throw new Error("nothing to drag");
    fireEvent.dragStart(from, { dataTransfer });
    fireEvent.dragOver(to, { dataTransfer });
    fireEvent.drop(to, { dataTransfer });
    fireEvent.dragEnd(from, { dataTransfer });
  };
  const grips = () => screen.getAllByTitle("Drag to another place");
  await user.click(screen.getByRole("button", { name: /1. Opinion/ }));
  // Of the question Opinion, of its two labels, of the question Topic.
  expect(grips()).toHaveLength(4);
  drag(grips()[2], grips()[1]?.closest("li"));
  expect((await save()).stages[0]).toMatchObject({ labels: [{ key: "no" }, { key: "yes" }] });
  drag(grips()[1], grips()[3]?.closest("li"));
  drag(grips()[3], grips()[0]?.closest("li"));
  expect((await save()).stages).toMatchObject([
    { key: "topic" },
    { key: "opinion", labels: [{ key: "no" }, { key: "yes" }] },
  ]);
});

it("lets the questions be tried on a text of the project, by keys too", async () => {
  const user = userEvent.setup();
  await user.click(screen.getByRole("button", { name: "Try it" }));
  expect(await screen.findByText("Rates should fall.")).toBeVisible();
  const card = within(screen.getByRole("group", { name: "Opinion" }));
  await user.click(card.getByRole("button", { name: /Yes/ }));
  expect(screen.getByText(/Opinion/, { selector: ".stage-line *" })).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Answer it anew" }));
  expect(screen.getByRole("group", { name: "Opinion" })).toBeVisible();
});

it("can be used with a screen reader", async () => {
  await userEvent.click(screen.getByRole("button", { name: /1. Opinion/ }));
  await userEvent.click(screen.getByRole("button", { name: "Let people mark spans" }));
  await userEvent.click(screen.getByRole("button", { name: /Rules and help for category 1/ }));
  await expectAccessible(document.body);
});

it("gives a label a colour, and takes it away", async () => {
  const user = userEvent.setup();
  await user.click(screen.getByRole("button", { name: /1. Opinion/ }));
  const [color] = screen.getAllByLabelText("Color");
  await user.selectOptions(color as HTMLElement, "teal");
  expect((await save()).stages[0]).toMatchObject({ labels: [{ key: "yes", color: "teal" }, { key: "no" }] });
  await user.selectOptions(color as HTMLElement, "none");
  expect(JSON.stringify((await save()).stages[0])).not.toContain("color");
});

it("offers scales and sets to be learned, and nothing for numbers and texts", async () => {
  const user = userEvent.setup();
  await user.click(screen.getByRole("button", { name: /1. Opinion/ }));
  await user.selectOptions(screen.getByLabelText("Answered with"), "scale");
  const learned = screen.getByLabelText("The model learns");
  expect(
    within(learned)
      .getAllByRole("option")
      .map(({ textContent }) => textContent),
  ).toEqual(["Nothing is named", "Opinion"]);
  expect((await save()).learning).toEqual({ stage: "opinion" });
  await user.selectOptions(learned, "Nothing is named");
  expect((await save()).learning).toBeNull();
});

it("lets spans be tried on a text of the project, by their keys, as the draft has them", async () => {
  const user = userEvent.setup();
  await user.click(screen.getByRole("button", { name: "Let people mark spans" }));
  await user.click(screen.getByRole("button", { name: "Try it" }));
  const marking = await screen.findByRole("region", { name: "Marking on a text" });
  const chips = within(marking).getByRole("group", { name: "Categories" });
  expect(within(chips).getAllByRole("button")).toHaveLength(1);
  await user.keyboard("{Shift>}{Control>}{ArrowRight}{/Control}{/Shift}1");
  const list = within(marking).getByRole("list", { name: "Spans" });
  expect(list).toHaveTextContent("Rates");
  expect(screen.getByRole("group", { name: "Opinion" })).toBeVisible();
});
