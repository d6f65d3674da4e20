// SPDX-License-Identifier: MIT
/** The picture: takes frames in, and joins what draws it. loop.ts says when, chooser.ts what of the land. */
import { Matrix4, Vector3, WebGLRenderer, type Vector2, type Vector4 } from 'three';
import type { Frame } from '../protocol/frames';
import type { Description, LandScale, Material, Palette, Plane } from '../protocol/types';
import { Daylight } from '../terrain/daylight';
import { Field, type Bounds } from '../terrain/field';
import { TilePool } from '../terrain/pool';
import { Quadtree, type Eye, type TileName } from '../terrain/quadtree';
import { Surface } from '../terrain/surface';
import { CameraControl } from './camera';
import { Chooser } from './chooser';
import { FrameBook } from './frames';
import { Loop } from './loop';
import { Pace, type Mood } from './pace';
import { Past } from './past';
import { Painter } from './painter';
import { PAUSES } from './pauses';
import { PLAIN_LOOK, usePalette, type LandLook } from './palette';
import { putSides, type SideLayers } from './sides';
import type { Sun } from './sun';
import { footOf } from './uniforms';

export const VIEWS = ['natural', 'mei', 'flow', 'wear', 'slope', 'hardness', 'difference'] as const;
export type View = (typeof VIEWS)[number];

/** How the present is compared: beside what was, by how much it changed, or what was alone. */
export type Comparing = 'off' | 'wipe' | 'difference' | 'before';

export interface StageHost {
  was(tiles: TileName[], planes: Plane[]): Promise<unknown>;
  want(tiles: TileName[], planes: Plane[]): void;
  ack(frame: number): void;
  /** After each frame: what lies over the picture moves along. */
  drawn(): void;
  /** There is land in the picture, for the first time. */
  landed(): void;
}

const SLOTS = 384;
/** A slow renderer refines tiles as for a picture of at most so many lines. */
const MOST_LINES = 900;

export class Stage {
  readonly renderer: WebGLRenderer;
  readonly camera: CameraControl;
  readonly pace = new Pace();
  readonly pool: TilePool;
  readonly tree: Quadtree;
  readonly field: Field;
  readonly surface: Surface;
  readonly book: FrameBook;
  readonly chooser: Chooser;
  readonly loop: Loop;
  /** Of colours, as the engine says; null until it has. */
  scale: LandScale | null = null;
  bounds: Bounds = { bottom: 0, top: 1 };
  view: View = 'natural';
  grid = false;
  sun: Sun = { azimuth: 300, elevation: 32 };
  tall = 1;
  look: LandLook = { ...PLAIN_LOOK };
  palette: Palette | null = null;
  /** What was, once something is compared. */
  past: Past | null = null;
  comparing: Comparing = 'off';
  /** Where the wipe stands, as a share of the picture's width. */
  wipe = 0.5;
  /** A large change of the ground [m]. */
  difference = 1;
  /** Frames drawn, and when the first one showed land [ms since navigation]. */
  frames = 0;
  firstLand = 0;
  /** When things happened for the first time [ms since navigation]. */
  readonly marks: Record<string, number> = {};
  /** The step of the newest frame. */
  step = 0;
  readonly painter: Painter;
  readonly daylight: Daylight;
  private description: Description | null = null;
  private lightTime = -Infinity;
  private lightTimer = 0;
  private readonly calm = matchMedia('(prefers-reduced-motion: reduce)');

