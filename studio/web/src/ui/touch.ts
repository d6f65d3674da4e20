// SPDX-License-Identifier: MIT
/** What a finger does: look around, as pens paint; or paint too. */
import { remember } from './memory';

const KEY = 'gully.finger';

export const fingerPaints = (): boolean => remember(KEY) === 'paints';
export const setFingerPaints = (on: boolean): void => void remember(KEY, on ? 'paints' : 'looks');
