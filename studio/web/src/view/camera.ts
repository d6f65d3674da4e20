// SPDX-License-Identifier: MIT
/**
 * The camera and the hand on it: orbit, pan, zoom to the cursor, fly. It looks at `target` from `distance`; flying moves
 * both. All moves are eased, and the page is told while something moves.
 */
import { MathUtils, PerspectiveCamera, Ray, Vector2, Vector3 } from 'three';

const LOWEST = MathUtils.degToRad(3); // above the horizon
const HIGHEST = MathUtils.degToRad(89);

export interface Ground {
  /** Where a ray meets the land. */
  cast(ray: Ray, out: Vector3): Vector3 | null;
  /** Exaggerated height of the surface, NaN outside. */
  height(x: number, z: number): number;
  size(): [number, number];
  /** Of the block: its foot and its highest summit, exaggerated. */
  span(): [number, number];
}

/** Angles of view, of a usual lens and of one so far away that nothing gets smaller [deg]. */
const LENS = 38;
const FLAT_LENS = 1.5;
const FLAT_FACTOR =
  Math.tan(MathUtils.degToRad(LENS / 2)) / Math.tan(MathUtils.degToRad(FLAT_LENS / 2));

/** A view that is kept. */
export interface CameraView {
  target: [number, number, number];
  azimuth: number;
  elevation: number;
  distance: number;
  flat: boolean;
  flying: boolean;
}

export class CameraControl {
  readonly camera = new PerspectiveCamera(LENS, 1, 1, 1000);
  flat = false;
  readonly target = new Vector3();
  azimuth = MathUtils.degToRad(205); // from where it looks, clockwise from north
  elevation = MathUtils.degToRad(32);
  distance = 1000;
  flying = false;
  private goal = { target: new Vector3(), azimuth: 0, elevation: 0, distance: 1 };
  private keys = new Set<string>();
  private speed = new Vector3();
  private drag: {
    kind: 'orbit' | 'pan' | 'look';
    x: number;
    y: number;
    grip: Vector3 | null;
  } | null = null;
  private pinch: { apart: number; x: number; y: number } | null = null;
  private calm = matchMedia('(prefers-reduced-motion: reduce)');

  constructor(
    private readonly element: HTMLElement,
    private readonly ground: Ground,
    private readonly moved: () => void,
  ) {
    this.keep();
  }

  private keep(): void {
    this.goal.target.copy(this.target);
    this.goal.azimuth = this.azimuth;
    this.goal.elevation = this.elevation;
    this.goal.distance = this.distance;
  }

  /** Looks at the whole land. */
  frame(): void {
    const [sizeX, sizeY] = this.ground.size();
    const [foot, top] = this.ground.span();
    this.target.set(0.5 * sizeX, foot + 0.45 * (top - foot), 0.5 * sizeY);
    this.azimuth = MathUtils.degToRad(205);
    this.elevation = MathUtils.degToRad(31);
    this.distance = this.fitting(sizeX, sizeY, foot, top);
    this.keep();
    this.place();
    this.moved();
  }

  /** Straight down on all of it, north up. */
  lookDown(): void {
    this.setFlying(false);
    this.frame();
    this.azimuth = Math.PI;
    this.elevation = HIGHEST;
    const [sizeX, sizeY] = this.ground.size();
    const [foot, top] = this.ground.span();
    this.distance = this.fitting(sizeX, sizeY, foot, top);
    this.keep();
    this.place();
    this.moved();
  }

  turnNorth(): void {
    const turns = Math.round((this.azimuth - Math.PI) / (2 * Math.PI));
    this.goal.azimuth = Math.PI + 2 * Math.PI * turns;
    this.moved();
  }

  /** Without perspective, or with it; what is seen stays as large as it is. */
  setFlat(on: boolean): void {
    if (on === this.flat) return;
    if (on) this.setFlying(false);
    this.flat = on;
    this.camera.fov = on ? FLAT_LENS : LENS;
    this.distance *= on ? FLAT_FACTOR : 1 / FLAT_FACTOR;
    this.keep();
    this.place();
    this.moved();
  }

  /** How far away it would be with a usual lens. */
  private get nearness(): number {
    return this.distance / (this.flat ? FLAT_FACTOR : 1);
  }

  /** On the ground that it looks at. */
  metresPerPixel(): number {
    const tangent = Math.tan(0.5 * MathUtils.degToRad(this.camera.fov));
    return (2 * this.distance * tangent) / Math.max(this.element.clientHeight, 1);
  }

