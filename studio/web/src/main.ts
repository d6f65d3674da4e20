// SPDX-License-Identifier: MIT
/** The page: makes its parts and joins them. */
import { App } from './app';
import { Files } from './dialogs/files';
import { firstHint } from './dialogs/help';
import { showLandscapes } from './dialogs/landscapes';
import { hookOf } from './hook';
import { Compare } from './panels/compare';
import { HistoryPanel } from './panels/history';
import { Hud } from './panels/hud';
import { LookPanel } from './panels/look';
import { ParametersPanel } from './panels/parameters';
import { Timeline } from './panels/timeline';
import { ToolsPanel } from './panels/tools';
import { TopBar, type Drawer } from './panels/topbar';
import { ViewsPanel } from './panels/views';
import { WorkerCarrier } from './engine/carrier';
import type { Dial } from './protocol/carrier';
import { Connection } from './protocol/connection';
import { SocketCarrier } from './protocol/socket';
import type { Status } from './protocol/types';
import { listenToKeys } from './shortcuts';
import { Hand } from './tools/hand';
import { LookTool } from './tools/look';
import { el, remember } from './ui/dom';
import { complain, mountNotes } from './ui/notes';
import { PAUSES } from './view/pauses';
import { Stage } from './view/stage';
import { KeyHand } from './tools/key_hand';
import { t, translator } from './ui/language';
import { applyTheme } from './ui/theme';

const canvas = document.querySelector<HTMLCanvasElement>('#picture')!;
const pins = document.querySelector<HTMLElement>('#pins')!;
const studio = document.querySelector<HTMLElement>('#studio')!;

function tokenOf(): string {
  return new URLSearchParams(location.search).get('token') ?? '';
}

/** The page of `make web` brings its engine along; that of `gully studio` has it at the other end of a socket. */
const dial: Dial = (listener) =>
  import.meta.env.MODE === 'web'
    ? new WorkerCarrier(listener)
    : new SocketCarrier(tokenOf(), listener);

/** The land comes first: without a graphics card, painting the panels for the first time takes a second. */
function showPanels(): void {
  studio.classList.remove('opening');
}

function start(): void {
  document.documentElement.lang = translator.language;
  applyTheme();
  canvas.setAttribute('aria-label', t(canvas.getAttribute('aria-label') ?? ''));
  setTimeout(showPanels, PAUSES.panels);
  const app = new App();
  app.stage = new Stage(canvas, {
    want: (tiles, planes) => app.connection.say('want', { tiles, planes }),
    was: (tiles, planes) => app.connection.do('was', { tiles, planes }),
    ack: (frame) => app.connection.say('ack', { frame }),
    drawn: () => {
      app.tell('drawn');
      if (counted) tellStatus(app);
    },
    landed: () => requestAnimationFrame(() => requestAnimationFrame(showPanels)),
  });
  const look = new LookTool(app);
  const hand = new Hand(app, canvas, look);
  const keyHand = new KeyHand(app, hand, canvas);
  const compare = new Compare(app);
  canvas.parentElement!.append(new Hud(app).element, compare.element);
  const tools = new ToolsPanel(app, hand, look, pins, () => files.pick(true));
  const looks = new LookPanel(app);
  const views = new ViewsPanel(app, () => topbar.showFlying());
  for (const part of [looks, views, new HistoryPanel(app, compare)]) tools.add(part.element);
  const files: Files = new Files(app, tools.stamp, (name) => tools.choose(name));
  files.expect = (scene) => looks.expect(scene);
  const togglePanels = (): void => {
    const bare = studio.classList.toggle('bare');
    remember('gully.bare', bare ? 'yes' : 'no');
  };
  const drawers: Drawer[] = ['tools', 'values'];
  const toggleDrawer = (side: Drawer | null): void => {
    for (const other of drawers)
      studio.classList.toggle(
        `${other}-open`,
        other === side && !studio.classList.contains(`${other}-open`),
      );
  };
  canvas.addEventListener('pointerdown', () => toggleDrawer(null));
  const timeline = new Timeline(app);
  const topbar: TopBar = new TopBar(app, files, compare, togglePanels, toggleDrawer);
  const parameters = new ParametersPanel(
    app,
    () => showLandscapes(app, (name) => files.beginWith(name)),
    (view) => tools.setView(view),
  );
  studio.append(topbar.element, tools.element, parameters.element, timeline.element, files.picker);
  mountNotes(studio);
  listenToKeys({ app, compare, views, files, timeline, tools, topbar, keyHand, togglePanels });
  acceptDrops(files);

  app.connection = new Connection(dial, {
    hello(hello) {
      const again =
        app.hello?.session === hello.session &&
        app.description?.world.terrain === hello.description.world.terrain;
      app.hello = hello;
      app.description = hello.description;
      app.stage.begin(hello.description, again);
      app.tell('hello');
      app.tell('describe');
      if (hello.recover) files.recover();
    },
    describe(description) {
      app.description = description;
      app.tell('describe');
    },
    status: (status) => takeStatus(app, status),
    frame: (frame) => app.stage.take(frame),
    line: (state) => {
      if (state === 'open') tellWatch(app);
      if (state === 'lost' || state === 'refused') showPanels();
      app.tell('line');
    },
  });
  app.tell('line');
  window.gully = hookOf(app);
  document.addEventListener('visibilitychange', () => tellWatch(app));
  firstHint(studio);
}

/** A simulation that nobody looks at pauses. */
function tellWatch(app: App): void {
  app.connection?.say('watch', { on: document.visibilityState === 'visible' });
}

/**
 * Where drawing is slow, the browser takes as long for a few new numbers as for a new picture: numbers that only count
 * come with the next picture, or after a while.
 */
let told = -Infinity;
let counted = false; // numbers wait

function takeStatus(app: App, status: Status): void {
  if (JSON.stringify(status) === JSON.stringify(app.status)) return;
  const key = (s: Status | null): string =>
    JSON.stringify(
      s && [
        s.playing,
        s.phase,
        s.phase_held,
        s.undo,
        s.redo,
        s.busy,
        s.speed,
        s.ended,
        s.repeats,
        s.reach,
      ],
    );
  const news = key(status) !== key(app.status) || !status.playing;
  app.status = status;
  app.stage.playing = status.playing;
  if (status.scale) app.stage.setScale(status.scale);
  counted = !news && !app.stage.pace.fast && performance.now() - told < PAUSES.count;
  if (!counted) tellStatus(app);
}

function tellStatus(app: App): void {
  told = performance.now();
  counted = false;
  app.tell('status');
}

function acceptDrops(files: Files): void {
  const veil = el('div', { class: 'veil', hidden: true }, 'Drop a heightmap or a scene');
  studio.append(veil);
  window.addEventListener('dragover', (event) => {
    event.preventDefault();
    veil.hidden = false;
  });
  window.addEventListener('dragleave', (event) => {
    if (!event.relatedTarget) veil.hidden = true;
  });
  window.addEventListener('drop', (event) => {
    event.preventDefault();
    veil.hidden = true;
    const dropped = [...(event.dataTransfer?.files ?? [])];
    if (dropped.length) void files.offer(dropped);
  });
}

try {
  start();
} catch (error) {
  showPanels();
  mountNotes(studio);
  complain(
    error instanceof Error && /WebGL/i.test(error.message)
      ? 'This browser does not offer WebGL 2, which the picture needs.'
      : error,
  );
}
