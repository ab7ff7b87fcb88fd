import { count } from "../text/format";

interface PagesProps {
  page: number;
  n_pages: number;
  onPage: (page: number) => void;
}

/** The way through a long list; nothing where it is one page. */
export function Pages({ page, n_pages, onPage }: PagesProps) {
  if (n_pages < 2) return null;
  return (
    <nav className="row" aria-label="Pages of the list">
      <button type="button" className="button" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        Back
      </button>
      <span className="small">
        Page {count(page)} of {count(n_pages)}
      </span>
      <button type="button" className="button" disabled={page >= n_pages} onClick={() => onPage(page + 1)}>
        Forward
      </button>
    </nav>
  );
}
