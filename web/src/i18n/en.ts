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

const plural = (n: number, one: string, many: string): string => (n === 1 ? one : many);
const list = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

export const en = {
  tagline: 'Snap the winning hand. Read the score.',
  language: 'Language',
  home: 'Start',
  skip: 'Skip to the hand',

  // Start
  snap: 'Snap the hand',
  choose: 'Choose photos',
  type: 'Type a hand',
  sample: 'Try a sample photo',
  goOn: 'Go on with the last hand',
  tips: 'Lay the whole hand flat, sets apart, the winning tile aside or sideways.',
  privacy: 'Photos are shrunk on this device, lose place and time, and are not stored.',
  install: 'Install',

  // Photos
  photoOf: 'Photo of the hand; its tiles are listed below.',
  hands: 'Hands',
  handNumber: (n: number) => `Hand ${n}`,
  preparing: 'Preparing the photo …',
  readingPhoto: 'Reading the tiles …',
  waitingOnline: 'You are offline. The photo is kept here and read once the server can be reached.',
  blurred: 'This photo looks blurred: tiles may be misread.',
  dark: 'This photo is dark: tiles may be misread.',
  sendAnyway: 'Read it anyway',
  again: 'Take another',
  tryAgain: 'Try again',
  turn: 'Turn the photo',
  remove: 'Remove',
  close: 'Close',

  // Problems
  problems: {
    'no-hand':
      'No hand was found in this photo. Lay the tiles flat, with some room around them, and fill the picture.',
    'unreadable-image': 'This file is broken or no picture. Choose a JPEG, PNG or WebP photo.',
    'unsupported-media': 'This kind of file is not read. Choose a JPEG, PNG or WebP photo.',
    'too-large': 'This photo is too large.',
    'not-a-win': 'These tiles form no winning hand.',
    'invalid-hand': 'These tiles can’t be a hand.',
    'unreadable-notation': 'This text is no hand.',
    'invalid-context': 'Something about the win can’t be true of this hand.',
    unavailable: 'The server is busy. Try again in a moment.',
    unauthorized: 'This server asks for a key.',
    'too-many-requests': 'This server is asked too often. Wait a moment.',
    'feedback-disabled': 'This server keeps no corrections.',
    offline: 'The server can’t be reached.',
    other: 'Something went wrong on the server. Try again.',
  },
  contradicts: (field: string) => `Look at: ${field}.`,
  offlineScore: 'Scoring needs the server. The hand is kept; its score comes when you are back.',
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
  unsure: 'unsure',
  winningMark: 'winning tile',
  ordinal: (n: number) => ORDINALS[n - 1] ?? `number ${n}`,
  winds: { E: 'East', S: 'South', W: 'West', N: 'North' },

  // The hand
  hand: 'The hand',
  concealed: 'In the hand',
  melds: 'Sets laid out',
  flowers: 'Flowers',
  addTiles: 'Add tiles',
  done: 'Done',
  undo: 'Undo',
  redo: 'Redo',
  original: 'As the camera saw it',
  asText: 'The hand as text',
  textHelp: 'For example 123456789m11pFFF, sets in brackets, the winning tile last.',
  textWrong: (at: number, found: string) =>
    found ? `Character ${at}: “${found}” can’t stand here.` : 'Something is missing at the end.',
  select: 'Select tiles',
  selectHelp: 'Tap tiles, then say where they belong.',
  selected: (n: number) => `${n} selected`,
  toNewSet: 'New set',
  toHand: 'To the hand',
  toSet: (n: number) => `To set ${n}`,
  setNumber: (n: number) => `Set ${n}`,
  kinds: { chow: 'Chow', pung: 'Pung', kong: 'Kong' },
  noSet: 'No set',
  kong: { concealed: 'Concealed', exposed: 'Exposed', added: 'Added' },
  kongHow: 'How the kong was made',
  claimedFrom: 'Claimed from',
  claimedTile: 'Claimed tile',
  from: { left: 'Left', across: 'Across', right: 'Right' },
  unknown: 'Not known',
  split: 'Split up',
  mergeNext: 'Merge with next',
  emptyHand: 'No tiles yet. Tap tiles below, or write the hand as text.',

  // One tile
  likely: 'It could be',
  allTiles: 'All tiles',
  markWinning: 'This tile won',
  moveTo: 'Belongs to',
  seenAs: 'What the camera saw',
  changeTile: (tile: string) => `Change ${tile}`,

  // Count
  count: (tiles: number, kongs: number) =>
    `${tiles}${kongs === 0 ? ' tiles' : kongs === 1 ? ' + one kong' : ` + ${kongs} kongs`}`,
  missing: (n: number) => `${n === 1 ? 'one tile' : `${n} tiles`} missing`,
  surplus: (n: number) => `${n === 1 ? 'one tile' : `${n} tiles`} too many`,
  complete: 'complete',
  brokenSets: (n: number) => plural(n, 'one set is none', `${n} sets are none`),
  copies: (tiles: readonly string[]) => `more than four of ${list(tiles)}`,
  tooManyMelds: 'more than four sets',
  noWinning: 'which tile won?',

  // Doubts
  questions: 'Please look',
  changesScore: 'changes the score',
  sameScore: 'same score either way',
  sameScoreMore: (more: number) => `${more} more, same score either way`,
  ask: {
    tile: (tile: string) => `Is this ${tile}?`,
    tile_count: 'Is the whole hand in the photo, and nothing else?',
    touching: (tile: string) => `This tile (${tile}) touches the hand. Does it belong to it?`,
    winning_tile: 'Which tile won?',
    too_many_copies: (tile: string) => `There are too many of ${tile}. Which one is another tile?`,
    exposed_set: 'This set lies apart. Was it claimed?',
    concealed_kong: 'Was this kong claimed, or drawn by the winner alone?',
    added_kong: 'Does a fourth tile make this a kong?',
    hidden_kong: 'This kong lies face down. Which tile is it?',
    not_a_set: 'These tiles lie together but form no set.',
    flower: (tile: string) => `Is this flower (${tile}) the winner’s?`,
    flowerGap: 'Does another flower lie between these two?',
    cut_tile: 'The photo’s edge cuts tiles off. Are they right, and is nothing missing?',
    not_a_win: 'These tiles form no winning hand. Is one of them wrong?',
    contradiction: (field: string) => `“${field}” can’t be true of this hand. Is it wrong, or a tile?`,
    feeder: 'Several players fed these sets. Who completed the last one? Say so below.',
  },
  replies: {
    yes: 'Yes',
    no: 'No',
    concealed: 'Concealed',
    claimed: 'Claimed',
    added: 'Added to a pung',
    none: 'No tile',
    other: 'Another tile',
  },
  looksRight: 'It is right',
  total: (n: number) => `${n} points`,
  noWin: 'no win',

  // Circumstances
  circumstances: 'How it was won',
  rules: 'Rules',
  fields: {
    seat: 'Your seat wind',
    prevalent: 'Prevalent wind',
    win: 'Won by',
    from: 'Discarded by',
    last_wall_tile: 'Last tile of the wall',
    last_of_kind: 'Last of its kind',
    feeder: 'Last set fed by',
  },
  fromRobbed: 'Added by',
  wins: {
    self_drawn: 'Self-draw',
    discard: 'Discard',
    kong_replacement: 'Kong replacement',
    robbed_kong: 'Robbed kong',
  },
  last_wall_tile_help: 'The wall is empty, or it is the discard after its last tile.',
  last_of_kind_help: 'The other three lie open on the table.',
  feeders: { left: 'Left', across: 'Across', right: 'Right', nobody: 'Nobody' },
  assumed: (fields: readonly string[]) => `Assumed: ${list(fields)}.`,

  // Result
  score: 'Score',
  points: (n: number) => plural(n, 'point', 'points'),
  scoring: 'Scoring …',
  toScore: 'Show the score',
  doublings: (n: string) => `${n} dbl.`,
  limits: (n: string) => `${n} limit`,
  minimumPoints: (n: number) => `${n}`,
  cameAbout: (points: number, doublings: string) => `${points} points, ${doublings} doublings.`,
  minimumMet: (minimum: string) => `The minimum of ${minimum} is reached.`,
  minimumMissed: (minimum: string, missing: string) =>
    `No legal win: the minimum is ${minimum}, ${missing} missing.`,
  withoutFlowers: (n: number) => `${n} without flowers, which don’t count towards it.`,
  wholeHand: 'the whole hand',
  excluded: (n: number) => `Not counted (${n})`,
  reasons: {
    implied: (by: string) => `implied by ${by}`,
    same_fan_twice: (by: string) => `a set of it already counts for ${by}`,
    account_once: (by: string) => `its sets are already joined, by ${by} last`,
    counts_alone: (by: string) => `${by} counts alone`,
  },
  runnersUp: (n: number) => `Other readings (${n})`,
  whoPays: 'Who pays',
  pays: (payer: string, amount: number, winner: string) => `${payer} pays ${winner} ${amount}`,
  gains: (winner: string, amount: number) => `${winner} gets ${amount}`,
  changed: (was: number, is: number) => `The camera’s reading made ${was}; mended it is ${is}.`,
  dependsOn: (fields: readonly string[]) => `depends on ${list(fields)}, which is assumed`,

  // Share
  share: 'Share',
  shareLink: 'Share link',
  sharePicture: 'Share picture',
  copied: 'Link copied.',
  saved: 'Picture saved.',
  shareTitle: (total: number) => `A mahjong hand of ${total} points`,

  // Feedback
  feedback: 'Help the reader learn',
  feedbackHelp: 'Send this correction, so that the next reading is better.',
  withPhoto: 'Send the photo too',
  send: 'Send',
  thanks: 'Thank you. It is stored until',
  takeBack: 'Take it back',
  takenBack: 'Deleted.',

  update: 'A new version is ready.',
  reload: 'Reload',
};

export type Messages = typeof en;
