// SPDX-License-Identifier: MIT
/** Keys of the page; dialogs/help.ts lists them. */
import type { App } from './app';
import type { Files } from './dialogs/files';
import type { Compare } from './panels/compare';
import type { ViewsPanel } from './panels/views';
import { showHelp } from './dialogs/help';
import type { Timeline } from './panels/timeline';
import type { ToolsPanel } from './panels/tools';
import type { TopBar } from './panels/topbar';
import { sheetIsOpen } from './ui/dialog';
import type { KeyHand } from './tools/key_hand';

export interface ShortcutTargets {
  app: App;
  compare: Compare;
  views: ViewsPanel;
  files: Files;
  timeline: Timeline;
  tools: ToolsPanel;
  topbar: TopBar;
  keyHand: KeyHand;
  togglePanels: () => void;
}

const MOVES = new Set([
  'KeyW',
  'KeyA',
  'KeyS',
  'KeyD',
  'KeyQ',
  'KeyE',
  'ArrowUp',
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
  'ShiftLeft',
  'ShiftRight',
]);

/** They turn, except when flying. */
const TURNS = new Set(['KeyQ', 'KeyE']);
/** What one press turns [rad] and zooms. */
const TURN = 0.12;
const ZOOM = 0.18;

/** A field for text has the keys that write; Space and the keys with Ctrl are the page's all the same. */
function writes(target: EventTarget | null): target is HTMLInputElement {
  return (
    target instanceof HTMLElement &&
    (target.matches('input[type="text"], textarea') || target.isContentEditable)
  );
}

/** Text that is not sent yet: undo and redo are of that. */
function isDirty(field: HTMLInputElement): boolean {
  return field.dataset['shown'] !== undefined && field.value !== field.dataset['shown'];
}

export function listenToKeys(targets: ShortcutTargets): void {
  const { app, compare, views, files, timeline, tools, topbar, togglePanels, keyHand } = targets;
  let lastBrush = 'raise';
  app.on('tool', () => {
    if (tools.brush) lastBrush = tools.brush.name;
  });

  const withControl: Record<string, (event: KeyboardEvent) => void> = {
    z: (event) => (event.shiftKey ? app.redo() : app.undo()),
    y: () => app.redo(),
    o: () => void files.openSession(),
    s: () => void files.saveSession(),
    e: () => files.exportField(),
    a: () => {
      tools.choose('select');
      tools.select.all();
    },
    c: () => void tools.select.copy(),
    v: () => tools.choose('stamp'),
  };
  const plain: Record<string, () => void> = {
    ' ': () => timeline.toggle(),
    '.': () => timeline.step(),
    '?': showHelp,
    F1: showHelp,
    n: () => files.newSession(), // browsers keep Ctrl+N for themselves
    v: () => tools.choose('look'),
    b: () => tools.choose(lastBrush),
    c: () => compare.toggle(),
    '\\': () => compare.glance(true),
    t: () => views.top(),
    o: () => views.toggleFlat(),
    l: () => views.eyeLevel(),
    g: () => tools.toggleGrid(),
    h: togglePanels,
    f: () => topbar.toggleFly(),
    p: () => void files.screenshot(),
    Home: () => app.stage.camera.frame(),
    q: () => app.stage.camera.turn(-TURN, 0),
    e: () => app.stage.camera.turn(TURN, 0),
    PageUp: () => app.stage.camera.turn(0, TURN),
    PageDown: () => app.stage.camera.turn(0, -TURN),
    '+': () => app.stage.camera.zoomMiddle(-ZOOM),
    '=': () => app.stage.camera.zoomMiddle(-ZOOM),
    '-': () => app.stage.camera.zoomMiddle(ZOOM),
    '[': () => tools.brush?.resize(1 / 1.2),
    ']': () => tools.brush?.resize(1.2),
    Escape: () => tools.choose('look'),
  };

  window.addEventListener('keydown', (event) => {
    if (sheetIsOpen()) return;
    const { target } = event;
    if (event.ctrlKey || event.metaKey) {
      const key = event.key.toLowerCase();
      const action = withControl[key];
      if (!action || (writes(target) && ('acv'.includes(key) || isDirty(target)))) return;
      event.preventDefault();
      action(event);
      return;
    }
    if (event.key === ' ') {
      event.preventDefault(); // no button is pressed: Enter does that
      timeline.toggle();
      return;
    }
    if (writes(target)) return;
    if (keyHand.down(event)) return;
    if (event.key === 'Enter' && target instanceof HTMLInputElement && target.type === 'checkbox') {
      target.click();
      return;
    }
    const arrows = target instanceof HTMLElement && target.matches('input[type="range"], select');
    const turns = !app.stage.camera.flying && TURNS.has(event.code);
    if (MOVES.has(event.code) && !turns && !(arrows && event.code.startsWith('Arrow'))) {
      app.stage.camera.key(event.code, true);
      if (event.code.startsWith('Arrow')) event.preventDefault();
      return;
    }
    if (event.shiftKey && /^Digit[1-9]$/.test(event.code)) {
      views.recall(Number(event.code.slice(5)) - 1);
      return;
    }
    if (/^[1-6]$/.test(event.key)) {
      tools.viewAt(Number(event.key) - 1);
      return;
    }
    const action = plain[event.key] ?? plain[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  });
  // A button is pressed when Space goes up.
  window.addEventListener('keyup', (event) => {
    if (event.key === ' ' && !sheetIsOpen()) event.preventDefault();
    keyHand.up(event);
    if (event.key === '\\') compare.glance(false);
    app.stage.camera.key(event.code, false);
  });
  window.addEventListener('blur', () => {
    app.stage.camera.releaseKeys();
    keyHand.letGo();
  });
}
