import { useState } from "react";
import { quietly } from "../browser/quietly";

const KEY = "quorum.help-shown";

/** Whether the codebook's help stands under the question; kept for this browser. */
export function useHelpShown(): [boolean, () => void] {
  const [shown, setShown] = useState(() => quietly(() => localStorage.getItem(KEY)) === "yes");
  const toggle = () => {
    quietly(() => localStorage.setItem(KEY, shown ? "no" : "yes"));
    setShown(!shown);
  };
  return [shown, toggle];
}
