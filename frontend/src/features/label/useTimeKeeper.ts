import { useEffect, useState } from "react";
import { type Spent, TimeKeeper } from "./model/timeKeeper";

const SIGNS_OF_LIFE = ["keydown", "pointerdown", "pointermove", "wheel", "touchmove", "scroll"] as const;

/** Keeps the time of the item on the page, going on from what its draft had. */
export function useTimeKeeper(spent: Spent): TimeKeeper {
  const [keeper] = useState(
    () => new TimeKeeper(() => performance.now(), spent, document.visibilityState === "visible"),
  );
  useEffect(() => {
    const input = () => keeper.input();
    const watch = () => keeper.watch(document.visibilityState === "visible");
    const options = { passive: true, capture: true };
    for (const sign of SIGNS_OF_LIFE) window.addEventListener(sign, input, options);
    document.addEventListener("visibilitychange", watch);
    return () => {
      for (const sign of SIGNS_OF_LIFE) window.removeEventListener(sign, input, options);
      document.removeEventListener("visibilitychange", watch);
    };
  }, [keeper]);
  return keeper;
}
