// SPDX-License-Identifier: MIT
/** A brush of the engine's table: strokes as the hand moves, or held while time passes. */
import type { Vector3 } from 'three';
import type { App } from '../app';
import type { BrushInfo, Row, Value } from '../protocol/types';
import { control, type Control } from '../ui/control';
import { button, el, words } from '../ui/dom';
import { t } from '../ui/language';
import { note } from '../ui/notes';
import { PAUSES } from '../view/pauses';
import type { Tool, ToolEvent } from './tool';

/** What all brushes share, so that the hand need not set it again. */
export interface BrushState {
  radius: number;
  falloff: number;
  layer: number;
  scale: number;
  seed: number;
  strengths: Map<string, number>;
  /** Limits that are set, by the names of the engine's rows. */
  limits: Map<string, number>;
}

/** Rows of the engine's table that limit where a brush acts: "slope_low", "material". */
const isLimit = (name: string): boolean => /_(low|high)$/.test(name) || name === 'material';
/** What sliders of limits reach where the engine would allow much more. */
const LIMIT_REACH: Record<string, number> = { flow: 10, wear: 20 };

const COLORS: Record<string, [number, number, number]> = {
  raise: [1, 0.85, 0.5],
  lower: [1, 0.6, 0.4],
  water: [0.45, 0.8, 1],
  rain: [0.45, 0.8, 1],
  dry: [1, 0.9, 0.7],
  erode: [0.5, 0.95, 0.8],
  harden: [0.8, 0.75, 1],
  soften: [0.95, 0.8, 1],
};
const WHITE: [number, number, number] = [1, 1, 1];
/** Brushes that heap up metres do so in proportion to the radius, or nothing would be seen in a mountain range. */
const STEEP: Record<string, number> = {
  raise: 0.05,
  lower: 0.05,
  noise: 0.03,
  water: 0.008,
  dry: 0.008,
};
/** What Ctrl makes of a brush. */
const OPPOSITE: Record<string, string> = {
  raise: 'lower',
  lower: 'raise',
  water: 'dry',
  dry: 'water',
  harden: 'soften',
  soften: 'harden',
};
/** Brushes that build up where they rest. */
const BUILDS_UP = new Set([...Object.keys(OPPOSITE), 'noise']);
/** Dabs lie a quarter of the radius apart: a little more brings the next one. */
const DAB = 0.26;
/** Radius to begin with, as a share of the land's side. */
export const RADIUS = 0.025;

export class BrushTool implements Tool {
  readonly name: string;
  readonly settings = el('div', { class: 'settings' });
  private controls = new Map<string, Control>();
  private working = false;
  private resume = false;
  private last: Vector3 | null = null;
  private lastHold = 0;
  private queue: [number, number][] = [];
  private sending = false;
  private resting = 0;
  private turn = 0;
  private place: [number, number] | null = null;
  private pressed: number | null = null;

  constructor(
    private readonly app: App,
    readonly info: BrushInfo,
    private readonly state: BrushState,
  ) {
    this.name = info.name;
    this.build();
  }

  /** What it does at first, in its unit. */
  private get usual(): number {
    const radius = RADIUS * Math.max(...this.app.stage.field.size);
    const strength = Math.max(this.info.strength, (STEEP[this.name] ?? 0) * radius);
    return Math.min(Number(strength.toPrecision(1)), this.info.most);
  }

  private row(name: string): Row | undefined {
    return this.app.description?.brushRows.find((row) => row.name === name);
  }

  private build(): void {
    const size = Math.max(...this.app.stage.field.size);
    const value: Record<string, number> = {
      radius: this.state.radius,
      strength: this.state.strengths.get(this.name) ?? this.usual,
      falloff: this.state.falloff,
      layer: this.state.layer,
      scale: this.state.scale,
      seed: this.state.seed,
    };
    const names = ['radius', 'strength', 'falloff'];
    const materials = this.app.description?.materials ?? [];
    if (this.info.layers && materials.length > 1) names.push('layer');
    if (this.name === 'noise') names.push('scale', 'seed');
    this.controls.clear();
    this.settings.replaceChildren(
      el(
        'p',
        { class: 'summary' },
        `${t(words(this.info.name))}: ${t(this.info.summary)}.`,
        this.info.held ? ` ${t('Time runs while it is held, everywhere.')}` : null,
      ),
    );
    for (const name of names) {
      const base = this.row(name);
      if (!base) continue;
      const row: Row = { ...base, value: value[name]!, scene: value[name]! };
      if (name === 'radius') Object.assign(row, { default: RADIUS * size, scene: RADIUS * size });
      if (name === 'strength')
        Object.assign(row, {
          unit: this.info.unit,
          high: this.info.most,
          default: this.usual,
          scene: this.usual,
        });
      const made =
        name === 'layer'
          ? this.layerControl(row)
          : control(row, { change: (v) => this.set(name, v) });
      this.controls.set(name, made);
      this.settings.append(made.element);
    }
    if (!this.info.held) this.settings.append(this.limits());
  }

