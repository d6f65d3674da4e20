/** The picture: takes frames in, decides what to ask for, draws when something has changed, and says when it has. */
import { Matrix4, Scene, Vector2, Vector3, Vector4, WebGLRenderer } from 'three';
import type { Frame } from '../protocol/frames';
import type { Description, Plane } from '../protocol/types';
import { Daylight } from '../terrain/daylight';
import { Field, type Scale } from '../terrain/field';
import { keyOf, MOST, TilePool } from '../terrain/pool';
import { Quadtree, type Selection, type TileName } from '../terrain/quadtree';
import { Surface } from '../terrain/surface';
import { CameraControl } from './camera';
import { Pace, type Mood } from './pace';
import { setSun, type Sun } from './sun';

export const VIEWS = ['natural', 'mei', 'flow', 'wear', 'slope', 'hardness'] as const;
export type View = (typeof VIEWS)[number];

export interface StageHost {
  want(tiles: TileName[], planes: Plane[]): void;
  ack(frame: number): void;
  /** After each frame: what lies over the picture moves along. */
  drawn(): void;
  /** There is land in the picture, for the first time. */
  landed(): void;
}

const SLOTS = 384;
/** How long a hand counts as being at work after it last moved, and how long all must be still for a good picture [ms]. */
const HAND = 600;
const STILL = 400;
/** A slow renderer refines tiles as for a picture of at most so many lines. */
const MOST_LINES = 900;
/** How long a picture waits for the frame with what the hand just did, on a slow renderer [ms]. */
const PATIENCE = 80;
/** At most one list of tiles in this time [ms]. */
const WANT_PAUSE = 90;
/** How often light and scales are made anew, while playing and while editing [ms]. */
const LIGHT_PAUSE = { play: 3000, edit: 250 };

