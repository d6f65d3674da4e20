// SPDX-License-Identifier: MIT
/** The map of sun and sky that the shaders read: heights are gathered here, a worker does the rest. */
import { DataTexture, LinearFilter, RGBAFormat, UnsignedByteType } from 'three';
import type { LightJob } from './light.worker';
import type { Field } from './field';

/** Samples along the longer side of the land. */
const SIDE = 256;
/** Room for shadows on the table, as a share of the land's side. */
const MARGIN = 0.25;

export class Daylight {
  texture: DataTexture;
  /** x, z of the map's corner and 1 / its size [m]. */
  area: [number, number, number, number] = [0, 0, 1, 1];
  /** Exaggerated heights that the map's third byte stands for, from 0 to 255. */
  span: [number, number] = [0, 1];
  private worker = new Worker(new URL('./light.worker.ts', import.meta.url), { type: 'module' });
  private busy = false;
  private again = false;
  private pending: {
    width: number;
    height: number;
    area: Daylight['area'];
    span: Daylight['span'];
  } | null = null;

  constructor(
    private readonly field: Field,
    private readonly job: () => { sun: [number, number]; foot: number; tall: number },
    private readonly done: () => void,
  ) {
    this.texture = lightTexture(new Uint8Array([255, 235, 0, 255]), 1, 1);
    this.worker.onmessage = (message: MessageEvent<Uint8Array>) => this.receive(message.data);
  }

  /** Makes the map anew, as soon as the last one is done. */
  update(): void {
    if (this.busy) {
      this.again = true;
      return;
    }
    this.busy = true;
    const { world } = this.field;
    const { sun, foot, tall } = this.job();
    const sizeX = (world.width - 1) * world.cell[0];
    const sizeY = (world.height - 1) * world.cell[1];
    const cell = Math.max(sizeX, sizeY) / (SIDE - 1);
    const margin = Math.ceil(MARGIN * SIDE);
    const width = Math.ceil(sizeX / cell) + 1 + 2 * margin;
    const height = Math.ceil(sizeY / cell) + 1 + 2 * margin;
    const heights = new Float32Array(width * height);
    const corner = -margin * cell;
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const at = this.field.coarseSurface(corner + x * cell, corner + y * cell);
        heights[y * width + x] = Number.isNaN(at) ? foot : at * tall;
      }
    }
    let top = foot + 1;
    for (const high of heights) if (high > top) top = high;
    const span: [number, number] = [foot, top];
    const half = 0.5 * cell;
    this.pending = {
      width,
      height,
      area: [corner - half, corner - half, 1 / (width * cell), 1 / (height * cell)],
      span,
    };
    const job: LightJob = { heights, width, height, cell: [cell, cell], sun, span };
    this.worker.postMessage(job, [heights.buffer]);
  }

  private receive(bytes: Uint8Array): void {
    const { width, height, area, span } = this.pending!;
    const image = this.texture.image as { width: number; height: number };
    if (image.width === width && image.height === height) {
      (this.texture.image.data as Uint8Array).set(bytes);
      this.texture.needsUpdate = true;
    } else {
      this.texture.dispose();
      this.texture = lightTexture(bytes, width, height);
    }
    this.area = area;
    this.span = span;
    this.busy = false;
    this.done();
    if (this.again) {
      this.again = false;
      this.update();
    }
  }
}

function lightTexture(bytes: Uint8Array, width: number, height: number): DataTexture {
  const texture = new DataTexture(bytes, width, height, RGBAFormat, UnsignedByteType);
  texture.magFilter = texture.minFilter = LinearFilter;
  texture.unpackAlignment = 1;
  texture.needsUpdate = true;
  return texture;
}
