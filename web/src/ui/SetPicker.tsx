/** The own set that photos are read with, as a choice that stays; and which one a photo was. */
import type { Reading } from '../api/types';
import { wished } from '../engine/place';
import { t } from '../i18n';
import type { Entry } from '../state/hand/entry';
import { lookAt } from '../state/hand/open';
import {
  AUTO,
  chooseSet,
  NONE,
  onServerAs,
  ownSets,
  serverSets,
  setChoice,
  setsToUse,
} from '../state/ownSets';

interface Props {
  /** Done after another choice. */
  readonly onChoose?: () => void;
}

/** Picker of the set that photos are read with; absent if there are no sets. */
export function SetPicker({ onChoose }: Props) {
  const words = t.value.ownSets;
  if (ownSets.value.length + serverSets.value.length === 0) return null;
  return (
    <div class="rules-picker">
      <label>
        <span>{words.use}</span>
        <select
          value={setChoice.value}
          onChange={({ currentTarget }) => {
            chooseSet(currentTarget.value);
            onChoose?.();
          }}
        >
          <SetOptions />
          <option value={NONE}>{words.none}</option>
        </select>
      </label>
      {setsToUse.value?.files && wished.value === 'server' && <p class="help">{words.here}</p>}
    </div>
  );
}

/** The sets of this device and those of the service; where there are both, a group each. */
function SetOptions() {
  const { ownSets: words, reads } = t.value;
  const here = ownSets.value.map(({ key, content }) => ({ value: key, name: content.name }));
  const there = serverSets.value.map((name) => ({ value: onServerAs(name), name }));
  const options = (auto: string, sets: typeof here) =>
    [{ value: auto, name: words.auto }, ...sets].map(({ value, name }) => (
      <option key={value} value={value}>
        {name}
      </option>
    ));
  if (here.length === 0 || there.length === 0) return <>{options(AUTO, [...here, ...there])}</>;
  return (
    <>
      <optgroup label={reads.device}>{options(AUTO, here)}</optgroup>
      <optgroup label={reads.server}>{options(onServerAs(AUTO), there)}</optgroup>
    </>
  );
}

/** Says which set a photo was read with, and offers another one, with which it is read again. */
export function SetUsed({ entry, reading }: { readonly entry: Entry; readonly reading: Reading }) {
  if (ownSets.value.length + serverSets.value.length === 0 && !reading.set) return null;
  return (
    <div class="set-used">
      <p class="help" data-set={reading.set?.used ?? ''}>
        {usedText(reading)}
      </p>
      {entry.photos.phase.value.kind === 'ready' && (
        <SetPicker onChoose={() => lookAt(entry, entry.photos.aim.peek())} />
      )}
    </div>
  );
}

function usedText({ set }: Reading): string {
  const words = t.value.ownSets;
  if (!set) return words.unused;
  if (set.used) return words.used(set.used);
  return set.asked === AUTO ? words.noneFits : words.fitsNot(set.asked);
}
