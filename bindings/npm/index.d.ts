/**
 * Scores mahjong hands and reads photos of them, in browsers and Node: Tilesight as WebAssembly. All
 * types come from the contract, which docs/contract.md of the project describes. A function throws a
 * `TypeError` for an option that it does not have, and names the one that was probably meant.
 */
import type {
  Answer,
  AnsweredReading,
  CompactAnswer,
  Context,
  Feeder,
  Focus,
  Game,
  GameAction,
  GivenAnswer,
  Hand,
  NewGame,
  Other,
  Problem as ProblemDto,
  Reading,
  Rulesets,
  RulesetScore,
  Score,
  WinKind,
} from './contract.js';

export type * from './contract.js';

/** The language of names, explanations and errors; English without one. */
export type Lang = 'en' | 'de' | 'da' | 'sv' | 'zh' | 'zh-Hant' | 'ja';

/** A hand as a line of notation, such as `[EEE,2]123m456p789s5s5s`, or field by field. */
export type HandInput = string | Partial<Hand>;

export interface Options {
  readonly lang?: Lang;
}

export interface ScoreOptions extends Options {
  /** The hands of those who did not win, for rules that score every player; at most three. */
  readonly others?: readonly Other[];
}

/**
 * Loads the module. It has to be done before anything else, once: what follows is synchronous.
 *
 * @param source What `tilesight.wasm` is loaded from: an address, a response, or bytes. Without one
 *   it is the package's own.
 */
export function init(
  source?: string | URL | Response | BufferSource | WebAssembly.Module,
): Promise<void>;

/**
 * The score of a winning hand, with every line and who pays whom.
 *
 * @param context The win context and the rule set; what is left out gets a default, which the
 *   answer lists in `assumed`.
 * @throws {Problem} What is wrong with the hand or its context, field by field.
 */
export function score(hand: HandInput, context?: Partial<Context>, options?: ScoreOptions): Score;

/**
 * The scores of a hand by several rule sets, in their order. A rule set that can't score the hand
 * has a problem instead of a score.
 *
 * @throws {Problem} What is wrong with the hand or its context, field by field.
 */
export function scores(
  hand: HandInput,
  rulesets: readonly string[],
  context?: Partial<Context>,
  options?: ScoreOptions,
): readonly RulesetScore[];

/**
 * Adds a rule set of one's own, given as the text of a profile file, as `tilesight rules show` prints them: it
 * may extend one that ships. It lasts until the page or the program ends. A `Reader` has rule sets of its own.
 *
 * @throws {Problem} What is wrong with the file, or that its name is taken.
 */
export function install(profile: string, options?: Options): void;

/** The rule sets, with their options and every line that they know. */
export function rulesets(options?: Options): Rulesets;

/** A hand in all its forms. */
export interface WrittenHand {
  readonly hand: Hand;
  readonly context: Partial<Context>;
  /** Hand and win context in one line. */
  readonly notation: string;
  /** Values that the win context may have for this hand. */
  readonly possible: PossibleAnswers;
}

/** The answers that one of the rule sets takes for a hand; of a hand in the making, for its melds. */
export interface PossibleAnswers {
  readonly win: readonly WinKind[];
  readonly declared: readonly string[];
  /** Possible feeders of the last of the sets that make their feeder pay; empty if no set does. */
  readonly feeder: readonly Feeder[];
  /** The sets that the winning tile can have completed, such as `456m`; none without a whole hand. */
  readonly completes: readonly string[];
}

/**
 * A hand and its context as objects and as a line of notation, from either. It need not be a whole
 * hand.
 *
 * @throws {Problem} What can't be read; `errors[0].character` is its place in the notation,
 *   counted from 1.
 */
export function parse(
  hand: HandInput,
  context?: Partial<Context>,
  options?: Options,
): WrittenHand;

/** A series of deals with a score sheet. Rules, seats and payments follow from what is entered. */
export class Evening {
  private constructor(record: string);

  /** @throws {Problem} The names are not different, or the rule set is unknown. */
  static begin(game: NewGame, options?: Options): Evening;

  /**
   * An evening that was stored with `JSON.stringify`.
   *
   * @throws {Problem} It is not the record of a game.
   */
  static open(record: unknown, options?: Options): Evening;

  /**
   * Enters, corrects or undoes something, and returns the evening as it then stands.
   *
   * @param options.by Who does it, as they call themselves.
   * @param options.at When, now without it.
   * @throws {Problem} It can't be entered; the evening stays as it was.
   */
  change(action: GameAction, options?: Options & { by?: string; at?: Date | number }): Game;

  /** Deals, payments, totals and standings; its `revision` counts the changes. */
  view(options?: Options): Game;

  /** The score sheet as comma-separated values. */
  csv(options?: Options): string;

