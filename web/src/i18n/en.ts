import { halves, pluralOf } from './plural';

/**
 * The words of the page in English, and the shape that every other language must have: a missing or
 * misspelt message is a type error. Words of the game follow the names of the World Mahjong
 * Organization, as the service's own tables do.
 */

const ORDINALS = [
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
  'eleventh',
  'twelfth',
  'thirteenth',
  'fourteenth',
  'fifteenth',
  'sixteenth',
  'seventeenth',
  'eighteenth',
];

const plural = pluralOf('en');
const list = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

/** A name beside what it names, where there is one. */
const inBrackets = (name: string | null): string => (name ? ` (${name})` : '');

/** A tile in a sentence: "5 dots", "a white dragon", "the plum", of which there is one. */
function withArticle(tile: string): string {
  if (/^(\d|a )/.test(tile)) return tile;
  if (Object.values<string>(en.bonus).includes(tile)) return `the ${tile}`;
  return `${/^[aeiou]/i.test(tile) ? 'an' : 'a'} ${tile}`;
}

export const en = {
  tagline: 'Snap the winning hand. Read the score.',
  language: 'Language',
  home: 'Start',
  skip: 'Skip to the hand',

  // Start
  snap: 'Take a photo',
  choose: 'Choose photos',
  type: 'Type a hand',
  sample: 'Try a sample photo',
  goOn: 'Continue with the last hand',
  tips: 'Lay the whole hand flat, with gaps between the sets and the winning tile apart or sideways.',
  reads: {
    title: 'Photos are read',
    device: 'On this device',
    server: 'On the server',
    instead: 'Photos are read on the server instead.',
    onServer: 'Read it on the server',
    privacy: {
      device: 'Photos are read on this device and stay there.',
      server: 'Photos are shrunk on this device, without place and time, and are not stored.',
    },
  },
  privacyHere: 'Photos and hands never leave this device.',
  install: 'Install',

  // Photos
  photoOf: 'Photo of the hand; its tiles are listed below.',
  hands: 'Hands',
  handNumber: (n: number) => `Hand ${n}`,
  inView: {
    title: 'Hands in this photo',
    hand: (letter: string) => `Hand ${letter}`,
    help: (n: number) => `This photo shows ${plural(n, 'one hand', `${n} hands`)}. Tap the one to read.`,
    read: 'selected',
    other: 'read this hand',
  },
  preparing: 'Preparing the photo …',
  readingPhoto: 'Reading the tiles …',
  loadingReader: (n: number, all: number) =>
    `Loading what reads photos: ${n} of ${all} ${plural(all, 'file', 'files')} …`,
  stages: {
    decode: 'Opening the photo …',
    detect: 'Finding the tiles …',
    refine: 'Finding their corners …',
    classify: 'Naming the tiles …',
    layout: 'Rebuilding the hand …',
    score: 'Scoring …',
  },
  waitingOnline: 'You are offline. The photo stays on this device and is read when the server is available.',
  blurred: 'This photo looks blurred: tiles may be misread.',
  dark: 'This photo is dark: tiles may be misread.',
  sendAnyway: 'Read it anyway',
  again: 'Take another',
  tryAgain: 'Try again',
  photos: {
    title: 'Photos of this hand',
    number: (n: number) => `Photo ${n}`,
    of: (n: number) => `Photo ${n} of the hand; its tiles are listed below.`,
    add: 'Add a photo of the same hand',
    named: (n: number, tiles: number) =>
      `Photo ${n}: ${plural(tiles, 'one tile was', `${tiles} tiles were`)} read from it`,
    leftOut: (n: number) => `Photo ${n}: left out`,
    reasons: {
      no_tiles: (n: number) => `Photo ${n} was left out: there are no tiles in it.`,
      other_tiles: (n: number) =>
        `Photo ${n} was left out: its tiles are not those of the other photos, or they lie differently.`,
    },
    apart: 'Read as another hand',
    remove: (n: number) => `Remove photo ${n}`,
    leaveOut: (n: number) => `Continue without photo ${n}`,
    from: (n: number) => `Read from photo ${n}.`,
    also: (numbers: string) => `Also visible in: ${numbers}.`,
    what: (n: number) => plural(n, 'What does this photo show?', `What do these ${n} photos show?`),
    show: {
      open: 'More photos of the hand on the screen',
      one: 'Photos of the same hand',
      each: 'Photos of different hands',
    },
    another: 'A photo of another hand',
    sameHelp: 'Read together: what glare or a finger hides in one photo is read from another.',
    tooMany: (most: number) =>
      `At most ${most} ${plural(most, 'photo', 'photos')} of the same hand can be read together. None was sent.`,
    notAdded: 'The photo was not added; the hand is shown as before.',
  },
  live: {
    title: 'Live camera',
    picture: 'What the camera sees, with the tiles outlined',
    nothing: 'Hold the phone over the tiles.',
    open: 'Reading the hand …',
    steady: 'The hand is read.',
    keep: 'Use this hand',
    snap: 'Take this picture',
    close: 'Close the camera',
    noCamera: {
      denied: 'This page may not use the camera. Allow it in the browser, or take a photo instead.',
      missing: 'This device has no camera that the page can use. Take or choose a photo instead.',
      busy: 'Another program uses the camera. Close it and try again, or take a photo instead.',
    },
  },
  pointing: {
    hand: 'Point at the hand',
    help: {
      box: 'Draw a box around the hand that you mean.',
      outline: 'Draw a line around the hand that you mean.',
    },
    missed: 'There is no hand in the part you marked. The hand that was read before is still shown.',
    shape: 'What to draw',
    shapes: { box: 'Box', outline: 'Outline' },
    addAs: 'Add it as',
    zoomIn: 'Zoom in',
    zoomOut: 'The whole photo',
  },
  turn: 'Turn the photo',
  remove: 'Remove',
  close: 'Close',

  // Problems
  problems: {
    'no-hand':
      'No hand was found in this photo. Lay the tiles flat, with some space around them, and fill the frame.',
    'unreadable-image':
      'This file is damaged or is not a picture. Choose a JPEG, PNG, WebP, HEIC or AVIF photo.',
    'unsupported-media': 'This file type is not supported. Choose a JPEG, PNG, WebP, HEIC or AVIF photo.',
    'too-large': 'This photo is too large.',
    'not-a-win': 'These tiles don’t form a winning hand.',
    'invalid-hand': 'These tiles can’t form a hand.',
    'unreadable-notation': 'This text is not a hand.',
    'invalid-context': 'The hand can’t have been won this way.',
    unavailable: 'The server is busy. Try again in a moment.',
    unauthorized: 'This server requires a key.',
    'too-many-requests': 'Too many requests. Wait a moment.',
    'insufficient-storage': 'The storage of this server is full. Delete something, or ask its administrator.',
    'feedback-disabled': 'This server does not accept corrections.',
    offline: 'The server can’t be reached.',
    'no-webassembly':
      'This browser has no WebAssembly, which scores hands here. Use another browser, or a newer one.',
    'no-simd':
      'This browser can’t read photos: it has no WebAssembly with SIMD. Hands that you type are scored all the same.',
    'not-loaded':
      'Not everything that this needs could be loaded. Go online once and try again; after that it works without a network.',
    device:
      'This device could not do it; perhaps it has too little memory left. Close other pages and try again.',
    'device-full':
      'The storage of this browser is full, so nothing was entered. Free some space and try again.',
    other: 'Something went wrong on the server. Try again.',
  },
  contradicts: (field: string) => `Check: ${field}.`,
  offlineScore: 'Scoring needs the server. The hand stays here and is scored when you are online again.',
  offline: 'Offline',
  key: 'Key for this server',
  save: 'Save',

  // Tiles
  suited: (rank: number, suit: 'm' | 'p' | 's') =>
    `${rank} ${{ m: 'characters', p: 'dots', s: 'bamboo' }[suit]}`,
  suits: { m: 'Characters', p: 'Dots', s: 'Bamboo', z: 'Winds and dragons', f: 'Flowers and seasons' },
  honors: {
    E: 'East wind',
    S: 'South wind',
    W: 'West wind',
    N: 'North wind',
    C: 'red dragon',
    F: 'green dragon',
    P: 'white dragon',
  },
  bonus: {
    f1: 'plum',
    f2: 'orchid',
    f3: 'chrysanthemum',
    f4: 'bamboo flower',
    s1: 'spring',
    s2: 'summer',
    s3: 'autumn',
    s4: 'winter',
  },
  unnamed: 'a flower',
  faceDown: 'a tile face down',
  unsure: 'unsure',
  winningMark: 'winning tile',
  ordinal: (n: number) => ORDINALS[n - 1] ?? `number ${n}`,
  winds: { E: 'East', S: 'South', W: 'West', N: 'North' },

  // The hand
  hand: 'The hand',
  concealed: 'In the hand',
  melds: 'Sets laid out',
  flowers: 'Flowers',
  flowerCount: {
    fewer: 'One flower fewer',
    more: 'One flower more',
    number: (n: number) => plural(n, 'one flower', `${n} flowers`),
  },
  addTiles: 'Add tiles',
  removeTiles: 'Remove tiles',
  done: 'Done',
  undo: 'Undo',
  takeBackChange: 'Take back the last change',
  redo: 'Redo',
  original: 'As the camera saw it',
  asText: 'The hand as text',
  textHelp: 'For example 123456789m11pFFF, sets in brackets, the winning tile last.',
  select: 'Select tiles',
  selectHelp: 'Tap tiles, then choose where they belong.',
  selected: (n: number) => `${n} selected`,
  toNewSet: 'New set',
  toHand: 'To the hand',
  toSet: (n: number) => `To set ${n}`,
  setNumber: (n: number) => `Set ${n}`,
  kinds: { chow: 'Chow', pung: 'Pung', kong: 'Kong' },
  noSet: 'Not a set',
  kong: { concealed: 'Concealed', exposed: 'Exposed', added: 'Added' },
  kongHow: 'How the kong was made',
  claimedFrom: 'Claimed from',
  claimedTile: 'Claimed tile',
  from: { left: 'Left', across: 'Across', right: 'Right' },
  unknown: 'Unknown',
  split: 'Split up',
  mergeNext: 'Merge with next',
  emptyHand: 'No tiles yet.',

  // One tile
  likely: 'It could be',
  allTiles: 'All tiles',
  markWinning: 'This tile won',
  moveTo: 'Belongs to',
  seenAs: 'What the camera saw',
  changeTile: (tile: string) => `Change ${tile}`,

  // Count
  count: (tiles: number, kongs: number) =>
    kongs === 0
      ? plural(tiles, 'one tile', `${tiles} tiles`)
      : `${tiles} + ${plural(kongs, 'one kong', `${kongs} kongs`)}`,
  missing: (n: number) => `${plural(n, 'one tile', `${n} tiles`)} missing`,
  offered: 'a tile in the photo would complete it',
  surplus: (n: number) => `${plural(n, 'one tile', `${n} tiles`)} too many`,
  complete: 'complete',
  brokenSets: (n: number) => plural(n, 'one set is not valid', `${n} sets are not valid`),
  copies: (tiles: readonly string[]) => `more than four of ${list(tiles)}`,
  tooManyMelds: 'more than four sets',
  noWinning: 'which tile won?',

  // Doubts
  questions: 'Please check',
  changesScore: 'changes the score',
  sameScore: 'same score either way',
  sameScoreMore: (more: number) => `${more} more, same score either way`,
  ask: {
    tile: (tile: string) => `Is this ${withArticle(tile)}?`,
    tile_count: 'Is the whole hand in the photo, and nothing else?',
    whichTile: 'Which tile is this?',
    offered: (tile: string | null) =>
      `A tile beside the hand${inBrackets(tile)} would complete it. Does it belong to the hand?`,
    touching: (tile: string | null) => `This tile${inBrackets(tile)} touches the hand. Does it belong to it?`,
    winning_tile: 'Which tile won?',
    too_many_copies: (tile: string) => `Too many tiles were read as ${tile}. Which one is another tile?`,
    exposed_set: 'This set lies apart. Was it claimed?',
    concealed_kong: 'Was this kong claimed, or did its player draw all four tiles?',
    added_kong: 'Does a fourth tile make this a kong?',
    hidden_kong: 'This kong lies face down. Which tile is it?',
    not_a_set: 'These tiles lie together but form no set.',
    flower: (tile: string | null) => `Does this flower${inBrackets(tile)} belong to the hand?`,
    flowerGap: 'Does another flower lie between these two?',
    cut_tile: 'The edge of the photo cuts off tiles. Are they right, and is the hand complete?',
    not_a_win: 'These tiles don’t form a winning hand. Is one of them wrong?',
    contradiction: (field: string) => `“${field}” doesn’t fit this hand. Is it wrong, or is a tile?`,
    feeder: 'Several players discarded tiles for these sets. Who completed the last one? Choose below.',
  },
  replies: {
    yes: 'Yes',
    no: 'No',
    concealed: 'Concealed',
    claimed: 'Claimed',
    added: 'Added to a pung',
    none: 'No tile',
    back: 'Face down',
    in_set: 'which completed its exposed set',
    other: 'Another tile',
  },
  repairs: {
    title: 'The hand would win with',
    rename: (to: string, from: string) => `${to} instead of ${from}`,
    leave_out: (tile: string) => `without ${tile}`,
    add: (tile: string) => `one more tile: ${tile}`,
    more: (n: number) => plural(n, 'one more change', `${n} more changes`),
    short: 'too few points',
  },
  looksRight: 'That is right',
  total: (n: number) => `${n} ${plural(n, 'point', 'points')}`,
  noWin: 'no win',

  // The win context
  winContext: 'How it was won',
  rules: 'Rules',
  fields: {
    seat: 'Winner’s seat wind',
    prevalent: 'Prevalent wind',
    win: 'Won by',
    from: 'Discarded by',
    last_wall_tile: 'Last tile of the wall',
    last_of_kind: 'Last of its kind',
    feeder: 'Last set fed by',
    declared: 'Declared',
    completes: 'Last tile completed',
  },
  fromRobbed: 'Added by',
  wins: {
    self_drawn: 'Self-draw',
    discard: 'Discard',
    kong_replacement: 'Kong replacement',
    robbed_kong: 'Robbed kong',
  },
  last_wall_tile_help: 'The wall is empty, or this is the discard after its last tile.',
  last_of_kind_help: 'The other three are visible on the table.',
  feeders: { left: 'Left', across: 'Across', right: 'Right', nobody: 'Nobody' },
  completesBest: 'Whichever scores most',
  declared: {
    original_call: 'Original call',
    twofold_fortune: 'Twofold fortune',
    heaven: 'Blessing of heaven',
    earth: 'Blessing of earth',
    ninth_east_win: 'East’s ninth win in a row',
    flower_replacement: 'Won with the replacement of a flower',
    dangerous_game: 'Dangerous game: the discarder pays for everyone',
  },

  // Other players' hands
  otherHands: 'Other players’ hands',
  pad: {
    open: 'Enter with tiles',
    legend: 'What a key adds',
    kinds: { concealed: 'In the hand', hidden: 'Concealed kong' },
  },
  otherHandsHelp: 'Every player’s hand counts. Type it, or take a photo of it.',
  handOf: (who: string) => `The hand of ${who}`,
  besideOthers: 'With this hand, the table has more than four copies of a tile.',
  snapOf: (who: string) => `Photo: ${who}`,
  kept: '(kept from the last hand)',
  keptRound: (wind: string) => `Prevalent wind ${wind}: kept from the last hand.`,
  assumed: (facts: readonly string[]) => `Assumed: ${facts.join('; ')}.`,
  assumptions: {
    win: {
      self_drawn: 'won by self-draw',
      discard: 'won on a discard',
      kong_replacement: 'won on a kong replacement',
      robbed_kong: 'won by robbing a kong',
    },
    from: {
      left: 'won on a discard from the left',
      across: 'won on a discard from across',
      right: 'won on a discard from the right',
    },
    robbed: {
      left: 'won by robbing a kong on the left',
      across: 'won by robbing a kong across',
      right: 'won by robbing a kong on the right',
    },
    feeder: {
      left: 'last set fed from the left',
      across: 'last set fed from across',
      right: 'last set fed from the right',
      nobody: 'last set fed by nobody',
    },
  },

  outcome: {
    range: (low: number, high: number) => `${low} to ${high}`,
    rangeOf: (low: number, high: number) => `${low} to ${high} ${plural(high, 'point', 'points')}`,
    about: {
      winds: 'winds?',
      win: 'self-draw?',
      winning_tile: 'winning tile?',
      seat: 'seat wind?',
      prevalent: 'prevalent wind?',
      tiles: 'the tiles?',
    },
    how: 'How was it won?',
    discardBy: {
      left: 'On a discard from the left',
      across: 'On a discard from across',
      right: 'On a discard from the right',
    },
    winds: 'Round and the winner’s seat?',
    round: (wind: string) => `${wind} round`,
    seat: 'Which wind was the winner’s seat?',
    prevalent: 'Which wind was prevalent?',
    more: (n: number) => plural(n, 'one more question', `${n} more questions`),
    change: 'Change',
    tiles: 'Tiles and sets',
    why: 'The score in detail',
    nobodyPays: 'This is not a legal win: nobody pays.',
    oneOf: (total: number, low: number, high: number) =>
      `These lines make ${total} ${plural(total, 'point', 'points')}: one of the totals from ${low} to ${high} that are possible.`,
    paysLater: 'Who pays what is known once the questions above are answered.',
    compare: 'Compare rules',
    compareEnd: 'Only this one',
    compareWith: 'Compare with',
  },

  // Result
  score: 'Score',
  points: (n: number) => plural(n, 'point', 'points'),
  scoring: 'Scoring …',
  toScore: 'Show the score',
  doublings: (n: number) => `${halves(n)} dbl.`,
  limits: (n: number) => `${halves(n)} ${n <= 1 ? 'limit' : 'limits'}`,
  wholeHand: 'the whole hand',
  excluded: (n: number) => `Not counted (${n})`,
  reasons: {
    implied: (by: string) => `implied by ${by}`,
    same_fan_twice: (by: string) => `one of its sets already counts for ${by}`,
    account_once: (by: string) => `its sets are already combined, last by ${by}`,
    counts_alone: (by: string) => `${by} counts alone`,
    knitted_tile: (by: string) => `by these rules a wait does not count for one of the nine tiles of ${by}`,
  },
  runnersUp: (n: number) => `Other ways to group the tiles (${n})`,
  whoPays: 'Who pays',
  pays: (payer: string, amount: number, winner: string) => `${payer} pays ${winner} ${amount}`,
  gains: (winner: string, amount: number) => `${winner} gets ${amount}`,
  unsettled: (seats: readonly string[]) =>
    `Missing: the hand of ${list(seats)}. The payments between the other players are not complete.`,
  changed: (was: number, is: number) =>
    `The photo was read as ${was} ${plural(was, 'point', 'points')}; corrected, the hand has ${is}.`,
  dependsOn: (fields: readonly string[]) => `depends on ${list(fields)} (assumed)`,

  // Share
  share: 'Share',
  shareLink: 'Share link',
  sharePicture: 'Share picture',
  copied: 'Link copied.',
  saved: 'Picture saved.',
  shareTitle: (total: number) => `A mahjong hand of ${total} ${plural(total, 'point', 'points')}`,
  shareRange: (low: number, high: number) =>
    `A mahjong hand of ${low} to ${high} ${plural(high, 'point', 'points')}`,

  // Feedback
  feedback: 'Help improve the reader',
  feedbackHelp: 'Send this correction to improve future readings.',
  withPhoto: 'Send the photo too',
  send: 'Send',
  thanks: 'Thank you. It is stored until',
  takeBack: 'Delete it',
  takenBack: 'Deleted.',

  mirrored: 'The photo was mirrored, as selfie cameras do. The hand is shown as it lies on the table.',

  // The evening
  evening: {
    title: 'Evening',
    goOn: (title: string) => `Score sheet: ${title}`,
    gone: 'This game no longer exists.',
    loading: 'Loading the game …',
    another: 'Another game',
    intro:
      'A score sheet for four players. It tracks the dealer and the seats, and several phones can share it.',
    name: 'Name of the game',
    players: 'Players, by their first seats',
    fourNames: 'Enter four names that can be told apart.',
    begin: 'Begin',
    deal: (n: number, round: string) => `Deal ${n}, ${round} round`,
    correcting: (n: number) => `Correct deal ${n}`,
    over: { complete: 'All deals are played', finished: 'The game is finished' },
    draw: 'Draw',
    way: 'Enter the hand',
    ways: { photo: 'By photo', library: 'From the library', typed: 'Typed', points: 'Points only' },
    pointsOfHand: 'Points of the hand',
    byHand: 'Enter payments',
    finish: 'Finish the game',
    finishAsk: 'Finish the game? No deal can be entered after that, until it is undone.',
    goOnPlaying: 'Keep playing',
    why: 'Reason',
    who: 'Concerns',
    reasons: { hand: 'Hand without tiles', false_mahjong: 'False mahjong', adjustment: 'Agreed points' },
    pointsOf: 'Points gained or lost',
    sum: (sum: string) => `Sum: ${sum}. It must be 0.`,
    wrongPoints: (most: number) => `Enter a whole number from 0 to ${most}.`,
    wrongPayment: (text: string) => `“${text}” is not a whole number of points.`,
    falseWin: 'Enter as a false mahjong',
    falseHelp: 'No rule set says what a false mahjong costs: enter what your table agreed on.',
    eachPays: 'Paid to each of the others',
    endsDeal: 'This ended the deal',
    note: 'Note',
    enter: 'Enter',
    waits: 'waiting for the server.',
    changedBy: 'Another phone changed the game. Check the sheet: should this still be entered?',
    insist: 'Enter it anyway',
    discard: 'Discard',
    refused: {
      'game-over': 'The game is over.',
      'invalid-entry': 'This can’t be entered.',
      'not-found': 'This entry no longer exists.',
    },
    standings: 'Standings',
    place: 'Place',
    player: 'Player',
    points: 'Points',
    tablePoints: 'Table points',
    sheet: 'Score sheet',
    what: 'What',
    corrected: 'corrected',
    correct: 'Correct',
    wasDraw: 'It was a draw',
    history: (n: number) => `History (${n})`,
    did: {
      correct: (what: string) => `Corrected: ${what}`,
      rename: (names: string) => `Renamed: ${names}`,
      undo: 'Undone',
      remove: 'Removed',
      finish: 'Finished',
    },
    selfDrawn: (winner: string) => `${winner}, self-draw`,
    wonFrom: (winner: string, discarder: string) => `${winner} from ${discarder}`,
    invite: 'Link for players',
    lookOn: 'Link for spectators',
    rename: 'Rename',
    winner: 'Who won?',
    from: (name: string) => `From ${name}`,
    add: 'Add to the evening',
    unsure: (total: string) => `The total is not sure yet: ${total}.`,
    answerFirst: 'Answer first',
    addAnyway: (total: string) => `Add ${total} anyway`,
  },

  update: 'A new version is ready.',
  reload: 'Reload',
};

export type Messages = typeof en;
