import { useState } from "react";

const KEY = "quorum.help-shown";

/** Whether the codebook's help stands under the question; kept for this browser. */
export function useHelpShown(): [boolean, () => void] {
  const [shown, setShown] = useState(() => localStorage.getItem(KEY) === "yes");
  const toggle = () => {
    localStorage.setItem(KEY, shown ? "no" : "yes");
    setShown(!shown);
  };
  return [shown, toggle];
}
