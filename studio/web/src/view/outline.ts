// SPDX-License-Identifier: MIT
/** A line around a piece of ground, laid onto it. */
import { BufferGeometry, Float32BufferAttribute, LineBasicMaterial, LineLoop } from 'three';

/** Places along a line that is longer than a part of the land. */
const STEPS = 24;

export class Outline {
  readonly line: LineLoop;

  constructor() {
    const material = new LineBasicMaterial({ color: 0xffd060, depthTest: false });
    this.line = new LineLoop(new BufferGeometry(), material);
    this.line.frustumCulled = false;
    this.line.visible = false;
    this.line.renderOrder = 2;
  }

  private places: number[] = [];

  /** `ground`: exaggerated height of the surface at a place. Says whether the picture is another one now. */
  show(corners: [number, number][] | null, ground: (x: number, y: number) => number): boolean {
    const was = this.line.visible;
    this.line.visible = corners !== null;
    if (!corners) return was;
    const steps = corners.length > 40 ? 1 : STEPS;
    const places: number[] = [];
    let last = 0;
    corners.forEach(([x, y], k) => {
      const [nextX, nextY] = corners[(k + 1) % corners.length]!;
      for (let step = 0; step < steps; step++) {
        const [px, py] = [x + ((nextX - x) * step) / steps, y + ((nextY - y) * step) / steps];
        const high = ground(px, py);
        if (!Number.isNaN(high)) last = high;
        places.push(px, last, py);
      }
    });
    const { places: before } = this;
    if (was && places.length === before.length && places.every((at, k) => at === before[k]))
      return false;
    this.places = places;
    this.line.geometry.dispose();
    this.line.geometry = new BufferGeometry();
    this.line.geometry.setAttribute('position', new Float32BufferAttribute(places, 3));
    return true;
  }
}
