// SPDX-License-Identifier: MIT
/** When to draw: after a change, while something moves, and once more, well, when all is still. */
import type { Mood, Pace } from './pace';
import { PAUSES } from './pauses';

export interface Scenery {
  /** Moves the camera on; true while it moves. */
  move(seconds: number): boolean;
  /** The water moves by itself. */
  shimmers(): boolean;
  /** Makes a picture; calls back when it is made. */
  draw(mood: Mood, done: () => void): void;
  /** A frame that is to be drawn is here. */
  hasFrame(): boolean;
  /** Nothing is on its way. */
  isIdle(): boolean;
}

export class Loop {
  playing = false;
  /** There is something to be drawn at all. */
  ready = false;
  busy = false;
  private dirty = true;
  private asked = false;
  private handTime = -Infinity;
  private actTime = 0;
  private lastTick = 0;
  private lastDraw = 0;
  private shownMood: Mood = 'still';
  private stillTimer: ReturnType<typeof setTimeout> | undefined;
  private waiting: (() => void)[] = [];

  constructor(
    private readonly pace: Pace,
    private readonly scenery: Scenery,
  ) {}

  /** Something has changed: draw soon. */
  change(): void {
    this.dirty = true;
    this.ask();
  }

  /** A hand is at work: draw at once, and quickly. */
  hand(): void {
    this.handTime = performance.now();
    this.change();
  }

  /** A command is under way whose effect will be seen: a picture without it is not worth its time. */
  await(): void {
    this.actTime = performance.now();
  }

  /** What was awaited has come. */
  arrive(): void {
    this.actTime = 0;
  }

  handIsAtWork(now: number): boolean {
    return now - this.handTime < PAUSES.hand;
  }

  /** When nothing is left to be drawn. */
  whenIdle(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.ask();
    });
  }

  ask(): void {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame((now) => this.tick(now));
  }

  mood(now: number): Mood {
    if (this.handIsAtWork(now)) return 'hand';
    return this.playing ? 'play' : 'still';
  }

  tick(now: number): void {
    this.asked = false;
    if (this.busy || !this.ready) return; // asked again when the last frame is done, or the first has come
    const seconds = Math.min((now - this.lastTick) / 1000, 0.25);
    this.lastTick = now;
    const moving = this.scenery.move(seconds);
    if (moving) this.handTime = performance.now();
    if (this.awaits()) {
      this.ask();
      return;
    }
    const shimmer = this.scenery.shimmers();
    if (!this.dirty && !moving && !shimmer) {
      this.settle();
      return;
    }
    let mood = this.mood(performance.now());
    // A change while all is still: the quick picture first, the good one later.
    if (mood === 'still' && now - this.lastDraw < PAUSES.still) mood = 'hand';
    this.draw(mood);
    if (moving || shimmer) this.ask();
  }

  private awaits(): boolean {
    if (this.pace.fast || this.actTime === 0 || this.scenery.hasFrame()) return false;
    const now = performance.now();
    return now - this.actTime < PAUSES.awaited && now - this.lastDraw < 2 * PAUSES.awaited;
  }

  private draw(mood: Mood): void {
    this.lastDraw = performance.now();
    this.dirty = false;
    this.shownMood = mood;
    this.busy = true;
    this.scenery.draw(mood, () => {
      this.busy = false;
      this.ask();
    });
  }

  /** Nothing moves: a good picture, and whoever waits for that is told. */
  private settle(): void {
    const rough = this.shownMood !== 'still';
    if (rough && !this.playing && !this.pace.fast) {
      if (this.stillTimer !== undefined) return;
      const now = performance.now();
      const wait = Math.max(
        0,
        this.handTime + PAUSES.hand - now,
        this.lastDraw + PAUSES.still - now,
      );
      this.stillTimer = setTimeout(() => {
        this.stillTimer = undefined;
        if (!this.playing && this.mood(performance.now()) === 'still') this.lastDraw = -Infinity;
        this.change();
      }, wait);
      return;
    }
    if (this.scenery.isIdle()) for (const resolve of this.waiting.splice(0)) resolve();
  }
}
