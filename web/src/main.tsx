/**
 * The entry point of the page: language, stored state, a hand from a link or a photo from another
 * app.
 */
import './styles/page.css';
import { effect } from '@preact/signals';
import { render } from 'preact';
import { asFailure } from './api/failure';
import { lang } from './browser/lang';
import { online, watch } from './browser/online';
import { addHouse, loaded } from './engine/device';
import { canRead, learnPlace } from './engine/place';
import { begin } from './i18n';
import { registerWorker, takeShared } from './pwa/install';
import { fromFragment, isOfHand } from './share/link';
import { follow, fromFragment as gameIn, open, remember } from './state/evening';
import { addLinked } from './state/hand/open';
import { readNext } from './state/hand/reading';
import { staying } from './state/here';
import { isLinkBroken, listen, take } from './state/incoming';
import { keepHand, restoreHand } from './state/kept';
import { learnServerSets, serverReads, setsLoaded } from './state/ownSets';
import { learnRulesets, takeRulesets } from './state/prefs';
import { followHistory } from './state/route';
import { openSeries, seriesIn } from './state/series';
import { App } from './ui/App';
import { note } from './ui/focus';
import { failureText } from './ui/words';

/** Tells whether an address opens a review, which is loaded without the rest of the page. */
const opensReview = (hash: string): boolean => /^#(review|job=)/.test(hash);

/** Opens a review, an evening or a series that a link names; whether it names one. */
function openNamed(hash: string): boolean {
  const game = gameIn(hash);
  const series = seriesIn(hash);
  if (opensReview(hash)) {
    location.reload();
  } else if (game) {
    history.replaceState(history.state, '', './');
    open(game);
  } else if (series) {
    history.replaceState(history.state, '', './');
    openSeries(series);
  }
  return opensReview(hash) || game !== null || series !== null;
}

/**
 * Opens the hand in a link, on the screen unless a person went elsewhere while it was loaded. The address loses its
 * fragment then.
 */
async function openLinked(hash: string, isHere: () => boolean): Promise<void> {
  if (!isOfHand(hash)) return;
  try {
    await loaded();
  } catch (error) {
    note.value = failureText(asFailure(error));
    return;
  }
  const written = fromFragment(hash);
  isLinkBroken.value = written === null;
  if (!written) return;
  history.replaceState(history.state, '', './');
  for (const house of written.houses) await addHouse(house).catch(() => null);
  if (written.houses.length > 0) await learnRulesets();
  takeRulesets(written.rulesets);
  addLinked(written.hand, written.context, isHere());
}

/** Opens the hand that a reload interrupted. A link of its own comes first; the hand is beside it. */
async function reopenHand(): Promise<void> {
  const { hash } = location;
  const isNamed = openNamed(hash);
  const isHere = staying();
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  await restoreHand(hash === '' && visit?.type !== 'navigate');
  if (!isNamed) await openLinked(hash, isHere);
  keepHand();
}

async function start(): Promise<void> {
  await begin();
  const reviewed = opensReview(location.hash) && document.getElementById('app');
  if (reviewed) {
    const { showReview } = await import('./ui/Review');
    await showReview(reviewed);
    return;
  }
  watch();
  void learnPlace();
  void setsLoaded();
  effect(() => {
    if (serverReads.value && online.value) void learnServerSets();
  });
  effect(() => {
    // Names come in the page's language; queued photos are read once the server is back.
    void lang.value;
    void online.value;
    if (!canRead.value) return;
    void learnRulesets();
    void readNext();
  });
  remember();
  follow();
  followHistory();
  listen();
  // What knows the notation of hands is loaded beside the first paint.
  loaded().catch(() => {
    // Whatever needs it says so, and loads it again.
  });
  void reopenHand();
  window.addEventListener('hashchange', () => {
    const { hash } = location;
    if (!openNamed(hash)) void openLinked(hash, staying());
  });
  const root = document.getElementById('app');
  if (root) render(<App />, root);
  const photos = await takeShared();
  if (photos.length > 0) take(photos);
  await registerWorker();
}

void start();
