/**
 * A hand as a link: everything is in the fragment, which browsers never send to a server.
 *
 * `#hand=NOTATION` or `#hand=NOTATION&rules=mcr-wmo,mcr-mil`; the notation includes the context.
 */
import type { Context } from '../api/types';
import type { Hand } from '../model/hand';
import { NotationError, parse, print, type Written } from '../model/notation';

export function linkTo(hand: Hand, context: Context, rulesets: readonly string[], page: string): string {
  const fragment = new URLSearchParams({ hand: print(hand, context), rules: rulesets.join() });
  // The notation stays readable in the address: these need no escape in a fragment.
  const readable = fragment.toString().replace(/%(5B|5D|2C|7C|3F)/g, decodeURIComponent);
  return `${new URL('/', page).href}#${readable}`;
}

export interface Linked extends Written {
  readonly rulesets: readonly string[];
}

/** The hand in a link; `null` if it can't be parsed. */
export function fromFragment(fragment: string): Linked | null {
  const params = new URLSearchParams(fragment.replace(/^#/, ''));
  const text = params.get('hand');
  if (!text) return null;
  try {
    return { ...parse(text), rulesets: params.get('rules')?.split(',').filter(Boolean) ?? [] };
  } catch (error) {
    if (error instanceof NotationError) return null;
    throw error;
  }
}
