import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { RouterProvider } from "react-router/dom";
import { createQueryClient } from "./app/queryClient";
import { createRouter } from "./app/router";
import { strayed } from "./browser/base";
import { followTheme } from "./browser/theme";
import { registerWorker } from "./browser/worker";
import { AnnouncerProvider } from "./components/Announcer";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/components.css";
import "./styles/dialogs.css";
import "./styles/content.css";
import "./styles/shell.css";
import "./styles/contrast.css";

followTheme();
const root = document.getElementById("root");
if (!root) throw new Error('index.html has no element with id "root"');

const { pathname, search, hash } = window.location;
const elsewhere = strayed(pathname);
if (elsewhere !== null) window.location.replace(elsewhere + search + hash);
else {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={createQueryClient()}>
        <AnnouncerProvider>
          <RouterProvider router={createRouter()} />
        </AnnouncerProvider>
      </QueryClientProvider>
    </StrictMode>,
  );
  void registerWorker();
}
