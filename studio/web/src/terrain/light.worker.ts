// SPDX-License-Identifier: MIT
/**
 * Shadows and open sky of the land, on a coarse grid that also has the table around it. Horizons by sweeps along parallel
 * lines: the points passed so far that can still be a horizon are a convex hull on a stack (Timonen & Westerholm
 * 2010; src/render/horizon.c of the engine does the same at full resolution).
 */

export interface LightJob {
  /** Heights of the surface, row by row [m], exaggerated; the table where there is no land. */
  heights: Float32Array;
  width: number;
  height: number;
  /** Between two of them [m]. */
  cell: [number, number];
  /** Heights that the bytes 0 and 255 of the map stand for. */
  span: [number, number];
  /** Azimuth from north, clockwise, and elevation [rad]. */
  sun: [number, number];
}

const SKY_DIRECTIONS = 8;
/** Half of the angle over which the sun sets [rad]: wider than the real one, the air scatters. */
const SUNSET = 0.035;

/** For each place the slope up to the horizon in the direction (x to the east, y to the south). */
function horizon(job: LightJob, dx: number, dy: number, out: Float32Array): void {
  const { heights, width, height, cell } = job;
  // In cells: one cell along the longer component at a time.
  const ux = dx / cell[0];
  const uy = dy / cell[1];
  const alongX = Math.abs(ux) >= Math.abs(uy);
  const along = alongX ? width : height;
  const across = alongX ? height : width;
  const drift = alongX ? uy / Math.abs(ux) : ux / Math.abs(uy);
  const forward = (alongX ? ux : uy) > 0;
  const step = alongX ? Math.hypot(cell[0], drift * cell[1]) : Math.hypot(cell[1], drift * cell[0]);
  const strideA = alongX ? 1 : width;
  const strideC = alongX ? width : 1;
  const tops = new Float32Array(along);
  const places = new Float32Array(along);
  const reach = Math.ceil(Math.abs(drift) * along);
  for (let line = -reach; line < across + reach; line++) {
    let depth = 0;
    // From the end in the direction of sight backwards.
    for (let i = 0; i < along; i++) {
      const a = forward ? along - 1 - i : i;
      const c = Math.round(line + drift * (forward ? a : along - 1 - a));
      if (c < 0 || c >= across) continue;
      const k = a * strideA + c * strideC;
      const here = heights[k]!;
      const place = step * i;
      let slope = 0;
      for (; depth > 0; depth--) {
        slope = (tops[depth - 1]! - here) / (place - places[depth - 1]!);
        if (depth === 1) break;
        const next = (tops[depth - 2]! - here) / (place - places[depth - 2]!);
        if (next < slope) break;
      }
      out[k] = depth > 0 && slope > 0 ? slope : 0;
      tops[depth] = here;
      places[depth++] = place;
    }
  }
}

function ramp(value: number, low: number, high: number): number {
  const t = Math.min(Math.max((value - low) / (high - low), 0), 1);
  return t * t * (3 - 2 * t);
}

/** Lines of cells do not lie exactly in the direction: what that makes ragged is smoothed. */
function smooth(values: Float32Array, width: number, height: number): Float32Array {
  const out = values.slice();
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const k = y * width + x;
      const near = values[k - 1]! + values[k + 1]! + values[k - width]! + values[k + width]!;
      const far =
        values[k - width - 1]! +
        values[k - width + 1]! +
        values[k + width - 1]! +
        values[k + width + 1]!;
      out[k] = (4 * values[k]! + 2 * near + far) / 16;
    }
  }
  return out;
}

function light(job: LightJob): Uint8Array {
  const { width, height, sun } = job;
  const count = width * height;
  const slope = new Float32Array(count);
  const [azimuth, elevation] = sun;
  horizon(job, Math.sin(azimuth), -Math.cos(azimuth), slope);
  let shine = new Float32Array(count);
  for (let k = 0; k < count; k++)
    shine[k] = 1 - ramp(Math.atan(slope[k]!), elevation - SUNSET, elevation + SUNSET);
  shine = smooth(shine, width, height);
  let open = new Float32Array(count);
  for (let d = 0; d < SKY_DIRECTIONS; d++) {
    const angle = ((d + 0.5) * 2 * Math.PI) / SKY_DIRECTIONS;
    horizon(job, Math.sin(angle), -Math.cos(angle), slope);
    // A horizon at the angle h leaves cos(h)^2 of the light of an even sky.
    for (let k = 0; k < count; k++) open[k]! += 1 / (1 + slope[k]! * slope[k]!) / SKY_DIRECTIONS;
  }
  open = smooth(open, width, height);
  const [low, high] = job.span;
  const out = new Uint8Array(4 * count);
  for (let k = 0; k < count; k++) {
    const share = (job.heights[k]! - low) / (high - low);
    out[4 * k] = 255 * shine[k]! + 0.5;
    out[4 * k + 1] = 255 * open[k]! + 0.5;
    out[4 * k + 2] = 255 * Math.min(Math.max(share, 0), 1) + 0.5;
  }
  return out;
}

self.onmessage = (message: MessageEvent<LightJob>) => {
  const out = light(message.data);
  (self as unknown as Worker).postMessage(out, [out.buffer]);
};
