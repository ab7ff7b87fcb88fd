import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

class NothingResized implements ResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

// The tests of rules run in plain node.
if (typeof document !== "undefined") {
  // What is waited for comes; on a busy machine not within the library's second.
  configure({ asyncUtilTimeout: 15_000 });
  afterEach(() => {
    cleanup();
    localStorage.clear();
  });
  window.scrollTo = () => {};
  window.scrollBy = () => {};
  // jsdom paints nothing: text is measured by a rule of thumb instead.
  HTMLCanvasElement.prototype.getContext = () => null;
  // Nor does it lay anything out: nothing has a place in the window, nor a size that changes.
  Range.prototype.getClientRects = () => [] as unknown as DOMRectList;
  window.ResizeObserver = NothingResized;
}
