// SPDX-License-Identifier: MIT
/** The bar on top: what is open, files, undo, camera, help, and how the line to the engine is. */
import type { App } from '../app';
import type { Files } from '../dialogs/files';
import { showHelp } from '../dialogs/help';
import { PicturesSheet } from '../dialogs/pictures';
import { el, icon, iconButton } from '../ui/dom';
import { ICONS } from '../ui/icons';
import { Progress } from '../ui/progress';
import type { Compare } from './compare';
import { Stepper } from './stepper';
import { t } from '../ui/language';
import { showSettings } from '../dialogs/settings';
import { takeTour } from '../dialogs/tour';

/** What lies over the picture on a small screen. */
export type Drawer = 'tools' | 'values';

export class TopBar {
  readonly element = el('header', { class: 'panel top', 'aria-label': 'Session' });
  private readonly title = el('span', { class: 'terrain' });
  private readonly undo: HTMLButtonElement;
  private readonly redo: HTMLButtonElement;
  private readonly fly: HTMLButtonElement;
  private readonly line = el('span', { class: 'line', role: 'status' });
  private readonly progress = new Progress(() => void this.app.do('cancel'));

  constructor(
    private readonly app: App,
    files: Files,
    compare: Compare,
    togglePanels: () => void,
    toggleDrawer: (side: Drawer) => void,
  ) {
    const marked = (item: HTMLElement, stop: string): HTMLElement => {
      item.dataset['tour'] = stop;
      return item;
    };
    this.undo = iconButton('Undo', ICONS['undo']!, () => app.undo(), 'Ctrl+Z');
    this.redo = iconButton('Redo', ICONS['redo']!, () => app.redo(), 'Ctrl+Y');
    this.fly = iconButton('Fly', ICONS['fly']!, () => this.toggleFly(), 'F');
    const gap = (): HTMLElement => el('span', { class: 'gap' });
    const name = el(
      'span',
      { class: 'brand' },
      icon('M2 20l7-13 4 7 2-3 7 9z|M12 14c2 1.500 0 2.500 2 3.500s0 2 1.500 2.500'),
      'Gully',
    );
    const drawer = (title: string, path: string, side: Drawer): HTMLElement => {
      const item = iconButton(title, path, () => toggleDrawer(side));
      item.classList.add('drawer');
      return item;
    };
    this.element.append(
      name,
      drawer('Tools', ICONS['brush']!, 'tools'),
      drawer('Parameters', ICONS['sliders']!, 'values'),
      this.title,
      new Stepper(app).element,
      this.progress.element,
      this.line,
      el('span', { class: 'spring' }),
      iconButton('New landscape', ICONS['new']!, () => files.newSession(), 'N'),
      iconButton('Open', ICONS['open']!, () => void files.openSession(), 'Ctrl+O'),
      iconButton('Save', ICONS['save']!, () => void files.saveSession(), 'Ctrl+S'),
      marked(
        iconButton('Export', ICONS['export']!, () => files.exportField(), 'Ctrl+E'),
        'export',
      ),
      iconButton('Screenshot', ICONS['camera']!, () => void files.screenshot(), 'P'),
      iconButton('Pictures and films', ICONS['film']!, () => new PicturesSheet(app).open()),
      gap(),
      this.undo,
      this.redo,
      marked(
        iconButton('Compare', ICONS['compare']!, () => compare.toggle(), 'C'),
        'compare',
      ),
      gap(),
      iconButton('See all', ICONS['home']!, () => app.stage.camera.frame(), 'Home'),
      this.fly,
      iconButton('Panels', ICONS['sides']!, togglePanels, 'H'),
      iconButton('Settings', ICONS['settings']!, () => showSettings(takeTour)),
      iconButton('Help', ICONS['help']!, showHelp, '?'),
    );
    app.on('status', () => this.update());
    app.on('describe', () => this.update());
    app.on('line', () => this.update());
  }

  toggleFly(): void {
    const { camera } = this.app.stage;
    camera.setFlying(!camera.flying);
    this.showFlying();
  }

  showFlying(): void {
    const { camera } = this.app.stage;
    this.fly.classList.toggle('on', camera.flying);
    this.fly.setAttribute('aria-pressed', String(camera.flying));
  }

  private update(): void {
    const { status, description, connection } = this.app;
    if (description)
      this.title.textContent = [description.world.terrain, description.world.model]
        .filter(Boolean)
        .join(' · ');
    for (const [item, name, what] of [
      [this.undo, 'Undo', status?.undo],
      [this.redo, 'Redo', status?.redo],
    ] as const) {
      item.disabled = !what;
      item.title = t(what ? `${name} ${what}` : `Nothing to ${name.toLowerCase()}`);
    }
    this.progress.show(status?.busy ?? null);
    const texts = {
      connecting: 'Connecting...',
      open: '',
      lost: 'The engine is gone. Trying to reach it again...',
      refused: 'No engine at this address. Is gully studio running, and is the address complete?',
    };
    const text = t(texts[connection?.state ?? 'connecting']);
    if (this.line.textContent !== text) this.line.textContent = text;
    this.line.dataset['state'] = connection?.state ?? 'connecting';
  }
}
