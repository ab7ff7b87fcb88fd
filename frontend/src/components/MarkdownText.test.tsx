import { render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import MarkdownText from "./MarkdownText";

function read(text: string, props: { isLine?: boolean; top?: number } = {}): string {
  const { container } = render(<MarkdownText text={text} {...props} />);
  return container.innerHTML.replaceAll(/>\n+/g, ">").replaceAll(/\n+</g, "<");
}

const link = (href: string, words: string) =>
  `<a href="${href}" target="_blank" rel="noreferrer">${words}</a>`;

describe("a document", () => {
  it("has headings, paragraphs, lists, quotes, rules and code", () => {
    const source =
      "# How\r\n\r\nOne\ntwo.\n\n- a\n- b\n  more\n\n1. first\n2. second\n\n> said\n\n---\n```\n<b>\n```";
    expect(read(source)).toBe(
      "<h3>How</h3><p>One\ntwo.</p><ul><li>a</li><li>b\nmore</li></ul><ol><li>first</li><li>second</li></ol>" +
        '<blockquote><p>said</p></blockquote><hr><pre tabindex="0"><code>&lt;b&gt;</code></pre>',
    );
  });

  it("begins its headings where it is told, or below a card's own", () => {
    const source = "# a\n\n## b\n\n### c";
    expect(read(source)).toBe("<h3>a</h3><h3>b</h3><h4>c</h4>");
    expect(read(source, { top: 5 })).toBe("<h5>a</h5><h6>b</h6><h6>c</h6>");
  });

  it("leaves raw HTML as text", () => {
    const source = "<script>alert(1)</script> <img src=x onerror=alert(1)>\n\nin <b>line</b>";
    expect(read(source)).toBe(
      "<p>&lt;script&gt;alert(1)&lt;/script&gt; &lt;img src=x onerror=alert(1)&gt;</p>" +
        "<p>in &lt;b&gt;line&lt;/b&gt;</p>",
    );
  });

  it("loads no image: a link leads to it", () => {
    expect(read("![a](https://example.org/x.png) ![b](x.png)")).toBe(
      `<p>!${link("https://example.org/x.png", "a")} ![b](x.png)</p>`,
    );
  });

  it("shows tables with heads, and numbers to the right", () => {
    expect(read("| Label | n | |\n| :--- | ---: | - |\n| a\\|b | **2** | |\n| c |")).toBe(
      '<div class="table-wrap" role="group" aria-label="Table: Label, n, " tabindex="0"><table class="table">' +
        '<thead><tr><th scope="col">Label</th><th scope="col" class="number">n</th><td></td></tr></thead>' +
        '<tbody><tr><td>a|b</td><td class="number"><strong>2</strong></td><td></td></tr>' +
        '<tr><td>c</td><td class="number"></td><td></td></tr></tbody></table></div>',
    );
    expect(screen.getAllByRole("columnheader")).toHaveLength(2);
  });

  it("leaves footnotes and boxes to tick as written", () => {
    expect(read("a [^1]\n\n- [ ] b\n- [x] c")).toBe("<p>a [^1]</p><ul><li>[ ] b</li><li>[x] c</li></ul>");
  });
});

describe("a line", () => {
  it("has emphasis, code and links", () => {
    expect(read("a **b _c_** `d` [e](https://example.org/x)", { isLine: true })).toBe(
      `a <strong>b <em>c</em></strong> <code>d</code> ${link("https://example.org/x", "e")}`,
    );
  });

  it.each(["1. Does it?", "# no", "- no", "no\n---", "| a |\n| - |"])("has no blocks: %s", (source) => {
    expect(read(source, { isLine: true })).toBe(source);
  });

  it.each(["javascript:alert(1)", "data:text/html,x", "//elsewhere", "JaVaScRiPt:x"])(
    "does not make a link of %s",
    (href) => {
      expect(read(`[x](${href})`, { isLine: true })).toBe(`[x](${href})`);
      expect(screen.queryByRole("link")).toBeNull();
    },
  );

  it("reads what a machine wrote so that nothing in it acts", () => {
    const source = "\\$5 \\~ \\= R&amp;D &lt;b> `` a`b `` ``c` <https://example.org/>";
    expect(read(source, { isLine: true })).toBe(
      `$5 ~ = R&amp;D &lt;b&gt; <code>a\`b</code> \`\`c\` ${link("https://example.org/", "https://example.org/")}`,
    );
  });

  it("keeps underscores inside words, lone stars and escapes", () => {
    const source = "minus_5_sentences 2 * 3 \\*no\\* \\a \\é";
    expect(read(source, { isLine: true })).toBe("minus_5_sentences 2 * 3 *no* \\a \\é");
  });

  it("reads a long text of stars in no time", () => {
    const start = performance.now();
    read("*".repeat(2_000), { isLine: true });
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});