  constructor(
    readonly canvas: HTMLCanvasElement,
    private readonly host: StageHost,
  ) {
    // Without alpha the browser need not blend the picture with what is behind it.
    const context = canvas.getContext('webgl2', {
      alpha: false,
      antialias: false,
      stencil: false,
      powerPreference: 'high-performance',
    });
    if (!context) throw new Error('WebGL 2 is missing');
    this.renderer = new WebGLRenderer({ canvas, context });
    const world = { width: 2, height: 2, cell: [1, 1] as [number, number], terrain: '', model: '' };
    const layers = this.renderer.getContext().getParameter(0x88ff) as number; // MAX_ARRAY_TEXTURE_LAYERS
    this.pool = new TilePool(Math.min(SLOTS, layers), world);
    this.tree = new Quadtree(world, this.pool);
    this.field = new Field(world, this.pool, this.tree);
    this.surface = new Surface(this.pool);
    this.book = new FrameBook((frame) => this.host.ack(frame));
    this.chooser = new Chooser(this.tree, this.pool, (tiles, planes) =>
      this.host.want(tiles, planes),
    );
    this.loop = new Loop(this.pace, {
      move: (seconds) => this.camera.update(seconds),
      shimmers: () => this.shimmers(),
      draw: (mood, done) => this.draw(mood, done),
      hasFrame: () => this.book.came !== null,
      isIdle: () => this.book.idle,
    });
    this.daylight = new Daylight(
      this.field,
      () => this.lightJob(),
      () => this.loop.change(),
    );
    this.camera = new CameraControl(
      canvas,
      {
        cast: (ray, out) => this.field.cast(ray, this.tall, this.bounds, out),
        height: (x, z) => this.field.surface(x, z) * this.tall,
        size: () => this.field.size,
        span: () => [footOf(this.field, this.bounds, this.tall), this.bounds.top * this.tall],
      },
      () => this.hand(),
    );
    this.painter = new Painter(this);
    void this.renderer.compileAsync(this.painter.scene, this.camera.camera);
    new ResizeObserver(() => this.resize()).observe(canvas);
    this.resize();
  }

  private lightJob(): { sun: [number, number]; foot: number; tall: number } {
    return {
      sun: [(this.sun.azimuth * Math.PI) / 180, (this.sun.elevation * Math.PI) / 180],
      foot: footOf(this.field, this.bounds, this.tall),
      tall: this.tall,
    };
  }

  // ---- what is shown ----------------------------------------------------------------------------

  /** Another world has begun, or the same again over a new line: then the camera stays. */
  begin(description: Description, again = false): void {
    const { world } = description;
    this.marks['hello'] ??= performance.now();
    this.description = description;
    this.pool.reset(world, description.materials.length > 0);
    this.tree.reset(world);
    this.field.world = world;
    this.loop.ready = again && this.loop.ready;
    if (!again) this.scale = null;
    if (!again) this.field.cut = [0, 0];
    this.chooser.reset();
    this.book.reset();
    this.surface.uniforms['uPaint']!.value = this.pool.paint;
    if (!again) this.camera.frame();
    this.choose('hand', performance.now()); // ask at once, not when the next picture is due
    this.loop.change();
  }

  /** Takes a frame from the engine, all of it. */
  take(frame: Frame): void {
    if (frame.frame === 0) {
      this.past?.take(frame);
      this.measureDifference();
      return;
    }
    const now = performance.now();
    this.marks['frame'] ??= now;
    this.step = frame.step;
    let heights = false;
    for (const tile of frame.tiles) {
      if (!this.chooser.wants(tile.level, tile.x, tile.y)) continue;
      this.pool.put(tile, now);
      if (tile.planes[0]) heights = true;
    }
    const awaited = this.book.take(frame.frame);
    this.loop.arrive();
    if (!this.loop.ready) this.firstLook();
    else if (heights) this.relight();
    this.loop.change();
    if (awaited && !this.loop.busy) this.loop.tick(now); // what a hand did: not even a refresh is waited for
  }

  /** What counts as much of something, for colours. */
  setScale(scale: LandScale): void {
    if (JSON.stringify(scale) === JSON.stringify(this.scale)) return;
    this.scale = scale;
    if (!this.loop.ready) this.firstLook();
    this.loop.change();
  }

  /** Compares with a state, by its number; null = with nothing. */
  compareWith(reference: number | null): void {
    const { description } = this;
    if (reference === null || !description) {
      this.comparing = 'off';
      this.loop.change();
      return;
    }
    this.past ??= new Past(this.pool.capacity, description.world, {
      was: (tiles, planes) => this.host.was(tiles, planes),
      light: () => this.lightJob(),
      changed: () => this.loop.change(),
    });
    this.past.begin(reference, description.world, description.materials.length > 0);
    this.loop.change();
  }

