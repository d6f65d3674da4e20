// SPDX-License-Identifier: MIT
/** No tool: the hand moves the camera. A click tells what is there. */
import type { Vector3 } from 'three';
import type { App } from '../app';
import { el, format, words } from '../ui/dom';
import type { Tool, ToolEvent } from './tool';

const UNITS: Record<string, string> = {
  terrain: 'm',
  water: 'm',
  sediment: 'm',
  flow: 'm²/s',
  wear: 'm',
  deposit: 'm',
};

export class LookTool implements Tool {
  readonly name = 'look';
  readonly settings = el('div', { class: 'settings' });
  private readonly values = el('dl', { class: 'values' });

  constructor(private readonly app: App) {
    this.settings.append(
      el(
        'p',
        { class: 'summary' },
        'Drag to orbit, Shift and drag to pan, wheel to zoom to the cursor. Double-click to see what is there.',
      ),
      this.values,
    );
  }

  down(): boolean {
    return false;
  }
  move(): void {}
  up(): void {}
  hover(at: Vector3 | null): void {
    void at;
  }

  /** All fields at a place. */
  async ask(event: ToolEvent): Promise<void> {
    if (!event.at) return;
    const reply = await this.app.do('pick', { at: [event.at.x, event.at.z] });
    if (!reply) return;
    const values = (reply['values'] ?? {}) as Record<string, number | null>;
    this.values.replaceChildren();
    for (const [name, value] of Object.entries(values)) {
      if (value === null) continue;
      this.values.append(
        el('dt', {}, words(name)),
        el('dd', {}, `${format(value)} ${UNITS[name] ?? ''}`),
      );
    }
  }
}
