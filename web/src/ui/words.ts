/** Sentences that are put together from facts: the count, the name of a tile in its place, a failure. */
import type { Failure } from '../api/client';
import type { Award, ContextField } from '../api/types';
import { faceName, t } from '../i18n';
import type { Count } from '../model/count';
import type { Piece } from '../model/hand';

/** "13 + one kong: one tile missing". */
export function countText(count: Count): string {
  const words = t.value;
  const reasons = [
    count.off < 0 && words.missing(-count.off),
    count.off > 0 && words.surplus(count.off),
    count.broken.length > 0 && words.brokenSets(count.broken.length),
    count.copies.length > 0 && words.copies(count.copies.map((tile) => faceName(tile))),
    count.tooManyMelds && words.tooManyMelds,
  ].filter((reason) => reason !== false);
  if (reasons.length === 0) reasons.push(count.noWinning ? words.noWinning : words.complete);
  // Every hand has fourteen, and one tile more for each kong: that is how it is counted at a table.
  return `${words.count(count.tiles, count.kongs)}: ${reasons.join(', ')}`;
}

/** "5 dots, unsure, fourth": what it is, whether that is sure, and where it lies. */
export function tileLabel(piece: Piece, place: number, marks: { unsure: boolean; winning: boolean }): string {
  const words = t.value;
  const parts = [
    faceName(piece.face),
    marks.unsure && words.unsure,
    marks.winning && words.winningMark,
    words.ordinal(place),
  ];
  return parts.filter((part) => part !== false).join(', ');
}

export const fieldName = (field: string): string => {
  const names: Readonly<Record<string, string>> = t.value.fields;
  const last = field.split('.').at(-1) ?? field;
  return names[last] ?? last;
};

export const fieldNames = (fields: readonly ContextField[]): string[] => fields.map(fieldName);

/** Halves as people write them, whatever their decimal point: 1½. */
const halves = (n: number): string => (n % 1 === 0 ? `${n}` : `${n < 1 ? '' : Math.floor(n)}½`);

/** What a line is worth as often as it counts: points, doublings or limits. */
export function worth(award: Award): string {
  if (award.doublings !== undefined) return t.value.doublings(halves(award.doublings * award.count));
  if (award.limits !== undefined) return t.value.limits(halves(award.limits * award.count));
  return `${award.points * award.count}`;
}

/** A failure in a person's words; circumstances that contradict are named. */
export function failureText(failure: Failure): string {
  const words: Readonly<Record<string, string>> = t.value.problems;
  const said = words[failure.kind] ?? t.value.problems.other;
  const errors = failure.problem.errors ?? [];
  const fields = errors
    .filter(({ field }) => field.startsWith('context.'))
    .map(({ field }) => fieldName(field));
  return fields.length > 0 ? `${said} ${t.value.contradicts([...new Set(fields)].join(', '))}` : said;
}