  /** Stands in the land, low and with a free sight of the highest summit; false if there is no such place. */
  standInLand(): boolean {
    const [sizeX, sizeY] = this.ground.size();
    const size = Math.hypot(sizeX, sizeY);
    const grid = 40;
    const places: Vector3[] = [];
    for (let j = 2; j < grid - 1; j++)
      for (let i = 2; i < grid - 1; i++) {
        const [x, z] = [(i / grid) * sizeX, (j / grid) * sizeY];
        const y = this.ground.height(x, z);
        if (!Number.isNaN(y)) places.push(new Vector3(x, y, z));
      }
    const summit = places.reduce<Vector3 | null>((a, b) => (!a || b.y > a.y ? b : a), null);
    if (!summit) return false;
    const rise = 0.004 * size;
    const free = (eye: Vector3): boolean => {
      for (let k = 1; k < 24; k++) {
        const at = eye.clone().lerp(summit, k / 25);
        if (this.ground.height(at.x, at.z) > at.y + 0.3 * rise) return false;
      }
      return true;
    };
    const best = places
      .filter((at) => {
        const away = Math.hypot(at.x - summit.x, at.z - summit.z);
        return away > 0.15 * size && away < 0.55 * size;
      })
      .sort((a, b) => a.y - b.y)
      .find((at) => free(at.clone().setY(at.y + rise)));
    if (!best) return false;
    this.setFlat(false);
    const eye = best.clone().setY(best.y + rise);
    const aim = summit.clone().setY(eye.y + 0.55 * (summit.y - eye.y));
    const back = eye.clone().sub(aim).normalize();
    this.flying = true;
    this.azimuth = Math.atan2(back.x, -back.z);
    this.elevation = Math.asin(back.y);
    this.distance = 0.08 * size;
    this.target.copy(eye).addScaledVector(back, -this.distance);
    this.keep();
    this.place();
    this.moved();
    return true;
  }

  view(): CameraView {
    const { azimuth, elevation, distance, flat, flying } = this;
    return { target: this.target.toArray(), azimuth, elevation, distance, flat, flying };
  }

  recall(view: CameraView): void {
    this.flat = view.flat;
    this.flying = view.flying;
    this.camera.fov = view.flat ? FLAT_LENS : LENS;
    this.target.fromArray(view.target);
    this.azimuth = view.azimuth;
    this.elevation = view.elevation;
    this.distance = view.distance;
    this.keep();
    this.place();
    this.moved();
  }

  /** Heights are multiplied: what the camera looks at goes along, and so does nothing else. */
  stretch(factor: number, apply: () => void): void {
    apply();
    this.target.y *= factor;
    this.goal.target.y *= factor;
    this.place();
    this.moved();
  }

  /** The smallest distance from which all corners of the block are seen. */
  private fitting(sizeX: number, sizeY: number, foot: number, top: number): number {
    let near = 0.1 * Math.hypot(sizeX, sizeY) * (this.flat ? FLAT_FACTOR : 1);
    let far = 60 * near;
    const corner = new Vector3();
    for (let k = 0; k < 30; k++) {
      this.distance = 0.5 * (near + far);
      this.place();
      let most = 0;
      for (let c = 0; c < 8; c++) {
        corner.set(c & 1 ? sizeX : 0, c & 4 ? top : foot, c & 2 ? sizeY : 0).project(this.camera);
        const beyond = corner.z > 1 ? 9 : 0;
        most = Math.max(most, Math.abs(corner.x) / 0.96, Math.abs(corner.y) / 0.96, beyond);
      }
      if (most > 1) near = this.distance;
      else far = this.distance;
    }
    return far;
  }

  resize(width: number, height: number): void {
    this.camera.aspect = width / Math.max(height, 1);
    this.place();
  }

  /** A ray through a place of the screen. */
  ray(clientX: number, clientY: number): Ray {
    const box = this.element.getBoundingClientRect();
    const at = new Vector2(
      (2 * (clientX - box.left)) / box.width - 1,
      1 - (2 * (clientY - box.top)) / box.height,
    );
    const far = new Vector3(at.x, at.y, 0.5).unproject(this.camera);
    return new Ray(this.camera.position.clone(), far.sub(this.camera.position).normalize());
  }

  pick(clientX: number, clientY: number): Vector3 | null {
    return this.ground.cast(this.ray(clientX, clientY), new Vector3());
  }

  // ---- pointer ----------------------------------------------------------------------------------

  begin(kind: 'orbit' | 'pan', x: number, y: number): void {
    this.keep();
    const what = this.flying && kind === 'orbit' ? 'look' : kind;
    this.drag = { kind: what, x, y, grip: this.pick(x, y) };
  }

