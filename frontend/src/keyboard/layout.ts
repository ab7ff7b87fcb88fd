/**
 * What is known of the keyboard's layout. Layouts such as Dvorak and AZERTY have signs where a US keyboard has a letter,
 * and that letter elsewhere; Hebrew and Bulgarian have signs there too, and Latin letters nowhere. The browser tells
 * the layout of Latin letters where it can; else each Latin letter that is typed tells by its place.
 */
const state = { isLatin: true, moved: false };

/** The part of `navigator` that TypeScript's library does not know yet; only Chromium has it. */
interface KeyboardLayouts {
  getLayoutMap?: () => Promise<Iterable<[code: string, sign: string]>>;
}

/** Asks the browser for the layout, once, when the first page with shortcuts opens. */
export function askForLayout(): void {
  if (asked) return;
  asked = true;
  const { keyboard } = navigator as Navigator & { keyboard?: KeyboardLayouts };
  keyboard
    ?.getLayoutMap?.()
    .then((map) => {
      for (const [code, sign] of map) note(sign, code);
    })
    // Refused inside frames: the layout is then learned from the keys.
    .catch(() => {});
}
let asked = false;

/** Learns from a sign and the key that made it. */
export function note(sign: string, code: string): void {
  if (/^[a-z]$/.test(sign)) {
    const isAtHome = code === `Key${sign.toUpperCase()}`;
    if (!code) return;
    state.moved = state.isLatin ? state.moved || !isAtHome : !isAtHome;
    state.isLatin = true;
  } else if (/\p{L}/u.test(sign) && !/\p{Script=Latin}/u.test(sign)) state.isLatin = false;
}

/** Whether the layout that made this sign has its Latin letters at other places than a US keyboard. */
export function isRearranged(sign: string): boolean {
  return (
    state.isLatin && state.moved && !(/\p{L}|\p{M}|\p{N}/u.test(sign) && !/\p{Script=Latin}/u.test(sign))
  );
}
