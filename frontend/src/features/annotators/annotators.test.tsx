import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { Annotator, AnnotatorsPage } from "../../api/annotators";
import { expectAccessible, renderScreen, serve } from "../../test/admin";
import { Component } from "./index";
import { annotatorsCsv, sorted } from "./rows";

const NOT_COMPARED = {
  stage: "stance",
  n: 0,
  value: null,
  interval: null,
  percent_agreement: null,
  reason: "nobody else answered these items",
};
const ANN: Annotator = {
  id: "m2",
  number: 2,
  display_name: "Ann",
  role: "annotator",
  is_active: true,
  done: 40,
  skipped: 4,
  active_ms: 400_000,
  agreement: [
    { ...NOT_COMPARED, n: 40, value: 0.5, interval: [0.3, 0.7], percent_agreement: 0.75, reason: "" },
  ],
  labels: [
    {
      stage: "stance",
      n: 40,
      labels: [{ label: "for", name: "For", own: 0.6, others: 0.3, much_more: true }],
    },
  ],
  checks: { answered: 4, right: 3, skipped: 1, share: 0.75, low: 0.3006, high: 0.9544 },
  practices: [
    {
      id: "q1",
      number: 1,
      title: "Warm-up",
      standing: "passed",
      attempts_left: 1,
      attempts: [{ number: 1, total: 10, done: 10, right: 9, passed: true }],
    },
    { id: "q2", number: 2, title: "Warm-up", standing: "not_begun", attempts_left: 2, attempts: [] },
  ],
};
const BEN: Annotator = {
  ...ANN,
  id: "m3",
  number: 3,
  display_name: "Ben",
  done: 5,
  skipped: 0,
  active_ms: 100_000,
  agreement: [{ ...NOT_COMPARED, n: 5, value: 0.9, interval: null, percent_agreement: 0.95, reason: "" }],
  labels: [],
  checks: { answered: 0, right: 0, skipped: 0, share: null, low: null, high: null },
  practices: [],
};
const CLEO: Annotator = {
  ...BEN,
  id: "m4",
  number: 4,
  display_name: "Cleo",
  is_active: false,
  done: 0,
  active_ms: 0,
  agreement: [NOT_COMPARED],
};
const PAGE: AnnotatorsPage = {
  batches: [{ id: "b1", kind: "round", number: 1 }],
  stages: [{ key: "stance", title: "Stance", coefficient: "Krippendorff’s α" }],
  few_items: 20,
  hidden: [],
  annotators: [ANN, BEN, CLEO],
};

describe("annotators", () => {
  it("shows work, agreement with its interval, labels and practice, and says where items are few", async () => {
    const asked = serve({ "GET /api/projects/p1/annotators/": PAGE });
    const { container } = renderScreen(Component);
    const row = (name: RegExp) => screen.getAllByRole("rowheader", { name })[0]?.closest("tr");
    await screen.findAllByRole("rowheader", { name: /Ann/ });
    expect(row(/Ann/)).toHaveTextContent("Ann annotator 2404" + "10.0 %");
    expect(row(/Ann/)).toHaveTextContent("0.50[0.30, 0.70]75.0 % equal, 40 items");
    expect(row(/Ann/)).toHaveTextContent("1. Warm-up: passed: 9 of 10 right2. Warm-up: not begun");
    expect(row(/Ann/)).not.toHaveTextContent("few items");
    expect(row(/Ann/)).toHaveTextContent("3 of 4: 75.0 % [30, 95]1 skipped");
    expect(row(/Ben/)).toHaveTextContent("few items");
    expect(row(/Cleo/)).toHaveTextContent("undefined: nobody else answered these items");
    const shares = screen.getByRole("region", { name: "Labels at Stance" });
    expect(within(shares).getByRole("row", { name: /^Ann / })).toHaveTextContent(
      "60.0 %others 30.0 %much more",
    );
    await expectAccessible(container);
    await userEvent.selectOptions(screen.getByLabelText("Batches"), "Round 1");
    await screen.findAllByRole("rowheader", { name: /Ann/ });
    expect(asked.at(-1)?.path).toContain("annotators");
  });

  it("sorts by a column, and leaves who has no value last", async () => {
    serve({ "GET /api/projects/p1/annotators/": PAGE });
    renderScreen(Component);
    const table = within(await screen.findByRole("group", { name: "Annotators" }));
    const names = () => table.getAllByRole("rowheader").map((head) => head.textContent?.split(" ")[0]);
    expect(names()).toEqual(["Ann", "Ben", "Cleo"]);
    const head = table.getByRole("button", { name: "Agreement with the others" });
    await userEvent.click(head);
    expect(names()).toEqual(["Ben", "Ann", "Cleo"]);
    expect(head.closest("th")).toHaveAttribute("aria-sort", "descending");
    await userEvent.click(head);
    expect(names()).toEqual(["Ann", "Ben", "Cleo"]);
    expect(sorted(PAGE.annotators, { by: "pace", isDown: true }, "stance").map(({ id }) => id)).toEqual([
      "m3",
      "m2",
      "m4",
    ]);
  });

  it("gives every stage and practice to a file", () => {
    const [heads, ann] = annotatorsCsv(PAGE, PAGE.annotators).split("\r\n");
    expect(heads).toBe(
      "number,name,role,is_active,done,skipped,active_minutes,seconds_an_item,check_items_answered,check_items_right,check_items_skipped,stance.coefficient,stance.value,stance.low,stance.high,stance.percent_agreement,stance.items,stance.reason,practice 1: Warm-up,practice 2: Warm-up",
    );
    expect(ann).toBe(
      "2,Ann,annotator,yes,40,4,6.67,10,4,3,1,Krippendorff’s α,0.5,0.3,0.7,0.75,40,,passed: 9 of 10 right,not begun",
    );
  });
});