  /** Returns the record that `Evening.open` takes. */
  toJSON(): unknown;
}

/** Progress of a reader: the number of files that are loaded, or the stage that begins. */
export type Progress =
  | { readonly loaded: number; readonly total: number }
  | { readonly stage: string };

export interface ReaderOptions {
  /**
   * Source of the networks: the address of their folder, or their bytes by name. They have to be
   * the networks of this version. By default they are those of the package.
   */
  readonly models?: string | URL | Readonly<Record<string, Uint8Array>>;
  /**
   * Starts the worker whose script, `tilesight-worker.js`, is at an address, for pages that enforce
   * trusted types or serve it elsewhere:
   * `(address) => new Worker(policy.createScriptURL(address.href), { type: 'module' })`.
   */
  readonly startWorker?: (address: URL) => Worker;
  /** Called while the reader loads and reads. */
  readonly onProgress?: (progress: Progress) => void;
}

export interface ReadOptions extends Options {
  /** The win context and the rule set, as far as they are known. */
  readonly context?: Partial<Context>;
  /** Rule sets to score by side by side. */
  readonly rulesets?: readonly string[];
  /** A point in the hand that is meant, in pixels of the upright photo. */
  readonly focus?: Focus;
  /** The region that the hand lies in: the corners of a polygon, in the same pixels. */
  readonly region?: readonly (readonly [number, number])[];
  /**
   * The own set to name tiles with: the name of one of `sets`, or `auto` for the one that explains
   * the photo best, if one does. `reading.set` says which was used.
   */
  readonly set?: string;
  /** Files of own sets, as `learnSet` returns them. */
  readonly sets?: readonly SetFile[];
  /** `compact` leaves out what was seen beside the hand. */
  readonly detail?: 'full' | 'compact';
}

/** A file as a camera writes it, or its bytes: JPEG, PNG, WebP, HEIC or AVIF. */
export type PhotoFile = Blob | ArrayBuffer | Uint8Array;

/** The file of an own set: at most 150 kB of JSON, without the photos that it was learned from. */
export type SetFile = Blob | ArrayBuffer | Uint8Array;

/**
 * The name of a tile in a set: the code of a face such as `1m`, `back` for a tile that lies face
 * down, or `extra:joker` for a further face.
 */
export type FaceLabel = string;

/** A tile of a sheet: a photo of a set's tiles, laid out in order. */
export interface SheetTile {
  /** The outline in pixels of the upright photo; its first corner is the top left of the face. */
  readonly polygon: readonly (readonly [number, number])[];
  /** The name that its place in the order proposes; `null` for a tile that is to be left out. */
  readonly name: FaceLabel | null;
  /** Whether the name need not be asked about. */
  readonly sure: boolean;
  /** The most probable face by the networks alone. */
  readonly seen: string;
}

/** A sheet to learn from. */
export interface NamedSheet {
  readonly photo: PhotoFile | ImageData;
  /** The names of its tiles, row by row, `null` for one to leave out; without them those of `sheet`. */
  readonly names?: readonly (readonly (FaceLabel | null)[])[];
}

/** Content of a set. */
export interface SetContent {
  readonly name: string;
  /** A hash of the set's content. */
  readonly id: string;
  /** Faces of the set, each with the number of tiles that it was learned from. */
  readonly faces: readonly { readonly face: FaceLabel; readonly tiles: number }[];
  /** Faces that a set should have and this one has not. */
  readonly missing: readonly FaceLabel[];
  /** A JPEG of all faces in their order, eight in a row. */
  readonly picture: Blob;
}

/** Options for naming and scoring the hand in front of a camera. */
export type WatchOptions = Pick<ReadOptions, 'context' | 'rulesets' | 'set' | 'sets' | 'lang'>;

/** A frame of a camera: upright pixels, four bytes each, such as `ImageData`. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray | Uint8Array;
}

/** Result of a frame, which is read together with the frames before it. */
export interface SeenFrame {
  /**
   * The reading and its score, in the pixels of the frame `base`. `reading.photos` are the frames
   * that it is of, and `reading.tiles[].views` where each shows a tile; both are missing while it
   * is of one frame alone.
   */
  readonly answer: Answer;
  /** Numbers of the frames read together, from 0 in order of arrival; the newest is last. */
  readonly frames: readonly number[];
  /** The frame that shows most of the hand: the one to keep as a photo. */
  readonly base: number;
  /** Number of frames in a row with this hand and score; 0 if the newest does not show the hand. */
  readonly same: number;
  /** Whether nothing is in doubt that the score depends on, and that for several frames in a row. */
  readonly steady: boolean;
}

/** A camera that is pointed at a hand. Its frames are read as one: glare in one is settled by another. */
export interface Camera {
  /**
   * Reads the next frame. Frames may be left out, as long as the hand stays the same; another hand
   * takes over after two frames.
   *
   * @throws {Problem} The pixels are too many, or the win context can't be that of a hand.
   */
  see(frame: Frame): Promise<SeenFrame>;

