// SPDX-License-Identifier: MIT
/** What is drawn: the tiles as one instanced grid, and the sky with the table behind them. */
import {
  BufferAttribute,
  BufferGeometry,
  DataTexture,
  DoubleSide,
  GLSL3,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  LinearFilter,
  LinearMipmapNearestFilter,
  Matrix4,
  Mesh,
  RawShaderMaterial,
  RepeatWrapping,
  RGBAFormat,
  Vector2,
  Vector3,
  Vector4,
  type IUniform,
} from 'three';
import lightSource from '../shaders/light.glsl?raw';
import skyFragment from '../shaders/sky.frag.glsl?raw';
import skyVertex from '../shaders/sky.vert.glsl?raw';
import terrainFragment from '../shaders/terrain.frag.glsl?raw';
import terrainVertex from '../shaders/terrain.vert.glsl?raw';
import { SQUARES } from '../protocol/types';
import { FASTEST, MOST, type Slot, type TilePool } from './pool';
import type { Drawn } from './quadtree';
import { NO_SEA } from '../view/palette';
import { sidesTexture } from '../view/sides';

/** The grid of a tile, every `step` samples, with a skirt along each side. */
function gridOf(step: number): { positions: Float32Array; indices: Uint16Array } {
  const n = SQUARES / step;
  const positions: number[] = [];
  const indices: number[] = [];
  for (let j = 0; j <= n; j++) for (let i = 0; i <= n; i++) positions.push(i * step, j * step, 0);
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++) {
      const a = j * (n + 1) + i;
      const c = a + n + 1;
      indices.push(a, c, a + 1, a + 1, c, c + 1);
    }
  }
  const corner = (side: number, k: number): [number, number] => {
    if (side <= 2) return [side === 1 ? 0 : SQUARES, k * step];
    return [k * step, side === 3 ? 0 : SQUARES];
  };
  for (let side = 1; side <= 4; side++) {
    const first = positions.length / 3;
    for (let k = 0; k <= n; k++) {
      positions.push(...corner(side, k), -side, ...corner(side, k), side);
      if (k === n) break;
      const a = first + 2 * k;
      indices.push(a, a + 1, a + 2, a + 2, a + 1, a + 3);
    }
  }
  return { positions: Float32Array.from(positions), indices: Uint16Array.from(indices) };
}

/** Smooth noise that repeats, two of them, in bytes around 128. */
function noiseTexture(): DataTexture {
  const side = 256;
  const sums = [new Float32Array(side * side), new Float32Array(side * side)];
  let seed = 12345;
  const random = (): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) | 0;
    return (seed >>> 8) / 8388608 - 1;
  };
  for (const sum of sums) {
    let weight = 0.55;
    for (let cells = 16; cells <= 128; cells *= 2, weight *= 0.6) {
      const lattice = Float32Array.from({ length: cells * cells }, random);
      const size = side / cells;
      for (let y = 0; y < side; y++) {
        const j = Math.floor(y / size);
        let v = y / size - j;
        v = v * v * (3 - 2 * v);
        const row = j * cells;
        const below = ((j + 1) % cells) * cells;
        for (let x = 0; x < side; x++) {
          const i = Math.floor(x / size);
          let u = x / size - i;
          u = u * u * (3 - 2 * u);
          const next = (i + 1) % cells;
          const top = lattice[row + i]! + u * (lattice[row + next]! - lattice[row + i]!);
          const low = lattice[below + i]! + u * (lattice[below + next]! - lattice[below + i]!);
          sum[y * side + x]! += weight * (top + v * (low - top));
        }
      }
    }
  }
  const bytes = new Uint8Array(4 * side * side);
  for (let k = 0; k < side * side; k++) {
    bytes[4 * k] = Math.min(Math.max(128 + 127 * sums[0]![k]!, 0), 255);
    bytes[4 * k + 1] = Math.min(Math.max(128 + 127 * sums[1]![k]!, 0), 255);
  }
  const texture = new DataTexture(bytes, side, side, RGBAFormat);
  texture.wrapS = texture.wrapT = RepeatWrapping;
  texture.magFilter = LinearFilter;
  texture.minFilter = LinearMipmapNearestFilter;
  texture.generateMipmaps = true;
  texture.needsUpdate = true;
  return texture;
}

