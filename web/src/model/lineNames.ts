/** Names of a scored line: one in the reader's language, and the one that players of the game use. */
import type { Ruleset } from '../api/types';

export interface LineName {
  readonly own: string;
  /** Name that players use in any language; absent where it is the same. */
  readonly customary?: string;
}

/** A name of riichi, which has the customary one in brackets: "One Shot (ippatsu 一発)". */
const IN_BRACKETS = /^(.+?)\s*[(（]([a-z][^()（）]*?)(?:\s+(\P{ASCII}+))?[)）]$/u;

const HAN = /\p{Script=Han}/u;

/** Games that are played with traditional characters. */
const TRADITIONAL: ReadonlySet<string> = new Set(['hongkong', 'taiwan']);

const isSame = (one: string, other: string): boolean => one.toLocaleLowerCase() === other.toLocaleLowerCase();

/** Returns the names of a line: of riichi as it is said, or as it is written where it is said alike. */
export function lineName(name: string, chinese?: string): LineName {
  const [, own, said, written] = IN_BRACKETS.exec(name) ?? [];
  if (own && said) {
    const customary = [said, written].find((one) => one && !isSame(one, own));
    // Who reads characters needs no Latin letters.
    const read = /^\P{ASCII}+$/u.test(own) ? written : customary;
    return read && !isSame(read, own) ? { own, customary: read } : { own };
  }
  // Who reads characters has the name already.
  return chinese && !HAN.test(name) ? { own: name, customary: chinese } : { own: name };
}

/** Returns the Chinese name of a line of a rule set, in traditional characters where it is played with them. */
export function chineseName(
  rules: Pick<Ruleset, 'game' | 'lines'> | undefined,
  code: string,
): string | undefined {
  const names = rules?.lines.find((line) => line.code === code)?.names;
  return rules && TRADITIONAL.has(rules.game) ? names?.zh_hant : names?.zh;
}
