/** Sharing a result: a link that carries the hand itself, and a picture without the photo. */
import type { Score } from '../api/types';
import { findHouse } from '../engine/house';
import { t } from '../i18n';
import { assumptions } from '../model/context';
import { canWrite } from '../model/notation';
import { copyText, handOver, saveFile } from '../share/file';
import { linkTo } from '../share/link';
import type { Entry } from '../state/hand/entry';
import { allRulesets, rulesets, shortNameOf } from '../state/prefs';
import { note } from './focus';
import { picture, type Totals } from './picture';
import { assumedText, totalUnitOf, unitName } from './words';

interface Props {
  readonly entry: Entry;
  readonly score: Score;
  /** The rule set of the score. */
  readonly ruleset: string;
  /** The lowest and the highest total that are possible. */
  readonly totals: Totals;
  /** Names of the parts that the totals do not count yet: "before dora"; empty for nothing. */
  readonly before: string;
}

export function Share({ entry, score, ruleset, totals, before }: Props) {
  const words = t.value;
  const hand = entry.edit.hand.value;
  const scoring = entry.verdict.scoring.value;
  const list = assumptions(score, hand, entry.edit.context.value, allRulesets.value);
  const assumed = list.length > 0 ? assumedText(list) : '';
  // An out-of-date score does not belong to this hand.
  const rules = shortNameOf(ruleset);
  const total = titleOf(totals, unitName(totalUnitOf(score)));
  const title = [total, before, rules].filter((part) => part !== '').join(' · ');
  const stale = scoring.kind !== 'done' || !scoring.fresh;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields, these are actions
    <div class="actions share" role="group" aria-label={words.share}>
      <button
        type="button"
        class="primary"
        disabled={stale || !canWrite()}
        onClick={() =>
          void shareLink(
            linkTo(hand, entry.edit.context.value, rulesets.value, location.href, housesIn(rulesets.value)),
            title,
            assumed,
          )
        }
      >
        {words.shareLink}
      </button>
      <button
        type="button"
        disabled={stale}
        onClick={() =>
          void picture({ hand, score, assumed, totals, before, rules }).then((image) =>
            sharePicture(image, totals, title),
          )
        }
      >
        {words.sharePicture}
      </button>
    </div>
  );
}

/** House rules among some rule sets, which a link brings along. */
const housesIn = (ids: readonly string[]) => ids.flatMap((id) => findHouse(id) ?? []);

function titleOf([low, high]: Totals, unit: string | undefined): string {
  const { shareTitle, shareRange } = t.value;
  return low === high ? shareTitle(low, unit) : shareRange(low, high, unit);
}

async function shareLink(url: string, title: string, assumed: string): Promise<void> {
  const data = { title, url, ...(assumed && { text: assumed }) };
  if (await handOver(data)) return;
  note.value = (await copyText(url)) ? t.value.copied : t.value.notCopied;
}

async function sharePicture(image: Blob, totals: Totals, title: string): Promise<void> {
  const file = new File([image], `tilesight-${[...new Set(totals)].join('-')}.png`, { type: 'image/png' });
  if (await handOver({ title, files: [file] })) return;
  saveFile(file);
  note.value = t.value.saved;
}
