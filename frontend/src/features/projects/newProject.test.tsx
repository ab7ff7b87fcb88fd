import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { Answer, expectAccessible, PROJECT, renderScreen, serve } from "../../test/admin";
import { NewProject } from "./NewProject";

const POST = "POST /api/projects/";
const TEMPLATES = [
  { key: "blank", title: "Blank", help: "One question.", definition: {} },
  { key: "spans", title: "How texts interpret sources", help: "Spans.", definition: {} },
];
const served = (answer: Answer) => serve({ "GET /api/codebook-templates/": TEMPLATES, [POST]: answer });
const created = (asked: ReturnType<typeof serve>) => asked.filter(({ method }) => method === "POST");

describe("new project", () => {
  it("needs only a name, and begins with a blank codebook", async () => {
    const asked = served(new Answer(201, PROJECT));
    const { container } = renderScreen(NewProject);
    await expectAccessible(container);
    await userEvent.type(screen.getByLabelText("Name"), " Committee ");
    await userEvent.click(screen.getByRole("button", { name: "Create the project" }));
    await waitFor(() => expect(created(asked)).toHaveLength(1));
    expect(created(asked)[0]?.body).toEqual({
      client_id: expect.any(String),
      name: "Committee",
      codebook: "blank",
      time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    });
  });

  it("sends the settings that were made", async () => {
    const asked = served(new Answer(201, PROJECT));
    renderScreen(NewProject);
    await userEvent.type(screen.getByLabelText("Name"), "Committee");
    await userEvent.click(await screen.findByLabelText("How texts interpret sources"));
    await userEvent.click(screen.getByText("More settings"));
    await userEvent.type(screen.getByLabelText("Budget"), "1050");
    await userEvent.clear(screen.getByLabelText("Time zone"));
    await userEvent.type(screen.getByLabelText("Time zone"), "Europe/Oslo");
    await userEvent.click(screen.getByRole("button", { name: "Create the project" }));
    await waitFor(() => expect(created(asked)).toHaveLength(1));
    expect(created(asked)[0]?.body).toEqual({
      client_id: expect.any(String),
      name: "Committee",
      codebook: "spans",
      annotation_budget: 1050,
      time_zone: "Europe/Oslo",
    });
  });

  it("lets a project begin without a codebook where it is of factoids", async () => {
    const asked = served(new Answer(201, PROJECT));
    renderScreen(NewProject);
    await userEvent.type(screen.getByLabelText("Name"), "Ferry");
    await userEvent.click(await screen.findByLabelText("Factoids"));
    await userEvent.click(screen.getByRole("button", { name: "Create the project" }));
    await waitFor(() => expect(created(asked)[0]?.body).toMatchObject({ name: "Ferry", codebook: "none" }));
  });

  it("sends a retry under the same number, so that no second project is made", async () => {
    const asked = served(new Answer(503, { detail: "The server is busy." }));
    renderScreen(NewProject);
    await userEvent.type(screen.getByLabelText("Name"), "Ferry");
    await userEvent.click(screen.getByRole("button", { name: "Create the project" }));
    await screen.findByText(/The server is busy/);
    await userEvent.click(screen.getByRole("button", { name: "Create the project" }));
    await waitFor(() => expect(created(asked)).toHaveLength(2));
    expect(created(asked)[1]?.body).toEqual(created(asked)[0]?.body);
  });

  it("opens the settings where the server refuses one, and keeps what was typed", async () => {
    const errors = { time_zone: ["'Mars' is not a time zone: use a name such as Europe/Oslo."] };
    served(new Answer(400, { detail: "Some fields need to be corrected.", errors }));
    renderScreen(NewProject);
    await userEvent.type(screen.getByLabelText("Name"), "Committee");
    await userEvent.click(screen.getByRole("button", { name: "Create the project" }));
    await waitFor(() =>
      expect(screen.getByLabelText("Time zone")).toHaveAccessibleDescription(/'Mars' is not a time zone/),
    );
    expect(screen.getByLabelText("Time zone")).toBeVisible();
    expect(screen.getByLabelText("Name")).toHaveValue("Committee");
  });
});
