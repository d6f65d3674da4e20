// SPDX-License-Identifier: MIT
/** How the land looks: palette, snow, trees, sea, light and air. Nothing of it is simulated. */
import type { App } from '../app';
import type { Palette, Row, Value } from '../protocol/types';
import { control, type Control } from '../ui/control';
import { el, fold, remember, words } from '../ui/dom';
import { PAUSES } from '../view/pauses';
import { treeLineOf, PLAIN_LOOK, type LandLook } from '../view/palette';
import { SIDE_SAMPLES, type SideLayers } from '../view/sides';
import { sunAt } from '../view/sun';

/** Palettes by words of a terrain's or a scene's name. */
const FITTING: Record<string, string> = {
  alpine: 'highland',
  badlands: 'badlands',
  billowy: 'valley',
  canyon: 'canyon',
  dunes: 'desert',
  fbm: 'valley',
  island: 'volcanic',
  ridged: 'highland',
  valley: 'valley',
  volcano: 'volcanic',
  warped: 'badlands',
};

function row(
  name: string,
  value: number,
  low: number,
  high: number,
  unit: string,
  help: string,
  scene = value,
): Row {
  const kind = 'number';
  return { name, kind, default: scene, low, high, unit, help, value, scene, whole: true };
}

export class LookPanel {
  readonly element: HTMLDetailsElement;
  private readonly swatches = el('div', {
    class: 'swatches',
    role: 'group',
    'aria-label': 'Palettes',
  });
  private readonly rows = el('div', {});
  private readonly sun = new Map<'azimuth' | 'elevation', Control>();
  private scene = '';
  private sidesAt = -Infinity;
  private sidesOf = '';
  private sidesAsked = false;

  constructor(private readonly app: App) {
    this.element = fold('Look', false, this.swatches, this.rows);
    app.on('hello', () => this.begin());
    app.on('status', () => {
      if (this.rows.childElementCount === 0 && app.stage.loop.ready) this.build();
      void this.askSides();
    });
    app.on('describe', () => void this.askSides());
    app.on('cut', () => void this.askSides(0));
  }

  /** The next landscape is made by a scene of that name. */
  expect(scene: string): void {
    this.scene = scene;
  }

  private palettes(): Palette[] {
    return this.app.hello?.palettes ?? [];
  }

  private palette(): Palette | undefined {
    const { look } = this.app.stage;
    return this.palettes().find(({ name }) => name === look.palette) ?? this.palettes()[0];
  }

  private key(): string {
    return `gully.look.${this.app.description?.world.terrain ?? ''}`;
  }

  /** Another landscape: the look that it had when it was last here, or one that fits. */
  private begin(): void {
    const terrain = `${this.scene} ${this.app.description?.world.terrain ?? ''}`;
    const fitting = Object.keys(FITTING).find((word) => terrain.includes(word));
    let look: LandLook = { ...PLAIN_LOOK, palette: fitting ? FITTING[fitting]! : '' };
    try {
      look = { ...look, ...(JSON.parse(remember(this.key()) ?? '{}') as Partial<LandLook>) };
    } catch {
      // Something else was kept there.
    }
    this.scene = '';
    this.rows.replaceChildren();
    this.sidesOf = '';
    this.set(look, false);
    this.showSwatches();
  }

  private set(change: Partial<LandLook>, keep = true): void {
    const { stage } = this.app;
    stage.look = { ...stage.look, ...change };
    const palette = this.palette();
    if (palette) stage.setLook(stage.look, palette);
    if (keep) remember(this.key(), JSON.stringify(stage.look));
    stage.hand();
  }

  private choose(change: Partial<LandLook>): void {
    this.set(change);
    this.showSwatches();
    this.build();
  }

  private showSwatches(): void {
    const { look } = this.app.stage;
    const painted = look.byMaterial && (this.app.description?.materials.length ?? 0) > 0;
    const swatch = (
      name: string,
      help: string,
      colors: string[],
      on: boolean,
      click: () => void,
    ): HTMLElement =>
      el(
        'button',
        {
          type: 'button',
          class: 'swatch',
          title: words(help),
          'aria-label': `Palette: ${name}`,
          'aria-pressed': String(on),
          on: { click },
        },
        el(
          'span',
          { class: 'colors' },
          ...colors.map((color) => {
            const part = el('i', {});
            part.style.background = color;
            return part;
          }),
        ),
        words(name),
      );
    const css = (color: number): string => `#${color.toString(16).padStart(6, '0')}`;
    const chosen = this.palette()?.name;
    this.swatches.replaceChildren(
      ...this.palettes().map((palette) => {
        const ground = palette.strata.length
          ? palette.strata.slice(0, 4)
          : [0.1, 0.4, 0.7].map(
              (at) => (palette.belts.find(([height]) => height >= at) ?? palette.belts[0]!)[1],
            );
        const top = palette.snow_line < 1 ? palette.snow : palette.rock;
        return swatch(
          palette.name,
          palette.summary,
          [palette.shallow, ...ground, palette.rock, top].map(css),
          !painted && palette.name === chosen,
          () => this.choose({ palette: palette.name, byMaterial: false }),
        );
      }),
    );
    const materials = this.app.description?.materials ?? [];
    if (materials.length)
      this.swatches.append(
        swatch(
          'by material',
          'each material in its own colour',
          materials.map(({ color }) => color),
          painted,
          () => this.choose({ byMaterial: true }),
        ),
      );
  }

