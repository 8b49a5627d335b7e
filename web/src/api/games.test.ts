/** Tests that a file which leaves the page does not let others change the game. */
import { afterEach, expect, it, vi } from 'vitest';
import { serverGames } from './games';

afterEach(() => void vi.unstubAllGlobals());

it('exports a game without its id and the token of its link', async () => {
  const fetch = vi.fn(async () => Response.json({ id: 'secret', share: 'token', title: 'Friday', rows: [] }));
  vi.stubGlobal('fetch', fetch);
  const exported = await serverGames.exported({ kind: 'game', id: 'secret' }, 'json');
  expect(JSON.parse(await exported.text())).toEqual({ id: null, share: null, title: 'Friday', rows: [] });
});
