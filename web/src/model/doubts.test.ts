import { describe, expect, it } from 'vitest';
import type { Doubt, DoubtKind, HandDto, Reading, Role, SeenTile } from '../api/types';
import {
  asRead,
  countFlowers,
  doubtful,
  isIdle,
  isOffer,
  questions,
  replyOf,
  settle,
  shownIndicators,
  withAnswers,
} from './doubts';
import * as edit from './edit';
import { type Hand, pieceOf, toDto } from './hand';
import { print } from './notation';
import { fromReading } from './reading';

const tile = (code: string, role: Role, group = 0, candidates: string[] = [code]): SeenTile => ({
  tile: code,
  polygon: [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
  ],
  face_up: code !== 'back',
  sideways: false,
  score: 0.9,
  p: 0.9,
  candidates: candidates.map((one, at) => ({ tile: one, p: 0.6 / (at + 1) })),
  role,
  group,
});

const doubt = (kind: DoubtKind, tiles: number[], answers: string[], affects_score = true): Doubt => ({
  id: `${kind}-${tiles.join('-')}`,
  kind,
  tiles,
  question: '',
  alternatives: answers.map((answer) => ({ answer, p: 0.5, total: 8 })),
  affects_score,
});

const PUNG = { kind: 'pung', tiles: ['E', 'E', 'E'], claimed: null, from: null } as const;

function reading(hand: Partial<HandDto>, tiles: SeenTile[], doubts: Doubt[], supposed?: string): Reading {
  return {
    status: 'needs_review',
    hand: { concealed: [], winning_tile: null, melds: [], flowers: [], ...hand },
    ...(supposed && { supposed_winning_tile: supposed }),
    probability: 0.5,
    tiles_probability: 0.5,
    score_probability: 0.5,
    conventions: { turned_in_claimed_kong: 'one' },
    tiles,
    doubts,
    score: null,
  };
}

const concealed = ['1m', '2m', '2m'].map((code) => tile(code, 'concealed'));

describe('a reading that is edited', () => {
  it('ties every piece to its tile in the photo', () => {
    const melds = [{ kind: 'kong', tiles: ['1p', '1p', '1p', '1p'], concealed: true } as const, PUNG];
    const seen = [
      tile('f1', 'flower', 3),
      ...concealed,
      tile('2m', 'winning'),
      ...['E', 'E', 'E'].map((code) => tile(code, 'meld', 1)),
      ...['back', '1p', '1p', 'back'].map((code) => tile(code, 'meld', 2)),
      tile('9s', 'ignored', 4),
    ];
    const hand = fromReading(
      reading({ concealed: ['1m', '2m', '2m'], winning_tile: '2m', melds, flowers: ['f1'] }, seen, []),
    );
    expect(hand.concealed.map((piece) => piece.seen)).toEqual([1, 2, 3, 4]);
    expect(pieceOf(hand, hand.winning ?? 0)?.seen).toBe(4);
    const places = hand.melds.map((meld) => meld.pieces.map(({ seen: at }) => at).sort());
    expect(places).toEqual([[10, 11, 8, 9].sort(), [5, 6, 7]]);
    expect(hand.flowers.map((piece) => piece.seen)).toEqual([0]);
  });

  it('uses the supposed winning tile, and marks it as supposed', () => {
    const hand = fromReading(reading({ concealed: ['1m', '2m', '2m'] }, concealed, [], '2m'));
    expect([hand.supposed, pieceOf(hand, hand.winning ?? 0)?.face]).toEqual([true, '2m']);
  });
});

