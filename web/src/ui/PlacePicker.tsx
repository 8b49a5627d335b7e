/** Picker of the place where photos are read, this device or the server; the choice stays. */
import { ON_DEVICE } from '../browser/site';
import { choosePlace, missing, type Place, wished } from '../engine/place';
import { t } from '../i18n';
import { Segmented } from './Segmented';

const PLACES: readonly Place[] = ['device', 'server'];

export function PlacePicker() {
  const words = t.value;
  if (ON_DEVICE) return null;
  if (missing.value) {
    return (
      <p class="notice">
        {words.problems[missing.value]} {words.reads.instead}
      </p>
    );
  }
  return (
    <Segmented
      legend={words.reads.title}
      name="reads"
      value={wished.value}
      options={PLACES.map((value) => ({ value, label: words.reads[value] }))}
      onChoose={choosePlace}
    />
  );
}
