// SPDX-License-Identifier: MIT
/** How long the page waits for what [ms]: all of its pacing in one table. */
export const PAUSES = {
  /** A hand counts as being at work after it last moved. */
  hand: 600,
  /** All must be still for so long before a good picture. */
  still: 400,
  /** A picture waits for the frame with what the hand just did, on a slow renderer. */
  awaited: 80,
  /** Between two lists of tiles. */
  want: 90,
  /** A picture that is photographed waits for its tiles so long at most. */
  refine: 4000,
  /** Between two maps of the light, while it plays and while someone edits. */
  lightPlaying: 3000,
  lightEditing: 250,
  /** Numbers that only count come with the next picture, or after this time. */
  count: 2000,
  /** The panels are shown without the land after this time. */
  panels: 3000,
  /** A brush that rests on a place begins to build up, and goes on. */
  rest: 300,
  build: 90,
  /** Between two messages of a held brush, of a slider, of the scrub bar. */
  hold: 30,
  slider: 50,
  scrub: 120,
  /** A parameter that was asked for stands out so long; a reason stands at its field. */
  shown: 2000,
  reason: 8000,
  /** Between two looks at the sides of the block, while it runs. */
  sides: 1500,
  /** After the last letter, before a file is read again. */
  typing: 300,
  /** The place of the keys has rested for so long when it is said. */
  said: 700,
} as const;