/** `#include light`, and colours as on the screen, `linear(0xRRGGBB)`, as constants of light. */
function shader(source: string): string {
  const light = (code: string, shift: number): string =>
    (((parseInt(code, 16) >> shift) & 255) / 255) ** 2.2 + 1e-6 + '';
  return source
    .replace('#include light', lightSource)
    .replace(
      /linear\(0x([0-9a-f]{6})\)/g,
      (_, code: string) => `vec3(${light(code, 16)}, ${light(code, 8)}, ${light(code, 0)})`,
    );
}

export type Uniforms = Record<string, IUniform>;

/** Details of the picture, a sea over the land, the difference from what was. */
export interface Needs {
  rich?: boolean;
  sea?: boolean;
  difference?: boolean;
  /** The ground in the colours of its materials. */
  materials?: boolean;
  /** The palette has layers of rock. */
  layers?: boolean;
}

export class Surface {
  readonly land: Mesh;
  readonly sky: Mesh;
  readonly uniforms: Uniforms;
  /** Triangles and tiles of the last frame. */
  tiles = 0;
  private readonly tileNames: InstancedBufferAttribute;
  private readonly tileEdges: InstancedBufferAttribute;
  private readonly tilePasts: InstancedBufferAttribute;
  private readonly materials = new Map<string, RawShaderMaterial>();
  private readonly geometries = new Map<number, InstancedBufferGeometry>();

  constructor(pool: TilePool) {
    this.tileNames = new InstancedBufferAttribute(new Float32Array(4 * pool.capacity), 4);
    this.tileEdges = new InstancedBufferAttribute(new Float32Array(4 * pool.capacity), 4);
    this.tilePasts = new InstancedBufferAttribute(new Float32Array(pool.capacity).fill(-1), 1);
    for (const step of [1, 2, 4, 8]) this.geometries.set(step, this.geometry(step));
    const light: Uniforms = {
      uSun: { value: new Vector3(0, 1, 0) },
      uSunlight: { value: new Vector3(3, 3, 3) },
      uSkylight: { value: new Vector3(0.5, 0.6, 0.8) },
      uHorizon: { value: new Vector3(1, 1, 1) },
      uZenith: { value: new Vector3(0.3, 0.5, 1) },
      uHaze: { value: 0 },
      uClear: { value: 0 },
      uLight: { value: null },
      uLightArea: { value: new Vector4(0, 0, 1, 1) },
      uLightSpan: { value: new Vector2(0, 1) },
      uExposure: { value: 1 },
      uEye: { value: new Vector3() },
      uBlock: { value: new Vector2(0, 1) },
      uSize: { value: new Vector2(1, 1) },
      uEnd: { value: new Vector2(1, 1) },
      uBack: { value: new Matrix4() },
    };
    this.uniforms = {
      ...light,
      uShape: { value: pool.shape },
      uSkin: { value: pool.skin },
      uTraces: { value: pool.traces },
      uMotion: { value: pool.motion },
      uPaint: { value: pool.paint },
      uNoise: { value: noiseTexture() },
      uBelts: { value: null },
      uPalette: { value: new Vector4(0.5, 0, 0.62, 0.75) },
      uLayers: { value: new Vector3(0, 0, 0.86) },
      uTrees: { value: new Vector2(0.5, 0.5) },
      uSea: { value: NO_SEA },
      uSides: { value: sidesTexture() },
      uSideLayers: { value: 0 },
      uMaterials: { value: Array.from({ length: 8 }, () => new Vector3(0.2, 0.2, 0.2)) },
      ...Object.fromEntries(
        ['uRock', 'uDarkRock', 'uSoil', 'uGravel', 'uMeadow', 'uSnow', 'uShallow', 'uDeep'].map(
          (name) => [name, { value: new Vector3() }],
        ),
      ),
      uWorld: { value: new Vector4(1, 1, 1, 1) },
      uScaleGround: { value: new Vector4(0, 1, 1, 1) },
      uScaleWater: { value: new Vector4(0.1, 2, 1e-3, 1) },
      uScaleTraces: { value: new Vector2(1, 1) },
      uMost: { value: new Vector3(MOST.water, MOST.sediment, MOST.ground) },
      uFastest: { value: FASTEST },
      uView: { value: 0 },
      uWas: { value: pool.shape },
      uDifference: { value: 1 },
      uGrid: { value: 0 },
      uOver: { value: false },
      uPixel: { value: 0.001 },
      uTime: { value: 0 },
      uRing: { value: new Vector4(0, 0, 0, 0) },
      uRingColor: { value: new Vector3(1, 1, 1) },
      uRect: { value: new Vector4(0, 0, 0, 0) },
      uRectTurn: { value: new Vector2(1, 0) },
    };
    this.land = new Mesh(this.geometries.get(1), this.material({}));
    this.land.frustumCulled = false;
    const triangle = new BufferGeometry();
    triangle.setAttribute(
      'position',
      new BufferAttribute(new Float32Array([-1, -1, 0, 3, -1, 0, -1, 3, 0]), 3),
    );
    this.sky = new Mesh(
      triangle,
      new RawShaderMaterial({
        glslVersion: GLSL3,
        vertexShader: skyVertex,
        fragmentShader: shader(skyFragment),
        uniforms: this.uniforms,
        depthWrite: false,
      }),
    );
    this.sky.frustumCulled = false;
    this.sky.renderOrder = 1; // after the land: only what it leaves free
    this.land.renderOrder = 0;
  }

