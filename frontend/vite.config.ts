import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [react()],
  base: "/",
  build: { outDir: "dist", assetsDir: "assets", target: "es2022", sourcemap: false },
  server: { proxy: { "/api": "http://127.0.0.1:8000" } },
  test: { environment: "node", setupFiles: ["src/test/setup.ts"], restoreMocks: true, css: false },
});
