/** Compiled, never run: what a program in TypeScript may write. */
import { Evening, init, Problem, parse, Reader, rulesets, type Score, score, scores } from 'tilesight';

await init(new URL('https://example.org/tilesight.wasm'));
const one: Score = score('123456789m11pFFF', { seat: 'S', win: 'self_drawn' }, { lang: 'de' });
const names: readonly string[] = one.awards.map((award) => award.name);
const { hand, context } = parse('11m');
const many = scores(hand, ['mcr-wmo', 'mmm'], context, { others: [{ seat: 'W', hand: '11m' }] });
const total: number | undefined = many[0]?.score?.total;
const riichi = score('123m406p789s55m34s5s', {
  ruleset: 'riichi-wrc',
  riichi: 'double',
  ippatsu: true,
  dora_indicators: ['4m', 'E'],
  honba: 1,
});
const parts: readonly number[] = (riichi.fu_parts ?? []).map(({ fu }) => fu);
const figures: readonly (number | string | null | undefined)[] = [riichi.han, riichi.fu, riichi.limit, riichi.sticks];
const faan: number | null | undefined = score('123456789m11122m', { ruleset: 'hk-old' }).faan;
console.log(parts, figures, faan);
const evening = Evening.begin({
  players: ['A', 'B', 'C', 'D'],
  ruleset: rulesets().rulesets[0]?.id ?? 'mmm',
});
const sums: readonly number[] = evening.change({ kind: 'add', play: { kind: 'draw' } }).totals;
try {
  score({ concealed: ['1m'], winning_tile: '1m' });
} catch (error) {
  if (error instanceof Problem && error.type === 'urn:tilesight:problem:invalid-hand') {
    console.log(error.errors[0]?.field, names, total, sums);
  }
}
const reader = await Reader.create({
  models: 'https://example.org/models',
  onProgress: (step) => console.log(step),
});
const full = await reader.read(new Blob(), { context: { win: 'self_drawn' }, focus: { x: 1, y: 2 } });
const seen: number = full.reading.tiles.length;
const compact = await reader.read(new Uint8Array(), { detail: 'compact' });
console.log(seen, compact.status);
const { rows } = await reader.sheet(new Blob());
const tiles = rows.map((row) => row.map(({ name, sure }) => (sure ? name : null)));
const file: Uint8Array = await reader.learnSet('Home', [{ photo: new Blob(), names: tiles }], { lang: 'da' });
const content = await reader.showSet(await reader.mergeSets([file, new Blob()], { name: 'Both' }));
const used = await reader.read(new Blob(), { sets: [file], set: 'auto' });
console.log(content.missing.length, content.picture.size, used.reading.set?.used);
// @ts-expect-error A misspelt field is an error before the program runs.
score('11m', { sheat: 'S' });
// @ts-expect-error So is an option that a function does not have,
score('11m', {}, { rulesets: ['mmm'] });
// @ts-expect-error in each of them,
evening.csv({ by: 'Ada' });
// @ts-expect-error also of the reader,
await reader.read(new Blob(), { seat: 'S' });
// @ts-expect-error when it is made too.
await Reader.create({ model: '.' });
