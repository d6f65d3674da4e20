// SPDX-License-Identifier: MIT
/** Springs: click to place one, drag its pin, delete it. Pins are elements over the picture. */
import type { Vector3 } from 'three';
import type { App } from '../app';
import type { Row, Source } from '../protocol/types';
import { control } from '../ui/control';
import { button, el, format, icon } from '../ui/dom';
import { ICONS } from '../ui/icons';
import type { Tool, ToolEvent } from './tool';
import { t } from '../ui/language';

export class SourceTool implements Tool {
  readonly name = 'source';
  readonly settings = el('div', { class: 'settings' });
  private chosen = -1;
  private next: Record<string, number> = { radius: 0, rate: 0.1, concentration: 0 };
  private pins: HTMLButtonElement[] = [];
  private moving: { index: number; at: [number, number] } | null = null;
  private text = '';

  constructor(
    private readonly app: App,
    private readonly layer: HTMLElement,
    private readonly choose: (name: string) => void,
  ) {
    app.on('drawn', () => this.place());
  }

  private get sources(): Source[] {
    return this.app.description?.sources ?? [];
  }

  enter(): void {
    const size = Math.max(...this.app.stage.field.size);
    if (!this.next['radius']) this.next['radius'] = Number((0.008 * size).toPrecision(2));
    this.build();
  }

  leave(): void {
    this.chosen = -1;
    this.app.stage.setRing(null, 0, 0, [1, 1, 1]);
    this.update();
  }

  update(): void {
    const { sources } = this;
    if (this.chosen >= sources.length) this.chosen = -1;
    const text = JSON.stringify([sources, this.chosen]);
    if (text === this.text) return;
    this.text = text;
    while (this.pins.length > sources.length) this.pins.pop()!.remove();
    while (this.pins.length < sources.length) this.pins.push(this.pin(this.pins.length));
    this.pins.forEach((pin, index) => {
      const name = `Source ${index + 1}, ${format(sources[index]!['rate'] ?? 0)} m/s`;
      pin.setAttribute('aria-label', t(name));
      pin.title = t(name);
      pin.classList.toggle('chosen', index === this.chosen);
    });
    this.place();
    this.build();
  }

  private pin(index: number): HTMLButtonElement {
    const pin = el('button', { type: 'button', class: 'pin' }, icon(ICONS['pin']!));
    pin.addEventListener('pointerdown', (event) => {
      event.preventDefault();
      pin.focus();
      pin.setPointerCapture(event.pointerId);
      this.choose('source');
      this.chosen = index;
      this.update();
      const source = this.sources[index]!;
      this.moving = { index, at: [source['x']!, source['y']!] };
    });
    pin.addEventListener('pointermove', (event) => {
      if (!this.moving) return;
      const at = this.app.stage.camera.pick(event.clientX, event.clientY);
      if (!at) return;
      this.moving.at = [at.x, at.z];
      this.place();
      this.app.stage.hand();
    });
    pin.addEventListener('pointerup', () => {
      const { moving } = this;
      this.moving = null;
      if (!moving) return;
      const source = this.sources[moving.index];
      if (source && (source['x'] !== moving.at[0] || source['y'] !== moving.at[1]))
        void this.change({ x: moving.at[0], y: moving.at[1] });
    });
    pin.addEventListener('keydown', (event) => {
      if (event.key === 'Delete' || event.key === 'Backspace') this.remove();
    });
    pin.addEventListener('focus', () => {
      if (this.chosen === index) return;
      this.chosen = index;
      this.update();
    });
    this.layer.append(pin);
    return pin;
  }

  private place(): void {
    this.pins.forEach((pin, index) => {
      const source = this.sources[index];
      if (!source) return;
      const [x, y] = this.moving?.index === index ? this.moving.at : [source['x']!, source['y']!];
      const at = this.app.stage.project(x, y);
      pin.hidden = at === null;
      if (at) pin.style.transform = `translate(${at.x.toFixed(1)}px, ${at.y.toFixed(1)}px)`;
    });
  }

  private build(): void {
    const source = this.sources[this.chosen];
    this.settings.replaceChildren(
      el(
        'p',
        { class: 'summary' },
        source
          ? `Source ${this.chosen + 1}: drag its pin to move it.`
          : 'Source: click on the ground to let water spring there.',
      ),
    );
    for (const name of ['radius', 'rate', 'concentration']) {
      const base = this.app.description?.sourceRows.find((row) => row.name === name);
      if (!base) continue;
      const value = (source ?? this.next)[name] ?? Number(base.default);
      const size = Math.max(...this.app.stage.field.size);
      const usual = { radius: 0.008 * size, rate: 0.1, concentration: 0 }[name]!;
      const row: Row = { ...base, value, scene: usual, default: usual };
      const change = (v: unknown): void => {
        if (this.chosen >= 0) void this.change({ [name]: Number(v) });
        else this.next[name] = Number(v);
      };
      this.settings.append(control(row, { change }).element);
    }
    if (source)
      this.settings.append(
        el(
          'div',
          { class: 'buttons' },
          button('Remove', () => this.remove()),
        ),
      );
  }

  private change(keys: Record<string, number>): Promise<unknown> {
    const source = this.sources[this.chosen];
    if (source) Object.assign(source, keys);
    return this.app.act('move_source', { index: this.chosen, ...keys }, performance.now());
  }

  private remove(): void {
    if (this.chosen < 0) return;
    void this.app.act('remove_source', { index: this.chosen }, performance.now());
    this.chosen = -1;
  }

  key(key: string): boolean {
    if (key !== 'Delete' && key !== 'Backspace') return false;
    this.remove();
    return true;
  }

  hover(at: Vector3 | null): void {
    const radius = this.next['radius'] ?? 0;
    this.app.stage.setRing(at, radius, radius, [0.45, 0.8, 1]);
  }

  down(event: ToolEvent): boolean {
    if (!event.at) return false;
    void this.add(event.at.x, event.at.z, event.time);
    return true;
  }
  move(event: ToolEvent): void {
    this.hover(event.at);
  }
  up(): void {}

  private async add(x: number, y: number, time: number): Promise<void> {
    const reply = await this.app.act('add_source', { x, y, ...this.next }, time);
    if (reply) this.chosen = Number(reply['index'] ?? this.sources.length);
  }
}
