// SPDX-License-Identifier: MIT
/** The left panel: views, tools, what the tool needs, light. */
import type { App } from '../app';
import { BrushTool, RADIUS, type BrushState } from '../tools/brush';
import type { Hand } from '../tools/hand';
import type { LookTool } from '../tools/look';
import { RulerTool } from '../tools/ruler';
import { SelectTool } from '../tools/select';
import { SourceTool } from '../tools/source';
import { StampTool } from '../tools/stamp';
import type { Tool } from '../tools/tool';
import type { Row } from '../protocol/types';
import { control, type Control } from '../ui/control';
import { el, fold, icon, upper, words } from '../ui/dom';
import { ICONS } from '../ui/icons';
import type { View } from '../view/stage';

const VIEW_NAMES: [View, string, string][] = [
  ['natural', 'Land', 'rock, plants, soil, snow, or the materials'],
  ['mei', 'Mud', 'sediment in the water green, what it left behind red, as in Mei et al. 2007'],
  ['flow', 'Flow', 'where much water has run'],
  ['wear', 'Wear', 'where ground was taken away'],
  ['slope', 'Slope', 'green is flat, yellow 25 degrees, red steep'],
  ['hardness', 'Hard', 'how hard the ground is to erode'],
];

export class ToolsPanel {
  readonly element = el('aside', { class: 'panel left', 'aria-label': 'View and tools' });
  private readonly body = el('div', { class: 'panel-body' });
  readonly stamp: StampTool;
  readonly select: SelectTool;
  private readonly source: SourceTool;
  private readonly ruler: RulerTool;
  private readonly tools = new Map<string, Tool>();
  private readonly buttons = new Map<string, HTMLButtonElement>();
  private readonly palette = el('div', { class: 'palette', role: 'group', 'aria-label': 'Tools' });
  private readonly settings = el('div', { class: 'tool-settings' });
  private readonly views = el('div', { class: 'views', role: 'group', 'aria-label': 'Views' });
  private readonly grid = el('input', {
    type: 'checkbox',
    class: 'switch',
    'aria-label': 'Tile grid',
  });
  /** How much of the block is cut off, so that one sees what lies in it. */
  private readonly cuts = [this.cutRow('east', 'Cut east'), this.cutRow('south', 'Cut south')];
  private shape = '';
  private state: BrushState = {
    radius: 0,
    falloff: 0.5,
    layer: -1,
    scale: 0,
    seed: 1,
    strengths: new Map(),
    limits: new Map(),
  };

  constructor(
    private readonly app: App,
    private readonly hand: Hand,
    private readonly look: LookTool,
    pins: HTMLElement,
    loadStamp: () => void,
  ) {
    const choose = (name: string): void => this.choose(name);
    this.stamp = new StampTool(app, loadStamp);
    this.select = new SelectTool(app, this.stamp, choose);
    this.source = new SourceTool(app, pins, choose);
    this.ruler = new RulerTool(app);
    VIEW_NAMES.forEach(([view, name, help], index) => {
      this.views.append(
        el(
          'button',
          {
            type: 'button',
            class: 'chip',
            title: `${upper(help)} (${index + 1})`,
            'aria-label': `View: ${name}`,
            'aria-pressed': 'false',
            'data-view': view,
            on: { click: () => this.setView(view) },
          },
          name,
        ),
      );
    });
    this.grid.addEventListener('change', () => {
      app.stage.grid = this.grid.checked;
      app.stage.hand();
    });
    const gridRow = el(
      'label',
      { class: 'row flag', title: 'The tiles that the land is made of, by distance' },
      el('span', { class: 'row-name' }, 'Tile grid'),
      el('span', { class: 'row-parts' }, this.grid),
    );
    this.body.append(
      fold('View', true, this.views, gridRow, ...this.cuts.map(({ element }) => element)),
      fold('Tools', true, this.palette, this.settings),
    );
    this.element.append(this.body);
    app.on('hello', () => this.begin());
    app.on('describe', () => {
      this.build();
      this.source.update();
      if (this.hand.tool !== this.source) this.hand.tool.update?.();
    });
    app.on('tool', () => this.show());
  }

