/**
 * Reading and scoring on this device, by the npm package, which lies beside the page as it is
 * packed.
 *
 * Typed hands need `tilesight.wasm` alone. Everything that reads photos is loaded with the first of
 * them, or before by `prepare`. Every error is a `Failure` with a problem to show. Invariant:
 * nothing is asked of any server but for these files.
 */
import { signal } from '@preact/signals';
import type * as Package from '../../../bindings/npm/index.js';
import { answersOf, doubtful, type Engine, type SetsToUse } from '../api/engine';
import { Failure, failure } from '../api/failure';
import type { Context, ContextDto } from '../api/types';
import { breath } from '../browser/breath';
import { lang } from '../browser/lang';
import { trusted } from '../browser/trusted';
import { type House, profileOf } from '../model/house';
import { houses, keepHouse } from './house';
import { added, type Module, module, shipped } from './module';
import { findMissing } from './place';

/** The address of the package, relative to the page. The build fills it in. */
declare const __PACKAGE__: string;

/**
 * Progress of the work on this device: the number of files that are loaded, or the stage that
 * began; `null` while idle.
 */
export const progress = signal<Package.Progress | null>(null);

/**
 * Returns a function that calls `load` once and gives every caller its result; after a failure, the
 * next call tries again.
 */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}

const engine = once(async () => {
  if (typeof WebAssembly === 'undefined') throw failure('no-webassembly');
  try {
    const folder = new URL(__PACKAGE__, document.baseURI);
    const address = new URL('index.js', folder).href;
    const loaded = (await import(/* @vite-ignore */ address)) as Module;
    await loaded.init();
    await breath();
    // The first question starts the module, which takes a slow phone 100 ms.
    loaded.parse('');
    await breath();
    for (const house of houses.peek()) installIn(loaded, house);
    module.value = loaded;
    return loaded;
  } catch {
    throw failure('not-loaded');
  }
});

/** Adds house rules to a module; those that this build no longer takes are left out. */
function installIn(loaded: Module, house: House): void {
  try {
    loaded.install(profileOf(house));
  } catch {
    // What was entered by them says that it can't be counted.
  }
}

/** The reader, once it is loaded. */
let running: Package.Reader | null = null;

/** Adds house rules to what scores and reads on this device, and keeps them; refuses a value that is not possible. */
export async function addHouse(house: House): Promise<void> {
  const loaded = await engine();
  if (!shipped.peek()?.has(house.id)) {
    await callPackage(() => loaded.install(profileOf(house)));
    await running?.install(profileOf(house));
    added.value += 1;
  }
  keepHouse(house);
}

/** Loads the reader of photos, once. */
export const reader = once(async () => {
  const { Reader } = await engine();
  const missing = findMissing();
  if (missing) throw failure(missing);
  const onProgress = (step: Package.Progress): void => {
    progress.value = step;
  };
  try {
    const startWorker = ({ href }: URL) => new Worker(trusted(href), { type: 'module' });
    const started = await Reader.create({ onProgress, startWorker });
    for (const house of houses.peek()) await started.install(profileOf(house)).catch(() => null);
    running = started;
    return started;
  } catch {
    throw failure('not-loaded');
  }
});

/** Returns what the package answers, and turns what it throws into a `Failure`. */
export async function callPackage<T>(answer: () => T | Promise<T>): Promise<T> {
  try {
    return await answer();
  } catch (error) {
    if (error instanceof Failure) throw error;
    const { Problem } = await engine();
    throw error instanceof Problem && error.status < 500 ? new Failure(error.problem) : failure('device');
  } finally {
    progress.value = null;
  }
}

/** Loads the module that scores typed hands and knows their notation. */
export const loaded = engine;

/** The context in the package's types, which list the codes of the shipped rule sets only. */
export const typed = (context: Context): Partial<ContextDto> => context as Partial<ContextDto>;

/** The own sets of this device in the package's words; nothing where there are none. */
export const setsGiven = (sets: SetsToUse | null | undefined) =>
  sets?.files ? { sets: sets.files, set: sets.choice } : {};

const readHand: Engine['readHand'] = async (photos, context, ruleset, _, aim, sets) => {
  const { focus, region } = aim ?? {};
  const options = {
    context: typed({ ...context, ...(ruleset && { ruleset }) }),
    lang: lang.value,
    ...(focus && { focus }),
    ...(region && { region }),
    ...setsGiven(sets),
  };
  const answer = await callPackage(async () => (await reader()).read(photos, options));
  if (answer.reading.status === 'no_hand') throw noHand(answer);
  return answer;
};

/** The problem of a photo without a hand, with the number of tiles that it shows, as the service answers it. */
function noHand({ reading, image }: Awaited<ReturnType<Engine['readHand']>>): Failure {
  const { problem } = failure('no-hand');
  const { width, height } = image;
  return new Failure({ ...problem, seen: { width, height, count: reading.tiles.length, tiles: [] } });
}

const scoreHand: Engine['scoreHand'] = ({ hand, context, rulesets, others = [] }) =>
  callPackage(async () =>
    (await engine()).scores(hand, rulesets, typed(context), { others, lang: lang.value }),
  );

const answerReading: Engine['answerReading'] = async (reading, answered, toScore) => {
  const options = { ...toScore, context: typed(toScore.context), lang: lang.value };
  const answer = await callPackage(async () =>
    (await reader()).answer(doubtful(reading), answersOf(answered), options),
  );
  return { ...answer, request_id: '' };
};

/** The engine on this device. */
export const device: Engine = {
  readHand,
  scoreHand,
  answerReading,
  preview: (photo) => callPackage(async () => (await reader()).preview(photo, { lang: lang.value })),
  rulesets: () => callPackage(async () => (await engine()).rulesets({ lang: lang.value })),
};