  /** Where it may act: folded away until somebody wants it. */
  private limits(): HTMLElement {
    const { app, state } = this;
    const rows = (app.description?.brushRows ?? []).filter(({ name }) => isLimit(name));
    const materials = app.description?.materials ?? [];
    const parts = rows
      .filter(({ name }) => name !== 'material' || materials.length > 1)
      .map((row) => (row.name === 'material' ? this.materialControl(row) : this.limit(row)));
    const none = button('No limits', () => {
      state.limits.clear();
      this.build();
    });
    const element = el(
      'details',
      { class: 'limits', open: state.limits.size > 0 },
      el('summary', {}, 'Limits'),
      ...parts,
      el('div', { class: 'buttons' }, none),
    );
    return element;
  }

  private limit(row: Row): HTMLElement {
    const { bounds } = this.app.stage;
    const [what, end] = row.name.split('_') as [string, string];
    let [low, high] = [row.low, LIMIT_REACH[what] ?? row.high];
    if (what === 'height') [low, high] = [Math.floor(bounds.bottom), Math.ceil(bounds.top)];
    const usual = end === 'low' ? low : high;
    const value = this.state.limits.get(row.name) ?? usual;
    const shown = { ...row, low, high, value, default: usual, scene: usual, whole: true };
    const name = `${words(what)} ${end === 'low' ? 'from' : 'up to'}`;
    const change = (next: Value): void => {
      if (Number(next) === usual) this.state.limits.delete(row.name);
      else this.state.limits.set(row.name, Number(next));
    };
    return control(shown, { change }, name).element;
  }

  private materialControl(row: Row): HTMLElement {
    const list = el('select', { 'aria-label': 'Only on', title: row.help });
    list.append(el('option', { value: '-1' }, 'Any material'));
    (this.app.description?.materials ?? []).forEach((material, index) =>
      list.append(el('option', { value: String(index) }, material.name)),
    );
    list.value = String(this.state.limits.get('material') ?? -1);
    list.addEventListener('change', () => {
      if (list.value === '-1') this.state.limits.delete('material');
      else this.state.limits.set('material', Number(list.value));
    });
    return el(
      'div',
      { class: 'row choice' },
      el('span', { class: 'row-name' }, 'Only on'),
      el('span', { class: 'row-parts' }, list),
    );
  }

  private layerControl(row: Row): Control {
    const materials = this.app.description!.materials;
    const list = el('select', { 'aria-label': 'Layer', title: row.help });
    list.append(el('option', { value: '-1' }, 'All of the ground'));
    materials.forEach((material, index) =>
      list.append(el('option', { value: String(index) }, material.name)),
    );
    list.value = String(this.state.layer);
    list.addEventListener('change', () => this.set('layer', Number(list.value)));
    const element = el(
      'div',
      { class: 'row choice' },
      el('span', { class: 'row-name' }, 'Layer'),
      el('span', { class: 'row-parts' }, list),
    );
    return { row, element, show: () => undefined };
  }

  private set(name: string, value: Value): void {
    if (name === 'strength') this.state.strengths.set(this.name, Number(value));
    else (this.state as unknown as Record<string, Value>)[name] = value;
    this.ring(this.last);
  }

  /** The radius, a step larger or smaller. */
  resize(factor: number): void {
    const size = Math.max(...this.app.stage.field.size);
    this.state.radius = Math.min(Math.max(this.state.radius * factor, 1e-3 * size), 0.5 * size);
    const radius = this.controls.get('radius');
    if (radius) radius.show({ ...radius.row, value: this.state.radius });
    this.ring(this.last);
  }

  private parameters(): Record<string, number> {
    const { radius, falloff, layer, scale, seed } = this.state;
    const strength = this.state.strengths.get(this.name) ?? this.usual;
    const all: Record<string, number> = { radius, strength, falloff };
    if (this.info.layers)
      all['layer'] = Math.min(layer, (this.app.description?.materials.length ?? 0) - 1);
    if (this.name === 'noise') Object.assign(all, { scale, seed });
    if (!this.info.held) Object.assign(all, Object.fromEntries(this.state.limits));
    return all;
  }

