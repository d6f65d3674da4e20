// SPDX-License-Identifier: MIT
/** A phase as a person edits it, and as a scene's program has it. */
import type { Phase } from '../protocol/types';

export interface PhaseDraft {
  name: string;
  steps: string;
  model: string | null;
  /** What holds in it: a line "key = value" each. */
  set: string;
}

export function draftOf({ name, steps, model, own_model, set }: Phase): PhaseDraft {
  const lines = Object.entries(set).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  return { name, steps: String(steps), model: own_model ? model : null, set: lines.join('\n') };
}

/** As a scene's program has it; throws with a message for people. */
export function phaseOf(draft: PhaseDraft): Record<string, unknown> {
  const set: Record<string, unknown> = {};
  for (const line of draft.set.split('\n').filter((text) => text.trim())) {
    const at = line.indexOf('=');
    if (at < 1) throw new Error(`${draft.name}: "${line}": key = value is wanted`);
    const value = line.slice(at + 1).trim();
    try {
      set[line.slice(0, at).trim()] = JSON.parse(value);
    } catch {
      set[line.slice(0, at).trim()] = value;
    }
  }
  const phase: Record<string, unknown> = { name: draft.name, steps: Number(draft.steps), set };
  if (draft.model !== null) phase['model'] = draft.model;
  return phase;
}