  private build(): void {
    const { stage } = this.app;
    const { scale, look } = stage;
    const palette = this.palette();
    if (!scale || !palette) return;
    const { bottom, top } = stage.bounds;
    const [low, high] = [
      Math.floor(bottom - 0.1 * (top - bottom)),
      Math.ceil(top + 0.25 * (top - bottom)),
    ];
    const at = (share: number): number =>
      Math.round(Math.min(Math.max(scale.lowest + share * scale.relief, low), high));
    const line = (
      key: 'snowLine' | 'treeLine' | 'sea',
      label: string,
      own: number,
      help: string,
    ): HTMLElement => {
      const put = (value: number | null): void => {
        this.set({ [key]: value });
        made.show({ ...made.row, value: value ?? own });
      };
      const made: Control = control(
        row(key, look[key] ?? own, low, high, 'm', help, own),
        { change: (value: Value) => put(Number(value)), reset: () => put(null) },
        label,
      );
      made.element.dataset['look'] = key;
      return made.element;
    };
    const plain = (label: string, made: Row, change: (value: number) => void): Control => {
      const item = control(made, { change: (value) => change(Number(value)) }, label);
      item.element.dataset['look'] = made.name;
      return item;
    };
    const turn = (
      what: 'azimuth' | 'elevation',
      label: string,
      least: number,
      most: number,
      help: string,
    ): HTMLElement => {
      const item = plain(label, row(what, stage.sun[what], least, most, 'deg', help), (value) =>
        stage.setSun({ ...stage.sun, [what]: value }),
      );
      this.sun.set(what, item);
      return item.element;
    };
    const sea = look.sea ?? low;
    this.rows.replaceChildren(
      line(
        'snowLine',
        'Snow line',
        at(palette.snow_line),
        'height from which snow lies, above zero',
      ),
      ...(treeLineOf(palette) > 0
        ? [
            line(
              'treeLine',
              'Tree line',
              at(treeLineOf(palette)),
              'height up to which plants grow, above zero',
            ),
          ]
        : []),
      line(
        'sea',
        'Sea level',
        Math.min(sea, low),
        'height of a sea that is only shown, above zero',
      ),
      plain(
        'Hour',
        row('hour', 15.5, 5.2, 18.8, 'h', 'time of day: moves the sun along its way'),
        (hour) => this.setHour(hour),
      ).element,
      turn('azimuth', 'Sun', 0, 360, 'where the sun stands, clockwise from north'),
      turn('elevation', 'Sun up', 2, 90, 'how high the sun stands'),
      plain(
        'Exposure',
        row('exposure', look.exposure, -3, 3, '', 'stops: each one doubles the light', 0),
        (exposure) => this.set({ exposure }),
      ).element,
      plain('Haze', row('haze', look.haze, 0, 5, '', 'how thick the air is', 1), (haze) =>
        this.set({ haze }),
      ).element,
      plain(
        'Relief',
        row('relief', stage.tall, 0.5, 5, '', 'multiplies heights, in the picture only'),
        (tall) => stage.setTall(tall),
      ).element,
    );
  }

  private setHour(hour: number): void {
    const { stage } = this.app;
    stage.setSun(sunAt(hour));
    for (const [what, item] of this.sun)
      item.show({ ...item.row, value: Math.round(stage.sun[what]) });
  }

  /** The layers in the sides of the block follow what happens, not too often. */
  private async askSides(pause: number = PAUSES.sides): Promise<void> {
    const { status, description, stage } = this.app;
    if (!description?.materials.length || !status) return;
    const now = performance.now();
    const { end } = stage.field;
    const of = JSON.stringify([
      this.app.hello?.session,
      status.step,
      status.depth,
      status.undo,
      end,
    ]);
    if (of === this.sidesOf || now - this.sidesAt < pause || this.sidesAsked) return;
    this.sidesOf = of;
    this.sidesAt = now;
    this.sidesAsked = true;
    const reply = await this.app.do('sides', { samples: SIDE_SAMPLES, end });
    this.sidesAsked = false;
    if (reply) stage.setSides(reply as unknown as SideLayers, description.materials);
    if (String(end) !== String(stage.field.end)) await this.askSides(0); // it was cut elsewhere meanwhile
  }
}
