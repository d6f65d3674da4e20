// SPDX-License-Identifier: MIT
/** Where to look from: all of it, from above, flat as a map, at eye level; and views that are kept. */
import type { App } from '../app';
import { button, el, fold, iconButton, remember } from '../ui/dom';
import { ICONS } from '../ui/icons';
import { note } from '../ui/notes';
import type { CameraView } from '../view/camera';
import { t } from '../ui/language';

const MOST = 9;

export class ViewsPanel {
  readonly element: HTMLDetailsElement;
  private readonly kept = el('div', {
    class: 'bookmarks',
    role: 'group',
    'aria-label': 'Kept views',
  });
  private readonly flat: HTMLButtonElement;
  private views: CameraView[] = [];

  constructor(
    private readonly app: App,
    private readonly flying: () => void,
  ) {
    this.flat = button('Flat', () => this.toggleFlat());
    this.flat.title = t('Without perspective, as on a map (O)');
    this.flat.setAttribute('aria-pressed', 'false');
    const top = button('From above', () => this.top());
    top.title = t('Straight down, north is up (T)');
    const level = button('Eye level', () => this.eyeLevel());
    level.title = t('Stand in the land and look at its highest summit (L)');
    const all = button('See all', () => app.stage.camera.frame());
    const keep = iconButton('Keep this view', ICONS['pin']!, () => this.keep());
    keep.title = t('Keep this view; Shift and its number come back to it');
    this.element = fold(
      'Camera',
      false,
      el('div', { class: 'camera-buttons' }, all, top, this.flat, level),
      el('div', { class: 'bookmark-line' }, keep, this.kept),
    );
    app.on('hello', () => {
      this.load();
      this.flat.setAttribute('aria-pressed', 'false');
    });
  }

  top(): void {
    this.app.stage.camera.lookDown();
    this.flying();
  }

  toggleFlat(): void {
    const { camera } = this.app.stage;
    camera.setFlat(!camera.flat);
    this.flat.setAttribute('aria-pressed', String(camera.flat));
  }

  eyeLevel(): void {
    const { camera } = this.app.stage;
    if (camera.flat) this.toggleFlat();
    if (!camera.standInLand()) note('There is no place to stand.');
    this.flying();
  }

  /** Comes back to a view that was kept. */
  recall(index: number): void {
    const view = this.views[index];
    if (!view) return;
    this.app.stage.camera.recall(view);
    this.flat.setAttribute('aria-pressed', String(this.app.stage.camera.flat));
    this.flying();
  }

  private key(): string {
    return `gully.views.${this.app.description?.world.terrain ?? ''}`;
  }

  private load(): void {
    try {
      const kept = JSON.parse(remember(this.key()) ?? '[]') as unknown;
      this.views = Array.isArray(kept) ? (kept as CameraView[]) : [];
    } catch {
      this.views = [];
    }
    this.show();
  }

  private keep(): void {
    this.views = [...this.views, this.app.stage.camera.view()].slice(-MOST);
    this.store();
  }

  private store(): void {
    remember(this.key(), JSON.stringify(this.views));
    this.show();
  }

  private show(): void {
    this.kept.replaceChildren(
      ...this.views.map((_, index) => {
        const name = String(index + 1);
        const item = el(
          'button',
          {
            type: 'button',
            class: 'chip',
            title: `Go to view ${name} (Shift+${name}); Alt and click forgets it`,
            'aria-label': `View ${name}`,
            on: {
              click: (event: MouseEvent) => {
                if (!event.altKey) return this.recall(index);
                this.views.splice(index, 1);
                this.store();
              },
            },
          },
          name,
        );
        return item;
      }),
    );
  }
}
