import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { DataTable } from "./DataTable";

it("gives each cell the head of its column, which a folded row shows before it", () => {
  render(
    <DataTable
      rows={[{ name: "aim", n: 3 }]}
      keyOf={({ name }) => name}
      columns={[
        ["Evaluation", ({ name }) => name],
        ["Classes", ({ n }) => String(n), "number"],
        ["", () => "Remove"],
      ]}
    />,
  );
  const heads = [screen.getByRole("rowheader"), ...screen.getAllByRole("cell")].map(
    (cell) => cell.dataset.head,
  );
  expect(heads).toEqual(["Evaluation", "Classes", undefined]);
});