  private cutRow(side: 'east' | 'south', label: string): Control {
    const place = side === 'east' ? 0 : 1;
    const row: Row = {
      name: side,
      kind: 'number',
      default: 0,
      low: 0,
      high: 99,
      unit: '%',
      help: 'how much of that side is cut off: the face shows what lies below the ground',
      value: 0,
      scene: 0,
      whole: true,
    };
    const put = (value: number): void => {
      const { stage } = this.app;
      const cut: [number, number] = [...stage.field.cut];
      cut[place] = value / 100;
      stage.setCut(...cut);
      this.app.tell('cut');
      made.show({ ...row, value });
    };
    const made = control(row, { change: (value) => put(Number(value)) }, label);
    made.element.dataset['cut'] = side;
    return made;
  }

  /** Another part of the panel, below the others. */
  add(part: HTMLElement): void {
    this.body.append(part);
  }

  setView(view: View): void {
    this.app.stage.view = view;
    for (const chip of this.views.querySelectorAll<HTMLButtonElement>('.chip'))
      chip.setAttribute('aria-pressed', String(chip.dataset['view'] === view));
    this.app.stage.hand();
  }

  viewAt(index: number): void {
    const view = VIEW_NAMES[index];
    if (view) this.setView(view[0]);
  }

  toggleGrid(): void {
    this.grid.checked = !this.grid.checked;
    this.grid.dispatchEvent(new Event('change'));
  }

  choose(name: string): void {
    const tool = this.tools.get(name);
    if (tool) this.hand.take(tool);
  }

  /** The brush that is chosen, or null. */
  get brush(): BrushTool | null {
    return this.hand.tool instanceof BrushTool ? this.hand.tool : null;
  }

  private begin(): void {
    const size = Math.max(...this.app.stage.field.size);
    this.state.radius = Number((RADIUS * size).toPrecision(2));
    this.state.limits.clear();
    this.shape = '';
    this.cuts.forEach((made, k) =>
      made.show({ ...made.row, value: 100 * this.app.stage.field.cut[k]! }),
    );
    this.build();
    this.setView(this.app.stage.view);
  }

  private build(): void {
    const { description } = this.app;
    const shape = JSON.stringify(description?.brushes.map((brush) => brush.name));
    if (!description || shape === this.shape) return;
    this.shape = shape;
    const chosen = this.hand.tool.name;
    this.tools.clear();
    this.buttons.clear();
    this.palette.replaceChildren();
    this.offer(this.look, 'Orbit', 'Look around (V)');
    for (const info of description.brushes)
      this.offer(new BrushTool(this.app, info, this.state), words(info.name), words(info.summary));
    this.offer(this.select, 'Select', 'Select a piece of ground, copy it');
    this.offer(this.stamp, 'Stamp', 'Put a heightmap or a copy onto the ground');
    this.offer(this.source, 'Source', 'Let water spring somewhere');
    this.offer(this.ruler, 'Ruler', 'Measure a way, and look at its profile');
    this.hand.take(this.tools.get(chosen) ?? this.look);
    this.show();
  }

  private offer(tool: Tool, name: string, help: string): void {
    this.tools.set(tool.name, tool);
    const item = el(
      'button',
      {
        type: 'button',
        class: 'tool',
        title: help,
        'aria-label': name,
        'aria-pressed': 'false',
        'data-tool': tool.name,
        on: {
          click: (event: MouseEvent) => {
            this.hand.take(tool);
            if (event.detail > 0) this.app.stage.canvas.focus(); // by the mouse: it goes there next
          },
        },
      },
      icon(ICONS[tool.name] ?? ICONS['brush']!),
      el('span', {}, name),
    );
    this.buttons.set(tool.name, item);
    this.palette.append(item);
  }

  private show(): void {
    const { tool } = this.hand;
    for (const [name, item] of this.buttons)
      item.setAttribute('aria-pressed', String(name === tool.name));
    this.settings.replaceChildren(tool.settings);
    this.app.stage.canvas.dataset['tool'] = tool.name;
  }
}
