// Long: days go by.

import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { harness, type Person } from '#test/harness.ts';
import { countMails, mailTo } from '#test/mails.ts';
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

const h = await harness({ features: happening, config: { JWT_TTL: '9000000' } });
const read = (as: Person, endpoint_id: string) => with1(h, as, endpoint_id, ['GET', '']);
const HOUR = 3600;

/** An endpoint at a receiver that refuses, with so many events of as many objects. */
async function failing(events: number, status = 500) {
  const as = await admin(h);
  const shop = await receiver(refuse(status));
  const { endpoint_id } = await endpointOf(h, as, { url: shop.url, concurrency: 4 });
  for (let n = 1; n <= events; n += 1) await tell(h, as.client_id, `o${n}`, 1);
  await deliver(h);
  return { as, shop, endpoint_id };
}

test('after five failures in a row an endpoint is only probed, and catches up at last', async () => {
  const { as, shop, endpoint_id } = await failing(40);
  const stopped = await read(as, endpoint_id);
  expect(stopped).toMatchObject({ status: 'failing', disabled_why: null });
  // Five, and what was under way with the fifth.
  const begun = shop.arrivals.length;
  expect(begun).toBeGreaterThanOrEqual(5);
  expect(begun).toBeLessThan(5 + 4);
  for (const [n, seconds] of [5, 30, 120, 600, 1800, 1800].entries()) {
    await later(h, seconds + 1);
    expect(shop.arrivals, `probe ${n}`).toHaveLength(begun + n + 1);
  }
  const probed = shop.arrivals.slice(begun).map(({ object }) => object);
  expect(new Set(probed).size).toBe(1);
  shop.arrivals.splice(0);
  shop.answer = accept;
  await later(h, 1801);
  const objects = shop.arrivals.map(({ object }) => object);
  expect(new Set(objects).size).toBe(40);
  expect(objects).toHaveLength(40);
  expect(await read(as, endpoint_id)).toMatchObject({ status: 'active', failures: 0 });
});

test('one event that fails alone stops nothing', async () => {
  const as = await admin(h);
  const shop = await receiver((arrival, response) =>
    arrival.object === 'bad' ? refuse(400)(arrival, response) : accept(arrival, response),
  );
  const { endpoint_id } = await endpointOf(h, as, { url: shop.url });
  await tell(h, as.client_id, 'bad', 1);
  await deliver(h);
  for (let n = 0; n < 8; n += 1) await later(h, 30 * HOUR);
  expect(await read(as, endpoint_id)).toMatchObject({ status: 'active' });
});

test('its owner hears of it after an hour, after a day and at the end, and it keeps its place', async () => {
  const told = await receiver();
  const { as, shop, endpoint_id } = await failing(12);
  await endpointOf(h, as, { url: told.url, types: ['webhook_endpoint.*'] });
  await later(h, HOUR - 60);
  expect(await countMails(h, as.email)).toBe(0);
  await later(h, 120);
  expect((await mailTo(h, as.email, /for an hour/)).text).toContain(endpoint_id);
  await later(h, 23 * HOUR);
  await mailTo(h, as.email, /for a day/);
  await later(h, 96 * HOUR);
  await mailTo(h, as.email, /disabled/);
  expect(await countMails(h, as.email)).toBe(3);
  const ended = await read(as, endpoint_id);
  expect(ended).toMatchObject({ status: 'disabled', disabled_why: 'failing', next_probe_at: null });
  expect(told.arrivals.map(({ body }) => body.type)).toContain('webhook_endpoint.disabled');
  shop.arrivals.splice(0);
  shop.answer = accept;
  await later(h, HOUR);
  expect(shop.arrivals).toEqual([]);
  await with1(h, as, endpoint_id, ['POST', '/resume', {}]);
  await deliver(h);
  expect(new Set(shop.arrivals.map(({ object }) => object)).size).toBe(12);
});

test('410 ends it at once', async () => {
  const { as, shop, endpoint_id } = await failing(3, 410);
  expect(await read(as, endpoint_id)).toMatchObject({ status: 'disabled', disabled_why: 'gone' });
  await mailTo(h, as.email, /disabled/);
  const begun = shop.arrivals.length;
  await later(h, HOUR);
  expect(shop.arrivals).toHaveLength(begun);
  shop.answer = accept;
  await with1(h, as, endpoint_id, ['POST', '/resume', {}]);
  shop.arrivals.splice(0);
  await deliver(h);
  expect(shop.arrivals.map(({ object }) => object).sort()).toEqual(['o1', 'o2', 'o3']);
});

