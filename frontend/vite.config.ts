import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { serviceWorker } from "./worker/plugin.ts";

// A busy machine is no fault of the code: a test fails for what it sees, not for how long that took.
const patience = { testTimeout: 60_000, hookTimeout: 60_000 };
const setup = { setupFiles: ["src/test/setup.ts"], restoreMocks: true, css: false, ...patience };

export default defineConfig({
  plugins: [react(), serviceWorker()],
  // The server writes into the page where it stands: one build serves at the root of a host and below a path.
  base: "./",
  build: {
    outDir: "dist",
    assetsDir: "assets",
    target: "es2022",
    sourcemap: false,
    // The charts' engine, which comes by itself when the first chart is shown; nothing else is near this.
    chunkSizeWarningLimit: 600,
  },
  server: { proxy: { "/api": "http://127.0.0.1:8000" } },
  test: {
    // Rules without a page run in plain node, which starts faster than a page does.
    projects: [
      {
        extends: true,
        test: { ...setup, name: "pages", include: ["src/**/*.test.tsx"], environment: "jsdom" },
      },
      {
        extends: true,
        test: { ...setup, name: "rules", include: ["src/**/*.test.ts"], environment: "node" },
      },
    ],
  },
});
