/** Photos that do not show which tile won: the tile that lies apart lies among the others. */
import type { Answer } from '../src/api/types';
import type { Page } from './browser';

/** The answer for a photo that does not show which tile won. */
function unmarked({ reading, ...rest }: Answer): Answer {
  const { concealed, winning_tile } = reading.hand;
  const hand = { ...reading.hand, concealed: [...(concealed ?? []), winning_tile ?? ''], winning_tile: null };
  const tiles = reading.tiles.map((tile) =>
    tile.role === 'winning' ? { ...tile, role: 'concealed' as const } : tile,
  );
  return { ...rest, reading: { ...reading, hand, tiles, doubts: [], score: null } };
}

/** Lets a page see every photo like that. */
export async function unmark(page: Page): Promise<void> {
  await page.route('**/v1/hands', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: unmarked((await response.json()) as Answer) });
  });
}
