/**
 * House rules that this device keeps. All of them are known to the engine, so that an evening is always
 * counted by the rules with which it began; those that were removed are only no longer offered.
 */
import { computed, signal } from '@preact/signals';
import { read, write } from '../browser/storage';
import { type House, isHouse } from '../model/house';

interface Kept extends House {
  /** Whether they are no longer offered. */
  readonly hidden?: boolean;
}

function stored(): readonly Kept[] {
  const kept = read('house');
  return Array.isArray(kept) ? (kept as readonly Kept[]) : [];
}

const kept = signal<readonly Kept[]>(stored());

export const houses = computed((): readonly House[] => kept.value);

/** Returns the house rules with an id. */
export const findHouse = (id: string): House | undefined => kept.value.find((one) => one.id === id);

/** Tells whether a rule set is offered: of house rules, those that were not removed. */
export const isOffered = (id: string): boolean =>
  !isHouse(id) || kept.value.some((one) => one.id === id && !one.hidden);

/** Keeps house rules, also if they were removed before. */
export function keepHouse(house: House): void {
  kept.value = [...kept.value.filter(({ id }) => id !== house.id), house];
  write('house', kept.value);
}

/** Offers house rules no longer. */
export function hideHouse(id: string): void {
  kept.value = kept.value.map((one) => (one.id === id ? { ...one, hidden: true } : one));
  write('house', kept.value);
}
