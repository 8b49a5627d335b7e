/** The header: the name, which leads to the start, the state of the connection, the language. */
import { LANGS, type Lang, lang } from '../browser/lang';
import { online } from '../browser/online';
import { choose, LANG_NAMES, t } from '../i18n';
import { update } from '../pwa/install';
import { showing } from '../state/evening';
import { currentId } from '../state/hand/entry';
import { showingSets } from '../state/teaching';
import { viewing } from '../state/viewfinder';
import { forget, goTo } from './focus';

export function Header() {
  const words = t.value;
  return (
    <header class="top">
      <button type="button" class="skip" onClick={() => goTo(currentId.peek() === null ? 'start' : 'hand')}>
        {words.skip}
      </button>
      <button
        type="button"
        class="brand"
        onClick={() => {
          forget();
          currentId.value = null;
          showing.value = false;
          showingSets.value = false;
          viewing.value = false;
        }}
      >
        <img src="icon.svg" alt="" width={32} height={32} /> Tilesight
        <span class="unseen">: {words.home}</span>
      </button>
      {!online.value && (
        <span class="offline" role="status">
          {words.offline}
        </span>
      )}
      {update.value && (
        <button type="button" onClick={() => update.value?.()}>
          {words.update} {words.reload}
        </button>
      )}
      <label class="language">
        <span class="unseen">{words.language}</span>
        <select value={lang.value} onChange={({ currentTarget }) => void choose(currentTarget.value as Lang)}>
          {LANGS.map((code) => (
            <option key={code} value={code} lang={code}>
              {LANG_NAMES[code]}
            </option>
          ))}
        </select>
      </label>
    </header>
  );
}
