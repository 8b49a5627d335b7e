/** The way in which the hands of an evening are entered, which stays from deal to deal and after a reload. */
import { effect, signal } from '@preact/signals';
import { read, write } from '../browser/storage';

export type Way = 'photo' | 'library' | 'live' | 'typed' | 'points';

export const WAYS: readonly Way[] = ['photo', 'library', 'live', 'typed', 'points'];

export const wayToEnter = signal<Way>(WAYS.find((way) => way === read('way')) ?? 'photo');

effect(() => {
  if (wayToEnter.value !== read('way')) write('way', wayToEnter.value);
});
