const ONLY_HERE = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Says of a link that it opens on this machine alone, where that is so. */
export function LinkReach({ url }: { url: string }) {
  if (!ONLY_HERE.test(new URL(url).hostname)) return null;
  return (
    <p className="small">
      <b>The link opens on this machine only.</b> For other people, whoever runs Quorum starts it with an
      address that they reach (docs/operate/serving.md).
    </p>
  );
}
