/** Sentences about own sets: the name of a face, what is wrong with a file, where a set is kept. */
import type { Failure } from '../api/failure';
import { fullStop } from '../browser/lang';
import { faceName, t } from '../i18n';
import { BACK, extraName } from '../model/sheet';
import type { Face } from '../model/tiles';
import { note } from './focus';
import { failureText } from './words';

/** Name of the label of a face; `null` is a tile that is left out. */
export function labelName(label: string | null): string {
  if (label === null) return t.value.ownSets.leftOut;
  if (label === BACK) return t.value.faceDown;
  return extraName(label) ?? faceName(label as Face);
}

/** Fault of a set or a sheet, within a sentence: the engine says it in the page's language. */
export const faultOf = (failure: Failure): string =>
  ((failure.kind === 'malformed-request' && failure.problem.detail) || failureText(failure)).replace(
    /[.。]$/,
    '',
  );

/** Fault of a set or a sheet, as a sentence. */
export function setFault(failure: Failure): string {
  const text = faultOf(failure);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${fullStop()}`;
}

/** Says that a set is kept, or that it is not. */
export function sayKept(isKept: boolean, name: string): void {
  const words = t.value.ownSets;
  note.value = isKept ? words.kept(name) : words.unkept;
}
