// SPDX-License-Identifier: MIT
/** The bottom: play, step, speed, phases, time, rate, ledger. */
import type { App } from '../app';
import { button, count, duration, el, format, icon, iconButton, words } from '../ui/dom';
import { ICONS } from '../ui/icons';
import { editPhases } from '../dialogs/phases';
import { Ledger } from './ledger';
import { Scrub } from './scrub';
import { t } from '../ui/language';

const SPEEDS: [number, string][] = [
  [0, 'Full speed'],
  [1, '1 step/s'],
  [5, '5 steps/s'],
  [20, '20 steps/s'],
  [60, '60 steps/s'],
];

export class Timeline {
  readonly element = el('footer', { class: 'panel bottom', 'aria-label': 'Time' });
  private readonly playButton: HTMLButtonElement;
  private readonly stepButton: HTMLButtonElement;
  private readonly phases = el('div', { class: 'phases', role: 'group', 'aria-label': 'Phases' });
  private readonly time = el('span', {
    class: 'reading',
    role: 'group',
    'aria-label': 'Simulated time',
  });
  private readonly steps = el('span', { class: 'reading', role: 'group', 'aria-label': 'Steps' });
  private readonly rate = el('span', {
    class: 'reading',
    role: 'group',
    'aria-label': 'Steps per second',
  });
  private readonly speed = el('select', { 'aria-label': 'Speed', title: 'How fast time goes' });
  private readonly repeat: HTMLButtonElement;
  private readonly runSteps = el('input', {
    type: 'text',
    class: 'number',
    inputMode: 'numeric',
    value: '100',
    'aria-label': 'Steps to run',
  });
  private readonly end = el('span', { class: 'end', role: 'status' });
  /** Counts down, so it is not read out. */
  private readonly toGo = el('span', { class: 'to-go' });
  private bars: { element: HTMLButtonElement; fill: HTMLElement; hold: HTMLButtonElement }[] = [];
  private shape = '';
  private playing: boolean | null = null;

  constructor(private readonly app: App) {
    this.playButton = iconButton('Play', ICONS['play']!, () => this.toggle(), 'Space');
    this.playButton.classList.add('play');
    this.stepButton = iconButton('One step', ICONS['step']!, () => this.step(), '.');
    const start = iconButton('Back to the start', ICONS['start']!, () => this.restart());
    start.title = t('Back to the start, with the parameters as they are now');
    this.repeat = iconButton(
      'Repeat',
      ICONS['repeat']!,
      () => void app.do('repeat', { on: !app.status?.repeats }),
    );
    this.repeat.title = t('Begin again after the last phase');
    const run = button('Run', () => this.run({ steps: Math.round(Number(this.runSteps.value)) }));
    run.title = t('Run so many steps, and stop');
    const cycle = button('To the end', () => this.run({ cycle: true }));
    cycle.title = t('Run what is left of the phases, and stop');
    const edit = iconButton('Edit the phases', ICONS['edit']!, () => editPhases(app));
    for (const [value, name] of SPEEDS)
      this.speed.append(el('option', { value: String(value) }, name));
    this.speed.addEventListener(
      'change',
      () => void this.app.do('speed', { steps_per_second: Number(this.speed.value) }),
    );
    const reading = (name: string, output: HTMLElement): HTMLElement =>
      el('div', { class: 'gauge' }, el('small', {}, name), output);
    this.element.append(
      el(
        'div',
        { class: 'transport' },
        start,
        this.playButton,
        this.stepButton,
        el('div', { class: 'runs' }, el('div', {}, this.runSteps, run, cycle), this.speed),
        this.repeat,
      ),
      el(
        'div',
        { class: 'times' },
        new Scrub(app).element,
        el('div', { class: 'phase-line' }, this.phases, edit),
        this.end,
        this.toGo,
      ),
      el(
        'div',
        { class: 'gauges' },
        reading('Time', this.time),
        reading('Step', this.steps),
        reading('Steps/s', this.rate),
      ),
      new Ledger(app).element,
    );
    app.on('status', () => this.update());
    app.on('describe', () => this.build());
  }

