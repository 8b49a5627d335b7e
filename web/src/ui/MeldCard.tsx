/** A set that lies apart: its tiles, its kind, and how it was made. */
import type { Relation } from '../api/types';
import { withColon } from '../browser/lang';
import { faceName, t } from '../i18n';
import * as edit from '../model/edit';
import { type Hand, kindOf, type Meld } from '../model/hand';
import type { SetKind } from '../model/tiles';
import { change } from '../state/hand/edit';
import type { Entry } from '../state/hand/entry';
import { Roving } from './Roving';
import { Segmented } from './Segmented';
import { Strip } from './Strip';

interface Props {
  readonly entry: Entry;
  readonly meld: Meld;
  readonly at: number;
  readonly doubtful: ReadonlySet<number>;
}

const KINDS: readonly SetKind[] = ['chow', 'pung', 'kong'];
const STATES: readonly edit.KongState[] = ['concealed', 'exposed', 'added'];
const FROM: readonly Relation[] = ['left', 'across', 'right'];

export function MeldCard({ entry, meld, at, doubtful }: Props) {
  const hand = entry.edit.hand.value;
  const words = t.value;
  const kind = kindOf(meld);
  const act = (next: Hand): void => change(entry, next);
  const next = hand.melds[at + 1];
  const name = words.setNumber(at + 1);
  return (
    <article class={kind ? 'meld' : 'meld broken'} aria-label={withColon(name, summary(meld))}>
      <Roving label={name} class="strip">
        <Strip list={meld.pieces} hand={hand} doubtful={doubtful} />
      </Roving>
      <details>
        <summary>
          <span>{summary(meld)}</span>
        </summary>
        <Segmented
          legend={name}
          quiet
          name={`kind-${entry.id}-${meld.id}`}
          value={kind}
          options={KINDS.map((value) => ({
            value,
            label: words.kinds[value],
            disabled: !edit.canReform(meld, value),
          }))}
          onChoose={(value) => act(edit.reform(hand, meld.id, value))}
        />
        {kind === 'kong' && (
          <Segmented
            legend={words.kongHow}
            name={`kong-${entry.id}-${meld.id}`}
            value={edit.kongState(meld)}
            options={STATES.map((value) => ({ value, label: words.kong[value] }))}
            onChoose={(value) => act(edit.setKongState(hand, meld.id, value))}
          />
        )}
        <Source meld={meld} kind={kind} hand={hand} act={act} name={`from-${entry.id}-${meld.id}`} />
        <div class="actions">
          <button type="button" onClick={() => act(edit.split(hand, meld.id))}>
            {words.split}
          </button>
          {next && (
            <button type="button" onClick={() => act(edit.merge(hand, next.id, meld.id))}>
              {words.mergeNext}
            </button>
          )}
        </div>
      </details>
    </article>
  );
}

interface SourceProps {
  readonly meld: Meld;
  readonly kind: SetKind | null;
  readonly hand: Hand;
  readonly act: (next: Hand) => void;
  readonly name: string;
}

/** Asks who the tile was claimed from; of a chow, which always comes from the left, which tile. */
function Source({ meld, kind, hand, act, name }: SourceProps) {
  const words = t.value;
  if (kind === null || (kind === 'kong' && meld.concealed)) return null;
  const unknown = { value: 'unknown', label: words.unknown };
  if (kind === 'chow') {
    const options = meld.pieces.map(({ id, face }) => ({ value: String(id), label: faceName(face) }));
    return (
      <Segmented
        legend={words.claimedTile}
        name={name}
        value={meld.claimed === null ? 'unknown' : String(meld.claimed)}
        options={[...options, unknown]}
        onChoose={(value) => act(edit.setClaimed(hand, meld.id, value === 'unknown' ? null : Number(value)))}
      />
    );
  }
  return (
    <Segmented
      legend={words.claimedFrom}
      name={name}
      value={meld.from ?? 'unknown'}
      options={[...FROM.map((value) => ({ value, label: words.from[value] })), unknown]}
      onChoose={(value) => act(edit.setFrom(hand, meld.id, value === 'unknown' ? null : (value as Relation)))}
    />
  );
}

/** "Kong, concealed" or "Pung, claimed from the left", as short as it can be said. */
function summary(meld: Meld): string {
  const words = t.value;
  const kind = kindOf(meld);
  if (!kind) return words.noSet;
  const claimed = meld.pieces.find((piece) => piece.id === meld.claimed);
  const facts = [
    words.kinds[kind],
    kind === 'kong' && words.kong[edit.kongState(meld)],
    kind === 'chow' && claimed && faceName(claimed.face),
    kind !== 'chow' && !meld.concealed && meld.from && words.from[meld.from],
  ];
  return facts.filter(Boolean).join(' · ');
}
