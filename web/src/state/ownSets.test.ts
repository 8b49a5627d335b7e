/** Own sets of the service beside those of this device: what is offered, and what a choice sends. */
import { beforeEach, expect, it, vi } from 'vitest';
import { server } from '../api/client';
import { online } from '../browser/online';
import { choosePlace, missing } from '../engine/place';
import {
  AUTO,
  allSetsKnown,
  chooseSet,
  learnServerSets,
  NONE,
  type OwnSet,
  onServerAs,
  ownSets,
  serverSets,
  setChoice,
  setsToUse,
} from './ownSets';

/** Addresses that were asked for, and the sets that the service has; `null` while it answers nothing. */
const requests: string[] = [];
let names: readonly string[] | null = [];

const own = (name: string): OwnSet => ({
  key: `key-${name}`,
  file: new Uint8Array([1]),
  content: { name } as OwnSet['content'],
});

beforeEach(() => {
  requests.length = 0;
  names = ['Club', 'Home'];
  vi.stubGlobal('fetch', async (path: string) => {
    requests.push(path);
    if (path !== '/v1/sets') return Response.json({});
    return names
      ? Response.json({ sets: names.map((name) => ({ name, id: '1' })) })
      : Response.json(
          { type: 'urn:tilesight:problem:unauthorized', title: 'Key', status: 401 },
          { status: 401 },
        );
  });
  missing.value = null;
  online.value = true;
  ownSets.value = [];
  choosePlace('server');
  chooseSet(AUTO);
});

it('offers the sets of the service only where it reads photos', async () => {
  choosePlace('device');
  await learnServerSets();
  expect(requests).toEqual([]);
  choosePlace('server');
  await learnServerSets();
  expect(serverSets.value).toEqual(['Club', 'Home']);
  expect(setsToUse.value).toEqual({ files: null, choice: AUTO });
  chooseSet(onServerAs('Home'));
  expect(setsToUse.value).toEqual({ files: null, choice: 'Home' });
  chooseSet(NONE);
  expect(setsToUse.value).toBeNull();
  chooseSet(onServerAs('Home'));
  const none = [[], AUTO, null];
  online.value = false;
  expect([serverSets.value, setChoice.value, setsToUse.value]).toEqual(none);
  online.value = true;
  expect(setChoice.value).toBe(onServerAs('Home'));
  choosePlace('device');
  expect([serverSets.value, setChoice.value, setsToUse.value]).toEqual(none);
});

it('prefers the sets of this device, until one of the service is chosen', async () => {
  await learnServerSets();
  ownSets.value = [own('Mine')];
  expect(setsToUse.value?.files).toHaveLength(1);
  chooseSet(onServerAs(AUTO));
  expect(setsToUse.value).toEqual({ files: null, choice: AUTO });
  chooseSet(AUTO);
  // Without SIMD this device can read nothing.
  missing.value = 'no-simd';
  expect(setsToUse.value).toEqual({ files: null, choice: AUTO });
});

it('knows the sets before a photo is sent, and asks again after a refusal', async () => {
  names = null;
  await learnServerSets();
  expect(setsToUse.value).not.toMatchObject({ choice: 'Evening' });
  chooseSet(onServerAs('Evening'));
  expect(setChoice.value).toBe(AUTO);
  names = ['Evening'];
  await allSetsKnown();
  expect(setsToUse.value).toEqual({ files: null, choice: 'Evening' });
  requests.length = 0;
  await allSetsKnown();
  expect(requests).toEqual([]);
});

it('sends the name of a set that the service has, and no set of this device', async () => {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
    sent.push((init.body as FormData).get('set'));
    return Response.json({});
  });
  const { signal } = new AbortController();
  for (const sets of [
    { files: null, choice: 'Home' },
    { files: [new Uint8Array([1])], choice: 'Mine' },
    null,
  ]) {
    await server.readHand([new Blob(['photo'])], {}, undefined, signal, {}, sets);
  }
  expect(sent).toEqual(['Home', null, null]);
});