  private geometry(step: number): InstancedBufferGeometry {
    const { positions, indices } = gridOf(step);
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(positions, 3));
    geometry.setIndex(new BufferAttribute(indices, 1));
    geometry.setAttribute('tile', this.tileNames);
    geometry.setAttribute('edges', this.tileEdges);
    geometry.setAttribute('past', this.tilePasts);
    return geometry;
  }

  /** What is drawn needs: each is a program of its own, since a slow renderer pays for all that one has. */
  need(needs: Needs): void {
    this.land.material = this.material(needs);
  }

  private material(needs: Needs): RawShaderMaterial {
    const defines = Object.entries(needs)
      .filter(([, on]) => on)
      .map(([name]) => `#define ${name.toUpperCase()}\n`)
      .join('');
    let made = this.materials.get(defines);
    if (made) return made;
    made = new RawShaderMaterial({
      glslVersion: GLSL3,
      vertexShader: defines + shader(terrainVertex),
      fragmentShader: defines + shader(terrainFragment),
      uniforms: this.uniforms,
      side: DoubleSide,
    });
    this.materials.set(defines, made);
    return made;
  }

  /** The tiles of a pool are drawn from now on. */
  use(pool: TilePool): void {
    this.uniforms['uShape']!.value = pool.shape;
    this.uniforms['uSkin']!.value = pool.skin;
    this.uniforms['uTraces']!.value = pool.traces;
    this.uniforms['uMotion']!.value = pool.motion;
    this.uniforms['uPaint']!.value = pool.paint;
  }

  /**
   * `step`: samples between vertices, 1, 2, 4 or 8; normals and colours stay as fine as the samples. `pastOf`: the slot
   * that has a tile as it was, -1 = none.
   */
  show(drawn: Drawn[], step: number, pastOf: (slot: Slot) => number = () => -1): void {
    drawn.forEach(({ slot, edges }, k) => {
      this.tilePasts.setX(k, pastOf(slot));
      const cells = 2 ** slot.level;
      this.tileNames.setXYZW(
        k,
        slot.index,
        cells,
        SQUARES * cells * slot.x,
        SQUARES * cells * slot.y,
      );
      const [west, east, north, south] = edges.map((coarser) => step * 2 ** coarser);
      this.tileEdges.setXYZW(k, west!, east!, north!, south!);
    });
    for (const attribute of [this.tileNames, this.tileEdges, this.tilePasts])
      attribute.needsUpdate = true;
    const geometry = this.geometries.get(step)!;
    geometry.instanceCount = drawn.length;
    this.land.geometry = geometry;
    this.tiles = drawn.length;
  }
}
