import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { registerWorker } from "./worker";

const unregister = vi.fn();

beforeEach(() => {
  vi.stubEnv("PROD", true);
  const register = () => Promise.reject(new TypeError("The script was not fetched."));
  const getRegistration = () => Promise.resolve({ unregister });
  vi.stubGlobal("navigator", { serviceWorker: { register, getRegistration } });
  vi.stubGlobal("caches", { keys: () => Promise.resolve([]) });
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  unregister.mockReset();
});

function serverAnswers(status: number, type: string) {
  vi.stubGlobal("fetch", () =>
    Promise.resolve(new Response(null, { status, headers: { "content-type": type } })),
  );
}

it("keeps the worker while a proxy has no server behind it", async () => {
  serverAnswers(502, "text/html");
  await registerWorker();
  expect(unregister).not.toHaveBeenCalled();
});

it("keeps the worker without a network", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("No network.")));
  await registerWorker();
  expect(unregister).not.toHaveBeenCalled();
});

it("removes the worker where the server has none any more, and answers the page instead", async () => {
  serverAnswers(200, "text/html; charset=utf-8");
  await registerWorker();
  expect(unregister).toHaveBeenCalledOnce();
});
