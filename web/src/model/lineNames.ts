/** Names of a scored line: one in the reader's language, and the one that players of the game use. */
import type { Ruleset } from '../api/types';

export interface LineName {
  readonly own: string;
  /** Name that players use in any language; absent where it is the same. */
  readonly customary?: string;
}

/** A name of riichi, which has the customary one in brackets: "One Shot (ippatsu 一発)". */
const IN_BRACKETS = /^(.+?)\s*[(（]([^()（）]+?)(?:\s+(\P{ASCII}+))?[)）]$/u;

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
  return chinese && !isSame(chinese, name) ? { own: name, customary: chinese } : { own: name };
}

/** Returns the Chinese name of a line of a rule set, in traditional characters where it is played with them. */
export function chineseName(rules: Pick<Ruleset, 'lines'> | undefined, code: string): string | undefined {
  const names = rules?.lines.find((line) => line.code === code)?.names;
  return names?.zh_hant ?? names?.zh;
}
