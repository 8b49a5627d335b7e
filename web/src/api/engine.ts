/**
 * Interface of an engine that reads and scores hands: the service (`client.ts`) or this device
 * (`../engine/device.ts`). Both answer alike, and every error is a `Failure`.
 */
import type {
  Answer,
  AnsweredDoubt,
  AnsweredReading,
  Context,
  Corner,
  Focus,
  HandDto,
  Other,
  Reading,
  Ruleset,
  Scored,
} from './types';

/** Place of the hand in a photo: at a point, or within a region. */
export interface Aim {
  readonly focus?: Focus;
  readonly region?: readonly Corner[];
}

/** Own sets, and the choice among them: a name, or `auto`. */
export interface SetsToUse {
  /** Files of sets of this device; `null` for the sets that the service has. */
  readonly files: readonly Uint8Array[] | null;
  readonly choice: string;
}

export interface ToScore {
  readonly hand: HandDto;
  readonly context: Context;
  readonly rulesets: readonly string[];
  readonly others?: readonly Other[];
}

export interface Engine {
  /**
   * The photos of a hand to its reading; of several hands in the first photo to that of the one
   * that is aimed at there. This device and the service have own sets each: either reads without
   * those of the other.
   */
  readHand(
    photos: readonly Blob[],
    context: Context,
    ruleset: string | undefined,
    signal: AbortSignal,
    aim?: Aim,
    sets?: SetsToUse | null,
  ): Promise<Answer>;

  /** Scores a typed hand by every rule set, or a table of hands. */
  scoreHand(request: ToScore, signal?: AbortSignal): Promise<readonly Scored[]>;

  /**
   * A hand that was read and then answered or corrected: its scores, and the doubts that are left,
   * both computed anew.
   */
  answerReading(
    reading: Reading,
    answered: readonly AnsweredDoubt[],
    request: ToScore,
    signal?: AbortSignal,
  ): Promise<AnsweredReading>;

  /** A photo as an upright JPEG, where the browser can't show it. */
  preview(photo: Blob): Promise<Blob>;

  rulesets(): Promise<{ readonly rulesets: readonly Ruleset[] }>;
}

/** Answers as the contract has them. */
export const answersOf = (answered: readonly AnsweredDoubt[]) =>
  answered.map(({ doubt, answer }) => ({ doubt, ...(answer !== null && { answer }) }));

/**
 * Returns the parts of a reading that the answers to its doubts need. Of each tile it keeps the
 * names that it may have, because repairs need them.
 */
export const doubtful = ({ hand, doubts, tiles }: Reading) => ({
  hand,
  doubts,
  tiles: tiles.map(({ tile, role, candidates }) => ({ tile, role, candidates })),
});
