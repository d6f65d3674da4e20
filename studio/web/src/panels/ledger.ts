// SPDX-License-Identifier: MIT
/** The ledger as a small live plot: where the water is and went, what was eroded, laid down and floats. */
import type { App } from '../app';
import type { Budget } from '../protocol/types';
import { el, volume } from '../ui/dom';

interface Line {
  name: string;
  color: string;
  value: (budget: Budget) => number;
}

const LINES: Record<'water' | 'solid', Line[]> = {
  water: [
    {
      name: 'in',
      color: '#8fd3ff',
      value: ({ water }) =>
        (water['initial'] ?? 0) +
        (water['rain'] ?? 0) +
        (water['sources'] ?? 0) +
        Math.max(water['edits'] ?? 0, 0),
    },
    { name: 'present', color: '#3d8bff', value: ({ water }) => water['present'] ?? 0 },
    {
      name: 'out',
      color: '#ffb27a',
      value: ({ water }) => (water['evaporated'] ?? 0) + (water['left'] ?? 0),
    },
  ],
  solid: [
    { name: 'eroded', color: '#f0a53a', value: ({ solid }) => solid['eroded'] ?? 0 },
    { name: 'laid down', color: '#ff6b5c', value: ({ solid }) => solid['deposited'] ?? 0 },
    { name: 'floating', color: '#6fd36f', value: ({ solid }) => solid['suspended'] ?? 0 },
  ],
};

/** Points that are kept; when there are more, every second is thrown away. */
const MOST = 400;

export class Ledger {
  readonly element = el('section', { class: 'ledger', 'aria-label': 'Ledger' });
  private readonly canvas = el('canvas', { role: 'img', 'aria-label': 'Ledger plot' });
  private readonly legend = el('div', { class: 'legend' });
  private kind: 'water' | 'solid' = 'water';
  private points: { time: number; budget: Budget }[] = [];
  private last: Budget | null = null;
  private readonly tabs: Record<string, HTMLButtonElement> = {};

  constructor(private readonly app: App) {
    const tabs = el('div', { class: 'tabs', role: 'group', 'aria-label': 'What the ledger shows' });
    for (const kind of ['water', 'solid'] as const) {
      const tab = el(
        'button',
        {
          type: 'button',
          class: 'tab',
          'aria-label': `Ledger of ${kind}`,
          'aria-pressed': String(kind === this.kind),
          on: { click: () => this.show(kind) },
        },
        kind === 'water' ? 'Water' : 'Solid',
      );
      this.tabs[kind] = tab;
      tabs.append(tab);
    }
    this.element.append(el('div', { class: 'ledger-side' }, tabs, this.legend), this.canvas);
    app.on('status', () => this.update());
    app.on('hello', () => this.clear());
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  clear(): void {
    this.points = [];
    this.last = null;
    this.draw();
  }

  private show(kind: 'water' | 'solid'): void {
    this.kind = kind;
    for (const [name, tab] of Object.entries(this.tabs))
      tab.setAttribute('aria-pressed', String(name === kind));
    this.draw();
  }

  private update(): void {
    const { status } = this.app;
    if (!status?.budget || status.budget === this.last) return;
    this.last = status.budget;
    // Undo goes back in time: what was later is not any more.
    while (this.points.length && this.points[this.points.length - 1]!.time >= status.time)
      this.points.pop();
    this.points.push({ time: status.time, budget: status.budget });
    if (this.points.length > MOST)
      this.points = this.points.filter((_, k) => k % 2 === 0 || k === this.points.length - 1);
    this.draw();
  }

  private draw(): void {
    const ratio = Math.min(window.devicePixelRatio, 2);
    const width = Math.round(this.canvas.clientWidth * ratio);
    const height = Math.round(this.canvas.clientHeight * ratio);
    if (!width || !height) return;
    if (this.canvas.width !== width) this.canvas.width = width;
    if (this.canvas.height !== height) this.canvas.height = height;
    const context = this.canvas.getContext('2d')!;
    context.clearRect(0, 0, width, height);
    const lines = LINES[this.kind];
    const { points } = this;
    const newest = points[points.length - 1]?.budget;
    this.legend.replaceChildren(
      ...lines.map(({ name, color, value }) => {
        const patch = el('i', {});
        patch.style.background = color;
        return el(
          'span',
          {},
          patch,
          `${name} `,
          el('b', {}, newest ? `${volume(value(newest))}` : '–'),
        );
      }),
    );
    if (newest)
      this.canvas.setAttribute(
        'aria-label',
        `Ledger plot: ${lines.map((line) => `${line.name} ${volume(line.value(newest))}`).join(', ')}`,
      );
    if (points.length < 2) return;
    const from = points[0]!.time;
    const span = points[points.length - 1]!.time - from || 1;
    let most = 1e-9;
    for (const { budget } of points)
      for (const line of lines) most = Math.max(most, line.value(budget));
    context.lineWidth = 1.6 * ratio;
    context.lineJoin = 'round';
    for (const line of lines) {
      context.strokeStyle = line.color;
      context.beginPath();
      for (const { time, budget } of points)
        context.lineTo(
          ((time - from) / span) * (width - 4) + 2,
          height - 3 - (line.value(budget) / most) * (height - 6),
        );
      context.stroke();
    }
  }
}