describe('a tile that would complete the hand', () => {
  const thirteen = ['1m', '2m', '3m', '4p', '5p', '6p', '7s', '8s', '9s', 'E', 'E', 'C', 'C'];
  const seen = [...thirteen.map((code) => tile(code, 'concealed')), tile('E', 'ignored', 1)];
  const offer = doubt('tile_count', [13], ['yes', 'no']);
  const missing = doubt(
    'tile_count',
    thirteen.map((_, at) => at),
    [],
  );
  const all = reading({ concealed: thirteen }, seen, [offer, missing]);
  const hand = fromReading(all);

  it('is offered before a tile is reported missing', () => {
    const list = questions(hand, all);
    expect(list.map(isOffer)).toEqual([true]);
    expect(list[0]?.choices.map(({ reply, total }) => [reply.kind, total])).toEqual([
      ['yes', 8],
      ['no', 8],
    ]);
  });

  it('completes the hand with one tap, and then nothing is missing', () => {
    const taken = questions(hand, all)[0]?.choices[0]?.hand;
    if (!taken) throw new Error('yes makes a hand');
    expect(pieceOf(taken, taken.winning ?? 0)).toMatchObject({ face: 'E', seen: 13 });
    expect(toDto(taken)).toMatchObject({ concealed: thirteen, winning_tile: 'E' });
    // The service finds that nothing is missing any more.
    expect(questions(taken, all, [offer])).toEqual([]);
  });

  it('stays out if it is another player’s, and then one is missing', () => {
    const refused = questions(hand, all)[0]?.choices[1]?.hand;
    if (!refused) throw new Error('no leaves the hand as it is');
    expect(toDto(refused)).toEqual(toDto(hand));
    expect(questions(refused, all).map(isOffer)).toEqual([false]);
  });

  it('joins the hand if another tile won', () => {
    const won = reading(
      { concealed: thirteen.slice(1), winning_tile: '1m' },
      [tile('1m', 'winning'), ...seen.slice(1)],
      [offer],
    );
    const taken = questions(fromReading(won), won)[0]?.choices[0]?.hand;
    expect(taken && pieceOf(taken, taken.winning ?? 0)?.face).toBe('1m');
    expect(taken?.concealed).toHaveLength(14);
  });
});

describe('questions', () => {
  it('begin with those that change the score', () => {
    const list = [doubt('tile', [0], ['1m', '2m'], false), doubt('tile', [1], ['2m', '3m'])];
    const all = reading({ concealed: ['1m', '2m', '2m'] }, concealed, list);
    expect(questions(fromReading(all), all).map(({ doubt }) => doubt.tiles)).toEqual([[1], [0]]);
    expect([...doubtful(questions(fromReading(all), all))]).toEqual([
      [1, true],
      [0, false],
    ]);
  });

  /** Each answer and the hand that it makes; `null` where a person must correct it. */
  const CASES: [string, Reading, Record<string, string | null>][] = [
    [
      'a tile',
      reading({ concealed: ['1m', '2m', '2m'] }, concealed, [doubt('tile', [0], ['1m', '9s', 'none'])]),
      {
        '1m': '122m',
        '9s': '22m9s',
        none: '22m',
      },
    ],
    [
      'the winning tile',
      reading({ concealed: ['1m', '2m', '2m'] }, concealed, [
        doubt('winning_tile', [0, 1, 2], ['1m', '2m', 'another tile']),
      ]),
      {
        '1m': '22m+1m',
        '2m': '12m+2m',
        other: null,
      },
    ],
    [
      'a winning tile in an open set',
      reading(
        {
          concealed: ['1m', '2m', '2m'],
          melds: [{ kind: 'pung', tiles: ['E', 'E', 'E'], claimed: 'E', from: 'left' }],
        },
        [...concealed, ...['E', 'E', 'E'].map((c) => tile(c, 'meld', 1))],
        [doubt('winning_tile', [0, 1, 2], ['1m', 'E of EEE'])],
      ),
      {
        '1m': '[EEE,1]22m+1m',
        in_set: '122mEE+E',
      },
    ],
    [
      'a set that may be claimed',
      reading(
        { concealed: ['1m', 'E', 'E', 'E'] },
        [tile('1m', 'concealed'), ...['E', 'E', 'E'].map((c) => tile(c, 'concealed'))],
        [doubt('exposed_set', [1, 2, 3], ['concealed', 'claimed'])],
      ),
      {
        concealed: '1mEEE',
        claimed: '[EEE]1m',
      },
    ],
    [
      'a set that may be concealed',
      reading(
        { concealed: ['1m'], melds: [PUNG] },
        [tile('1m', 'concealed'), ...['E', 'E', 'E'].map((c) => tile(c, 'meld', 1))],
        [doubt('exposed_set', [1, 2, 3], ['claimed', 'concealed'])],
      ),
      {
        claimed: '[EEE]1m',
        concealed: '1mEEE',
      },
    ],
    [
      'a kong',
      reading(
        { melds: [{ kind: 'kong', tiles: ['E', 'E', 'E', 'E'] }] },
        ['E', 'E', 'E', 'E'].map((c) => tile(c, 'meld')),
        [doubt('concealed_kong', [0, 1, 2, 3], ['claimed', 'concealed'])],
      ),
      {
        claimed: '[EEEE,?]',
        concealed: '[EEEE]',
      },
    ],
    [
      'a pung that may be a kong',
      reading(
        { melds: [PUNG] },
        ['E', 'E', 'E'].map((c) => tile(c, 'meld')),
        [doubt('added_kong', [0, 1, 2], ['claimed', 'added to a pung'])],
      ),
      {
        claimed: '[EEE]',
        added: '[EEEE,+]',
      },
    ],
    [
      'a tile beside a pung',
      reading(
        { melds: [PUNG] },
        [...['E', 'E', 'E'].map((c) => tile(c, 'meld')), tile('E', 'ignored', 2)],
        [doubt('added_kong', [3], ['no', 'yes'])],
      ),
      {
        no: '[EEE]',
        yes: '[EEEE,+]',
      },
    ],
    [
      'a hidden kong',
      reading(
        { concealed: ['1m'] },
        [tile('1m', 'concealed'), ...Array.from({ length: 4 }, () => tile('back', 'meld', 1))],
        [doubt('hidden_kong', [1, 2, 3, 4], ['5p', 'E'])],
      ),
      {
        '5p': '[5555p]1m',
        E: '[EEEE]1m',
      },
    ],
    [
      'a flower of the hand',
      reading({ flowers: ['f1'] }, [tile('f1', 'flower')], [doubt('flower', [0], ['yes', 'no'])]),
      {
        yes: '||a',
        no: '',
      },
    ],
    [
      'a flower left out',
      reading({}, [tile('none', 'ignored', 0, ['none', 's2'])], [doubt('flower', [0], ['no', 'yes'])]),
      {
        no: '',
        yes: '||f',
      },
    ],
    [
      'a gap between flowers',
      reading(
        { flowers: ['f1', 'f2'] },
        [tile('f1', 'flower'), tile('f2', 'flower')],
        [doubt('flower', [0, 1], ['no', 'yes'])],
      ),
      {
        no: '||ab',
        yes: '||1ab',
      },
    ],
    [
      'too many of a kind',
      reading(
        { concealed: Array(5).fill('1m') },
        [1, 2, 3, 4]
          .map(() => tile('1m', 'concealed'))
          .concat({ ...tile('1m', 'concealed', 0, ['4m', '1m']) }),
        [doubt('too_many_copies', [0, 1, 2, 3, 4], ['4m'])],
      ),
      {
        '4m': '11114m',
      },
    ],
    [
      'a cut tile',
      reading({ concealed: ['1m'] }, [tile('1m', 'concealed')], [doubt('cut_tile', [0], [])]),
      {},
    ],
  ];

  it.each(CASES)('about %s', (_, all, expected) => {
    const hand = fromReading(all);
    const [question] = questions(hand, all);
    const made = question?.choices.map(({ reply, hand: next }) => [
      reply.kind === 'face' ? reply.face : reply.kind,
      next && print(next),
    ]);
    expect(Object.fromEntries(made ?? [])).toEqual(expected);
    for (const { hand: next } of question?.choices ?? []) {
      if (next) expect(questions(next, all)).toEqual([]);
    }
  });

  it('keeps the picture of a corrected tile', () => {
    const all = reading({ concealed: ['1m', '2m', '2m'] }, concealed, [doubt('tile', [0], ['1m', '9s'])]);
    const next = questions(fromReading(all), all)[0]?.choices[1]?.hand;
    expect(next?.concealed.map(({ seen }) => seen)).toEqual([0, 1, 2]);
    expect(next && toDto(next).concealed).toEqual(['2m', '2m', '9s']);
  });
});