  toggle(): void {
    this.app.play(!this.app.status?.playing);
  }

  step(): void {
    if (this.app.status?.playing) this.app.play(false);
    void this.app.act('step', { steps: 1 }, performance.now());
  }

  /** So many steps, or what is left of the program. */
  private run(keys: { steps: number } | { cycle: true }): void {
    if (this.app.status?.playing) this.app.play(false);
    void this.app.act('step', keys, performance.now());
  }

  restart(): void {
    if (this.app.status?.playing) this.app.play(false);
    void this.app.act('seek', { step: 0, keep: true }, performance.now());
  }

  private build(): void {
    const phases = this.app.description?.phases ?? [];
    const shape = JSON.stringify(phases);
    if (shape === this.shape) return;
    this.shape = shape;
    this.bars = [];
    this.phases.replaceChildren();
    phases.slice(0, 12).forEach((phase, index) => {
      const fill = el('span', { class: 'fill' });
      const element = el(
        'button',
        {
          type: 'button',
          class: 'phase',
          title: `Phase ${phase.name}: ${phase.steps} steps. Click to go there.`,
          'aria-label': `Go to phase ${phase.name}`,
          on: {
            click: () => void this.app.act('phase', { index, hold: false }, performance.now()),
          },
        },
        fill,
        el('span', { class: 'phase-name' }, words(phase.name)),
      );
      element.style.flexGrow = String(Math.max(phase.steps, 1) ** 0.5);
      const hold = el(
        'button',
        {
          type: 'button',
          class: 'hold',
          title: `Stay in phase ${phase.name}`,
          'aria-label': `Stay in phase ${phase.name}`,
          'aria-pressed': 'false',
        },
        icon(ICONS['loop']!),
      );
      hold.addEventListener('click', () => {
        const held = hold.getAttribute('aria-pressed') === 'true';
        void this.app.act('phase', { index, hold: !held }, performance.now());
      });
      element.after(hold);
      const pair = el('div', { class: 'phase-pair' }, element, hold);
      pair.style.flexGrow = element.style.flexGrow;
      this.phases.append(pair);
      this.bars.push({ element, fill, hold });
    });
    this.update();
  }

  private update(): void {
    const { status, description } = this.app;
    if (!status) return;
    if (status.playing !== this.playing) {
      this.playing = status.playing;
      const name = t(status.playing ? 'Pause' : 'Play');
      this.playButton.replaceChildren(icon(ICONS[status.playing ? 'pause' : 'play']!));
      this.playButton.setAttribute('aria-label', name);
      this.playButton.title = t(`${name} (Space)`);
      this.playButton.classList.toggle('on', status.playing);
    }
    if (
      document.activeElement !== this.speed &&
      [...this.speed.options].some((option) => Number(option.value) === status.speed)
    )
      this.speed.value = String(status.speed);
    this.repeat.classList.toggle('on', status.repeats);
    this.repeat.setAttribute('aria-pressed', String(status.repeats));
    const end = status.ended ? t('The end of the program. Play goes through it once more.') : '';
    if (this.end.textContent !== end) this.end.textContent = end;
    this.toGo.textContent = status.to_go > 0 ? t(`${count(status.to_go)} steps to go`) : '';
    this.time.textContent = t(duration(status.time, status.time_unit));
    this.steps.textContent = count(status.step);
    this.rate.textContent = status.playing ? format(status.steps_per_second, 3) : '–';
    this.rate.title = status.playing
      ? t(`${format(status.mcells_per_second, 3)} million cells per second`)
      : '';
    this.bars.forEach(({ element, fill, hold }, index) => {
      const now = status.phase === index;
      const steps = description?.phases[index]?.steps ?? 1;
      element.classList.toggle('now', now);
      element.setAttribute('aria-current', String(now));
      const share = now ? Math.min(status.phase_step / Math.max(steps, 1), 1) : 0;
      fill.style.transform = `scaleX(${share.toFixed(3)})`;
      const held = now && status.phase_held;
      hold.setAttribute('aria-pressed', String(held));
    });
  }
}
