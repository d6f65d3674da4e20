// SPDX-License-Identifier: MIT
/** What the hand does on the ground. One tool at a time has it; the camera takes what no tool wants. */
import type { Vector3 } from 'three';

export interface ToolEvent {
  /** Where on the ground [m], or null beside it. */
  at: Vector3 | null;
  /** All places since the last event, this one last [m]. */
  path: [number, number][];
  time: number;
  shift: boolean;
  /** Ctrl, or the command key. */
  control: boolean;
  alt: boolean;
  /** Of a pen, 0 to 1; null = it says nothing. */
  pressure: number | null;
}

export interface Tool {
  readonly name: string;
  /** Its settings, for the panel on the left. */
  readonly settings: HTMLElement;
  /** True: it takes the drag that begins here. */
  down(event: ToolEvent): boolean;
  move(event: ToolEvent): void;
  up(event: ToolEvent): void;
  /** The pointer is over the ground, or has left it. */
  hover(at: Vector3 | null): void;
  /** It is chosen, or another one is. */
  enter?(): void;
  leave?(): void;
  /** A key that is not a shortcut; true: taken. */
  key?(key: string): boolean;
  /** Something of the session has changed. */
  update?(): void;
}
