import { describe, expect, it } from 'vitest';
import { type Face, FLOWERS, TILES } from '../model/tiles';
import { da } from './da';
import { de } from './de';
import { en, type Messages } from './en';
import { faceName, LANGS, preferred } from './index';
import { sv } from './sv';
import { zh } from './zh';

const ALL: readonly [string, Messages][] = [
  ['en', en],
  ['de', de],
  ['da', da],
  ['sv', sv],
  ['zh', zh],
];

/** Every text of a catalogue by its path; functions are called with what they may be given. */
function texts(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function') return [[path, called(path, value as (...given: unknown[]) => unknown)]];
  return Object.entries(value as object).flatMap(([key, inner]) =>
    texts(inner, path ? `${path}.${key}` : key),
  );
}

function called(path: string, message: (...given: unknown[]) => unknown): string {
  const lists = ['copies', 'assumed', 'dependsOn', 'unsettled'];
  const given: unknown[] =
    path === 'suited'
      ? [5, 'p']
      : lists.includes(path)
        ? [['X', 'Y']]
        : path === 'pays'
          ? ['X', 7, 'Y']
          : path === 'gains'
            ? ['X', 7]
            : path === 'evening.deal'
              ? [7, 'X']
              : [7, 7, 7];
  return String(message(...given));
}

describe('the catalogues', () => {
  it('are all there', () => expect(ALL.map(([lang]) => lang)).toEqual([...LANGS]));

  it.each(ALL)('of %s say something everywhere', (_, messages) => {
    for (const [path, text] of texts(messages)) {
      expect(text.trim(), path).not.toBe('');
      expect(text, path).not.toMatch(/undefined|null|\[object|NaN/);
    }
  });

  it.each(ALL.slice(1))('of %s are translated', (_, messages) => {
    const english = new Map(texts(en));
    const same = texts(messages).filter(([path, text]) => text.length > 16 && english.get(path) === text);
    expect(same).toEqual([]);
  });

  it.each(ALL)('of %s give every tile its own name', (_, messages) => {
    const names = [...TILES, ...FLOWERS].map((code) => faceName(code, messages));
    expect(new Set(names).size).toBe(42);
  });

  it('name a tile in a question as people do', () => {
    expect(['P', 'E', '5p', 'f1'].map((code) => en.ask.tile(faceName(code as Face, en)))).toEqual([
      'Is this a white dragon?',
      'Is this an East wind?',
      'Is this 5 dots?',
      'Is this the plum?',
    ]);
    expect(de.ask.tile(de.honors.C)).toBe('Ist das ein roter Drache?');
    expect(de.ask.tile(de.bonus.f1)).toBe('Ist das die Pflaume?');
    expect(da.ask.tile(da.honors.C)).toBe('Er dette en rød drage?');
    expect(sv.ask.tile(sv.honors.C)).toBe('Är detta en röd drake?');
  });

  it('tell one point from several', () => {
    expect([en.total(1), en.total(2), de.total(1), de.total(2)]).toEqual([
      '1 point',
      '2 points',
      '1 Punkt',
      '2 Punkte',
    ]);
    expect([en.shareTitle(1), de.shareTitle(1)]).toEqual([
      'A mahjong hand of 1 point',
      'Eine Mahjong-Hand mit 1 Punkt',
    ]);
  });

  it('give the count as players do', () => {
    expect(`${en.count(13, 1)}: ${en.missing(1)}`).toBe('13 + one kong: one tile missing');
    expect(`${de.count(13, 1)}: ${de.missing(1)}`).toBe('13 + ein Vierling: ein Ziegel fehlt');
  });
});

describe('the language', () => {
  it.each([
    [['de-AT', 'en'], 'de'],
    [['fr', 'sv-SE'], 'sv'],
    [['zh-Hant-TW'], 'zh'],
    [['fr'], 'en'],
    [[], 'en'],
  ])('for %j is %s', (wanted, lang) => expect(preferred(wanted)).toBe(lang));
});