describe('a change by a person', () => {
  const seen = [...concealed, tile('f1', 'ignored', 1)];
  const open = [
    doubt('tile', [1], ['2m', '3m']),
    doubt('flower', [3], ['no', 'yes']),
    doubt('winning_tile', [0, 1, 2], ['1m', '2m']),
  ];
  const read = reading({ concealed: ['1m', '2m', '2m'] }, seen, open);
  const hand = fromReading(read);
  const answersTo = (after: Hand) => settle(hand, after, open).answered;

  it('answers the doubts about it', () => {
    const piece = hand.concealed.find((one) => one.seen === 1);
    expect(answersTo(edit.setFace(hand, piece?.id ?? 0, '9p'))).toEqual([{ doubt: 'tile-1', answer: null }]);
    expect(answersTo(edit.markWinning(hand, piece?.id ?? 0))).toEqual([
      { doubt: 'winning_tile-0-1-2', answer: null },
    ]);
  });

  it('says whose a flower is, whatever name it got', () => {
    expect(answersTo(edit.add(hand, 'f3', 'flowers', 3))).toEqual([{ doubt: 'flower-3', answer: 'yes' }]);
    expect(answersTo(edit.setFlowers(hand, 1))).toEqual([{ doubt: 'flower-3', answer: null }]);
  });

  it('leaves no flower in doubt once they were counted, and asks on where one was taken out', () => {
    const two = [doubt('flower', [0], ['yes', 'no']), doubt('flower', [1], ['yes', 'no'])];
    const tiles = [tile('f1', 'flower'), tile('f2', 'flower')];
    const both = fromReading(reading({ flowers: ['f1', 'f2'] }, tiles, two));
    const [first] = both.flowers;
    const counted = countFlowers(both, 1, two);
    expect(counted.flowers.map(({ face }) => face)).toEqual(['f1']);
    expect(counted.answered).toEqual([
      { doubt: 'flower-1', answer: 'no' },
      { doubt: 'flower-0', answer: null },
    ]);
    expect(settle(both, edit.remove(both, [first?.id ?? 0]), two).answered).toEqual([
      { doubt: 'flower-0', answer: 'no' },
    ]);
    expect(countFlowers(both, 2, two)).toBe(both);
  });

  it('answers nothing else, and is no answer to what was answered', () => {
    expect(answersTo(edit.add(hand, '5p'))).toEqual([]);
    expect(settle(hand, hand, open)).toBe(hand);
    const answered = edit.markAnswered(hand, { doubt: 'tile-1', answer: '2m' });
    expect(settle(hand, answered, open)).toBe(answered);
  });
});

