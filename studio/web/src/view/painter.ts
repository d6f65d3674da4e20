// SPDX-License-Identifier: MIT
/** Draws: the picture on the screen, what was beside it, and pictures that are photographed. */
import { Scene, type PerspectiveCamera } from 'three';
import { Ghost } from '../tools/ghost';
import { Outline } from './outline';
import type { Past } from './past';
import { PAUSES } from './pauses';
import { Photographer } from './photographer';
import { VIEWS, type Stage } from './stage';
import { setDaylight, setUniforms } from './uniforms';

export class Painter {
  readonly photographer: Photographer;
  readonly scene = new Scene();
  /** What a stamp would make. */
  readonly ghost = new Ghost();
  /** Around what is selected. */
  readonly outline = new Outline();
  /** A picture that is photographed: its lines, and width by height; 0 lines = none. */
  photo = { lines: 0, aspect: 1 };
  /** Size of the picture that was drawn last, as a share of the screen's; 0 = another size is due. */
  shownScale = 0;
  private readonly pixel = new Uint8Array(4);

  constructor(private readonly stage: Stage) {
    this.scene.add(stage.surface.land, stage.surface.sky, this.ghost.lines, this.outline.line);
    this.photographer = new Photographer({
      renderer: stage.renderer,
      camera: () => stage.camera.camera,
      draw: (lines, clear) => this.photograph(lines, clear),
      refine: (lines, aspect) => this.refine(lines, aspect),
      done: () => {
        this.photo.lines = 0;
        stage.change();
      },
    });
  }

  fit(scale: number): void {
    if (scale === this.shownScale) return;
    this.shownScale = scale;
    const ratio = Math.min(window.devicePixelRatio, 2) * scale;
    this.stage.renderer.setPixelRatio(1);
    this.stage.renderer.setSize(
      Math.max(1, Math.round(this.stage.canvas.clientWidth * ratio)),
      Math.max(1, Math.round(this.stage.canvas.clientHeight * ratio)),
      false,
    );
  }

  /** Draws what has been chosen. */
  render(rich: boolean, step: number): void {
    const { uniforms } = this.stage.surface;
    const { palette } = this.stage;
    if (!this.stage.scale || !palette) return;
    setUniforms(
      uniforms,
      this.stage.field,
      this.stage.bounds,
      this.stage.camera,
      this.stage.daylight,
      {
        scale: this.stage.scale,
        land: this.stage.look,
        palette,
        sun: this.stage.sun,
        tall: this.stage.tall,
        view: VIEWS.indexOf(this.stage.comparing === 'difference' ? 'difference' : this.stage.view),
        grid: this.stage.grid,
        pixels: this.photo.lines || this.stage.renderer.domElement.height,
      },
      performance.now(),
    );
    this.stage.surface.need({
      rich,
      sea: this.stage.look.sea !== null,
      difference: this.stage.comparing === 'difference',
      materials: this.stage.look.byMaterial && this.stage.materials > 0,
      layers: palette.strata.length > 0,
    });
    const { past } = this.stage;
    const compares = this.stage.comparing === 'wipe' || this.stage.comparing === 'before';
    const before = past?.known && compares && !this.photo.lines;
    const { width, height } = this.stage.renderer.domElement;
    const border = !before
      ? 0
      : this.stage.comparing === 'before'
        ? width
        : Math.round(width * this.stage.wipe);
    if (past && border > 0) this.renderPast(past, border, height, step);
    this.stage.surface.use(this.stage.pool);
    setDaylight(uniforms, this.stage.daylight);
    uniforms['uWas']!.value = (past ?? this.stage).pool.shape;
    uniforms['uDifference']!.value = this.stage.difference;
    this.stage.surface.show(this.stage.chooser.selection.drawn, step, (slot) =>
      this.stage.comparing === 'difference' && past ? past.slotOf(slot.level, slot.x, slot.y) : -1,
    );
    this.stage.renderer.setScissorTest(border > 0);
    this.stage.renderer.setScissor(border, 0, width - border, height);
    if (border < width) this.stage.renderer.render(this.scene, this.stage.camera.camera);
    this.stage.renderer.setScissorTest(false);
  }

  /** What was, left of a border. */
  private renderPast(past: Past, border: number, height: number, step: number): void {
    this.stage.surface.use(past.pool);
    setDaylight(this.stage.surface.uniforms, past.daylight);
    this.stage.surface.show(past.drawn, step);
    this.stage.renderer.setScissorTest(true);
    this.stage.renderer.setScissor(0, 0, border, height);
    this.stage.renderer.render(this.scene, this.stage.camera.camera);
  }

  /** Calls back when the picture is made. A slow renderer is waited for: its work would queue up behind the browser's. */
  waitFor(done: () => void): void {
    const gl = this.stage.renderer.getContext() as WebGL2RenderingContext;
    if (!this.stage.pace.fast) {
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

  /** Sees what is on the screen and in the picture. */
  wideCamera(): PerspectiveCamera {
    const camera = this.stage.camera.camera.clone();
    camera.aspect = Math.max(camera.aspect, this.photo.aspect);
    camera.updateProjectionMatrix();
    return camera;
  }

  /** Tiles for a picture of so many lines; they come within some seconds, or it is made of what is there. */
  private async refine(lines: number, aspect: number): Promise<void> {
    this.photo = { lines, aspect };
    const end = performance.now() + PAUSES.refine;
    do {
      this.stage.choose('still', performance.now());
      if (!this.stage.chooser.waits) return;
      await new Promise((resolve) => setTimeout(resolve, PAUSES.want));
    } while (performance.now() < end);
  }

  private photograph(lines: number, clear: boolean): void {
    this.photo.lines = lines;
    const over = [this.ghost.lines, this.outline.line];
    const shown = over.map(({ visible }) => visible);
    for (const item of over) item.visible = false;
    this.stage.surface.sky.visible = !clear;
    this.render(true, 1);
    this.stage.surface.sky.visible = true;
    over.forEach((item, k) => (item.visible = shown[k]!));
  }

  /** The picture as a PNG, at full quality. */
  screenshot(): Promise<Blob | null> {
    this.fit(1);
    this.stage.choose('still', performance.now());
    this.render(true, 1);
    return new Promise((resolve) => this.stage.canvas.toBlob(resolve, 'image/png'));
  }
}
