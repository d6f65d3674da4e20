// SPDX-License-Identifier: MIT
/** A piece of ground: a rectangle, one that is turned as the camera is, or a lasso; copy it. */
import type { Vector3 } from 'three';
import type { App } from '../app';
import { button, el } from '../ui/dom';
import { t } from '../ui/language';
import { note } from '../ui/notes';
import type { Heights } from './ghost';
import type { StampTool } from './stamp';
import type { Tool, ToolEvent } from './tool';

type Corner = [x: number, y: number];
type Rect = [x0: number, y0: number, x1: number, y1: number];
type Shape = 'rectangle' | 'turned' | 'lasso';

const SHAPES: [Shape, string, string][] = [
  ['rectangle', 'Rectangle', 'its sides run with the cells'],
  ['turned', 'Turned', 'a rectangle that is turned as you look'],
  ['lasso', 'Lasso', 'around what the hand goes around'],
];
const MOST_CORNERS = 2000;

/** The smallest rectangle around some corners. */
export function around(corners: Corner[]): Rect {
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** Corners of a rectangle between two places, its sides turned clockwise [rad]. */
export function turned([ax, ay]: Corner, [bx, by]: Corner, angle: number): Corner[] {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const along = (bx - ax) * cos + (by - ay) * sin;
  return [
    [ax, ay],
    [ax + along * cos, ay + along * sin],
    [bx, by],
    [bx - along * cos, by - along * sin],
  ];
}

export class SelectTool implements Tool {
  readonly name = 'select';
  readonly settings = el('div', { class: 'settings' });
  private shape: Shape = 'rectangle';
  private from: Vector3 | null = null;
  private corners: Corner[] = [];
  private readonly size = el('p', { class: 'summary', 'aria-live': 'polite' });

  constructor(
    private readonly app: App,
    private readonly stamp: StampTool,
    private readonly choose: (name: string) => void,
  ) {
    const shapes = SHAPES.map(([shape, name, help]) => this.shapeButton(shape, name, help));
    this.settings.append(
      el(
        'p',
        { class: 'summary' },
        'Select: drag over the ground. Copy it with its layers and hardness, then paste it elsewhere, turned and scaled.',
      ),
      el('div', { class: 'views', role: 'group', 'aria-label': 'Shape' }, ...shapes),
      this.size,
      el(
        'div',
        { class: 'buttons' },
        button('Copy', () => void this.copy()),
        button('All', () => this.all()),
        button('None', () => this.clear()),
      ),
    );
  }

  private shapeButton(shape: Shape, name: string, help: string): HTMLElement {
    const item = el(
      'button',
      {
        type: 'button',
        class: 'chip',
        title: help,
        'aria-pressed': String(shape === this.shape),
        'data-shape': shape,
      },
      name,
    );
    item.addEventListener('click', () => {
      this.shape = shape;
      this.clear();
      for (const other of item.parentElement!.querySelectorAll<HTMLElement>('.chip'))
        other.setAttribute('aria-pressed', String(other === item));
    });
    return item;
  }

  enter(): void {
    this.show();
  }
  leave(): void {
    this.app.stage.setOutline(null);
  }
  hover(): void {}

  down(event: ToolEvent): boolean {
    if (!event.at) return false;
    this.clear();
    this.from = event.at.clone();
    if (this.shape === 'lasso') this.corners = [[event.at.x, event.at.z]];
    return true;
  }

  move(event: ToolEvent): void {
    if (!this.from || !event.at) return;
    const [a, b]: [Corner, Corner] = [
      [this.from.x, this.from.z],
      [event.at.x, event.at.z],
    ];
    if (this.shape === 'lasso') this.corners.push(...event.path);
    else this.corners = turned(a, b, this.shape === 'turned' ? this.app.stage.camera.azimuth : 0);
    if (this.corners.length > MOST_CORNERS)
      this.corners = this.corners.filter((_, index) => index % 2 === 0);
    this.show();
  }

  up(): void {
    this.from = null;
  }

  key(key: string): boolean {
    if (key === 'Escape') this.clear();
    return key === 'Escape';
  }

  all(): void {
    const [x, y] = this.app.stage.field.size;
    this.corners = turned([0, 0], [x, y], 0);
    this.show();
  }

  private clear(): void {
    this.from = null;
    this.corners = [];
    this.show();
  }

  private show(): void {
    const { corners } = this;
    if (corners.length < 3) {
      this.size.textContent = t('Nothing is selected.');
      this.app.stage.setOutline(null);
      return;
    }
    const [x, y, width, height] = this.cells(around(corners));
    this.size.textContent = t(`${width} x ${height} cells from ${x}, ${y}`);
    this.app.stage.setOutline(corners);
    this.app.stage.hand();
  }

  /** The cells of a rectangle, as far as there are any. */
  private cells(rect: Rect): [number, number, number, number] {
    const { cell, width, height } = this.app.description!.world;
    const within = (value: number, most: number): number => Math.min(Math.max(value, 0), most - 1);
    const x = within(Math.round(rect[0] / cell[0]), width);
    const y = within(Math.round(rect[1] / cell[1]), height);
    const right = within(Math.round(rect[2] / cell[0]), width);
    const bottom = within(Math.round(rect[3] / cell[1]), height);
    return [x, y, right - x + 1, bottom - y + 1];
  }

  /** The ground as it is now, for the ghost of the copy. */
  private heights([x0, y0, x1, y1]: Rect): Heights {
    const { field } = this.app.stage;
    const side = 64;
    const kept = Array.from({ length: side * side }, (_, k) =>
      field.surface(
        x0 + ((x1 - x0) * (k % side)) / (side - 1),
        y0 + ((y1 - y0) * Math.floor(k / side)) / (side - 1),
      ),
    );
    return (u, v) => kept[Math.round(v * (side - 1)) * side + Math.round(u * (side - 1))] ?? NaN;
  }

  async copy(): Promise<void> {
    const { corners } = this;
    if (corners.length < 3) {
      note('Select something first: drag over the ground with the Select tool.');
      return;
    }
    const rect = around(corners);
    const outline = this.shape === 'rectangle' ? {} : { points: corners };
    const reply = await this.app.do('copy', { rect: this.cells(rect), ...outline });
    if (!reply) return;
    this.stamp.use({
      kind: 'clip',
      name: String(reply['clip']),
      title: 'the copy',
      width: Number(reply['width']),
      height: Number(reply['height']),
      heights: this.heights(rect),
    });
    note('Copied. Click where it is to go.');
    this.choose('stamp');
  }
}
