/** Lets one loop sleep until it is woken. A waking while it is awake ends its next sleep at once. */
export class Sleeper {
  private isWoken = false;
  private wakeSleeper: (() => void) | null = null;

  wake(): void {
    this.isWoken = true;
    this.wakeSleeper?.();
  }

  /** Until woken, or until the time is over; null waits for the waking alone. */
  async sleep(milliseconds: number | null): Promise<void> {
    if (!this.isWoken) {
      await new Promise<void>((resolve) => {
        const timer = milliseconds === null ? undefined : setTimeout(resolve, milliseconds);
        this.wakeSleeper = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.wakeSleeper = null;
    this.isWoken = false;
  }
}
