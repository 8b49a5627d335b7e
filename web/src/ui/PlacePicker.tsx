/** Where photos are read: on this device or on the server, as a choice that stays. */
import { choosePlace, type Place, place, unable, wished } from '../engine/place';
import { ON_DEVICE } from '../engine/site';
import { t } from '../i18n';
import { Segmented } from './Segmented';

const PLACES: readonly Place[] = ['device', 'server'];

export function PlacePicker() {
  const words = t.value;
  if (ON_DEVICE) return null;
  const isForGood = unable.value !== null && unable.value !== 'not-loaded';
  return (
    <>
      <ReadInstead />
      {!isForGood && (
        <Segmented
          legend={words.reads.title}
          name="reads"
          value={wished.value}
          options={PLACES.map((value) => ({ value, label: words.reads[value] }))}
          onChoose={choosePlace}
        />
      )}
    </>
  );
}

/** Says that the server reads what this device should, and why. */
export function ReadInstead() {
  const words = t.value;
  if (ON_DEVICE || !unable.value || wished.value === 'server' || place.value === 'device') return null;
  return (
    <p class="notice" role="status">
      {words.problems[unable.value]} {words.reads.instead}
    </p>
  );
}
