/**
 * Short names for what the service sends and accepts. The types are generated from its OpenAPI
 * document (`npm run types` writes `openapi.ts`); docs/contract.md describes them. Only what that
 * document can't say is added here.
 */
import type { components } from './openapi';

type Schemas = components['schemas'];

export type {
  Alternative,
  Answer,
  AnsweredReading,
  Award,
  ContextField,
  Deal,
  Doubt,
  DoubtKind,
  Feeder,
  Focus,
  Game,
  GameAction,
  GameRow,
  Hand as HandDto,
  HandInView,
  Meld as MeldDto,
  OpenField,
  Other,
  OwnSets,
  Play,
  Player,
  Reading,
  Relation,
  Repair,
  Role,
  Ruleset,
  RulesetScore as Scored,
  Score,
  ScoredSet,
  SeenTile,
  SeriesAction,
  SeriesImport,
  SeriesLink,
  TotalRange,
  ValueRow,
  Wind,
  WinKind,
} from './openapi';

/** An answer to a doubt; `null` where the hand is right as it is. */
export interface AnsweredDoubt {
  readonly doubt: string;
  readonly answer: string | null;
}

/** A tile of a sheet. */
export interface SheetTile {
  readonly polygon: Polygon;
  /** Name of the tile; `null` if it is left out. */
  readonly name: string | null;
  /** Whether the name need not be asked about. */
  readonly sure: boolean;
  /** The most probable face by the networks alone. */
  readonly seen: string;
}

export type SheetRows = readonly (readonly SheetTile[])[];

/** A problem of the service, or one of the page's own, such as `offline`. */
export interface Problem extends Omit<Schemas['Problem'], 'type' | 'detail'> {
  readonly type: string;
  readonly detail?: string;
}

type Listed = 'completes' | 'declared' | 'ruleset';

/**
 * The context as the page holds it: what is not known is absent and never `null`, and codes are
 * those that the rule sets list, one's own among them.
 */
export interface Context extends Present<Omit<Schemas['Context'], Listed>> {
  readonly completes?: string;
  readonly declared?: readonly string[];
}

/** The context as it is sent and received. */
export type ContextDto = Schemas['Context'];

type Present<T> = { readonly [K in keyof T]: Exclude<T[K], null> };

export type Corner = readonly [x: number, y: number];
/** The corners of a tile, clockwise. The document says no more than that they are lists. */
export type Polygon = readonly [Corner, Corner, Corner, Corner];

export const polygonOf = (tile: Schemas['SeenTile']): Polygon => tile.polygon as unknown as Polygon;

/** A type as it is received of a series: no field is left out, and what is not known is `null`. */
type Whole<T> = T extends readonly (infer Item)[]
  ? readonly Whole<Item>[]
  : T extends object
    ? { readonly [K in keyof T]-?: Whole<T[K]> }
    : T;

export type Series = Whole<Schemas['Series']>;
export type SeriesRound = Series['rounds'][number];
export type SeriesTable = SeriesRound['tables'][number];
export type SeriesSeat = SeriesTable['seats'][number];
export type SeriesPlayerRecord = Series['records'][number];

/** A series to create; its rules may be one's own. */
export interface NewSeries extends Omit<Schemas['NewSeries'], 'ruleset'> {
  readonly ruleset: string;
}
