// SPDX-License-Identifier: MIT
/**
 * Frames on their way through the page: come, in the picture that is being made, shown and not yet acknowledged. Also
 * how long it takes from an event to the picture that shows what it did.
 */
export class FrameBook {
  /** The last frame that came, the one in the picture that is being made, the one that was shown. */
  came: number | null = null;
  drawn: number | null = null;
  shown: number | null = null;
  /** From an event to the picture that shows what it did [ms]; the newest ones. */
  readonly latencies: number[] = [];
  private expected: number[] = [];
  private arrived: number[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly ack: (frame: number) => void) {}

  /** A frame that comes after now shows what an event of that time did. */
  expect(time: number): void {
    this.expected.push(time);
  }

  get waits(): boolean {
    return this.expected.length > 0;
  }

  get idle(): boolean {
    return this.came === null && this.drawn === null && this.shown === null;
  }

  /** A frame has come; true if it shows what an event did. */
  take(frame: number): boolean {
    this.came = frame;
    this.arrived.push(...this.expected);
    this.expected = [];
    return this.arrived.length > 0;
  }

  /** What has come is being drawn; gives the times of the events that it shows. */
  draw(atOnce: boolean): number[] {
    const { arrived } = this;
    this.arrived = [];
    this.drawn = this.came;
    this.came = null;
    if (atOnce && this.drawn !== null) {
      // The engine makes the next one while this one is drawn.
      this.ack(this.drawn);
      this.drawn = null;
    }
    return arrived;
  }

  /** The picture is made. */
  finish(now: number, arrived: number[]): void {
    for (const time of arrived) this.latencies.push(now - time);
    if (this.latencies.length > 500) this.latencies.splice(0, this.latencies.length - 500);
    if (this.drawn !== null) this.shown = this.drawn;
    this.drawn = null;
  }

  /** Acknowledges what was shown after a while [ms]: the next frame then comes. */
  plan(wait: number): void {
    if (this.shown === null || this.timer !== undefined) return;
    if (wait <= 1) this.flush();
    else this.timer = setTimeout(() => this.flush(), wait);
  }

  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.shown === null) return;
    const frame = this.shown;
    this.shown = null;
    this.ack(frame);
  }

  /** Another world: a frame of the one before that was not drawn is answered, since the engine waits for that. */
  reset(): void {
    const frame = this.came ?? this.drawn ?? this.shown;
    if (frame !== null) this.ack(frame);
    this.came = this.drawn = this.shown = null;
    this.expected = [];
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
