/**
 * Own sets: sheets are named, sets learned, checked and merged on this device, by the npm package.
 * No server sees them. Every error is a `Failure`; what is wrong with a file or a sheet is its
 * detail, in the page's language.
 */
import type { SetContent } from '../../../bindings/npm/index.js';
import type { SheetRows } from '../api/types';
import { lang } from '../browser/lang';
import { callPackage, reader } from './device';

export type { SetContent };

const options = () => ({ lang: lang.peek() });

/** Finds the tiles of a sheet, and proposes their names. */
export const readSheet = async (photo: Blob): Promise<SheetRows> => {
  const { rows } = await callPackage(async () => (await reader()).sheet(photo, options()));
  return rows as unknown as SheetRows;
};

/** A photo of a sheet and the names of its tiles; a tile without one is left out. */
interface NamedSheet {
  readonly photo: Blob;
  readonly names: (string | null)[][];
}

/** Learns a set from named sheets. */
export const learnSet = (name: string, sheets: readonly NamedSheet[]): Promise<Uint8Array> =>
  callPackage(async () => (await reader()).learnSet(name, sheets, options()));

/** Content of a file; a failure with the reason if it is not a set. */
export const showSet = (file: Uint8Array): Promise<SetContent> =>
  callPackage(async () => (await reader()).showSet(file, options()));

/** Merges sets of the same tiles; of one, a copy under another name. */
export const mergeSets = (files: readonly Uint8Array[], name: string): Promise<Uint8Array> =>
  callPackage(async () => (await reader()).mergeSets(files, { ...options(), name }));
