// SPDX-License-Identifier: MIT
/** The pointer on the picture: left is the tool's, right or Alt orbits, middle or Shift pans, the wheel zooms. */
import type { App } from '../app';
import type { LookTool } from './look';
import type { Tool, ToolEvent } from './tool';
import { fingerPaints } from '../ui/touch';

/** Points of a stroke that lie closer than this on the screen are left out [pixels]. */
const CLOSE = 1;

/** A hand that takes the focus from a field begins to paint when it has moved this far [pixels]. */
const WAKING = 4;
/** A click so soon after the window came to the front was meant for that [ms]. */
const FRONT = 300;

/** Only pens know how hard they are pressed. */
const pressureOf = (event: PointerEvent): number | null =>
  event.pointerType === 'pen' && event.pressure > 0 ? event.pressure : null;

export class Hand {
  tool: Tool;
  private mode: 'tool' | 'camera' | 'waking' | null = null;
  private wokenBy: PointerEvent | null = null;
  private front = -Infinity;
  private pointer = -1;
  private touches = new Map<number, { x: number; y: number }>();

  constructor(
    private readonly app: App,
    private readonly element: HTMLElement,
    private readonly look: LookTool,
  ) {
    this.tool = look;
    window.addEventListener('focus', () => (this.front = performance.now()));
    element.addEventListener('pointerdown', (event) => this.down(event));
    element.addEventListener('pointermove', (event) => this.move(event));
    element.addEventListener('pointerup', (event) => this.up(event));
    element.addEventListener('pointercancel', (event) => this.up(event));
    element.addEventListener('pointerleave', () => {
      this.app.point(null);
      if (this.mode === null) this.tool.hover(null);
    });
    element.addEventListener('contextmenu', (event) => event.preventDefault());
    element.addEventListener('dblclick', (event) => {
      if (this.tool === this.look) void this.look.ask(this.read(event));
    });
    element.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
  }

  take(tool: Tool): void {
    if (tool === this.tool) return;
    this.tool.leave?.();
    this.tool = tool;
    tool.enter?.();
    this.app.tell('tool');
  }

  private read(event: MouseEvent): ToolEvent {
    const { camera } = this.app.stage;
    const all = event instanceof PointerEvent ? (event.getCoalescedEvents?.() ?? []) : [];
    const path: [number, number][] = [];
    let lastX = Infinity;
    let lastY = Infinity;
    for (const part of all.slice(0, -1).slice(-16)) {
      if (Math.hypot(part.clientX - lastX, part.clientY - lastY) < CLOSE) continue;
      lastX = part.clientX;
      lastY = part.clientY;
      const at = camera.pick(lastX, lastY);
      if (at) path.push([at.x, at.z]);
    }
    const at = camera.pick(event.clientX, event.clientY);
    if (at) path.push([at.x, at.z]);
    return {
      at,
      path,
      time: event.timeStamp,
      shift: event.shiftKey,
      control: event.ctrlKey || event.metaKey,
      alt: event.altKey,
      pressure: event instanceof PointerEvent ? pressureOf(event) : null,
    };
  }

  /** Whether a press only brings the window or the picture to the fore. */
  private isWaking(): boolean {
    const field = document.activeElement?.matches('input, select, textarea') ?? false;
    return field || performance.now() - this.front < FRONT;
  }

  private down(event: PointerEvent): void {
    const waking = this.isWaking();
    this.element.focus();
    this.element.setPointerCapture(event.pointerId);
    if (event.pointerType === 'touch') {
      this.touches.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (this.touches.size > 1) {
        if (this.mode === 'tool') this.tool.up(this.read(event));
        this.mode = null;
        this.app.stage.camera.end();
        this.app.stage.camera.touch([...this.touches.values()]);
        return;
      }
    }
    if (this.mode !== null) return;
    this.pointer = event.pointerId;
    const looks = event.pointerType === 'touch' && !fingerPaints();
    const left = event.button === 0 && !event.altKey && !looks;
    if (left && waking && this.tool !== this.look) {
      this.mode = 'waking';
      this.wokenBy = event;
      return;
    }
    if (left && !(event.shiftKey && this.tool === this.look) && this.tool.down(this.read(event))) {
      this.mode = 'tool';
      return;
    }
    this.mode = 'camera';
    const pan = event.button === 1 || event.shiftKey;
    this.app.stage.camera.begin(pan ? 'pan' : 'orbit', event.clientX, event.clientY);
    if (!pan || this.tool !== this.look) this.tool.hover(null);
    this.element.classList.add('grabbing');
  }

  private move(event: PointerEvent): void {
    if (this.touches.has(event.pointerId)) {
      this.touches.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (this.touches.size > 1) {
        this.app.stage.camera.touch([...this.touches.values()]);
        return;
      }
    }
    if (this.mode !== null && event.pointerId !== this.pointer) return;
    if (this.mode === 'waking') this.wake(event);
    if (this.mode === 'camera') this.app.stage.camera.move(event.clientX, event.clientY);
    else if (this.mode === 'tool') this.tool.move(this.read(event));
    else {
      const at = this.app.stage.camera.pick(event.clientX, event.clientY);
      this.app.point(at);
      if (this.tool === this.look) return;
      this.tool.hover(at);
      this.app.stage.hand();
    }
  }

  /** It moves: it was meant to paint. */
  private wake(event: PointerEvent): void {
    const by = this.wokenBy!;
    if (Math.hypot(event.clientX - by.clientX, event.clientY - by.clientY) < WAKING) return;
    this.mode = this.tool.down(this.read(by)) ? 'tool' : null;
  }

  private up(event: PointerEvent): void {
    this.touches.delete(event.pointerId);
    if (this.touches.size < 2) this.app.stage.camera.touch(null);
    if (event.pointerId !== this.pointer) return;
    if (this.mode === 'tool') this.tool.up(this.read(event));
    if (this.mode === 'camera') this.app.stage.camera.end();
    this.mode = null;
    this.element.classList.remove('grabbing');
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 30 : event.deltaMode === 2 ? 400 : 1;
    this.app.stage.camera.zoom((event.deltaY * lines) / 600, event.clientX, event.clientY);
  }
}
