/**
 * A hand as a link: everything is in the fragment, which browsers never send to a server.
 *
 * `#hand=NOTATION` or `#hand=NOTATION&rules=mcr-wmo,mcr-mil`; the notation includes the context as
 * far as it was given, so that the page that opens it assumes the same and says so. `supposed=1`: the
 * winning tile is only supposed.
 */
import type { Context } from '../api/types';
import { NotationError, parse, print, type Written } from '../engine/notation';
import type { Hand } from '../model/hand';

export function linkTo(hand: Hand, context: Context, rulesets: readonly string[], page: string): string {
  const fragment = new URLSearchParams({ hand: print(hand, context) ?? '', rules: rulesets.join() });
  if (hand.supposed) fragment.set('supposed', '1');
  // The notation stays readable in the address: these need no escape in a fragment.
  const readable = fragment.toString().replace(/%(5B|5D|2C|7C|3F)/g, decodeURIComponent);
  return `${new URL('./', page).href}#${readable}`;
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
    const written = parse(text);
    const supposed = params.get('supposed') === '1' && written.hand.winning !== null;
    const rulesets = params.get('rules')?.split(',').filter(Boolean) ?? [];
    return { ...written, hand: { ...written.hand, supposed }, rulesets };
  } catch (error) {
    if (error instanceof NotationError) return null;
    throw error;
  }
}
