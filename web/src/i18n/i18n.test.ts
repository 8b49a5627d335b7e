import { describe, expect, it } from 'vitest';
import { LANGS, type Lang, preferred } from '../browser/lang';
import { type Face, FLOWERS, TILES } from '../model/tiles';
import { da } from './da';
import { de } from './de';
import { en, type Messages } from './en';
import { faceName } from './index';
import { ja } from './ja';
import { reviewWords } from './review';
import { sv } from './sv';
import { zh } from './zh';
import { zhHant } from './zh-Hant';

const ALL: readonly [string, Messages][] = [
  ['en', en],
  ['de', de],
  ['da', da],
  ['sv', sv],
  ['zh', zh],
  ['zh-Hant', zhHant],
  ['ja', ja],
];

/** Every text of a catalogue by its path; functions are called with what they may be given. */
function texts(value: unknown, n = 7, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function') {
    return [[path, called(path, value as (...given: unknown[]) => unknown, n)]];
  }
  return Object.entries(value as object).flatMap(([key, inner]) =>
    texts(inner, n, path ? `${path}.${key}` : key),
  );
}

const LISTS = ['copies', 'assumed', 'dependsOn', 'unsettled', 'riichi.before'];
/** Texts with names of tiles, players, winds or lines, and with totals that have their words. */
const NAMED =
  /^(ask|reasons|repairs\.rename)|^(changeTile|outcome\.round|evening\.(wonFrom|addAnyway)|dealer\.wonToo|house\.(about|unknown)|riichi\.(redOfFour|openAfterStick))$/;

function called(path: string, message: (...given: unknown[]) => unknown, n: number): string {
  const given: Readonly<Record<string, readonly unknown[]>> = {
    suited: [5, 'p'],
    pays: ['X', n, 'Y'],
    gains: ['X', n],
    paysOne: ['X', n],
    kept: ['X', n],
    'evening.deal': [n, 'X'],
  };
  if (LISTS.includes(path)) return String(message(['X', 'Y']));
  if (NAMED.test(path)) return String(message('X', 'Y'));
  return String(message(...(given[path] ?? [n, n, n])));
}

/** Words after a number that are the same for one and for several. */
const SAME: Readonly<Record<string, readonly string[]>> = {
  en: ['of', 'to', 'more', 'selected', 'dbl', 'left', 'was', 'that', 'han', 'fu', 'in', 'honba'],
  de: [
    'Zähler',
    'von',
    'bis',
    'ausgewählt',
    'Verd',
    'eintragen',
    'entfernen',
    'weiter',
    'berichtigen',
    'der',
    'wurde',
    'ist',
    'Han',
    'Fu',
    'in',
    'Honba',
    'offen',
    'wegnehmen',
    'Zeichen',
  ],
  da: [
    'af',
    'til',
    'point',
    'valgt',
    'ford',
    'er',
    'mere',
    'tilbage',
    'han',
    'fu',
    'i',
    'honba',
    'åbent',
    'tegn',
  ],
  sv: [
    'räknare',
    'av',
    'till',
    'poäng',
    'dubbl',
    'har',
    'kvar',
    'han',
    'fu',
    'i',
    'honba',
    'öppet',
    'tecken',
    'motiv',
  ],
};

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

  it('have no plural beside a one, and no singular beside a two', () => {
    const wrong: string[] = [];
    for (const [lang, messages] of ALL.filter(([one]) => SAME[one])) {
      for (const words of [messages, reviewWords(lang as Lang)]) {
        const ones = texts(words, 1);
        const twos = texts(words, 2);
        for (const [at, [path, one]] of ones.entries()) {
          const two = twos[at]?.[1] ?? '';
          const counted = (text: string): string[] =>
            [...text.matchAll(/[12] (\p{L}+)/gu)].map(([, word = '']) => word);
          const both = counted(one).filter((word) => counted(two).includes(word));
          const odd = both.filter((word) => !SAME[lang]?.includes(word));
          wrong.push(...odd.map((word) => `${lang} ${path}, ${word}: ${one} / ${two}`));
        }
      }
    }
    expect(wrong).toEqual([]);
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

  it('count halves by the rules of each language', () => {
    expect([0.5, 1, 1.5, 2].map((n) => en.limits(n))).toEqual([
      '½ limit',
      '1 limit',
      '1½ limits',
      '2 limits',
    ]);
    expect([0.5, 1, 1.5, 2].map((n) => da.limits(n))).toEqual(['½ limit', '1 limit', '1½ limit', '2 limits']);
    expect([0.5, 1, 1.5, 2].map((n) => sv.limits(n))).toEqual([
      '½ limit',
      '1 limit',
      '1½ limit',
      '2 limiter',
    ]);
  });

  it('give the count as players do', () => {
    expect(ALL.map(([, words]) => words.count(1, 0))).toEqual([
      'one tile',
      'ein Ziegel',
      'en brik',
      'en bricka',
      '1张',
      '1 張',
      '1枚',
    ]);
    expect(`${en.count(13, 1)}: ${en.missing(1)}`).toBe('13 + one kong: one tile missing');
    expect(`${de.count(13, 1)}: ${de.missing(1)}`).toBe('13 + ein Vierling: ein Ziegel fehlt');
  });
});

describe('the language', () => {
  it.each([
    [['de-AT', 'en'], 'de'],
    [['fr', 'sv-SE'], 'sv'],
    [['zh'], 'zh'],
    [['zh-CN', 'en'], 'zh'],
    [['zh-Hans-HK'], 'zh'],
    [['zh-SG'], 'zh'],
    [['zh-Hant-TW'], 'zh-Hant'],
    [['zh-TW', 'zh', 'en-US'], 'zh-Hant'],
    [['zh-HK'], 'zh-Hant'],
    [['fr', 'zh-MO'], 'zh-Hant'],
    [['ja-JP', 'en'], 'ja'],
    [['fr'], 'en'],
    [[], 'en'],
  ])('for %j is %s', (wanted, lang) => expect(preferred(wanted)).toBe(lang));
});