  private ring(at: Vector3 | null): void {
    const { radius, falloff } = this.state;
    this.app.stage.setRing(at, radius, radius * (1 - falloff), COLORS[this.name] ?? WHITE);
  }

  enter(): void {
    this.build();
  }

  leave(): void {
    this.last = null;
    this.ring(null);
  }

  update(): void {
    if (!this.working) this.build();
  }

  hover(at: Vector3 | null): void {
    this.last = at;
    this.ring(at);
  }

  down(event: ToolEvent): boolean {
    if (!event.at) return false;
    this.working = true;
    this.ring(event.at);
    if (this.info.held) {
      // What is held acts as time passes: it must pass.
      this.resume = this.app.status?.playing === false;
      this.hold(event, true);
      if (this.resume) {
        note(`Time runs while you hold ${this.info.name}, everywhere; it stops when you let go.`);
        this.app.play(true);
      }
    } else {
      this.pressed = event.pressure;
      const keys = { ...this.stroke(event), ...this.pressure(), points: event.path };
      void this.app.act('stroke', keys, event.time);
      this.rest(event.path.at(-1) ?? null, PAUSES.rest);
    }
    return true;
  }

  /** How hard a pen is pressed. */
  private pressure(): { pressure?: number } {
    return this.pressed === null ? {} : { pressure: Number(this.pressed.toFixed(3)) };
  }

  /** Ctrl does the opposite, Shift smooths. */
  private stroke({ control, shift }: ToolEvent): Record<string, unknown> {
    const opposite = control ? OPPOSITE[this.name] : undefined;
    if (opposite) return { ...this.parameters(), brush: opposite };
    const smooth = this.app.description?.brushes.find(({ name }) => name === 'smooth');
    if (!shift || !smooth) return { ...this.parameters(), brush: this.name };
    const { radius, falloff } = this.state;
    const strength = this.state.strengths.get('smooth') ?? smooth.strength;
    return { brush: 'smooth', radius, falloff, strength, ...Object.fromEntries(this.state.limits) };
  }

  /** Where the hand rests, more and more is done: to a side by one dab, and back. */
  private rest(place: [number, number] | null, pause: number): void {
    clearTimeout(this.resting);
    this.place = place;
    if (!BUILDS_UP.has(this.name) || !place) return;
    this.resting = window.setTimeout(() => {
      if (!this.working || this.place !== place) return;
      this.turn += 2.4;
      const away = DAB * this.state.radius;
      const [x, y] = [Math.cos(this.turn) * away, Math.sin(this.turn) * away];
      this.queue.push([place[0] + x, place[1] + y], place);
      void this.flush(performance.now());
      this.rest(place, PAUSES.build);
    }, pause);
  }

  private hold(event: ToolEvent, begin: boolean): void {
    this.lastHold = event.time;
    const at = event.path[event.path.length - 1]!;
    const keys = { brush: this.name, ...this.parameters(), at, ...(begin ? { begin: true } : {}) };
    void this.app.act('hold', keys, event.time);
  }

  move(event: ToolEvent): void {
    this.hover(event.at);
    if (!this.working || !event.path.length) return;
    if (this.info.held) {
      if (event.time - this.lastHold > PAUSES.hold) this.hold(event, false);
      return;
    }
    this.pressed = event.pressure ?? this.pressed;
    this.queue.push(...event.path);
    this.rest(event.path.at(-1) ?? null, PAUSES.rest);
    void this.flush(event.time);
  }

  /** One message at a time: what the hand does meanwhile goes into the next. */
  private async flush(time: number): Promise<void> {
    if (this.sending || !this.queue.length) return;
    this.sending = true;
    const points = this.queue;
    this.queue = [];
    await this.app.act('more', { ...this.pressure(), points }, time);
    this.sending = false;
    if (this.queue.length) void this.flush(performance.now());
  }

  up(event: ToolEvent): void {
    if (!this.working) return;
    this.working = false;
    clearTimeout(this.resting);
    if (this.info.held) {
      void this.app.do('release');
      if (this.resume) this.app.play(false);
      return;
    }
    void this.finish(event.time);
  }

  private async finish(time: number): Promise<void> {
    while (this.sending || this.queue.length) {
      await this.flush(time);
      await new Promise((resolve) => setTimeout(resolve, 4));
    }
    await this.app.do('end');
  }
}
