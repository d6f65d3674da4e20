// SPDX-License-Identifier: MIT
/**
 * When to draw, and how well. On a graphics card every change is a frame. Where a frame takes long (a software renderer
 * shares its processors with the engine) pictures are made smaller and come less often while the simulation runs:
 * drawing may take only a share of the time. What a hand does is drawn at once, at the quality that is quick enough; when
 * all is still, one good picture follows.
 */

export type Mood = 'hand' | 'play' | 'still';

/** Sizes of the picture, as shares of the screen's. */
const SCALES = [1, 0.8, 0.64, 0.5, 0.4, 0.32, 0.26];
/** How large a picture is at least. */
const LEAST = { hand: 0, play: 0.4, still: 0.8 };
/** What a frame may cost [ms], while a hand is at work, while it only plays, for a good picture. */
const GOALS = { hand: 30, play: 40, still: 320 };
/** Share of the time that drawing may take while the simulation runs. */
const SHARE = 1 / 20;
/** But a picture comes at least this often [ms]: the first ones are slow, and say nothing about the others. */
const LONGEST = 1000;
/** A renderer that draws a whole frame in this time needs none of this [ms]. */
const FAST = 14;

/** The first frames also compile the shaders: they say nothing. */
const WARM = 2;

export class Pace {
  /** Cost of a frame at full size [ms], as it was measured, smoothed. */
  whole = 250;
  last = 0;
  private measured = 0;

  get fast(): boolean {
    return this.whole < FAST;
  }

  /** A frame of this scale took so long. A part of its cost does not depend on its size. */
  measure(cost: number, scale: number): void {
    this.last = cost;
    if (this.measured++ < WARM) return;
    const whole = cost / (0.3 + 0.7 * scale * scale);
    const share = whole < this.whole ? 0.5 : 0.15; // a busy moment says little
    this.whole = this.measured > WARM + 1 ? this.whole + share * (whole - this.whole) : whole;
  }

  scale(mood: Mood): number {
    if (this.fast) return 1;
    const goal = GOALS[mood];
    const quick = SCALES.find((scale) => this.whole * (0.3 + 0.7 * scale * scale) <= goal);
    return Math.max(quick ?? SCALES.at(-1)!, LEAST[mood]);
  }

  /** Pixels between samples: how far tiles are refined. */
  spacing(mood: Mood): number {
    if (this.fast) return 1.6;
    return mood === 'still' ? 2.5 : 4;
  }

  /** Samples between vertices. */
  step(mood: Mood): number {
    if (this.fast) return 1;
    if (mood === 'still') return 2;
    return mood === 'play' ? 4 : 8;
  }

  /** How long to wait after a frame began before the next may be shown, while playing [ms]. */
  interval(): number {
    return this.fast ? 0 : Math.min(this.last / SHARE, LONGEST);
  }
}
