/** What the figures say, and what they do not. */
export function Meanings() {
  return (
    <details className="more">
      <summary>What the numbers mean</summary>
      <dl className="meanings">
        <dt>Percent agreement</dt>
        <dd>
          Share of pairs of answers to the same item that are equal, all pairs pooled: an item with more
          answers has more pairs and weighs more. Easy to read, but high by chance alone where one label is
          frequent. “Mean over items” counts each item once; it is the observed agreement in AC1, and shown
          where the two differ.
        </dd>
        <dt>Fleiss’ κ</dt>
        <dd>
          Agreement beyond chance among a fixed number of people: 1 is perfect, 0 is chance. Counted over the
          items that everyone answered, whose number stands beside it. For two people it is Scott’s π.
        </dd>
        <dt>Fleiss’ κ, any annotators</dt>
        <dd>
          Fleiss’ general form: each item has the same number of answers, by whichever annotators. Counted
          over the items with the usual number of answers, such as three of five people.
        </dd>
        <dt>Krippendorff’s α (nominal)</dt>
        <dd>
          Agreement beyond chance for any number of people and missing answers; items with two answers or more
          count. From about 0.8 on labels are usually called reliable, below 0.67 hardly.
        </dd>
        <dt>α, ordinal</dt>
        <dd>
          The same where labels stand in an order: taking the next label for another one weighs less than
          taking a far one.
        </dd>
        <dt>Cohen’s κ</dt>
        <dd>
          For two people, with chance from what each of them says how often. Near zero where nearly everything
          gets one label, however often they agree.
        </dd>
        <dt>Gwet’s AC1</dt>
        <dd>
          Agreement beyond chance that stays high where nearly everything gets one label and people agree.
        </dd>
        <dt>The range below a value</dt>
        <dd>
          95 percent interval over items, by leaving out one at a time (jackknife). Without one the CSV says
          why.
        </dd>
        <dt>A later stage</dt>
        <dd>Counts only the people whose own answers opened it on that item.</dd>
        <dt>Undefined</dt>
        <dd>
          Where everyone gave the same label there is no variation to correct for chance, so that κ and α have
          no value. That is neither 0 nor 1. Percent agreement and AC1 are 1 there.
        </dd>
        <dt>Items with a majority</dt>
        <dd>
          Leaves out, stage by stage, the items without a majority. Higher by construction: it stands beside
          the figure over all items, not in its place. With two answers an item has a majority only where both
          are equal, so that agreement would be perfect whatever people do: there is no figure.
        </dd>
      </dl>
    </details>
  );
}
