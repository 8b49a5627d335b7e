/** View on the screen, so that what a person waited for does not pull them back from where they went meanwhile. */
import { address, showing } from './evening';
import { currentId } from './hand/entry';
import { seriesAddress, showingSeries } from './series';
import { showingSets } from './teaching';
import { viewing } from './viewfinder';

const here = (): string =>
  JSON.stringify([
    currentId.peek(),
    viewing.peek(),
    showing.peek() && address.peek(),
    showingSeries.peek() && seriesAddress.peek(),
    showingSets.peek(),
  ]);

/** Returns a check that tells whether the person is still where they are now. */
export function staying(): () => boolean {
  const before = here();
  return () => here() === before;
}