describe('several doubts about what a look tells', () => {
  const seen = [...concealed, tile('f1', 'ignored')];
  const asked = (...list: Doubt[]) => {
    const read = reading({ concealed: ['1m', '2m', '2m'] }, seen, list);
    return { hand: fromReading(read), open: questions(fromReading(read), read) };
  };
  const OF_TILE = doubt('tile', [0], ['1m', '9s']);
  const OF_FLOWER = doubt('flower', [3], ['no', 'yes']);

  it('are answered at once, as the tiles were read', () => {
    const { hand, open } = asked(OF_TILE, OF_FLOWER);
    const after = withAnswers(hand, asRead(open));
    expect(after).toEqual({
      ...hand,
      answered: [
        { doubt: 'tile-0', answer: '1m' },
        { doubt: 'flower-3', answer: 'no' },
      ],
    });
  });

  it('are not where there is one, or another is about what cannot be seen', () => {
    const lists = [[OF_TILE], [OF_TILE, OF_FLOWER, doubt('winning_tile', [0, 1, 2], ['1m', '2m'])]];
    expect(lists.map((list) => asRead(asked(...list).open))).toEqual([[], []]);
  });
});

describe('a question without a win on any answer', () => {
  it('is idle', () => {
    const none = doubt('exposed_set', [0, 1, 2], ['concealed', 'claimed']);
    const nothing = { ...none, alternatives: none.alternatives.map((one) => ({ ...one, total: null })) };
    const read = reading({ concealed: ['1m', '2m', '2m'] }, [...concealed], [none, nothing]);
    const [first, second] = questions(fromReading(read), read);
    expect([first && isIdle(first), second && isIdle(second)]).toEqual([false, true]);
  });
});

describe('riichi', () => {
  const seen = [tile('1m', 'concealed'), tile('5m', 'concealed'), tile('4m', 'ignored', 1)];
  const setup = { concealed: ['1m', '5m'] };

  it('takes a five as a red one, and back', () => {
    const read = reading(setup, seen, [doubt('tile', [1], ['5m', '0m'])]);
    const before = fromReading(read);
    const [plain, red] = questions(before, read)[0]?.choices ?? [];
    expect(toDto(red?.hand ?? before).concealed).toEqual(['1m', '0m']);
    expect(toDto(plain?.hand ?? before).concealed).toEqual(['1m', '5m']);
  });

  it('asks about indicators with the win and not with the tiles', () => {
    const doubts = [doubt('indicator', [2], ['4m,E', 'none'])];
    const read = reading(setup, seen, doubts);
    expect(questions(fromReading(read), read)).toEqual([]);
    expect(shownIndicators(doubts)).toEqual(['4m', 'E']);
    expect(shownIndicators([doubt('indicator', [2], ['4m', 'none'])])).toEqual(['4m']);
    expect(shownIndicators([doubt('indicator', [2], ['none'])])).toEqual([]);
    expect(shownIndicators([])).toEqual([]);
    expect(replyOf({ answer: '4m,E' })).toEqual({ kind: 'faces', faces: ['4m', 'E'] });
    expect(replyOf({ answer: '4m,f1' })).toEqual({ kind: 'other' });
  });
});