  /** The scale of changes follows them, in large steps. */
  private measureDifference(): void {
    if (this.comparing === 'off' || !this.past?.known) return;
    const next = this.past.measure(this.pool);
    if (next > this.difference || next < 0.3 * this.difference) this.difference = next;
  }

  /** How many materials the land has. */
  get materials(): number {
    return this.description?.materials.length ?? 0;
  }

  set playing(on: boolean) {
    this.loop.playing = on;
  }

  /** All of the land is known, coarsely: light it, look at it. */
  private firstLook(): void {
    if (!this.field.known || !this.scale) return;
    this.loop.ready = true;
    this.bounds = this.field.measure();
    this.lightTime = performance.now();
    this.daylight.update();
    this.camera.frame();
  }

  /** The light and the block follow what has changed, not too often. */
  private relight(): void {
    if (this.lightTimer) return;
    const pause = this.loop.playing ? PAUSES.lightPlaying : PAUSES.lightEditing;
    const wait = Math.max(0, this.lightTime + pause - performance.now());
    this.lightTimer = window.setTimeout(() => {
      this.lightTimer = 0;
      this.lightTime = performance.now();
      if (!this.field.known) return;
      this.bounds = this.field.measure();
      this.daylight.update();
      this.measureDifference();
    }, wait);
  }

  /** Colours, lines and air; the palette is the one that the look names. */
  setLook(look: LandLook, palette: Palette): void {
    if (palette !== this.palette) usePalette(this.surface.uniforms, palette);
    this.look = look;
    this.palette = palette;
    this.loop.change();
  }

  /** What the sides of the block are made of. */
  setSides(sides: SideLayers, materials: Material[]): void {
    putSides(this.surface.uniforms, sides, materials);
    this.loop.change();
  }

  setSun(sun: Sun): void {
    this.sun = sun;
    this.lightTime = -Infinity;
    this.relight();
    this.past?.relight();
    this.loop.change();
  }

  /** Cuts the block open, from the east and from the south: shares of its size. */
  setCut(east: number, south: number): void {
    this.field.cut = [east, south];
    this.lightTime = -Infinity;
    this.relight();
    this.loop.change();
  }

  /** Exaggerates heights; what was in the middle of the picture stays there. */
  setTall(tall: number): void {
    this.camera.stretch(tall / this.tall, () => (this.tall = tall));
    this.lightTime = -Infinity;
    this.relight();
    this.past?.relight();
    this.loop.change();
  }

  setRing(
    at: Vector3 | null,
    radius: number,
    inner: number,
    color: [number, number, number],
  ): void {
    const ring = this.surface.uniforms['uRing']!.value as Vector4;
    if (!at && ring.z === 0) return;
    if (at) ring.set(at.x, at.z, radius, inner);
    else ring.set(0, 0, 0, 0);
    (this.surface.uniforms['uRingColor']!.value as Vector3).set(...color);
    this.loop.change();
  }

  /** A rectangle on the ground: its middle and half sides [m], turned clockwise [rad]. */
  setRect(rect: [number, number, number, number] | null, angle = 0): void {
    (this.surface.uniforms['uRect']!.value as Vector4).set(...(rect ?? [0, 0, 0, 0]));
    (this.surface.uniforms['uRectTurn']!.value as Vector2).set(Math.cos(angle), Math.sin(angle));
    this.loop.change();
  }

  /** Around what is selected: corners on the ground [m]. */
  setOutline(corners: [number, number][] | null): void {
    // Who shows it after each picture must not ask for the next one by that.
    const ground = (x: number, y: number): number => this.field.surface(x, y) * this.tall;
    if (this.painter.outline.show(corners, ground)) this.loop.change();
  }

