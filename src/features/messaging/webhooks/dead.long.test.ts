// Long: a week goes by.

import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { harness } from '#test/harness.ts';
import {
  accept,
  admin,
  deliver,
  endpointOf,
  happening,
  later,
  receiver,
  refuse,
  tell,
  with1,
} from '#test/webhooks.ts';

const h = await harness({ features: happening, config: { JWT_TTL: '1000000' } });
const HOUR = 3600;
const STEP_H = 4;
const WEEK_H = 7 * 24;

test('who is dead for a week costs a probe now and then and no row for what happens, and misses nothing', async () => {
  const as = await admin(h);
  const shop = await receiver(refuse(503));
  const { endpoint_id } = await endpointOf(h, as, { url: shop.url, concurrency: 4 });
  let told = 0;
  const happen = async (count: number) => {
    for (let i = 0; i < count; i += 1) {
      told += 1;
      await tell(h, as.client_id, told, told);
    }
  };
  await happen(10);
  await deliver(h);
  const rows = async () => {
    const [row] = await run<{ parked: number; attempts: number }>(
      h.db,
      `select (select count(*)::integer from webhooks.parked where endpoint_id = $1) as parked,
         (select count(*)::integer from webhooks.attempts where endpoint_id = $1) as attempts`,
      [endpoint_id],
    );
    return row ?? { parked: 0, attempts: 0 };
  };
  const first = await rows();
  let probes = 0;
  for (let hour = 0; hour < WEEK_H; hour += STEP_H) {
    const before = shop.arrivals.length;
    await happen(3);
    await later(h, STEP_H * HOUR);
    // One at the most for each look: nothing that happens meanwhile is sent, or kept for it.
    expect(shop.arrivals.length - before).toBeLessThanOrEqual(1);
    probes += shop.arrivals.length - before;
    expect((await rows()).parked).toBeLessThanOrEqual(first.parked);
  }
  expect((await rows()).attempts).toBe(first.attempts + probes);
  expect(await with1(h, as, endpoint_id, ['GET', ''])).toMatchObject({ status: 'disabled' });
  shop.arrivals.splice(0);
  shop.answer = accept;
  await with1(h, as, endpoint_id, ['POST', '/resume', {}]);
  await deliver(h);
  const nth = new Set(shop.arrivals.map((arrival) => arrival.nth));
  expect(nth.size).toBe(told);
  expect((await rows()).parked).toBe(0);
});
