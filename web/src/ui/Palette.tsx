/** All tiles to choose from, a row for each suit; those with no copy left are disabled. */
import { faceName, t } from '../i18n';
import { type Face, FIVES, FLOWERS, HONORS, SUITS, TILES, type TileCode, UNNAMED } from '../model/tiles';
import { Roving } from './Roving';
import { TileButton } from './Tile';

interface Props {
  readonly onChoose: (face: Face, red: boolean) => void;
  readonly current?: Face | undefined;
  /** Whether the current tile is a red five. */
  readonly isCurrentRed?: boolean | undefined;
  /** Whether red fives can be chosen beside the others. */
  readonly withRed?: boolean;
  /** Whether the game has a tile, which is left out otherwise. */
  readonly isInGame?: (face: Face) => boolean;
  readonly isUsedUp?: (face: Face) => boolean;
  readonly withFlowers?: boolean;
  /** Whether a flower may stay without a name. */
  readonly withUnnamed?: boolean;
  /** Puts the flowers first: for a hand that has all its other tiles. */
  readonly flowersFirst?: boolean;
}

export function Palette(props: Props) {
  const { onChoose, current, isCurrentRed = false, withRed = false, isUsedUp = () => false } = props;
  const { isInGame = () => true, withFlowers = true, flowersFirst = false } = props;
  const words = t.value;
  const bonus = props.withUnnamed === false ? FLOWERS : ([...FLOWERS, UNNAMED] as const);
  const flowers = withFlowers ? [{ name: words.suits.f, faces: bonus }] : [];
  const rows: readonly { readonly name: string; readonly faces: readonly Face[] }[] = [
    ...(flowersFirst ? flowers : []),
    ...SUITS.map((suit) => ({
      name: words.suits[suit],
      faces: TILES.filter((code: TileCode) => code.endsWith(suit) && isInGame(code)),
    })),
    { name: words.suits.z, faces: HONORS },
    ...(flowersFirst ? [] : flowers),
  ];
  return (
    <Roving label={words.allTiles} class="palette">
      {rows.map(({ name, faces }) => (
        <div key={name} class={faces.length > 7 ? 'palette-row nine' : 'palette-row'}>
          {faces.map((face) => (
            <TileButton
              key={face}
              face={face}
              label={faceName(face)}
              current={face === current && !isCurrentRed}
              disabled={isUsedUp(face)}
              onTap={() => onChoose(face, false)}
            />
          ))}
        </div>
      ))}
      {withRed && (
        <div class="palette-row reds">
          {FIVES.filter(isInGame).map((face) => (
            <TileButton
              key={face}
              face={face}
              red
              label={words.riichi.red(faceName(face))}
              current={face === current && isCurrentRed}
              disabled={isUsedUp(face)}
              onTap={() => onChoose(face, true)}
            />
          ))}
        </div>
      )}
    </Roving>
  );
}
