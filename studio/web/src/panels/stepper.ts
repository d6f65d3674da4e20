// SPDX-License-Identifier: MIT
/** What steps: the processor, or a device. Shown in the bar on top; a click offers the others. */
import type { App } from '../app';
import type { DeviceInfo, DeviceStatus } from '../protocol/types';
import { readDevices } from '../protocol/describe';
import { sheet } from '../ui/dialog';
import { bytes, el } from '../ui/dom';
import { note } from '../ui/notes';
import { t } from '../ui/language';

function labelOf(device: DeviceStatus): string {
  if (device.state === 'compiling') return `Processor, compiling for ${device.name}`;
  return device.state === 'device' ? device.name : 'Processor';
}

function titleOf(device: DeviceStatus): string {
  const steps = {
    cpu: 'The processor steps.',
    compiling: 'The processor steps until the kernels of the device are compiled.',
    device: `The device steps: ${device.bytes_per_cell_step} bytes a cell and step.`,
    failed: 'The device has failed, and the processor goes on.',
  }[device.state];
  return `${steps} ${device.message} Click to change it.`.replace('  ', ' ');
}

export class Stepper {
  readonly element = el('button', {
    type: 'button',
    class: 'stepper',
    hidden: true,
    'aria-label': 'What steps',
    on: { click: () => void this.offer() },
  });
  private shown = '';

  constructor(private readonly app: App) {
    app.on('status', () => this.update());
  }

  private update(): void {
    const device = this.app.status?.device;
    if (!device) return;
    const shape = JSON.stringify(device);
    if (shape === this.shown) return;
    const failed = device.state === 'failed' && !this.shown.includes('"state":"failed"');
    this.shown = shape;
    this.element.hidden = false;
    this.element.textContent = t(labelOf(device));
    this.element.setAttribute('aria-label', t(`What steps: ${labelOf(device)}`));
    this.element.title = t(titleOf(device));
    this.element.dataset['state'] = device.state;
    if (failed)
      note(`The device has failed, and the processor goes on. ${device.message}`, 'error');
  }

  private card(name: string, summary: string, fits: boolean, choose: () => void): HTMLElement {
    return el(
      'button',
      { type: 'button', class: 'card', disabled: !fits, 'aria-label': name, on: { click: choose } },
      el('b', {}, name),
      el('small', {}, summary),
    );
  }

  private deviceCard(info: DeviceInfo, choose: () => void): HTMLElement {
    const about = `${info.platform}, ${bytes(info.memory)}, driver ${info.driver}`;
    return this.card(info.name, info.fits ? about : `${about}. ${info.reason}`, info.fits, choose);
  }

  /** Shows what there is; looking at devices takes the engine a moment. */
  private async offer(): Promise<void> {
    const reply = await this.app.do('devices');
    if (!reply) return;
    const { devices, message } = readDevices(reply);
    const use = (keys: Record<string, unknown>): void => {
      made.close();
      void this.app.do('use', keys);
    };
    const cards = el(
      'div',
      { class: 'cards' },
      this.card('Processor', 'always there', true, () => use({ backend: 'cpu' })),
      ...devices.map((info) =>
        this.deviceCard(info, () => use({ backend: 'gpu', device: info.name })),
      ),
    );
    const unwatched = el('input', {
      type: 'checkbox',
      class: 'switch',
      checked: this.app.status?.unwatched === true,
      'aria-label': 'Go on while no page is looked at',
    });
    unwatched.addEventListener(
      'change',
      () => void this.app.do('unwatched', { on: unwatched.checked }),
    );
    const made = sheet('What steps', [
      el('p', {}, 'Every device gives the same land, to the bit; it may be changed at any time.'),
      cards,
      el(
        'label',
        { class: 'row flag' },
        el('span', { class: 'row-name' }, 'Go on while no page is looked at'),
        el('span', { class: 'row-parts' }, unwatched),
      ),
      message ? el('p', { class: 'quiet' }, message) : '',
    ]);
  }
}