  /** Forgets what was seen. */
  end(): Promise<void>;
}

export interface AnswerOptions extends Options {
  /** The hand as it is now, where a person changed more than the answers do. */
  readonly hand?: HandInput;
  readonly context?: Partial<Context>;
  /** The hands of those who did not win, for rules that score every player; at most three. */
  readonly others?: readonly Other[];
  readonly rulesets?: readonly string[];
}

/**
 * Reads photos on this machine; they never leave it. In browsers the work is done in a worker. It
 * needs WebAssembly with SIMD.
 */
export class Reader {
  private constructor();

  /**
   * Loads the pipeline and the networks, some 10 MB compressed.
   *
   * @throws {Problem} A network is not the one that this version was built with.
   */
  static create(options?: ReaderOptions): Promise<Reader>;

  /**
   * Reads a photo of a hand and scores it: a file, or pixels that are upright. Up to eight files of
   * one hand are read as one.
   *
   * @throws {Problem} The photo can't be read, or the win context can't be that of a hand.
   */
  read(
    photo: PhotoFile | ImageData | readonly PhotoFile[],
    options?: ReadOptions & { readonly detail?: 'full' },
  ): Promise<Answer>;
  read(
    photo: PhotoFile | ImageData | readonly PhotoFile[],
    options: ReadOptions & { readonly detail: 'compact' },
  ): Promise<CompactAnswer>;

  /**
   * Applies answers to the doubts of a reading: the hand with them, its score, and the doubts that
   * are left. Nothing is remembered, so all answers so far are given each time. With the tiles of the
   * reading, those repairs come first that the photo makes probable.
   *
   * @throws {Problem} An answer is not one of its doubt, or the context can't be that of a hand.
   */
  answer(
    reading: Pick<Reading, 'hand' | 'doubts'> & {
      readonly tiles?: readonly Pick<Reading['tiles'][number], 'tile' | 'role' | 'candidates'>[];
    },
    answers: readonly GivenAnswer[],
    options?: AnswerOptions,
  ): Promise<Omit<AnsweredReading, 'request_id'>>;

  /**
   * Adds a rule set, as `install` does for hands that are typed.
   *
   * @throws {Problem} What is wrong with the file, or that its name is taken.
   */
  install(profile: string, options?: Options): Promise<void>;

  /** Begins to read the frames of a camera, one at a time. */
  watch(options?: WatchOptions): Camera;

  /**
   * A photo as an upright JPEG of at most 2,000 pixels, for what this browser can't show, such as
   * HEIC.
   *
   * @throws {Problem} The photo can't be read.
   */
  preview(photo: PhotoFile, options?: Options): Promise<Blob>;

  /**
   * Finds the rows of a sheet, and proposes names for its tiles by their order: characters, dots and
   * bamboo from 1 to 9, winds, dragons, flowers and seasons, backs. Faces may be missing, and may lie
   * there several times.
   *
   * @throws {Problem} The photo can't be read, or shows no tiles.
   */
  sheet(
    photo: PhotoFile | ImageData,
    options?: Options,
  ): Promise<{ readonly rows: readonly (readonly SheetTile[])[] }>;

  /**
   * Learns a set from one or several sheets of the same tiles, and returns its file.
   *
   * @throws {Problem} A photo can't be read, the names are not those of its rows, or `name` can't be
   *   the name of a set.
   */
  learnSet(name: string, sheets: readonly NamedSheet[], options?: Options): Promise<Uint8Array>;

  /**
   * Returns the content of a set.
   *
   * @throws {Problem} The reason why the file is not a set.
   */
  showSet(file: SetFile, options?: Options): Promise<SetContent>;

  /**
   * Merges sets that were learned of the same tiles, under the name of the first one or another; of
   * one file a copy is made. Sets that another version learned are learned again from their
   * thumbnails.
   *
   * @throws {Problem} The reason why a file is not a set.
   */
  mergeSets(files: readonly SetFile[], options?: Options & { readonly name?: string }): Promise<Uint8Array>;

  /** Ends the reader and its worker. A reading that is under way is rejected. */
  close(): void;
}

/** A fault of a request. `message` is its detail, in the language of the request. */
export class Problem extends Error {
  /** The problem as the service sends it. */
  readonly problem: ProblemDto;
  /** A name that stays the same, such as `urn:tilesight:problem:invalid-hand`. */
  readonly type: ProblemDto['type'];
  readonly title: string;
  /** The status that the service would answer with. */
  readonly status: number;
  readonly detail: string;
  /** The fields that are wrong. */
  readonly errors: NonNullable<ProblemDto['errors']>;
}