  move(x: number, y: number): void {
    const drag = this.drag;
    if (!drag) return;
    const turn = 3.2 / this.element.clientHeight;
    const dx = x - drag.x;
    const dy = y - drag.y;
    drag.x = x;
    drag.y = y;
    if (drag.kind === 'pan') this.pan(drag.grip, x, y, dx, dy);
    else if (drag.kind === 'look') this.look(-dx * turn * 0.6, dy * turn * 0.6);
    else {
      this.goal.azimuth += dx * turn;
      this.goal.elevation = MathUtils.clamp(this.goal.elevation + dy * turn, LOWEST, HIGHEST);
    }
    this.moved();
  }

  end(): void {
    this.drag = null;
  }

  get dragging(): boolean {
    return this.drag !== null;
  }

  /** The ground that was gripped stays under the cursor. */
  private pan(grip: Vector3 | null, x: number, y: number, dx: number, dy: number): void {
    const ray = this.ray(x, y);
    const level = grip?.y ?? this.target.y;
    if (grip && ray.direction.y < -0.05) {
      const t = (level - ray.origin.y) / ray.direction.y;
      const there = ray.origin.clone().addScaledVector(ray.direction, t);
      const shift = grip.clone().sub(there);
      shift.y = 0;
      if (shift.length() < 4 * this.nearness) {
        this.target.add(shift);
        this.goal.target.copy(this.target);
        this.place();
        return;
      }
    }
    this.slide(dx, dy);
  }

