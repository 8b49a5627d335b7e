/**
 * A hand as a link: everything stands behind the `#`, which browsers never send to a server.
 *
 * `#hand=NOTATION` or `#hand=NOTATION&rules=mcr-wmo,mcr-mil`; the notation carries the circumstances.
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

/** The hand of a link; `null` where it carries none that can be read. */
export function fromFragment(fragment: string): Written | null {
  const text = new URLSearchParams(fragment.replace(/^#/, '')).get('hand');
  if (!text) return null;
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof NotationError) return null;
    throw error;
  }
}
