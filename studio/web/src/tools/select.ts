/** A rectangle of ground: drag it, copy it. */
import type { Vector3 } from 'three';
import type { App } from '../app';
import { button, el } from '../ui/dom';
import { note } from '../ui/notes';
import type { Heights } from './ghost';
import type { StampTool } from './stamp';
import type { Tool, ToolEvent } from './tool';
import { t } from '../ui/language';

export class SelectTool implements Tool {
  readonly name = 'select';
  readonly settings = el('div', { class: 'settings' });
  private from: Vector3 | null = null;
  private rect: [number, number, number, number] | null = null; // first and last corner [m]
  private readonly size = el('p', { class: 'summary', 'aria-live': 'polite' });

  constructor(
    private readonly app: App,
    private readonly stamp: StampTool,
    private readonly choose: (name: string) => void,
  ) {
    this.settings.append(
      el(
        'p',
        { class: 'summary' },
        'Select: drag a rectangle on the ground. Copy it with its layers and hardness, then paste it elsewhere, turned and scaled.',
      ),
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

  enter(): void {
    this.show();
  }
  leave(): void {
    this.app.stage.setRect(null);
  }
  hover(): void {}

  down(event: ToolEvent): boolean {
    if (!event.at) return false;
    this.from = event.at.clone();
    this.clear();
    return true;
  }

  move(event: ToolEvent): void {
    if (!this.from || !event.at) return;
    const { x, z } = event.at;
    this.rect = [
      Math.min(this.from.x, x),
      Math.min(this.from.z, z),
      Math.max(this.from.x, x),
      Math.max(this.from.z, z),
    ];
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
    this.rect = [0, 0, x, y];
    this.show();
  }

  private clear(): void {
    this.rect = null;
    this.show();
  }

  private show(): void {
    const rect = this.rect;
    if (!rect) {
      this.size.textContent = t('Nothing is selected.');
      this.app.stage.setRect(null);
      return;
    }
    const [x, y, width, height] = this.cells(rect);
    this.size.textContent = t(`${width} x ${height} cells from ${x}, ${y}`);
    this.app.stage.setRect([
      0.5 * (rect[0] + rect[2]),
      0.5 * (rect[1] + rect[3]),
      0.5 * (rect[2] - rect[0]),
      0.5 * (rect[3] - rect[1]),
    ]);
    this.app.stage.hand();
  }

  private cells(rect: [number, number, number, number]): [number, number, number, number] {
    const [cellX, cellY] = this.app.description!.world.cell;
    const x = Math.round(rect[0] / cellX);
    const y = Math.round(rect[1] / cellY);
    return [x, y, Math.round(rect[2] / cellX) - x + 1, Math.round(rect[3] / cellY) - y + 1];
  }

  /** The ground as it is now, for the ghost of the copy. */
  private heights([x0, y0, x1, y1]: [number, number, number, number]): Heights {
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
    if (!this.rect) {
      note('Select something first: drag a rectangle with the Select tool.');
      return;
    }
    const reply = await this.app.do('copy', { rect: this.cells(this.rect) });
    if (!reply) return;
    this.stamp.use({
      kind: 'clip',
      name: String(reply['clip']),
      title: 'the copy',
      width: Number(reply['width']),
      height: Number(reply['height']),
      heights: this.heights(this.rect),
    });
    note('Copied. Click where it is to go.');
    this.choose('stamp');
  }
}
