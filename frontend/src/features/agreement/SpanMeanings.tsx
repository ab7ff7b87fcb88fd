/** What each statistic on spans means, for readers who have to report it. */
export function SpanMeanings({ iou }: { iou: number }) {
  return (
    <details className="more">
      <summary>What the numbers on spans mean</summary>
      <dl className="meanings">
        <dt>Exact F1</dt>
        <dd>
          Twice the spans that both marked with the same start, end and category, over all spans of both. Each
          span is matched once. 1 is perfect; it is not corrected for chance, which hardly ever hits a range.
        </dd>
        <dt>Overlap F1</dt>
        <dd>
          Precision (P) is the share of the first person’s spans that overlap a span of the same category by
          the second, recall (R) the share the other way round, F1 their harmonic mean. Several spans may
          share one partner. “Any” asks for one shared character, “IoU ≥ {iou}” for a shared part of at least{" "}
          {iou} of what the two spans cover together.
        </dd>
        <dt>Token κ</dt>
        <dd>
          Cohen’s κ over words and punctuation marks: is it touched by a span of the category or not?
          Corrected for chance: 1 is perfect, 0 is chance. It falls where hardly anything, or nearly
          everything, is marked, so that the share of equal words and of marked words stand beside it.
        </dd>
        <dt>αᵤ</dt>
        <dd>
          Krippendorff’s α for unitizing, in the form of 1995 and 2004: how far starts and ends lie apart on
          the texts laid end to end, in the order of the batches, against all places that the spans could have
          had. What lies between two spans may reach over the end of a text, so that another order of the
          texts gives a somewhat other value. Overlapping spans of one category by one person are merged
          first, and counted. With more than two people it compares everyone at once over the items that all
          of them submitted; the mean of the pairs stands beside it.
        </dd>
        <dt>Equal comments, ROUGE-L</dt>
        <dd>
          Over spans that match exactly. Equal: the same comment, of those where at least one commented;
          matches without any comment are counted apart. ROUGE-L: the longest run of words in common order,
          over the words of both, where both commented.
        </dd>
        <dt>The pairs together</dt>
        <dd>
          The mean over the pairs that have a value, each pair weighing the same. αᵤ is of everyone at once.
        </dd>
        <dt>All categories</dt>
        <dd>
          The spans of all categories counted together; a partner must have the same category. Token κ has
          none, since a word may belong to several categories.
        </dd>
        <dt>Undefined</dt>
        <dd>
          Where neither marked a category there is nothing to compare. Where only one did, F1 is 0. An item
          without any span counts: both left it empty.
        </dd>
      </dl>
    </details>
  );
}
