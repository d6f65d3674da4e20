// SPDX-License-Identifier: MIT
/**
 * The hand without a mouse: while a tool is chosen and the picture has the focus, arrows move a place on the ground, and
 * Enter is the button of the mouse: held, it paints along the way.
 */
import { Vector3 } from 'three';
import type { App } from '../app';
import { el } from '../ui/dom';
import { t } from '../ui/language';
import { PAUSES } from '../view/pauses';
import type { Hand } from './hand';
import type { ToolEvent } from './tool';

/** How far one press moves, as a share of the picture's height; with Ctrl a quarter of it. */
const STRIDE = 0.02;

const WAYS: Record<string, [right: number, down: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export class KeyHand {
  /** For those who hear the page: where the place is, once it rests. */
  private readonly said = el('div', { class: 'unseen', role: 'status', 'aria-live': 'polite' });
  private at: Vector3 | null = null;
  private pressed = false;
  private timer = 0;

  constructor(
    private readonly app: App,
    private readonly hand: Hand,
    private readonly canvas: HTMLElement,
  ) {
    canvas.after(this.said);
    canvas.addEventListener('blur', () => this.letGo());
    canvas.addEventListener('pointermove', () => (this.at = null)); // the mouse has it
    app.on('tool', () => this.letGo());
    app.on('hello', () => (this.at = null));
  }

  private get active(): boolean {
    return document.activeElement === this.canvas && this.hand.tool.name !== 'look';
  }

  /** True: the key was for the hand. */
  down(event: KeyboardEvent): boolean {
    if (!this.active || event.altKey) return false;
    const way = WAYS[event.code];
    if (way) this.move(way, event);
    else if (event.key === 'Enter') this.press(event);
    else return false;
    event.preventDefault();
    return true;
  }

  up(event: KeyboardEvent): void {
    if (event.key === 'Enter') this.letGo();
  }

  letGo(): void {
    if (!this.pressed) return;
    this.pressed = false;
    this.hand.tool.up(this.event(null));
  }

  /** Where it is; at first the middle of the picture. */
  private place(): Vector3 | null {
    if (this.at) return this.at;
    const { stage } = this.app;
    const box = this.canvas.getBoundingClientRect();
    const middle = stage.camera.pick(box.left + 0.5 * box.width, box.top + 0.5 * box.height);
    const [x, z] = stage.field.size;
    this.at = middle ?? new Vector3(0.5 * x, stage.field.surface(0.5 * x, 0.5 * z), 0.5 * z);
    return this.at;
  }

  private event(keys: KeyboardEvent | null): ToolEvent {
    const at = this.place();
    return {
      at,
      path: at ? [[at.x, at.z]] : [],
      time: performance.now(),
      shift: keys?.shiftKey ?? false,
      control: keys?.ctrlKey ?? false,
      alt: false,
      pressure: null,
    };
  }

  /** On the ground, as the screen has right and down. */
  private move([right, down]: [number, number], keys: KeyboardEvent): void {
    const { stage } = this.app;
    const { camera, field } = stage;
    const place = this.place();
    if (!place) return;
    const stride = STRIDE * (keys.ctrlKey ? 0.25 : 1);
    const metres = stride * camera.metresPerPixel() * this.canvas.clientHeight;
    const [cos, sin] = [Math.cos(camera.azimuth), Math.sin(camera.azimuth)];
    const [sizeX, sizeZ] = field.size;
    const x = place.x + metres * (-right * cos + down * sin);
    const z = place.z + metres * (-right * sin - down * cos);
    const at = new Vector3(Math.min(Math.max(x, 0), sizeX), 0, Math.min(Math.max(z, 0), sizeZ));
    at.y = field.surface(at.x, at.z) * stage.tall;
    this.at = at;
    this.hand.tool.move(this.event(keys));
    this.hand.tool.hover(at);
    stage.hand();
    this.sayLater();
  }

  private press(keys: KeyboardEvent): void {
    const event = this.event(keys);
    this.hand.tool.hover(event.at);
    if (this.pressed || keys.repeat) return;
    this.pressed = this.hand.tool.down(event);
    this.app.stage.hand();
  }

  private sayLater(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      if (!this.at) return;
      const { x, y, z } = this.at;
      const high = Math.round(y / this.app.stage.tall);
      this.said.textContent = t(`x ${Math.round(x)} m, y ${Math.round(z)} m, ${high} m high`);
    }, PAUSES.said);
  }
}
