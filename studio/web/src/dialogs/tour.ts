// SPDX-License-Identifier: MIT
/** A tour of three minutes: a word at each place, to be tried at once. The page stays as usable as ever. */
import { button, el } from '../ui/dom';

interface Stop {
  /** Where it is about; nothing = the picture. */
  place: string;
  title: string;
  text: string;
}

export const STOPS: readonly Stop[] = [
  {
    place: '#picture',
    title: 'Look around',
    text: 'Drag with the right button to turn, roll the wheel to come closer; on a touch screen one finger turns, two move. Home shows all of it again.',
  },
  {
    place: 'button.play',
    title: 'Let time pass',
    text: 'Space plays and pauses. Water runs, takes ground with it and leaves it elsewhere; the numbers below say how much.',
  },
  {
    place: '.views',
    title: 'See what water does',
    text: 'Mud, Flow and Wear show it in colours. Press 3 for the rivers, then 1 for the land again.',
  },
  {
    place: '.palette',
    title: 'Paint',
    text: 'Choose Raise and paint a hill. Hold to build up, Ctrl does the opposite, Shift smooths; [ and ] change the size. The hill is eroded like the rest.',
  },
  {
    place: '[data-tool="rain"]',
    title: 'Let it rain where you want',
    text: 'Rain and Erode act while you hold them: let a valley be cut just there.',
  },
  {
    place: '[data-section="macros"]',
    title: 'Say it in words',
    text: 'Strength, age, wetness, rock and detail move many numbers at once. What they touch stands below; a click goes to the number itself.',
  },
  {
    place: '.scrubber',
    title: 'Go back in time',
    text: 'Drag the bar to an earlier moment, look, and play on from there. Ctrl+Z undoes what you did, also if time has passed since.',
  },
  {
    place: '[data-tour="compare"]',
    title: 'Compare',
    text: 'C draws a line between what was and what is; drag it. History keeps everything that you did, with names.',
  },
  {
    place: '[data-tour="export"]',
    title: 'Take it with you',
    text: 'Export packs all that your engine needs into one zip. Pictures and films are beside it; Save keeps the session, and gives it away as one file.',
  },
];

let open: (() => void) | null = null;

/** Where the words stand: beside their place, within the window. */
function stand(words: HTMLElement, place: DOMRect): void {
  const { offsetWidth: width, offsetHeight: height } = words;
  const gap = 14;
  const large = place.width > 0.5 * innerWidth && place.height > 0.4 * innerHeight;
  let x = place.left + 0.5 * (place.width - width);
  let y = large ? place.top + gap : place.bottom + gap;
  if (!large && place.right < 0.4 * innerWidth) [x, y] = [place.right + gap, place.top];
  if (!large && place.left > 0.6 * innerWidth) [x, y] = [place.left - width - gap, place.top];
  if (y + height > innerHeight - gap) y = Math.max(gap, place.top - height - gap);
  words.style.left = `${Math.min(Math.max(x, gap), innerWidth - width - gap)}px`;
  words.style.top = `${Math.min(Math.max(y, gap), innerHeight - height - gap)}px`;
}

export function takeTour(): void {
  open?.();
  let at = 0;
  const frame = el('div', { class: 'tour-frame', 'aria-hidden': 'true' });
  const words = el('div', { class: 'tour', role: 'dialog', 'aria-label': 'Tour' });
  const end = (): void => {
    frame.remove();
    words.remove();
    removeEventListener('keydown', keys);
    removeEventListener('resize', show);
    open = null;
  };
  const go = (to: number): void => {
    if (to >= STOPS.length) return end();
    at = Math.max(to, 0);
    show();
    words.querySelector<HTMLElement>('.primary')?.focus();
  };
  const show = (): void => {
    const { place, title, text } = STOPS[at]!;
    const target = document.querySelector<HTMLElement>(place) ?? document.body;
    target.closest('details')?.setAttribute('open', '');
    target.scrollIntoView({ block: 'nearest' });
    const last = at === STOPS.length - 1;
    words.replaceChildren(
      el('h3', {}, title),
      el('p', {}, text),
      el(
        'footer',
        {},
        el('small', {}, `${at + 1} of ${STOPS.length}`),
        button('End the tour', end),
        at > 0 ? button('Back', () => go(at - 1)) : null,
        button(last ? 'Done' : 'Next', () => go(at + 1), 'primary'),
      ),
    );
    const box = target.getBoundingClientRect();
    Object.assign(frame.style, {
      left: `${box.left - 4}px`,
      top: `${box.top - 4}px`,
      width: `${box.width + 8}px`,
      height: `${box.height + 8}px`,
    });
    stand(words, box);
  };
  const keys = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') end();
  };
  addEventListener('keydown', keys);
  addEventListener('resize', show);
  document.body.append(frame, words);
  open = end;
  go(0);
}
