import { shownQuote } from "../text/quote";

/** The words of a span as they are stored: white space at an edge is seen, and said. */
export function Quote({ quote, longest }: { quote: string; longest: number }) {
  const { before, words, after, said } = shownQuote(quote, longest);
  return (
    <>
      <q dir="auto">
        <Edge signs={before} />
        {words}
        <Edge signs={after} />
      </q>
      {said && <span className="visually-hidden"> with {said}</span>}
    </>
  );
}

function Edge({ signs }: { signs: string }) {
  if (signs === "") return null;
  return (
    <i className="quote-edge" aria-hidden="true">
      {signs}
    </i>
  );
}
