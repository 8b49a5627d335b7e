/**
 * The value of a hand that is entered without its tiles: han and fu or faan are chosen from those that
 * exist, points are typed. Who will pay is shown before it is entered.
 */
import { useSignal } from '@preact/signals';
import type { Deal, Game, GameRow, Player, Ruleset } from '../api/types';
import { listed } from '../browser/lang';
import { t } from '../i18n';
import {
  handPoints,
  MAX_HAND_POINTS,
  NOTHING_ON_TABLE,
  paymentsOf,
  playersOf,
  signed,
  takesTable,
} from '../model/evening';
import {
  faanValues,
  type HanValue,
  hanOf,
  hanValues,
  keptPoints,
  mayBeLiable,
  missedMinimum,
} from '../model/values';
import { enter } from '../state/evening';
import { allRulesets, totalUnitBy } from '../state/prefs';
import { Segmented } from './Segmented';
import { totalText, unitName } from './words';

interface Props {
  readonly game: Game;
  readonly deal: Deal;
  /** The row that is corrected; absent for the next deal. */
  readonly row?: GameRow;
  readonly winner: Player;
  readonly discarder: Player | null;
  /** Whether the hand won by the discard of the entry before. */
  readonly beside?: boolean;
  readonly onDone: () => void;
}

export function HandValue({ game, deal, row, winner, discarder, beside = false, onDone }: Props) {
  const entered = row?.play.kind === 'points' ? row.play : null;
  const same_discard = beside || (entered?.same_discard ?? false);
  const rules = allRulesets.value.find(({ id }) => id === game.ruleset);
  const values = rules ? hanValues(rules, deal.seats[0] === winner, discarder === null) : [];
  const faan = rules ? faanValues(rules) : [];
  const before = entered && rules ? keptPoints(rules, deal, entered, { winner, discarder }) : null;
  const chosen = useSignal<number | null>(before);
  const points = chosen.value;
  const asks = rules ? mayBeLiable(rules, points, deal.seats[0] === winner, discarder === null) : false;
  const liable = useSignal<Player | null>(entered?.liable ?? null);
  const payer = asks && liable.value !== winner ? liable.value : null;
  const play =
    points === null
      ? null
      : ({
          kind: 'points',
          winner,
          discarder,
          points,
          ...(same_discard && { same_discard }),
          ...(payer !== null && { liable: payer }),
        } as const);
  const table = same_discard && !takesTable(game, deal, winner) ? { ...deal, ...NOTHING_ON_TABLE } : deal;
  const payments = play && rules && paymentsOf(rules, table, play);
  const choose = (value: number | null): void => {
    chosen.value = value;
  };
  return (
    <form
      class="hand-value"
      onSubmit={(event) => {
        event.preventDefault();
        if (!play) return;
        enter(row ? { kind: 'correct', entry: row.entry, play } : { kind: 'add', play });
        onDone();
      }}
    >
      {values.length > 0 && <ByHan values={values} chosen={points} onChoose={choose} />}
      {values.length === 0 && faan.length > 0 && (
        <ByFaan
          legend={unitName(totalUnitBy(rules)) ?? t.value.faan}
          faan={faan}
          chosen={points}
          onChoose={choose}
        />
      )}
      {values.length + faan.length === 0 && <ByPoints rules={rules} before={before} onChoose={choose} />}
      {asks && <Liable game={game} winner={winner} chosen={payer} onChoose={(one) => (liable.value = one)} />}
      <div class="entered">
        <p class="help" role="status">
          {payments &&
            listed(
              playersOf(game).map((player) => `${game.players[player]} ${signed(payments[player] ?? 0)}`),
            )}
        </p>
        <button type="submit" class="primary" disabled={!play}>
          {t.value.evening.enter}
        </button>
      </div>
    </form>
  );
}

interface LiableProps {
  readonly game: Game;
  readonly winner: Player;
  readonly chosen: Player | null;
  readonly onChoose: (player: Player | null) => void;
}

