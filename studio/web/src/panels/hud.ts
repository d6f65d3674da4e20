// SPDX-License-Identifier: MIT
/** Over the picture: what is under the pointer, how long a stretch is, where north is, what colours mean. */
import type { App } from '../app';
import { el, format } from '../ui/dom';
import { roundUp } from '../view/past';
import type { View } from '../view/stage';
import { t } from '../ui/language';

/** The longest scale bar, as a share of the picture's width. */
const LONGEST = 0.16;

/** What the colours of a view mean: CSS colours from left to right, and what stands below. */
const LEGENDS: Partial<Record<View, [colors: string, texts: string[]]>> = {
  mei: ['#2e963e 0 33%, #a39c90 33% 66%, #c83020 66%', ['in the water', '', 'left behind']],
  flow: ['#a39c90, #1450b8', ['little water', 'a river']],
  wear: ['#a39c90, #df8f1e', ['little', 'much was taken']],
  slope: ['#3f8f4f, #e8d24a 50%, #b3261e', ['0°', '25°', '50°']],
  hardness: ['#e9e2cf, #3b2f6b', ['soft', 'hard']],
};

export class Hud {
  readonly element = el('div', { class: 'hud' });
  private readonly reading = el('div', {
    class: 'pointer-reading',
    role: 'group',
    'aria-label': 'Under the pointer',
  });
  private readonly bar = el('i', {});
  private readonly length = el('span', {});
  private readonly scale = el(
    'div',
    { class: 'scale-bar', 'aria-label': 'Scale' },
    this.bar,
    this.length,
  );
  private readonly needle = el(
    'span',
    { class: 'needle', 'aria-hidden': 'true' },
    el('b', {}, 'N'),
  );
  private readonly compass = el(
    'button',
    {
      type: 'button',
      class: 'compass',
      title: 'North is where the arrow points. Click to turn it up.',
      'aria-label': 'Turn north up',
      on: { click: () => this.app.stage.camera.turnNorth() },
    },
    this.needle,
  );
  private readonly legend = el('div', {
    class: 'view-legend',
    role: 'img',
    'aria-label': 'Colours',
  });

  constructor(private readonly app: App) {
    this.element.append(this.reading, this.scale, this.compass, this.legend);
    app.on('pointer', () => this.read());
    app.on('drawn', () => this.update());
  }

  /** Place, height and slope; with a comparison, by how much the ground has changed. */
  private read(): void {
    const { stage, pointer: at } = this.app;
    if (!at) {
      this.reading.textContent = '';
      return;
    }
    const { field, past } = stage;
    const high = field.surface(at.x, at.z);
    const [dx, dy] = field.world.cell;
    const along = (field.surface(at.x + dx, at.z) - field.surface(at.x - dx, at.z)) / (2 * dx);
    const down = (field.surface(at.x, at.z + dy) - field.surface(at.x, at.z - dy)) / (2 * dy);
    const slope = (Math.atan(Math.hypot(along, down)) * 180) / Math.PI;
    const parts = [
      `x ${Math.round(at.x)} m, y ${Math.round(at.z)} m`,
      `${format(high, 5)} m high`,
      Number.isFinite(slope) ? `${slope.toFixed(1)}° steep` : '',
    ];
    if (stage.comparing !== 'off' && past?.known) {
      const change = high - past.field.surface(at.x, at.z);
      if (Number.isFinite(change)) parts.push(`${change > 0 ? '+' : ''}${change.toFixed(2)} m`);
    }
    this.reading.textContent = parts.filter(Boolean).map(t).join(' · ');
  }

  private update(): void {
    const { stage } = this.app;
    const { camera, canvas } = stage;
    const turn = `${(Math.PI - camera.azimuth).toFixed(3)}rad`;
    if (this.needle.style.rotate !== turn) this.needle.style.rotate = turn;
    const metres = camera.metresPerPixel() * canvas.clientWidth;
    if (Number.isFinite(metres) && metres > 0) {
      const whole = roundUp(0.4 * LONGEST * metres, 1e-3);
      const width = `${Math.round((whole / metres) * canvas.clientWidth)}px`;
      const text = whole >= 1000 ? `${format(whole / 1000)} km` : `${format(whole)} m`;
      if (this.bar.style.width !== width) this.bar.style.width = width;
      if (this.length.textContent !== text) this.length.textContent = text;
    }
    this.showLegend(stage.comparing === 'difference' ? 'difference' : stage.view);
  }

  private showLegend(view: View): void {
    if (this.legend.dataset['view'] === view) return;
    this.legend.dataset['view'] = view;
    const legend = LEGENDS[view];
    this.legend.hidden = !legend;
    if (!legend) return;
    const [colors, texts] = legend;
    const ramp = el('i', { class: 'ramp' });
    ramp.style.background = `linear-gradient(90deg, ${colors})`;
    this.legend.replaceChildren(
      ramp,
      el('div', { class: 'ticks' }, ...texts.map((text) => el('span', {}, text))),
    );
    this.legend.setAttribute('aria-label', t(`Colours: ${texts.filter(Boolean).join(' to ')}`));
  }
}
