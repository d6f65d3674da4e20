// SPDX-License-Identifier: MIT
/** Places a copy or a raster: its outline follows the hand, a click puts it there. */
import type { Vector3 } from 'three';
import type { App } from '../app';
import type { Row, Value } from '../protocol/types';
import { control } from '../ui/control';
import { button, el } from '../ui/dom';
import { netOf, type Heights } from './ghost';
import type { Tool, ToolEvent } from './tool';

export interface Picture {
  kind: 'clip' | 'raster';
  name: string;
  title: string;
  width: number;
  height: number;
  low?: number;
  high?: number;
  /** For the ghost: what it is like. */
  heights?: Heights;
}

export class StampTool implements Tool {
  readonly name = 'stamp';
  readonly settings = el('div', { class: 'settings' });
  private picture: Picture | null = null;
  private values: Record<string, Value> = {};
  /** As they were at first: sliders keep their ranges. */
  private usual: Record<string, Value> = {};
  private last: Vector3 | null = null;

  constructor(
    private readonly app: App,
    private readonly load: () => void,
  ) {
    this.build();
  }

  /** What is placed from now on. */
  use(picture: Picture): void {
    this.picture = picture;
    const [cellX, cellY] = this.app.description!.world.cell;
    const [sizeX, sizeY] = this.app.stage.field.size;
    let width = picture.width * cellX;
    let height = picture.height * cellY;
    // A raster of its own size may be larger than the land.
    const shrink =
      picture.kind === 'raster' ? Math.min(1, (0.5 * sizeX) / width, (0.5 * sizeY) / height) : 1;
    width *= shrink;
    height *= shrink;
    this.values = {
      width,
      height,
      angle: 0,
      scale: 1,
      offset: 0,
      amount: 1,
      falloff: picture.kind === 'clip' ? 0.3 : 0.2,
    };
    if (picture.kind === 'clip') {
      Object.assign(this.values, { blend: 'mix', fit: true });
    } else {
      // Of a picture in the dark-to-light values of an image, a hill of a tenth of its width.
      const range = (picture.high ?? 1) - (picture.low ?? 0) || 1;
      const tame = range > 0.6 * width || range <= 1.001;
      const scale = tame ? (0.1 * width) / range : 1;
      Object.assign(this.values, {
        blend: 'add',
        field: 'terrain',
        scale,
        offset: -scale * (picture.low ?? 0),
      });
    }
    this.usual = { ...this.values };
    this.build();
  }

  private build(): void {
    this.settings.replaceChildren();
    if (!this.picture) {
      this.settings.append(
        el(
          'p',
          { class: 'summary' },
          'Stamp: put a heightmap or a copy onto the ground. Drop a file on the page, choose one here, or copy with Select.',
        ),
        el('div', { class: 'buttons' }, button('Choose a file...', this.load)),
      );
      return;
    }
    const raster = this.picture.kind === 'raster';
    this.settings.append(
      el(
        'p',
        { class: 'summary' },
        `Click to place ${this.picture.title}, ${this.picture.width} x ${this.picture.height}.`,
      ),
    );
    const names = [
      'width',
      'height',
      'angle',
      'scale',
      'offset',
      'blend',
      'amount',
      'falloff',
      raster ? 'field' : 'fit',
    ];
    for (const name of names) {
      const base = this.app.description?.stampRows.find((row) => row.name === name);
      if (!base) continue;
      const value = this.values[name] ?? base.default;
      const usual = this.usual[name] ?? base.default;
      const row: Row = { ...base, value, scene: usual, default: usual };
      if (name === 'angle') Object.assign(row, { low: -180, high: 180 });
      this.settings.append(control(row, { change: (v) => this.set(name, v) }).element);
    }
    this.settings.append(el('div', { class: 'buttons' }, button('Another file...', this.load)));
  }

  private set(name: string, value: Value): void {
    this.values[name] = value;
    this.outline();
  }

  private outline(): void {
    const at = this.last;
    this.ghost();
    if (!at || !this.picture) {
      this.app.stage.setRect(null);
      return;
    }
    const angle = (Number(this.values['angle']) * Math.PI) / 180;
    this.app.stage.setRect(
      [at.x, at.z, 0.5 * Number(this.values['width']), 0.5 * Number(this.values['height'])],
      angle,
    );
  }

  /** What it would make of the ground. */
  private ghost(): void {
    const { stage } = this.app;
    const { last, picture, values } = this;
    const field = String(values['field'] ?? 'terrain');
    const shows = last && picture?.heights && field === 'terrain';
    const ground = (x: number, y: number): number => stage.field.surface(x, y);
    const net = shows ? netOf(picture.heights!, { x: last.x, y: last.z, values, ground }) : null;
    stage.painter.ghost.show(net, stage.tall);
    stage.change();
  }

  enter(): void {
    this.build();
  }
  leave(): void {
    this.last = null;
    this.outline();
  }
  hover(at: Vector3 | null): void {
    this.last = at;
    this.outline();
  }

  down(event: ToolEvent): boolean {
    const { picture } = this;
    if (!event.at || !picture) return false;
    const place = { ...this.values, x: event.at.x, y: event.at.z };
    if (picture.kind === 'clip')
      void this.app.act('paste', { clip: picture.name, ...place }, event.time);
    else void this.app.act('stamp', { raster: picture.name, ...place }, event.time);
    return true;
  }
  move(event: ToolEvent): void {
    this.hover(event.at);
  }
  up(): void {}
}
