import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';
import { admin, endpointOf } from '#test/webhooks.ts';
import { claim } from './lease-store.ts';

const h = await harness();
const [url, types] = ['https://shop.example/hook', ['*']];
/** The number of a process that is not there. */
const GONE = 9999;

test('endpoints of a process that is gone are taken by one that is there, and by none that is not', async () => {
  const here = h.kernel.presence.number;
  expect(here).toBeDefined();
  const { endpoint_id } = await endpointOf(h, await admin(h), { url, types });
  const taken = async (by: number | undefined) =>
    (await claim(h.db, { by, most: 10, strangers: true })).map((one) => one.endpoint_id);

  // Its connection was lost with the database’s: nobody would see that it serves the endpoint.
  expect(await taken(GONE)).toEqual([]);
  expect(await taken(here)).toEqual([endpoint_id]);
  expect(await taken(here)).toEqual([]);

  const leaseOf = { lease_by: GONE };
  await h.db.updateTable('webhooks.endpoints').set(leaseOf).execute();
  expect(await taken(GONE)).toEqual([]);
  expect(await taken(here)).toEqual([endpoint_id]);
});
