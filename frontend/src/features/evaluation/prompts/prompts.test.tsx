import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { Answer, expectAccessible, renderScreen, serve } from "../../../test/admin";
import { choices } from "../../../test/evaluation";
import { Component } from "./index";
import { placeOf } from "./place";

const CHOICES = "GET /api/projects/p1/evaluations/choices/";
const NEXT: Record<string, string> = { i1: "i2", i2: "i1" };

/** As the server fills a prompt: a brace without its other half is a fault. */
function preview({ body }: { body: unknown }) {
  const { template, item = "i1" } = body as { template: string; item?: string };
  const at = template.indexOf("{oops");
  const shown = { item: { id: item, external_id: `ext-${item}` }, next_item: NEXT[item] };
  const warnings = template.includes("{sentence}") ? [] : ["{sentence} is missing."];
  return at === -1
    ? { ...shown, prompt: `FILLED ${template}`, faults: [], warnings }
    : {
        ...shown,
        prompt: null,
        warnings: [],
        faults: [{ line: 1, column: at + 1, message: "there is no variable oops" }],
      };
}

function open(routes: Record<string, unknown> = {}) {
  const asked = serve({
    [CHOICES]: choices(),
    "POST /api/projects/p1/prompts/preview/": preview,
    ...routes,
  });
  return { asked, ...renderScreen(Component) };
}

const editor = async () => (await screen.findByRole("textbox")) as HTMLTextAreaElement;

describe("prompts", () => {
  it("show faults with their places as one types, and the prompt of the next item", async () => {
    const { container } = open();
    const area = await editor();
    expect(area).toHaveValue("Is {sentence} an opinion?");
    expect(await screen.findByText("FILLED Is {sentence} an opinion?")).toBeVisible();
    await expectAccessible(container);
    area.setSelectionRange(3, 13);
    await userEvent.click(screen.getByRole("button", { name: "Insert {labels}" }));
    expect(area).toHaveValue("Is {labels} an opinion?");
    await userEvent.type(area, "{{oops", { initialSelectionStart: 0 });
    await userEvent.click(await screen.findByRole("button", { name: "Line 1, column 1" }));
    expect(screen.getByText(/there is no variable oops/)).toBeVisible();
    expect(area).toHaveFocus();
    expect(area.selectionStart).toBe(0);
    expect(screen.getByRole("button", { name: "Save the prompt" })).toBeDisabled();
    expect(screen.getByText("It can be shown once the faults are corrected.")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Next item" }));
    expect(await screen.findByText("Item ext-i2")).toBeVisible();
  });

  it("go back to the default and to a version, and save a new one", async () => {
    const { asked } = open({
      "GET /api/projects/p1/prompts/opinion/1/": { stage: "opinion", number: 1, template: "The first." },
      "POST /api/projects/p1/prompts/": new Answer(201, {
        stage: "opinion",
        number: 3,
        template: "The first.",
      }),
    });
    const area = await editor();
    await userEvent.click(screen.getByRole("button", { name: "Go back to the default" }));
    expect(area).toHaveValue("Default: {sentence}");
    await userEvent.click(screen.getByRole("button", { name: "Read version 1" }));
    const dialog = screen.getByRole("dialog", { name: "Opinion: version 1" });
    await userEvent.click(await within(dialog).findByRole("button", { name: "Restore this version" }));
    expect(area).toHaveValue("The first.");
    await waitFor(() => expect(screen.getByText("FILLED The first.")).toBeVisible());
    await userEvent.click(screen.getByRole("button", { name: "Save the prompt" }));
    // The text has no {sentence}: nothing is saved before that is confirmed.
    const question = await screen.findByRole("dialog", { name: "Save the prompt as it is?" });
    expect(question).toHaveTextContent("{sentence} is missing.");
    expect(asked.some(({ method, path }) => method === "POST" && path.endsWith("/prompts/"))).toBe(false);
    await userEvent.click(within(question).getByRole("button", { name: "Save it as it is" }));
    await waitFor(() =>
      expect(asked.find(({ method, path }) => method === "POST" && path.endsWith("/prompts/"))?.body).toEqual(
        {
          stage: "opinion",
          template: "The first.",
          base_number: 2,
        },
      ),
    );
  });

  it("keep what was typed where somebody saved a newer version, which may then be followed", async () => {
    let number = 2;
    const { asked } = open({
      [CHOICES]: () => {
        const [first, ...others] = choices().prompts;
        return choices({ prompts: [{ ...(first as NonNullable<typeof first>), number }, ...others] });
      },
      "POST /api/projects/p1/prompts/": ({ body }: { body: unknown }) => {
        const { base_number } = body as { base_number: number };
        if (base_number === 3) return new Answer(201, { stage: "opinion", number: 4, template: "Mine" });
        number = 3;
        return new Answer(409, { detail: "Version 3 of this prompt was saved meanwhile.", code: "stale" });
      },
    });
    const area = await editor();
    await userEvent.clear(area);
    await userEvent.type(area, "Mine {{sentence}");
    await userEvent.click(screen.getByRole("button", { name: "Save the prompt" }));
    expect(await screen.findByText(/A newer version was saved meanwhile/)).toBeVisible();
    expect(await editor()).toHaveValue("Mine {sentence}");
    await userEvent.click(await screen.findByRole("button", { name: "Save my text after version 3" }));
    await waitFor(() =>
      expect(asked.filter(({ path }) => path.endsWith("/prompts/")).at(-1)?.body).toMatchObject({
        template: "Mine {sentence}",
        base_number: 3,
      }),
    );
  });
});

describe("placeOf", () => {
  it("counts lines and code points from 1", () => {
    expect(placeOf("ab\ncd", 2, 2)).toBe(4);
    // The sign before it takes two places of a browser's text.
    expect(placeOf("😀{x}", 1, 2)).toBe(2);
    expect(placeOf("ab", 9, 9)).toBe(2);
  });
});