test('a paused endpoint gets nothing, and resumes where its owner says', async () => {
  const as = await admin(h);
  const shop = await receiver();
  const { endpoint_id } = await endpointOf(h, as, { url: shop.url });
  const happens = async (nth: number) => {
    await tell(h, as.client_id, 'a', nth);
    await deliver(h);
  };
  const nths = () => shop.arrivals.map(({ nth }) => nth);
  await happens(1);
  await with1(h, as, endpoint_id, ['POST', '/pause', {}]);
  await happens(2);
  expect(nths()).toEqual([1]);
  await with1(h, as, endpoint_id, ['POST', '/resume', {}]);
  await deliver(h);
  expect(nths()).toEqual([1, 2]);
  await with1(h, as, endpoint_id, ['POST', '/pause', {}]);
  await happens(3);
  await h.advance(120);
  const since = h.clock.now().toISOString();
  await happens(4);
  await with1(h, as, endpoint_id, ['POST', '/resume', { since }]);
  await deliver(h);
  expect(nths()).toEqual([1, 2, 4]);
  await with1(h, as, endpoint_id, ['POST', '/pause', {}]);
  await happens(5);
  await with1(h, as, endpoint_id, ['POST', '/resume', { from: 'now' }]);
  await happens(6);
  expect(nths()).toEqual([1, 2, 4, 6]);
  await expect(with1(h, as, endpoint_id, ['POST', '/resume', {}])).rejects.toThrow(
    'neither paused',
  );
});

test('events that the log deleted before delivery are skipped, and an event says so', async () => {
  const as = await admin(h);
  const [shop, told] = [await receiver(), await receiver()];
  const { endpoint_id } = await endpointOf(h, as, { url: shop.url });
  await endpointOf(h, as, { url: told.url, types: ['webhook_endpoint.*'] });
  await with1(h, as, endpoint_id, ['POST', '/pause', {}]);
  await tell(h, as.client_id, 'a', 1);
  await deliver(h);
  // As retention does when it drops what is old.
  await run(h.db, 'update events.head set oldest = position + 1', []);
  await with1(h, as, endpoint_id, ['POST', '/resume', {}]);
  await tell(h, as.client_id, 'a', 2);
  await deliver(h);
  expect(shop.arrivals.map(({ nth }) => nth)).toEqual([2]);
  const types = told.arrivals.map(({ body }) => body.type);
  expect(types).toContain('webhook_endpoint.events_expired');
});

test('changed settings count for the deliveries after the change', async () => {
  const as = await admin(h);
  const [before, after] = [await receiver(refuse(500)), await receiver()];
  const { endpoint_id } = await endpointOf(h, as, { url: before.url });
  await tell(h, as.client_id, 'a', 1);
  await deliver(h);
  await with1(h, as, endpoint_id, ['PATCH', '', { url: after.url, headers: { 'x-new': '1' } }]);
  await later(h, 10);
  expect(before.arrivals).toHaveLength(1);
  expect(after.arrivals).toMatchObject([{ nth: 1, headers: { 'x-new': '1' } }]);
});

test('a stretch is sent once more, all of it or what never arrived', async () => {
  const as = await admin(h);
  const bad = new Set([2, 4]);
  const shop = await receiver((arrival, response) =>
    bad.has(arrival.nth) ? refuse(400)(arrival, response) : accept(arrival, response),
  );
  const { endpoint_id } = await endpointOf(h, as, { url: shop.url });
  await h.advance(120);
  const from = h.clock.now().toISOString();
  for (let nth = 1; nth <= 5; nth += 1) await tell(h, as.client_id, `o${nth}`, nth);
  await deliver(h);
  await h.advance(120);
  const to = h.clock.now().toISOString();
  await tell(h, as.client_id, 'later', 6);
  await deliver(h);
  // Others arrive, so that it is these events that fail and not the endpoint.
  for (let n = 0; n < 10; n += 1) {
    await later(h, n < 2 ? 301 : 30 * HOUR);
    await tell(h, as.client_id, 'fine', 7);
    await deliver(h);
  }
  bad.clear();
  const replay = async (body: object) => {
    shop.arrivals.splice(0);
    const answer = await with1(h, as, endpoint_id, ['POST', '/replay', { from, to, ...body }]);
    await deliver(h);
    expect(answer.events).toBe(5);
    return shop.arrivals.map(({ nth }) => nth).sort();
  };
  expect(await replay({ only_failed: true })).toEqual([2, 4]);
  expect(await replay({ only_failed: true })).toEqual([]);
  expect(await replay({})).toEqual([1, 2, 3, 4, 5]);
  expect(await replay({ types: ['webhook_endpoint.*'] })).toEqual([]);
});

test('a repetition that fails is tried again by itself, and holds up nothing that happens', async () => {
  const as = await admin(h);
  const shop = await receiver();
  const { endpoint_id } = await endpointOf(h, as, { url: shop.url });
  await tell(h, as.client_id, 'a', 1);
  await deliver(h);
  const event_id = shop.arrivals[0]?.body.id;
  shop.answer = (arrival, response) =>
    arrival.nth === 1 ? refuse(500)(arrival, response) : accept(arrival, response);
  const resent = await h.call('POST /events/{event_id}/resend', {
    as,
    params: { event_id },
    body: {},
  });
  expect(resent).toMatchObject([202, { data: { endpoints: [endpoint_id] } }]);
  await deliver(h);
  await tell(h, as.client_id, 'a', 2);
  await deliver(h);
  expect(shop.arrivals.map(({ nth }) => nth)).toEqual([1, 1, 2]);
  shop.answer = accept;
  await later(h, 10);
  expect(shop.arrivals.map(({ nth }) => nth)).toEqual([1, 1, 2, 1]);
  expect(new Set(shop.arrivals.map((one) => one.body.id)).size).toBe(2);
});
