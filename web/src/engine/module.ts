/**
 * The module of the package that scores hands and knows their notation, once it is loaded.
 *
 * `device.ts` loads it, beside the first paint; `null` until then. What shows what it says reads the
 * signal, and is shown again when it is there.
 */
import { computed, signal } from '@preact/signals';
import type * as Package from '../../../bindings/npm/index.js';

export type Module = typeof Package;

export const module = signal<Module | null>(null);

/** Number of house rules that were added to it. */
export const added = signal(0);

/** The rule sets that it has, with house rules; `null` until it is loaded. */
export const shipped = computed(() => {
  void added.value;
  const list = module.value?.rulesets().rulesets;
  return list ? new Set<string>(list.map(({ id }) => id)) : null;
});
