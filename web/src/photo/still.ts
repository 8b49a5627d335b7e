/**
 * HEIC and AVIF files that this browser can't show: their metadata is wiped here, and the service
 * makes a JPEG of what is left.
 *
 * The boxes are those of ISO/IEC 14496-12 and 23008-12. Only pictures stay: the bytes of every other
 * item (Exif, XMP), of unknown boxes and of times are set to zero in place, so that no offset changes.
 */

interface Box {
  readonly kind: string;
  /**
   * Offset of the first byte of the content in the file; `end` is that of the byte after the last.
   */
  readonly start: number;
  readonly end: number;
}

/** Items that show something, or say how pictures form one. */
const PICTURES: ReadonlySet<string> = new Set(['hvc1', 'hev1', 'av01', 'grid', 'iden', 'iovl', 'tmap']);

/**
 * Tells whether a file begins like HEIC, HEIF or AVIF: with an `ftyp` box that has one of their
 * brands.
 */
export function isStill(start: string): boolean {
  return /^....ftyp(?:....)*?(?:hei[cxms]|hev[cx]|mif[12]|msf1|avi[fs])/s.test(start);
}

/** A number of so many bytes; files whose numbers do not fit are not understood. */
function uint(bytes: Uint8Array, at: number, length: number): number {
  if (at + length > bytes.length) throw new RangeError('the file ends too early');
  let number = 0;
  for (let index = at; index < at + length; index += 1) number = number * 256 + (bytes[index] ?? 0);
  if (!Number.isSafeInteger(number)) throw new RangeError('a number is too large');
  return number;
}

const text = (bytes: Uint8Array, at: number): string => String.fromCharCode(...bytes.subarray(at, at + 4));

/** The boxes between two places of a file. */
function boxes(bytes: Uint8Array, start: number, end: number): Box[] {
  const found: Box[] = [];
  for (let at = start; at < end; ) {
    const short = uint(bytes, at, 4);
    const head = short === 1 ? 16 : 8;
    const long = short === 1 ? uint(bytes, at + 8, 8) : short;
    const length = short === 0 ? end - at : long;
    if (length < head || at + length > end) throw new RangeError('a box is longer than the file');
    found.push({ kind: text(bytes, at + 4), start: at + head, end: at + length });
    at += length;
  }
  return found;
}

/**
 * A copy of a file without metadata.
 *
 * @returns null where the file is not understood, which therefore must not be sent.
 */
export function wiped(file: Uint8Array): Uint8Array | null {
  const bytes = file.slice();
  try {
    for (const box of boxes(bytes, 0, bytes.length)) {
      if (box.kind === 'meta') wipeItems(bytes, box);
      else if (box.kind === 'moov') wipeTracks(bytes, box);
      else if (box.kind !== 'ftyp' && box.kind !== 'mdat') bytes.fill(0, box.start, box.end);
    }
    return bytes;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Wipes the items of a `meta` box that are not pictures. */
function wipeItems(bytes: Uint8Array, meta: Box): void {
  const inside = boxes(bytes, meta.start + 4, meta.end);
  const kinds = new Map<number, string>();
  for (const iinf of inside.filter(({ kind }) => kind === 'iinf')) {
    const count = bytes[iinf.start] === 0 ? 2 : 4;
    for (const { start } of boxes(bytes, iinf.start + 4 + count, iinf.end)) {
      const wide = bytes[start] === 3 ? 4 : 2;
      kinds.set(uint(bytes, start + 4, wide), text(bytes, start + 4 + wide + 2));
    }
  }
  const data = inside.find(({ kind }) => kind === 'idat')?.start ?? meta.end;
  for (const iloc of inside.filter(({ kind }) => kind === 'iloc')) {
    for (const { item, start, end } of places(bytes, iloc, data)) {
      if (!PICTURES.has(kinds.get(item) ?? '')) bytes.fill(0, start, end);
    }
  }
  const known = /^(?:hdlr|pitm|iinf|iloc|iref|iprp|idat|grpl)$/;
  for (const box of inside) if (!known.test(box.kind)) bytes.fill(0, box.start, box.end);
}

/** The pieces of all items. */
function* places(
  bytes: Uint8Array,
  iloc: Box,
  inside: number,
): Generator<{ item: number; start: number; end: number }> {
  const version = bytes[iloc.start] ?? 0;
  const sizes = uint(bytes, iloc.start + 4, 2);
  const offset = (sizes >> 12) & 15;
  const length = (sizes >> 8) & 15;
  const base = (sizes >> 4) & 15;
  const index = sizes & 15;
  let at = iloc.start + 6;
  const next = (size: number): number => {
    at += size;
    return uint(bytes, at - size, size);
  };
  const id = version < 2 ? 2 : 4;
  for (let left = next(id); left > 0; left -= 1) {
    const item = next(id);
    const method = version > 0 ? next(2) & 15 : 0;
    next(2);
    const from = next(base) + (method === 1 ? inside : 0);
    for (let pieces = next(2); pieces > 0; pieces -= 1) {
      if (version > 0) next(index);
      const start = from + next(offset);
      const bytesOfPiece = next(length);
      yield { item, start, end: bytesOfPiece === 0 ? bytes.length : start + bytesOfPiece };
    }
  }
}

/** Wipes the times and the remarks of a film's tracks. */
function wipeTracks(bytes: Uint8Array, parent: Box): void {
  for (const box of boxes(bytes, parent.start, parent.end)) {
    if (box.kind === 'trak' || box.kind === 'mdia') wipeTracks(bytes, box);
    else if (box.kind === 'udta' || box.kind === 'meta') bytes.fill(0, box.start, box.end);
    else if (/^(?:mvhd|tkhd|mdhd)$/.test(box.kind)) {
      // When it was taken and when it was changed.
      bytes.fill(0, box.start + 4, box.start + (bytes[box.start] === 1 ? 20 : 12));
    }
  }
}
