const LINE = `{
  "id": "article-1",
  "text": "The Board raised its rate, the statement said.",
  "sources": [{"id": "press-1", "title": "Statement", "text": "..."}, "minutes-4"],
  "spans": [
    {"start": 10, "end": 25, "category": "act", "quote": "raised its rate", "comment": "Raised rates"},
    {"start": 31, "end": 40, "category": "reference", "source": "press-1"}
  ]
}`;

/** What a line of JSONL may carry beside its text. */
export function LineHelp() {
  return (
    <details className="more">
      <summary>Source documents and marks in JSONL</summary>
      <div className="stack small">
        <p>
          Where each row is an item as a whole, a line of JSONL may carry the documents that its text is
          about, and spans that are marked already. In the file it is one line:
        </p>
        <pre className="line-example">{LINE}</pre>
        <p>
          <code>sources</code>: a document with its text once, anywhere in the file or in an earlier import;
          elsewhere its id is enough. <code>spans</code>: <code>start</code> and <code>end</code> count
          Unicode characters (code points), <code>end</code> exclusive; <code>category</code> is a key, marker
          or name of the codebook’s span layer; <code>quote</code>, <code>comment</code> and{" "}
          <code>source</code> (the id of one of the row’s sources) may be left out. A line of this project’s
          own export of spans comes in as it is. People start from these spans; they are nobody’s annotation.
        </p>
      </div>
    </details>
  );
}
