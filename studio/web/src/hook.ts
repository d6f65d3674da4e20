// SPDX-License-Identifier: MIT
/**
 * `window.gully`: what the tests of the page (tests/studio/browser) ask it, and nothing that the page itself uses.
 *
 *   stage, connection   the picture and the line to the engine
 *   do(name, keys)      a command, as the page sends it; the reply
 *   hash()              hashes of all fields, as one text
 *   status()            the last status
 *   idle()              resolves when nothing is left to be drawn
 *   latencies()         from events to the pictures that show what they did [ms]
 *   info()              tiles, slots, cost of a frame, ...
 *   marks()             when the first hello, frame and picture were there [ms since navigation]
 *   untranslated()      texts that are in no table, in the language of the page
 *   screen(x, y)        where a place on the ground [m] is on the screen
 */
import type { App } from './app';
import type { Status } from './protocol/types';
import { translator } from './ui/language';

declare global {
  interface Window {
    gully: ReturnType<typeof hookOf>;
  }
}

export function hookOf(app: App) {
  return {
    stage: app.stage,
    connection: app.connection,
    do: (name: string, keys: Record<string, unknown> = {}) => app.connection.do(name, keys),
    hash: async (): Promise<string> => JSON.stringify((await app.connection.do('hash'))['hashes']),
    status: (): Status | null => app.status,
    description: () => app.description,
    hello: () => app.hello,
    idle: () => app.stage.loop.whenIdle(),
    latencies: () => [...app.stage.book.latencies],
    info: () => ({ ...app.stage.info(), frames: app.stage.frames, firstLand: app.stage.firstLand }),
    untranslated: () => [...translator.missing],
    marks: () => ({ ...app.stage.marks }),
    screen: (x: number, y: number) => {
      const at = app.stage.project(x, y);
      const box = app.stage.canvas.getBoundingClientRect();
      return at && { x: at.x + box.left, y: at.y + box.top };
    },
  };
}
