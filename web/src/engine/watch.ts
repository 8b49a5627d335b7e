/** The frames of a camera, read by the package on this device. */
import type { Camera } from '../../../bindings/npm/index.js';
import type { Context } from '../api/types';
import { lang } from '../i18n';
import { asked, reader, typed } from './device';

/**
 * Begins to read frames, with the win context as far as it is known. What it needs is loaded first.
 *
 * @throws {Failure} if that can't be loaded, or this browser can't run it.
 */
export async function watchHand(context: Context, ruleset: string | undefined): Promise<Camera> {
  const options = { context: typed({ ...context, ...(ruleset && { ruleset }) }), lang: lang.value };
  const camera = (await reader()).watch(options);
  return {
    see: (frame) => asked(() => camera.see(frame)),
    end: () => asked(() => camera.end()),
  };
}
