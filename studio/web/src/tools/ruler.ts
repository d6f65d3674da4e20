// SPDX-License-Identifier: MIT
/** A ruler: drag a way over the ground; how long it is, how steep, and its profile. */
import type { Vector3 } from 'three';
import type { App } from '../app';
import { el, format } from '../ui/dom';
import { t } from '../ui/language';
import type { Tool, ToolEvent } from './tool';

const SAMPLES = 240;
const SIZE: [number, number] = [260, 110];

type Place = [x: number, y: number];

/** Heights at equal steps of a way; NaN where there is no ground. */
export function profileOf(
  from: Place,
  to: Place,
  height: (x: number, y: number) => number,
): number[] {
  return Array.from({ length: SAMPLES }, (_, k) => {
    const share = k / (SAMPLES - 1);
    return height(from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1]));
  });
}

/** What a profile says, in metres and degrees. */
export function readProfile(heights: number[], length: number) {
  const known = heights.filter((height) => !Number.isNaN(height));
  const step = length / (heights.length - 1);
  let [climb, fall, steepest, way] = [0, 0, 0, 0];
  for (let k = 1; k < heights.length; k++) {
    const rise = heights[k]! - heights[k - 1]!;
    if (Number.isNaN(rise)) continue;
    climb += Math.max(rise, 0);
    fall += Math.max(-rise, 0);
    way += Math.hypot(rise, step);
    if (step > 0) steepest = Math.max(steepest, (Math.atan(Math.abs(rise) / step) * 180) / Math.PI);
  }
  const change = known.length ? known.at(-1)! - known[0]! : 0;
  return { low: Math.min(...known), high: Math.max(...known), change, climb, fall, steepest, way };
}

export class RulerTool implements Tool {
  readonly name = 'ruler';
  readonly settings = el('div', { class: 'settings' });
  private readonly facts = el('dl', { class: 'values' });
  private readonly picture = el('canvas', {
    class: 'profile',
    width: SIZE[0],
    height: SIZE[1],
    role: 'img',
    'aria-label': 'Profile',
  });
  private from: Vector3 | null = null;
  private to: Vector3 | null = null;
  private dragging = false;

  constructor(private readonly app: App) {
    this.settings.append(
      el('p', { class: 'summary' }, 'Ruler: drag over the ground to measure.'),
      this.picture,
      this.facts,
    );
    app.on('hello', () => this.clear());
    app.on(
      'drawn',
      () => this.to && this.app.stage.canvas.dataset['tool'] === this.name && this.show(),
    );
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
    this.from = event.at.clone();
    this.to = null;
    this.dragging = true;
    return true;
  }

  move(event: ToolEvent): void {
    if (!this.dragging || !event.at) return;
    this.to = event.at.clone();
    this.show();
    this.app.stage.hand();
  }

  up(): void {
    this.dragging = false;
  }

  private clear(): void {
    this.from = this.to = null;
    this.app.stage.setOutline(null);
    this.facts.replaceChildren();
  }

  private show(): void {
    const { from, to } = this;
    if (!from || !to) return;
    const { stage } = this.app;
    stage.setOutline([
      [from.x, from.z],
      [to.x, to.z],
    ]);
    const length = Math.hypot(to.x - from.x, to.z - from.z);
    const heights = profileOf([from.x, from.z], [to.x, to.z], (x, y) => stage.field.surface(x, y));
    const read = readProfile(heights, length);
    const metres = (value: number): string => t(`${format(value, 4)} m`);
    const facts: [string, string][] = [
      ['Length', metres(length)],
      ['Along the ground', metres(read.way)],
      ['Height', metres(read.change)],
      ['Up', metres(read.climb)],
      ['Down', metres(read.fall)],
      ['Steepest', `${read.steepest.toFixed(1)}°`],
    ];
    this.facts.replaceChildren(
      ...facts.flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]),
    );
    this.draw(heights, read.low, read.high);
  }

  private draw(heights: number[], low: number, high: number): void {
    const sheet = this.picture.getContext('2d');
    if (!sheet) return;
    const [width, tall] = SIZE;
    const style = getComputedStyle(this.settings);
    sheet.clearRect(0, 0, width, tall);
    sheet.fillStyle = sheet.strokeStyle = style.getPropertyValue('--accent') || '#6cc3f0';
    sheet.beginPath();
    heights.forEach((height, k) => {
      const x = (k / (heights.length - 1)) * width;
      const share = (height - low) / Math.max(high - low, 1e-6);
      const y = Number.isNaN(height) ? tall : tall - 6 - share * (tall - 24);
      if (k) sheet.lineTo(x, y);
      else sheet.moveTo(x, y);
    });
    sheet.lineWidth = 2;
    sheet.stroke();
    sheet.lineTo(width, tall);
    sheet.lineTo(0, tall);
    sheet.globalAlpha = 0.2;
    sheet.fill();
    sheet.globalAlpha = 1;
    sheet.fillStyle = style.color;
    sheet.font = '11px sans-serif';
    sheet.fillText(`${format(high, 5)} m`, 4, 11);
    sheet.fillText(`${format(low, 5)} m`, 4, tall - 4);
  }
}
