/**
 * Sends a corrected reading as training data: only on request, with the photo only if that is
 * ticked (of several the one in whose pixels the reading is), and it can be deleted again. A server that does not accept corrections is not asked
 * again.
 */
import { signal, useSignal } from '@preact/signals';
import { type Kept, sendFeedback, takeBack } from '../api/client';
import { Failure } from '../api/failure';
import { lang } from '../browser/lang';
import { ON_DEVICE } from '../browser/site';
import { t } from '../i18n';
import { toSend } from '../model/context';
import { toDto } from '../model/hand';
import { baseOf } from '../model/together';
import type { Entry } from '../state/hand/entry';
import { KeyField } from './KeyField';
import { failureText } from './words';

/** Whether the server answered that it does not accept corrections. */
const refused = signal(false);

export function Feedback({ entry }: { readonly entry: Entry }) {
  const words = t.value;
  const withPhoto = useSignal(false);
  const kept = useSignal<Kept | null>(null);
  const said = useSignal('');
  const needsKey = useSignal(false);
  const reading = entry.photos.reading.value;
  const corrected = entry.edit.history.value.past.length > 0;
  if (ON_DEVICE || !reading || !corrected || (refused.value && !said.value)) return null;

  const send = async (): Promise<void> => {
    const base = entry.photos.pictures.value[baseOf(reading)]?.photo;
    const photo = withPhoto.value ? (base?.blob ?? null) : null;
    try {
      kept.value = await sendFeedback(
        reading,
        toDto(entry.edit.hand.value),
        toSend(entry.edit.context.value, entry.edit.hand.value),
        photo,
      );
      said.value = `${words.thanks} ${new Date(kept.value.expires).toLocaleDateString(lang.value)}.`;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      said.value = failureText(error);
      refused.value = error.kind === 'feedback-disabled';
      needsKey.value = error.kind === 'unauthorized';
    }
  };
  const undo = async (): Promise<void> => {
    if (!kept.value) return;
    await takeBack(kept.value);
    kept.value = null;
    said.value = words.takenBack;
  };
  return (
    <details class="more feedback">
      <summary>{words.feedback}</summary>
      <p>{words.feedbackHelp}</p>
      <p role="status">{said.value}</p>
      {needsKey.value && (
        <KeyField
          onSaved={() => {
            needsKey.value = false;
            void send();
          }}
        />
      )}
      {kept.value ? (
        <button type="button" onClick={() => void undo()}>
          {words.takeBack}
        </button>
      ) : (
        <div class="actions">
          <label class="check">
            <input
              type="checkbox"
              checked={withPhoto.value}
              onChange={({ currentTarget }) => {
                withPhoto.value = currentTarget.checked;
              }}
            />
            <span>{words.withPhoto}</span>
          </label>
          <button type="button" onClick={() => void send()}>
            {words.send}
          </button>
        </div>
      )}
    </details>
  );
}
