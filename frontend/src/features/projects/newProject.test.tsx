import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { Answer, expectAccessible, PROJECT, renderScreen, serve } from "../../test/admin";
import { NewProject } from "./NewProject";

const POST = "POST /api/projects/";

describe("new project", () => {
  it("needs only a name, and begins with the five-stage codebook", async () => {
    const asked = serve({ [POST]: new Answer(201, PROJECT) });
    const { container } = renderScreen(NewProject);
    await expectAccessible(container);
    await userEvent.type(screen.getByLabelText("Name"), " Committee ");
    await userEvent.click(screen.getByRole("button", { name: "Create the project" }));
    await waitFor(() => expect(asked).toHaveLength(1));
    expect(asked[0]?.body).toEqual({
      name: "Committee",
      codebook: "five-stage",
      time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    });
  });

  it("sends the settings that were made", async () => {
    const asked = serve({ [POST]: new Answer(201, PROJECT) });
    renderScreen(NewProject);
    await userEvent.type(screen.getByLabelText("Name"), "Committee");
    await userEvent.click(screen.getByLabelText("Spans with comments, in eight categories"));
    await userEvent.click(screen.getByText("More settings"));
    await userEvent.type(screen.getByLabelText("Budget"), "1050");
    await userEvent.clear(screen.getByLabelText("Time zone"));
    await userEvent.type(screen.getByLabelText("Time zone"), "Europe/Oslo");
    await userEvent.click(screen.getByRole("button", { name: "Create the project" }));
    await waitFor(() => expect(asked).toHaveLength(1));
    expect(asked[0]?.body).toEqual({
      name: "Committee",
      codebook: "spans",
      annotation_budget: 1050,
      time_zone: "Europe/Oslo",
    });
  });

  it("opens the settings where the server refuses one, and keeps what was typed", async () => {
    const errors = { time_zone: ["'Mars' is not a time zone: use a name such as Europe/Oslo."] };
    serve({ [POST]: new Answer(400, { detail: "Some fields need to be corrected.", errors }) });
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