export class Stage {
  readonly renderer: WebGLRenderer;
  readonly camera: CameraControl;
  readonly pace = new Pace();
  readonly pool: TilePool;
  readonly tree: Quadtree;
  readonly field: Field;
  readonly surface: Surface;
  scale: Scale;
  view: View = 'natural';
  grid = false;
  playing = false;
  sun: Sun = { azimuth: 300, elevation: 32 };
  tall = 1;
  /** Frames drawn, and when the first one showed land [ms since navigation]. */
  frames = 0;
  firstLand = 0;
  /** When things happened for the first time [ms since navigation]. */
  readonly marks: Record<string, number> = {};
  /** From an event to the picture that shows what it did [ms]; the newest ones. */
  readonly latencies: number[] = [];
  private readonly scene = new Scene();
  private readonly daylight: Daylight;
  private description: Description | null = null;
  private selection: Selection = { drawn: [], want: [] };
  private wanted = new Set<number>();
  private wantedText = '';
  private wantTime = -Infinity;
  private dirty = true;
  private asked = false;
  private busy = false;
  private handTime = -Infinity;
  private lastTick = 0;
  private lastDraw = 0;
  private shownScale = 0;
  private shownMood: Mood = 'still';
  private stillTimer = 0;
  /** The last frame that came, the one in the picture that is being made, the one that was shown and not acknowledged. */
  private cameFrame: number | null = null;
  private drawnFrame: number | null = null;
  private ackFrame: number | null = null;
  private ackTimer = 0;
  private frameStart = 0;
  private lightTime = -Infinity;
  private lightTimer = 0;
  private expected: number[] = [];
  private arrived: number[] = [];
  private actTime = 0;
  private framed = false;
  private readonly pixel = new Uint8Array(4);
  private idle: (() => void)[] = [];

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
    this.scale = this.field.measure();
    this.surface = new Surface(this.pool);
    this.scene.add(this.surface.land, this.surface.sky);
    this.daylight = new Daylight(
      this.field,
      () => ({
        sun: [(this.sun.azimuth * Math.PI) / 180, (this.sun.elevation * Math.PI) / 180],
        foot: this.foot(),
        tall: this.tall,
      }),
      () => this.change(),
    );
    this.camera = new CameraControl(
      canvas,
      {
        cast: (ray, out) => this.field.cast(ray, this.tall, this.scale, out),
        height: (x, z) => this.field.surface(x, z) * this.tall,
        size: () => this.field.size,
        middle: () => (this.scale.lowest + 0.35 * this.scale.relief) * this.tall,
      },
      () => this.hand(),
    );
    void this.renderer.compileAsync(this.scene, this.camera.camera);
    new ResizeObserver(() => this.resize()).observe(canvas);
    this.resize();
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
    this.framed = again && this.framed;
    this.wanted.clear();
    this.wantedText = '';
    this.wantTime = -Infinity;
    // A frame of the world before that was not drawn: the engine waits for its answer all the same.
    const frame = this.cameFrame ?? this.drawnFrame ?? this.ackFrame;
    if (frame !== null) this.host.ack(frame);
    this.cameFrame = this.drawnFrame = this.ackFrame = null;
    clearTimeout(this.ackTimer);
    this.ackTimer = 0;
    this.selection = { drawn: [], want: [] };
    this.surface.uniforms['uPaint']!.value = this.pool.paint;
    this.surface.uniforms['uPainted']!.value = description.materials.length > 0;
    if (!again) this.camera.frame();
    this.expected = [];
    this.choose('hand', performance.now()); // ask at once, not when the next picture is due
    this.change();
  }

  /** Takes a frame from the engine, all of it. */
  take(frame: Frame): void {
    const now = performance.now();
    this.marks['frame'] ??= now;
    let heights = false;
    for (const tile of frame.tiles) {
      if (!this.wanted.has(keyOf(tile.level, tile.x, tile.y))) continue;
      this.pool.put(tile, now);
      if (tile.planes[0]) heights = true;
    }
    this.cameFrame = frame.frame;
    this.actTime = 0;
    this.arrived.push(...this.expected);
    this.expected = [];
    if (!this.framed && this.field.known) this.firstLook();
    else if (heights) this.relight();
    this.change();
    if (this.arrived.length && !this.busy) this.tick(now); // what a hand did: not even a refresh is waited for
  }

  /** All of the land is known, coarsely: measure it, light it, look at it. */
  private firstLook(): void {
    this.framed = true;
    this.scale = this.field.measure();
    this.lightTime = performance.now();
    this.daylight.update();
    this.camera.frame();
  }

  /** Light and scales follow what has changed, not too often. */
  private relight(): void {
    if (this.lightTimer) return;
    const pause = this.playing ? LIGHT_PAUSE.play : LIGHT_PAUSE.edit;
    const wait = Math.max(0, this.lightTime + pause - performance.now());
    this.lightTimer = window.setTimeout(() => {
      this.lightTimer = 0;
      this.lightTime = performance.now();
      if (!this.field.known) return;
      const next = this.field.measure();
      this.follow(next);
      this.daylight.update();
    }, wait);
  }

  /** Scales follow what there is; colours by height stay, unless the land is quite another one. */
  private follow(next: Scale): void {
    const grown = next.relief / this.scale.relief;
    const still = grown > 0.6 && grown < 1.7 ? ['lowest', 'relief', 'steep'] : [];
    for (const key of Object.keys(next) as (keyof Scale)[])
      if (!still.includes(key)) this.scale[key] += 0.5 * (next[key] - this.scale[key]);
  }

  setSun(sun: Sun): void {
    this.sun = sun;
    this.lightTime = -Infinity;
    this.relight();
    this.change();
  }

  setTall(tall: number): void {
    const before = this.tall;
    this.tall = tall;
    this.camera.target.y *= tall / before;
    this.camera.frame();
    this.lightTime = -Infinity;
    this.relight();
    this.change();
  }

  /** Height of the table that the block stands on. */
  private foot(): number {
    const side = Math.max(...this.field.size);
    const { bottom, top } = this.scale;
    return (bottom - 0.15 * (top - bottom)) * this.tall - 0.025 * side;
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
    this.change();
  }

  /** A rectangle on the ground: its middle and half sides [m], turned clockwise [rad]. */
  setRect(rect: [number, number, number, number] | null, angle = 0): void {
    (this.surface.uniforms['uRect']!.value as Vector4).set(...(rect ?? [0, 0, 0, 0]));
    (this.surface.uniforms['uRectTurn']!.value as Vector2).set(Math.cos(angle), Math.sin(angle));
    this.change();
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

  /** Something has changed: draw soon. */
  change(): void {
    this.dirty = true;
    this.ask();
  }

  /** A hand is at work: draw at once, and quickly. */
  hand(): void {
    this.handTime = performance.now();
    this.flushAck();
    this.change();
  }

  /** A command is under way whose effect will be seen: a picture without it is not worth its time. */
  await(): void {
    this.actTime = performance.now();
    this.hand();
  }

  /** A frame that comes after now shows what an event of that time did. */
  expect(time: number): void {
    this.expected.push(time);
  }

  /** When nothing is left to be drawn. */
  whenIdle(): Promise<void> {
    return new Promise((resolve) => {
      this.idle.push(resolve);
      this.ask();
    });
  }

  private ask(): void {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame((now) => this.tick(now));
  }

  private mood(now: number): Mood {
    if (now - this.handTime < HAND) return 'hand';
    return this.playing ? 'play' : 'still';
  }

  private tick(now: number): void {
    this.asked = false;
    if (this.busy || !this.framed) return; // asked again when the last frame is done, or the first has come
    const seconds = Math.min((now - this.lastTick) / 1000, 0.25);
    this.lastTick = now;
    const moving = this.camera.update(seconds);
    if (moving) this.handTime = performance.now();
    const awaited =
      this.actTime > 0 && this.cameFrame === null && performance.now() - this.actTime < PATIENCE;
    if (awaited && !this.pace.fast && performance.now() - this.lastDraw < 2 * PATIENCE) {
      this.ask();
      return;
    }
    const shimmer = this.shimmers();
    if (!this.dirty && !moving && !shimmer) {
      this.settle();
      return;
    }
    let mood = this.mood(performance.now());
    // A change while all is still: the quick picture first, the good one later.
    if (mood === 'still' && now - this.lastDraw < STILL) mood = 'hand';
    this.draw(mood);
    if (moving || shimmer) this.ask();
  }

  private calm = matchMedia('(prefers-reduced-motion: reduce)');

  private shimmers(): boolean {
    return this.pace.fast && !this.calm.matches && this.scale.water > 0.021 && document.hasFocus();
  }

  /** Nothing moves: a good picture, and whoever waits for that is told. */
  private settle(): void {
    const rough = this.shownMood !== 'still';
    if (rough && !this.playing && !this.pace.fast) {
      if (this.stillTimer) return;
      const wait = Math.max(
        0,
        this.handTime + HAND - performance.now(),
        this.lastDraw + STILL - performance.now(),
      );
      this.stillTimer = window.setTimeout(() => {
        this.stillTimer = 0;
        if (!this.playing && this.mood(performance.now()) === 'still') this.lastDraw = -Infinity;
        this.change();
      }, wait);
      return;
    }
    const all = this.cameFrame === null && this.drawnFrame === null && this.ackFrame === null;
    if (all) for (const resolve of this.idle.splice(0)) resolve();
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.canvas;
    this.camera.resize(clientWidth, clientHeight);
    this.shownScale = 0;
    this.change();
  }

  // ---- drawing ----------------------------------------------------------------------------------

  private fit(scale: number): void {
    if (scale === this.shownScale) return;
    this.shownScale = scale;
    const ratio = Math.min(window.devicePixelRatio, 2) * scale;
    this.renderer.setPixelRatio(1);
    this.renderer.setSize(
      Math.max(1, Math.round(this.canvas.clientWidth * ratio)),
      Math.max(1, Math.round(this.canvas.clientHeight * ratio)),
      false,
    );
  }

  private draw(mood: Mood): void {
    const start = performance.now();
    this.marks['draw'] ??= start;
    const scale = this.pace.scale(mood);
    this.fit(scale);
    this.choose(mood, start);
    this.setUniforms(start);
    this.surface.uniforms['uRich']!.value = this.pace.fast || mood === 'still';
    this.surface.show(this.selection.drawn, this.pace.step(mood));
    this.renderer.render(this.scene, this.camera.camera);
    this.dirty = false;
    this.shownMood = mood;
    this.lastDraw = start;
    this.frames++;
    this.host.drawn();
    this.busy = true;
    this.frameStart = start;
    const arrived = this.arrived;
    this.arrived = [];
    this.drawnFrame = this.cameFrame;
    this.cameFrame = null;
    if (mood === 'hand' && this.drawnFrame !== null) {
      // The engine makes the next one while this one is drawn.
      this.host.ack(this.drawnFrame);
      this.drawnFrame = null;
    }
    this.waitFor(() => this.finish(start, scale, arrived));
  }

  /** Calls back when the picture is made. A slow renderer is waited for: its work would queue up behind the browser's. */
  private waitFor(done: () => void): void {
    const gl = this.renderer.getContext() as WebGL2RenderingContext;
    if (!this.pace.fast) {
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, this.pixel);
      done();
      return;
    }
    const begun = performance.now();
    const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)!;
    gl.flush();
    const look = (): void => {
      const waiting = gl.getSyncParameter(fence, gl.SYNC_STATUS) === gl.UNSIGNALED;
      if (waiting && performance.now() - begun < 2000) {
        setTimeout(look, 2);
        return;
      }
      gl.deleteSync(fence);
      done();
    };
    setTimeout(look, 1);
  }

  private finish(start: number, scale: number, arrived: number[]): void {
    const now = performance.now();
    this.marks['drawn'] ??= now;
    this.busy = false;
    this.pace.measure(now - start, scale);
    for (const time of arrived) this.latencies.push(now - time);
    if (this.latencies.length > 500) this.latencies.splice(0, this.latencies.length - 500);
    if (!this.firstLand && this.framed && this.selection.drawn.length) {
      this.firstLand = now;
      this.host.landed();
    }
    if (this.drawnFrame !== null) this.ackFrame = this.drawnFrame;
    this.drawnFrame = null;
    this.planAck();
    this.ask();
  }

  /** While it plays, the next frame is asked for late enough to leave the engine its time. */
  private planAck(): void {
    if (this.ackFrame === null || this.ackTimer) return;
    const now = performance.now();
    const hand = now - this.handTime < HAND || this.expected.length > 0;
    const wait = this.playing && !hand ? this.frameStart + this.pace.interval() - now : 0;
    if (wait <= 1) {
      this.flushAck();
      return;
    }
    this.ackTimer = window.setTimeout(() => this.flushAck(), wait);
  }

  private flushAck(): void {
    clearTimeout(this.ackTimer);
    this.ackTimer = 0;
    if (this.ackFrame === null) return;
    const frame = this.ackFrame;
    this.ackFrame = null;
    this.host.ack(frame);
  }

  private planes(): Plane[] {
    const planes: Plane[] = ['height', 'water', 'velocity', 'sediment', 'deposit', 'flow', 'wear'];
    if (this.view === 'hardness') planes.push('hardness');
    if (this.description?.materials.length) planes.push('material');
    return planes;
  }

  private choose(mood: Mood, now: number): void {
    if (!this.description) return;
    const pixels = this.canvas.clientHeight * Math.min(window.devicePixelRatio, 2);
    const height = this.pace.fast ? pixels : Math.min(pixels, MOST_LINES);
    // Tiles are chosen alike for a quick and a good picture, or they would come and go.
    const spacing = this.pace.spacing(mood === 'hand' && !this.playing ? 'still' : mood);
    this.selection = this.tree.select(this.camera.camera, height, spacing, this.tall, now);
    const planes = this.planes();
    const text = JSON.stringify([
      this.selection.want.map(([l, x, y]) => keyOf(l, x, y)).sort((a, b) => a - b),
      planes,
    ]);
    if (text === this.wantedText) return;
    if (now - this.wantTime < WANT_PAUSE) {
      setTimeout(() => this.change(), WANT_PAUSE);
      return;
    }
    this.wantedText = text;
    this.wantTime = now;
    this.wanted = new Set(this.selection.want.map(([level, x, y]) => keyOf(level, x, y)));
    for (const key of [...this.pool.slots.keys()]) if (!this.wanted.has(key)) this.pool.drop(key);
    this.host.want(this.selection.want, planes);
  }

  private setUniforms(now: number): void {
    const u = this.surface.uniforms;
    const { world } = this.field;
    const [sizeX, sizeY] = this.field.size;
    const side = Math.hypot(sizeX, sizeY);
    const camera = this.camera.camera;
    setSun(u, this.sun);
    (u['uWorld']!.value as Vector4).set(
      world.cell[0],
      world.cell[1],
      world.width - 1,
      world.height - 1,
    );
    (u['uBlock']!.value as Vector2).set(this.foot(), this.tall);
    (u['uSize']!.value as Vector2).set(sizeX, sizeY);
    (u['uEye']!.value as Vector3).copy(camera.position);
    const { scale } = this;
    (u['uScaleGround']!.value as Vector4).set(
      scale.lowest,
      scale.relief,
      scale.steep,
      1 / this.tall,
    );
    (u['uScaleWater']!.value as Vector4).set(
      scale.water,
      scale.lake,
      scale.sediment,
      (MOST.flow / scale.flow) ** 0.25,
    );
    (u['uScaleTraces']!.value as Vector2).set(scale.deposit, scale.wear);
    u['uLight']!.value = this.daylight.texture;
    (u['uLightArea']!.value as Vector4).set(...this.daylight.area);
    u['uHaze']!.value = 0.14 / side;
    u['uClear']!.value = Math.min(camera.position.distanceTo(this.camera.target), side);
    u['uView']!.value = VIEWS.indexOf(this.view);
    u['uGrid']!.value = this.grid ? 0.55 : 0;
    u['uOver']!.value =
      this.grid || (u['uRing']!.value as Vector4).z > 0 || (u['uRect']!.value as Vector4).z > 0;
    u['uPixel']!.value =
      (2 * Math.tan((camera.fov * Math.PI) / 360)) / Math.max(this.renderer.domElement.height, 1);
    u['uTime']!.value = (now / 1000) % 1000;
    const back = new Matrix4().copy(camera.matrixWorld).setPosition(0, 0, 0);
    (u['uBack']!.value as Matrix4).copy(back.multiply(camera.projectionMatrixInverse));
  }

  /** The picture as a PNG, at full quality. */
  screenshot(): Promise<Blob | null> {
    this.fit(1);
    this.choose('still', performance.now());
    this.setUniforms(performance.now());
    this.surface.uniforms['uRich']!.value = true;
    this.surface.show(this.selection.drawn, 1);
    this.renderer.render(this.scene, this.camera.camera);
    return new Promise((resolve) => this.canvas.toBlob(resolve, 'image/png'));
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
      scale: this.shownScale,
      cost: Math.round(this.pace.last),
      whole: Math.round(this.pace.whole),
    };
  }
}
