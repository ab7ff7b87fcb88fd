import "fake-indexeddb/auto";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { IDBFactory } from "fake-indexeddb";
import { beforeEach, expect, vi } from "vitest";
import { textModel } from "../annotate/spans/model/textModel";
import { selectOnPage } from "../annotate/spans/places";
import type { SpanOut } from "../api/types";
import { FakeServer } from "./fakeServer";
import { renderApp } from "./renderApp";
import type { spanAssignment } from "./spanFixtures";

const PAGE = "/projects/p1/label";
export const WAITED = "They agreed to wait so that firms borrow. Later they met.";
export let server: FakeServer;

beforeEach(() => {
  vi.stubGlobal("indexedDB", new IDBFactory());
  server = new FakeServer();
  server.install();
});

export async function openPage(...assignments: ReturnType<typeof spanAssignment>[]) {
  if (assignments.length > 0) server.assignments = assignments;
  const page = renderApp(PAGE);
  await screen.findByTestId("span-text", undefined, { timeout: 5_000 });
  return page;
}

export const text = () => screen.getByTestId("span-text");
export const status = () => screen.getByTestId("save-status").textContent;
export const announced = () => screen.getByRole("status", { name: "Announcements" }).textContent;
export const lines = () => within(screen.getByRole("list", { name: "Spans" })).getAllByRole("listitem");
export const missing = () => screen.queryByRole("region", { name: "Not complete yet" })?.textContent ?? "";

/** As a mouse drag leaves it; jsdom knows no drag. */
export function select(start: number, end: number) {
  const model = textModel(text().textContent ?? "");
  act(() => {
    text().focus();
    selectOnPage(text(), model, { anchor: start, head: end });
    fireEvent(document, new Event("selectionchange"));
  });
}

export async function submitted(): Promise<SpanOut[]> {
  await waitFor(() => expect(server.posted).toHaveLength(1));
  return server.posted[0]?.body.spans ?? [];
}

export function span(
  start: number,
  end: number,
  quote: string,
  category: string,
  part: Partial<SpanOut> = {},
): SpanOut {
  return { start, end, quote, category, comment: null, source: null, ...part };
}