  /** The land goes along with what moves on the screen [pixels]. */
  private slide(dx: number, dy: number): void {
    const scale = this.metresPerPixel();
    const right = new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0);
    const ahead = new Vector3(-right.z, 0, right.x).negate();
    this.goal.target.addScaledVector(right, -dx * scale).addScaledVector(ahead, dy * scale);
  }

  /** Turns around what it looks at, and tilts [rad]. */
  turn(azimuth: number, elevation: number): void {
    this.goal.azimuth += azimuth;
    const lowest = this.flying ? -HIGHEST : LOWEST;
    this.goal.elevation = MathUtils.clamp(this.goal.elevation + elevation, lowest, HIGHEST);
    this.moved();
  }

  /** Turns the eye where it is. */
  private look(azimuth: number, elevation: number): void {
    const eye = this.camera.position.clone();
    this.azimuth += azimuth;
    this.elevation = MathUtils.clamp(this.elevation + elevation, -HIGHEST, HIGHEST);
    this.target.copy(eye).addScaledVector(this.backward(), -this.distance);
    this.keep();
    this.place();
  }

  zoom(amount: number, x: number, y: number): void {
    const factor = Math.exp(MathUtils.clamp(amount, -1, 1));
    const side = Math.hypot(...this.ground.size()) * (this.flat ? FLAT_FACTOR : 1);
    const least = 0.002 * side;
    const most = 6 * side;
    const next = MathUtils.clamp(this.goal.distance * factor, least, most);
    const real = next / this.goal.distance;
    const at = this.pick(x, y);
    if (at) this.goal.target.lerp(at, 1 - real);
    this.goal.distance = next;
    this.moved();
  }

  /** Towards the middle of the picture, or away from it. */
  zoomMiddle(amount: number): void {
    const box = this.element.getBoundingClientRect();
    this.zoom(amount, box.left + 0.5 * box.width, box.top + 0.5 * box.height);
  }

  /** Two fingers: apart zooms, together pans. */
  touch(points: { x: number; y: number }[] | null): void {
    if (!points || points.length < 2) {
      this.pinch = null;
      return;
    }
    const [a, b] = [points[0]!, points[1]!];
    const now = {
      apart: Math.hypot(a.x - b.x, a.y - b.y),
      x: 0.5 * (a.x + b.x),
      y: 0.5 * (a.y + b.y),
    };
    if (this.pinch) {
      this.zoom(Math.log(this.pinch.apart / Math.max(now.apart, 1)), now.x, now.y);
      this.slide(now.x - this.pinch.x, now.y - this.pinch.y);
      this.moved();
    }
    this.pinch = now;
  }

  // ---- keys -------------------------------------------------------------------------------------

  key(code: string, down: boolean): void {
    if (down) this.keys.add(code);
    else this.keys.delete(code);
    if (down) this.moved();
  }

  releaseKeys(): void {
    this.keys.clear();
  }

  setFlying(on: boolean): void {
    if (this.flying === on) return;
    if (on) this.setFlat(false);
    this.flying = on;
    const eye = this.camera.position.clone();
    if (on) {
      const away = 0.08 * Math.hypot(...this.ground.size());
      this.distance = Math.min(this.distance, away);
      this.target.copy(eye).addScaledVector(this.backward(), -this.distance);
    } else {
      const at = this.ground.cast(new Ray(eye, this.backward().negate()), new Vector3());
      if (at) {
        this.distance = at.distanceTo(eye);
        this.target.copy(at);
      }
      this.elevation = MathUtils.clamp(this.elevation, LOWEST, HIGHEST);
    }
    this.keep();
    this.moved();
  }

  private steer(seconds: number): boolean {
    const held = (code: string): number => (this.keys.has(code) ? 1 : 0);
    const ahead = held('KeyW') + held('ArrowUp') - held('KeyS') - held('ArrowDown');
    const aside = held('KeyD') + held('ArrowRight') - held('KeyA') - held('ArrowLeft');
    const up = held('KeyE') - held('KeyQ');
    const wish = new Vector3();
    if (ahead || aside || up) {
      const back = this.backward();
      const right = new Vector3(-back.z, 0, back.x).normalize().negate();
      if (!this.flying) back.setY(0).normalize();
      wish.addScaledVector(back, -ahead).addScaledVector(right, aside);
      wish.y += up;
      const fast = this.keys.has('ShiftLeft') || this.keys.has('ShiftRight') ? 3 : 1;
      const pace = this.flying ? 0.12 * Math.hypot(...this.ground.size()) : 0.9 * this.nearness;
      wish.normalize().multiplyScalar(pace * fast);
    }
    this.speed.lerp(wish, 1 - Math.exp(-8 * seconds));
    if (this.speed.length() < 1e-4 * this.distance) {
      this.speed.set(0, 0, 0);
      return false;
    }
    const shift = this.speed.clone().multiplyScalar(seconds);
    this.target.add(shift);
    this.goal.target.add(shift);
    return true;
  }

  // ---- each frame -------------------------------------------------------------------------------

  /** Goes on towards the goal; true while it still moves. */
  update(seconds: number): boolean {
    const steered = this.steer(Math.min(seconds, 0.1));
    const share = this.calm.matches ? 1 : 1 - Math.exp(-16 * Math.min(seconds, 0.25));
    const ease = (now: number, goal: number): number => now + share * (goal - now);
    const before = [this.azimuth, this.elevation, this.distance, ...this.target.toArray()];
    this.azimuth = ease(this.azimuth, this.goal.azimuth);
    this.elevation = ease(this.elevation, this.goal.elevation);
    this.distance *= Math.exp(share * Math.log(this.goal.distance / this.distance));
    this.target.lerp(this.goal.target, share);
    const after = [this.azimuth, this.elevation, this.distance, ...this.target.toArray()];
    const scale = [
      1e3,
      1e3,
      1e3 / this.distance,
      1e3 / this.distance,
      1e3 / this.distance,
      1e3 / this.distance,
    ];
    const moving = after.some((value, k) => Math.abs(value - before[k]!) * scale[k]! > 0.4);
    if (!moving) {
      this.azimuth = this.goal.azimuth;
      this.elevation = this.goal.elevation;
      this.distance = this.goal.distance;
      this.target.copy(this.goal.target);
    }
    this.place();
    return moving || steered;
  }

  private backward(): Vector3 {
    const flat = Math.cos(this.elevation);
    return new Vector3(
      flat * Math.sin(this.azimuth),
      Math.sin(this.elevation),
      -flat * Math.cos(this.azimuth),
    );
  }

  private place(): void {
    const eye = this.target.clone().addScaledVector(this.backward(), this.distance);
    const floor = this.ground.height(eye.x, eye.z);
    const least = floor + 0.004 * Math.min(this.distance, Math.hypot(...this.ground.size()));
    if (eye.y < least && !this.flat) eye.y = least; // never under the ground
    this.camera.position.copy(eye);
    this.camera.up.set(0, 1, 0);
    const aim = this.flying ? eye.clone().addScaledVector(this.backward(), -1) : this.target;
    this.camera.lookAt(aim);
    const far = 3 * Math.hypot(...this.ground.size()) + 2 * this.distance;
    if (this.flat) {
      const side = Math.hypot(...this.ground.size());
      this.camera.near = Math.max(0.1 * this.distance, this.distance - 2 * side);
      this.camera.far = this.distance + 2 * side;
      this.camera.updateProjectionMatrix();
      this.camera.updateMatrixWorld();
      return;
    }
    this.camera.near = Math.max(
      far * 2e-5,
      Math.min(
        0.05 * this.distance,
        0.2 * (eye.y - (Number.isNaN(floor) ? 0 : floor)) + 0.01 * this.distance,
      ),
    );
    this.camera.far = far;
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
  }
}