  /** Where a place on the ground is on the screen [CSS pixels], or null if behind. */
  project(x: number, y: number): { x: number; y: number } | null {
    const height = this.field.surface(x, y);
    if (Number.isNaN(height)) return null;
    const at = new Vector3(x, height * this.tall, y).project(this.camera.camera);
    if (at.z > 1 || Math.abs(at.x) > 1 || Math.abs(at.y) > 1) return null;
    return {
      x: (0.5 + 0.5 * at.x) * this.canvas.clientWidth,
      y: (0.5 - 0.5 * at.y) * this.canvas.clientHeight,
    };
  }

  // ---- when to draw -----------------------------------------------------------------------------

  change(): void {
    this.loop.change();
  }

  /** A hand is at work: the next frame may come, and is drawn at once. */
  hand(): void {
    this.book.flush();
    this.loop.hand();
  }

  /** A command is under way whose effect will be seen. */
  await(): void {
    this.loop.await();
    this.hand();
  }

  private shimmers(): boolean {
    const wet = (this.scale?.water ?? 0) > 0.021;
    return this.pace.fast && !this.calm.matches && wet && document.hasFocus();
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.canvas;
    this.camera.resize(clientWidth, clientHeight);
    this.painter.shownScale = 0;
    this.loop.change();
  }

  // ---- drawing ----------------------------------------------------------------------------------

  private draw(mood: Mood, done: () => void): void {
    const start = performance.now();
    this.marks['draw'] ??= start;
    const scale = this.pace.scale(mood);
    this.painter.fit(scale);
    this.choose(mood, start);
    this.painter.render(this.pace.fast || mood === 'still', this.pace.step(mood));
    this.frames++;
    this.host.drawn();
    const arrived = this.book.draw(mood === 'hand');
    this.painter.waitFor(() => {
      this.finish(start, scale, arrived);
      done();
    });
  }

  private finish(start: number, scale: number, arrived: number[]): void {
    const now = performance.now();
    this.marks['drawn'] ??= now;
    this.pace.measure(now - start, scale);
    this.book.finish(now, arrived);
    if (!this.firstLand && this.loop.ready && this.chooser.selection.drawn.length) {
      this.firstLand = now;
      this.host.landed();
    }
    // While it plays, the next frame is asked for late enough to leave the engine its time.
    const hand = this.loop.handIsAtWork(now) || this.book.waits;
    this.book.plan(this.loop.playing && !hand ? start + this.pace.interval() - now : 0);
  }

  private planes(): Plane[] {
    const planes: Plane[] = ['height', 'water', 'velocity', 'sediment', 'deposit', 'flow', 'wear'];
    if (this.view === 'hardness') planes.push('hardness');
    if (this.description?.materials.length) planes.push('material');
    return planes;
  }

  private eye(spacing: number): Eye {
    const camera = this.painter.photo.lines ? this.painter.wideCamera() : this.camera.camera;
    const pixels = this.canvas.clientHeight * Math.min(window.devicePixelRatio, 2);
    const height =
      this.painter.photo.lines || (this.pace.fast ? pixels : Math.min(pixels, MOST_LINES));
    return {
      position: camera.position,
      matrix: new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse),
      scale: height / (2 * Math.tan((camera.fov * Math.PI) / 360)),
      perspective: true,
      spacing,
      tall: this.tall,
    };
  }

  choose(mood: Mood, now: number): void {
    if (!this.description) return;
    // Tiles are chosen alike for a quick and a good picture, or they would come and go.
    const spacing = this.pace.spacing(mood === 'hand' && !this.loop.playing ? 'still' : mood);
    const eye = this.eye(spacing);
    if (this.comparing !== 'off') this.past?.choose(eye, this.planes(), now);
    if (!this.chooser.choose(eye, this.planes(), now))
      setTimeout(() => this.loop.change(), PAUSES.want);
  }

  info(): Record<string, number> {
    const { memory, render } = this.renderer.info;
    return {
      tiles: this.surface.tiles,
      slots: this.pool.slots.size,
      capacity: this.pool.capacity,
      textures: memory.textures,
      geometries: memory.geometries,
      triangles: render.triangles,
      scale: this.painter.shownScale,
      cost: Math.round(this.pace.last),
      whole: Math.round(this.pace.whole),
    };
  }
}
