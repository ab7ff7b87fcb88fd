import { QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import axe from "axe-core";
import { createMemoryRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import { createQueryClient } from "../app/queryClient";
import { routes } from "../app/router";
import { AnnouncerProvider } from "../components/Announcer";

/** The whole app at an address, as the browser gets it. */
export function renderApp(path: string) {
  const router = createMemoryRouter(routes, { initialEntries: [path] });
  const view = render(
    <QueryClientProvider client={createQueryClient()}>
      <AnnouncerProvider>
        <RouterProvider router={router} />
      </AnnouncerProvider>
    </QueryClientProvider>,
  );
  return { ...view, router, user: userEvent.setup() };
}

/** What axe finds in the page, as "rule: element" lines. Colours are left to the browser tests: jsdom paints nothing. */
export async function axeFindings(): Promise<string[]> {
  const { violations } = await axe.run(document.body, { rules: { "color-contrast": { enabled: false } } });
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`));
}
