/** The frames of a camera, read by the package on this device. */
import type { Camera } from '../../../bindings/npm/index.js';
import type { SetsToUse } from '../api/engine';
import type { Context } from '../api/types';
import { lang } from '../browser/lang';
import { callPackage, reader, setsGiven, typed } from './device';

/**
 * Begins to read frames, with the win context as far as it is known and the own sets of this device.
 * The module and the networks are loaded first.
 *
 * @throws {Failure} if that can't be loaded, or this browser can't run it.
 */
export async function watchHand(
  context: Context,
  ruleset: string | undefined,
  sets: SetsToUse | null,
): Promise<Camera> {
  const options = {
    context: typed({ ...context, ...(ruleset && { ruleset }) }),
    lang: lang.value,
    ...setsGiven(sets),
  };
  const camera = (await reader()).watch(options);
  return {
    see: (frame) => callPackage(() => camera.see(frame)),
    end: () => callPackage(() => camera.end()),
  };
}
