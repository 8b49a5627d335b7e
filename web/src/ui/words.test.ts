import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Doubt, DoubtKind, Reading } from '../api/types';
import { LANGS, type Lang } from '../browser/lang';
import { load, t } from '../i18n';
import type { Assumption } from '../model/context';
import { codeOf, replyOf } from '../model/doubts';
import { askText, assumedText, countText, dealText, replyText, totalText, unitOf } from './words';

beforeAll(() => void vi.stubGlobal('document', { documentElement: {} }));
afterAll(() => void vi.unstubAllGlobals());

const KINDS: readonly DoubtKind[] = [
  'tile_count',
  'winning_tile',
  'tile',
  'too_many_copies',
  'exposed_set',
  'concealed_kong',
  'added_kong',
  'hidden_kong',
  'not_a_set',
  'flower',
  'cut_tile',
  'not_a_win',
  'contradiction',
  'feeder',
  'indicator',
];

const doubt = (kind: DoubtKind, answers: readonly string[] = [], tiles = [0]): Doubt => ({
  id: kind,
  kind,
  tiles,
  question: 'with this 5m the hand wins',
  alternatives: answers.map((answer) => ({ answer, p: 0.5, total: 8 })),
  affects_score: true,
  ...(kind === 'contradiction' && { field: 'last_of_kind' }),
});

/** Codes of the service, and the names of its fields. */
const CODES = /[0-9][mps](?!\p{L})|[fs][1-4]|none|back|\byes|_|undefined|null/u;

const inEach = async (look: (lang: Lang) => void): Promise<void> => {
  for (const lang of LANGS) {
    await load(lang);
    look(lang);
  }
};

describe('a total', () => {
  const mcr = { minimum_unit: 'points', doubling: null } as const;
  const classical = {
    minimum_unit: 'points',
    doubling: { points: 22, doublings: 1, limits: 0, capped: false },
  } as const;

  it('has the word of the players of its game', async () => {
    await load('zh-Hant');
    expect([unitOf(mcr, 32), unitOf(classical, 44)]).toEqual(['番', '點']);
    expect(totalText([8, 8], 'fan')).toBe('8 番');
    await load('en');
    expect([unitOf(mcr, 32), unitOf(classical, 1)]).toEqual(['points', 'point']);
    expect(totalText([8, 24], 'fan')).toBe('8 to 24 points');
  });
});

