const IDLE_AFTER_MS = 30_000;

export interface Spent {
  activeMs: number;
  wallMs: number;
}

/**
 * Time spent on one item. Wall time runs while the item is on the page; active time stops 30 s after the last input and
 * while the tab is hidden. `now` counts milliseconds and never jumps (performance.now).
 */
export class TimeKeeper {
  private readonly now: () => number;
  private activeMs: number;
  private wallMs: number;
  private settledAt: number;
  private lastInput: number;
  private watching: boolean;

  constructor(now: () => number, spent: Spent = { activeMs: 0, wallMs: 0 }, watching = true) {
    this.now = now;
    this.activeMs = spent.activeMs;
    this.wallMs = spent.wallMs;
    this.watching = watching;
    this.settledAt = now();
    this.lastInput = this.settledAt;
  }

  /** A key, a pointer or a scroll: the person is there. */
  input(): void {
    this.settle();
    this.lastInput = this.settledAt;
  }

  /** The tab was hidden or shown; coming back is a sign of life. */
  watch(visible: boolean): void {
    this.settle();
    this.watching = visible;
    if (visible) this.lastInput = this.settledAt;
  }

  spent(): Spent {
    this.settle();
    return { activeMs: Math.round(this.activeMs), wallMs: Math.round(this.wallMs) };
  }

  private settle(): void {
    const now = this.now();
    const activeUntil = Math.min(now, this.lastInput + IDLE_AFTER_MS);
    if (this.watching) this.activeMs += Math.max(0, activeUntil - this.settledAt);
    this.wallMs += now - this.settledAt;
    this.settledAt = now;
  }
}
