import { Link, useNavigate } from "react-router";
import { useKeyboard } from "../keyboard/useKeyboard";
import { Key } from "./Key";

/** The way into a list of work: Enter begins with its first item. `to` is left out where the list is empty. */
export function Begin({ to, page }: { to: string | undefined; page: number }) {
  const navigate = useNavigate();
  useKeyboard([
    {
      id: "begin",
      label: "Begin with the first",
      group: "List",
      key: "enter",
      isEnabled: () => to !== undefined,
      run: () => to && void navigate(to),
    },
  ]);
  if (!to) return null;
  return (
    <Link className="button primary" to={to}>
      {page === 1 ? "Begin with the first" : "Begin with the first of this page"} <Key name="enter" />
    </Link>
  );
}
