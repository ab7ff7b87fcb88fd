import { screen } from "@testing-library/react";
import { renderApp } from "./renderApp";
// The screen is loaded before the first test begins, which would wait for it else.
import "../features/label/index";

export const PAGE = "/projects/p1/label";

export async function openPage(path = PAGE) {
  const page = renderApp(path);
  await screen.findByTestId("sentence");
  return page;
}

export const sentence = () => screen.getByTestId("sentence").textContent;
export const status = () => screen.getByTestId("save-status").textContent;
export const question = (name: string) => screen.queryByRole("group", { name });
export const line = (name: RegExp) => screen.queryByRole("button", { name, expanded: false });
export const announced = () => screen.getByRole("status", { name: "Announcements" }).textContent;
