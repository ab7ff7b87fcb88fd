import { describe, expect, it } from "vitest";
import { parseInline, parseMarkdown } from "./markdown";

const text = (words: string) => ({ kind: "text", text: words });

describe("parseMarkdown", () => {
  it("reads headings, paragraphs, lists and quotes", () => {
    const source =
      "# How\r\n\r\nOne\ntwo.\n\n- a\n- b\n  more\n\n1. first\n2. second\n\n> said\n\n---\n```\n<b>\n```";
    expect(parseMarkdown(source)).toEqual([
      { kind: "heading", level: 1, content: [text("How")] },
      { kind: "paragraph", content: [text("One\ntwo.")] },
      { kind: "list", ordered: false, items: [[text("a")], [text("b more")]] },
      { kind: "list", ordered: true, items: [[text("first")], [text("second")]] },
      { kind: "quote", content: [{ kind: "paragraph", content: [text("said")] }] },
      { kind: "rule" },
      { kind: "code", text: "<b>" },
    ]);
  });

  it("leaves raw HTML as text", () => {
    const source = "<script>alert(1)</script> <img src=x onerror=alert(1)>";
    expect(parseMarkdown(source)).toEqual([{ kind: "paragraph", content: [text(source)] }]);
  });

  it("reads tables, each row as wide as the head", () => {
    const source =
      "Counts:\n| Label | n |\n| :--- | ---: |\n| a\\|b | **2** |\n| c |\n\nA | B\n- | -\n1 | 2 | 3\nend";
    expect(parseMarkdown(source)).toEqual([
      { kind: "paragraph", content: [text("Counts:")] },
      {
        kind: "table",
        head: [[text("Label")], [text("n")]],
        toEnd: [false, true],
        rows: [
          [[text("a|b")], [{ kind: "strong", content: [text("2")] }]],
          [[text("c")], []],
        ],
      },
      {
        kind: "table",
        head: [[text("A")], [text("B")]],
        toEnd: [false, false],
        rows: [[[text("1")], [text("2")]]],
      },
      { kind: "paragraph", content: [text("end")] },
    ]);
  });

  it("leaves bars without a line of dashes as text", () => {
    expect(parseMarkdown("yes | no\n\n| - |")).toEqual([
      { kind: "paragraph", content: [text("yes | no")] },
      { kind: "paragraph", content: [text("| - |")] },
    ]);
  });

  it("ends on an unclosed fence", () => {
    expect(parseMarkdown("```\nopen")).toEqual([{ kind: "code", text: "open" }]);
  });
});

describe("parseInline", () => {
  it("reads emphasis, code and links", () => {
    expect(parseInline("a **b _c_** `d` [e](https://example.org/x)")).toEqual([
      text("a "),
      { kind: "strong", content: [text("b "), { kind: "emphasis", content: [text("c")] }] },
      text(" "),
      { kind: "code", text: "d" },
      text(" "),
      { kind: "link", href: "https://example.org/x", content: [text("e")] },
    ]);
  });

  it.each(["javascript:alert(1)", "data:text/html,x", "//elsewhere", "JaVaScRiPt:x"])(
    "does not make a link of %s",
    (href) => {
      expect(parseInline(`[x](${href})`).some((inline) => inline.kind === "link")).toBe(false);
    },
  );

  it("reads what a machine wrote so that nothing in it acts", () => {
    expect(parseInline("\\$5 \\~ \\= R&amp;D &lt;b> `` a`b `` ``c` <https://example.org/>")).toEqual([
      text("$"),
      text("5 "),
      text("~"),
      text(" "),
      text("="),
      text(" R"),
      text("&"),
      text("D "),
      text("<"),
      text("b> "),
      { kind: "code", text: "a`b" },
      text(" ``c` "),
      { kind: "link", href: "https://example.org/", content: [text("https://example.org/")] },
    ]);
  });

  it("keeps underscores inside words, lone stars and escapes", () => {
    expect(parseInline("minus_5_sentences 2 * 3 \\*no\\*")).toEqual([
      text("minus_5_sentences 2 * 3 "),
      text("*"),
      text("no"),
      text("*"),
    ]);
  });

  it("takes a backslash before any mark of ASCII, and before nothing else", () => {
    const plain = (source: string) =>
      parseInline(source)
        .map((inline) => (inline.kind === "text" ? inline.text : inline.kind))
        .join("");
    expect(plain("\\$5 \\~ \\& \\= \\| \\< \\`x\\`")).toBe("$5 ~ & = | < `x`");
    expect(plain("\\a \\1 \\é")).toBe("\\a \\1 \\é");
  });

  it("reads a long text of stars in no time", () => {
    const start = performance.now();
    parseInline("*".repeat(2_000));
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});