/** Asks who let the set be called that makes them liable. */
function Liable({ game, winner, chosen, onChoose }: LiableProps) {
  const others = playersOf(game).filter((player) => player !== winner);
  return (
    <Segmented
      legend={t.value.evening.liable}
      name="deal-liable"
      value={chosen === null ? '' : String(chosen)}
      options={[
        { value: '', label: t.value.feeders.nobody },
        ...others.map((player) => ({ value: String(player), label: game.players[player] ?? '' })),
      ]}
      onChoose={(value) => onChoose(value === '' ? null : (Number(value) as Player))}
    />
  );
}

interface HanProps {
  readonly values: readonly HanValue[];
  /** The points that are chosen. */
  readonly chosen: number | null;
  readonly onChoose: (points: number | null) => void;
}

/** Han or the limit first, then the fu that they may have. */
function ByHan({ values, chosen, onChoose }: HanProps) {
  const words = t.value.riichi;
  const known = values.find(({ points }) => points === chosen);
  const han = useSignal<string | null>(known ? hanOf(known) : null);
  const fu = useSignal<number | null>(known?.row.fu ?? null);
  const kinds = [...new Map(values.map((value) => [hanOf(value), value])).values()];
  const rows = values.filter((value) => hanOf(value) === han.value);
  const hasFu = rows.some(({ row }) => typeof row.fu === 'number');
  return (
    <>
      <p class="help">{words.pointsHelp}</p>
      <Segmented
        legend={words.han}
        name="deal-han"
        value={han.value}
        options={kinds.map((value) => ({ value: hanOf(value), label: hanText(value) }))}
        onChoose={(value) => {
          const those = values.filter((one) => hanOf(one) === value);
          han.value = value;
          fu.value = null;
          onChoose(those.length === 1 ? (those[0]?.points ?? null) : null);
        }}
      />
      {hasFu && (
        <Segmented
          legend={words.fuOf}
          name="deal-fu"
          value={fu.value === null ? null : String(fu.value)}
          options={rows.map(({ row }) => ({ value: String(row.fu), label: words.fu(row.fu ?? 0) }))}
          onChoose={(value) => {
            fu.value = Number(value);
            onChoose(rows.find(({ row }) => String(row.fu) === value)?.points ?? null);
          }}
        />
      )}
      {chosen !== null && <p class="value">{t.value.total(chosen)}</p>}
    </>
  );
}

function hanText({ row, times }: HanValue): string {
  if (!row.limit) return t.value.han(row.han);
  const name = t.value.riichi.limits[row.limit];
  return times > 1 ? `${times} × ${name}` : name;
}

interface FaanProps {
  /** The name of the unit. */
  readonly legend: string;
  readonly faan: readonly number[];
  readonly chosen: number | null;
  readonly onChoose: (faan: number) => void;
}

function ByFaan({ legend, faan, chosen, onChoose }: FaanProps) {
  return (
    <Segmented
      legend={legend}
      name="deal-faan"
      value={chosen === null ? null : String(chosen)}
      options={faan.map((value) => ({ value: String(value), label: String(value) }))}
      onChoose={(value) => onChoose(Number(value))}
    />
  );
}

interface PointsProps {
  readonly rules: Ruleset | undefined;
  readonly before: number | null;
  readonly onChoose: (points: number | null) => void;
}

/** Points as a number; what no hand has is refused while it is typed. */
function ByPoints({ rules, before, onChoose }: PointsProps) {
  const words = t.value.evening;
  const unit = totalUnitBy(rules);
  const text = useSignal(before === null ? '' : String(before));
  const points = handPoints(text.value);
  const missed = points === null || !rules ? null : missedMinimum(rules, points);
  const isWrong = missed !== null || (points === null && text.value !== '');
  return (
    <>
      <label>
        {unitName(unit) ?? words.pointsOfHand}
        <input
          type="text"
          inputMode="numeric"
          aria-invalid={isWrong}
          aria-describedby="points-state"
          value={text.value}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value.trim();
            const typed = handPoints(text.value);
            onChoose(typed !== null && rules && missedMinimum(rules, typed) !== null ? null : typed);
          }}
        />
      </label>
      <p id="points-state" class={isWrong ? 'help wrong' : 'help'} role="status">
        {missed !== null && words.belowMinimum(totalText([missed, missed], unit), words.byHand)}
        {isWrong && missed === null && words.wrongPoints(MAX_HAND_POINTS)}
      </p>
    </>
  );
}
