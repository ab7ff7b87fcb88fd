import type { ComponentType } from "react";
import { createBrowserRouter, type RouteObject } from "react-router";
import { BASE } from "../browser/base";
import { NotFoundPage } from "../components/NotFoundPage";
import { Loading } from "../components/states";
import { AppShell, ForCapable, ProjectHome, ProjectShell } from "./AppShell";
import { ErrorPage } from "./ErrorPage";
import { SCREENS } from "./navigation";

interface ScreenModule {
  Component: ComponentType;
}

/** Every folder under features/ with an index.tsx is a screen: it exports `Component` and is loaded when it is first opened. */
const modules = import.meta.glob<ScreenModule>("../features/**/index.tsx");

export function screenLoader(name: string): (() => Promise<ScreenModule>) | undefined {
  return modules[`../features/${name}/index.tsx`];
}

const NOT_LOADED =
  "The files of this page could not be loaded: the network is away, or Quorum was renewed since you opened it. Load the page again.";

function screenRoute(path: string, name: string): RouteObject[] {
  const load = screenLoader(name);
  if (!load) return [];
  const lazy = () =>
    load().catch((cause: unknown) => {
      throw new Error(NOT_LOADED, { cause });
    });
  return [{ path, lazy, hydrateFallbackElement: <Loading what="the page" /> }];
}

export const routes: RouteObject[] = [
  {
    errorElement: <ErrorPage />,
    hydrateFallbackElement: <Loading what="Quorum" />,
    children: [
      ...screenRoute("/sign-in", "sign-in"),
      ...screenRoute("/invite/:token", "invite"),
      ...screenRoute("/password", "password"),
      ...screenRoute("/first-account", "first-account"),
      ...screenRoute("/confirm-address", "confirm-address"),
      ...screenRoute("/notice-mails-off", "notice-mails-off"),
      ...screenRoute("/openid", "openid"),
      {
        element: <AppShell />,
        children: [
          {
            errorElement: <ErrorPage />,
            children: [
              ...screenRoute("/", "projects"),
              ...screenRoute("/account", "account"),
              {
                path: "/projects/:projectId",
                element: <ProjectShell />,
                children: [
                  {
                    errorElement: <ErrorPage />,
                    children: [
                      { index: true, element: <ProjectHome /> },
                      ...SCREENS.map((screen) => ({
                        element: <ForCapable needs={screen.may} />,
                        children: screenRoute(screen.path ?? screen.name, screen.name),
                      })),
                      ...screenRoute("answers", "answers"),
                      { path: "*", element: <NotFoundPage /> },
                    ],
                  },
                ],
              },
              { path: "*", element: <NotFoundPage /> },
            ],
          },
        ],
      },
    ],
  },
];

export function createRouter() {
  return createBrowserRouter(routes, { basename: BASE });
}