describe('a question', () => {
  it('names tiles in words, whatever is asked, in every language', async () => {
    await inEach((lang) => {
      for (const kind of KINDS) {
        for (const code of ['5m', '0p', 'P', 'f1', 's4', 'back', 'none', '?']) {
          for (const answers of [[], ['yes', 'no']]) {
            const text = askText(doubt(kind, answers), code);
            expect(text, `${lang} ${kind} ${code}`).not.toMatch(CODES);
          }
        }
      }
    });
  });

  it('says of a flower without a name no more than that it is one', async () => {
    await inEach(() => {
      const text = askText(doubt('flower'), '?');
      expect(text).not.toMatch(/[(（]/);
      expect(askText(doubt('flower'), 'f1')).toMatch(/[(（]/);
    });
    await load('en');
    expect(askText(doubt('flower'), '?')).toBe('Does this flower belong to the hand?');
    expect(askText(doubt('flower'), 'f1')).toBe('Does this flower (plum) belong to the hand?');
    expect(askText(doubt('tile_count', ['yes', 'no']), '5m')).toBe(
      'A tile beside the hand (5 characters) would complete it. Does it belong to the hand?',
    );
    expect(askText({ ...doubt('tile_count'), game: 'taiwan' }, '')).toMatch(/another game/);
    expect(askText(doubt('tile'), 'none')).toBe('Which tile is this?');
  });

  it('takes the name of a flower from what it looks like', () => {
    const candidates = [
      { tile: 'none', p: 0.6 },
      { tile: '1s', p: 0.3 },
      { tile: 'f4', p: 0.1 },
    ];
    const reading = { tiles: [{ tile: 'none', candidates }] } as unknown as Reading;
    expect(codeOf(reading, doubt('flower'))).toBe('f4');
    expect(codeOf(reading, doubt('tile'))).toBe('none');
    expect(codeOf(null, doubt('tile'))).toBe('');
  });
});

describe('an answer', () => {
  const ANSWERS = [
    '5m',
    'none',
    'back',
    'yes',
    'no',
    'concealed',
    'claimed',
    'added to a pung',
    '5p of 4p5p6p',
    'left',
    'across',
    'right',
    'nobody',
  ];

  it('has its own words in every language', async () => {
    await inEach((lang) => {
      const texts = ANSWERS.map((answer) => replyText(replyOf({ answer })));
      expect(texts.join(' '), lang).not.toMatch(CODES);
      expect(texts, lang).not.toContain(t.value.replies.other);
    });
    await load('en');
    expect(replyText(replyOf({ answer: 'back' }))).toBe('Face down');
  });
});

describe('the text of assumptions', () => {
  const discard: Assumption = { field: 'win', value: 'discard' };
  const left: Assumption = { field: 'from', value: 'left', robbed: false };

  it('reads as a sentence', async () => {
    await load('en');
    expect(assumedText([{ field: 'prevalent', value: 'E' }, discard, left])).toBe(
      'Assumed: Prevalent wind East; won on a discard from the left.',
    );
    expect(assumedText([discard])).toBe('Assumed: won on a discard.');
    expect(assumedText([{ ...left, robbed: true }])).toBe('Assumed: won by robbing a kong on the left.');
    await load('de');
    expect(assumedText([left])).toBe('Angenommen: auf einen Abwurf von links gewonnen.');
  });

  it('says no less in any language', async () => {
    const all: readonly Assumption[] = [
      ...(['self_drawn', 'discard', 'kong_replacement', 'robbed_kong'] as const).map(
        (value) => ({ field: 'win', value }) as const,
      ),
      ...(['left', 'across', 'right'] as const).flatMap((value) =>
        [false, true].map((robbed) => ({ field: 'from', value, robbed }) as const),
      ),
      ...(['left', 'across', 'right', 'nobody'] as const).map(
        (value) => ({ field: 'feeder', value }) as const,
      ),
      ...(['riichi', 'dora_indicators', 'ura_indicators', 'norths', 'honba'] as const).map(
        (value) => ({ field: 'riichi', value }) as const,
      ),
      { field: 'red_fives', value: ['0p'] },
    ];
    await inEach((lang) => {
      const texts = all.map((one) => assumedText([one]));
      expect(new Set(texts).size, lang).toBe(all.length);
    });
  });
});

describe('the head of a deal', () => {
  const DEAL = { number: 3, round: 'S', seats: [0, 1, 2, 3], repeats: 2, dealer: 0 } as const;

  it('has no capital inside its sentence, in any language with small letters', async () => {
    const heads = new Map<Lang, string>();
    await inEach((lang) => heads.set(lang, dealText({ ...DEAL, seats: [...DEAL.seats] })));
    expect(heads.get('en')).toBe('Deal 3, South round, the dealer stayed on: 2');
    expect(heads.get('da')).toBe('Spil 3, sydrunden, giveren er blevet: 2');
    expect(heads.get('sv')).toBe('Giv 3, sydronden, givaren har stannat: 2');
  });
});

describe('the punctuation of sentences', () => {
  const short = {
    tiles: 12,
    kongs: 0,
    off: -2,
    broken: [],
    copies: [],
    tooManyMelds: false,
    noWinning: false,
    ready: false,
  };

  it.each<[Lang, RegExp, RegExp]>([
    ['en', /^12 tiles: 2 tiles missing$/, / 3, 2 counters/],
    ['de', /^12 Ziegel: /, /3, 2 /],
    ['zh', /^12张：[^,:]*$/, /^[^,:]*，[^,:]*$/],
    ['zh-Hant', /^12 張：[^,:]*$/, /^[^,:]*，[^,:]*$/],
    ['ja', /^12枚：[^,:]*$/, /^[^,:]*、[^,:]*$/],
  ])('is that of %s', async (lang, counted, dealt) => {
    await load(lang);
    expect(countText(short)).toMatch(counted);
    const deal = { number: 3, round: 'E', seats: [2, 3, 0, 1], honba: 2, riichi_sticks: 0 } as const;
    expect(dealText(deal as unknown as Parameters<typeof dealText>[0])).toMatch(dealt);
  });
});
