import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';
import {
  accept,
  admin,
  deliver,
  endpointOf,
  happening,
  isSignedBy,
  later,
  receiver,
  refuse,
  tell,
  verified,
  with1,
} from '#test/webhooks.ts';

const h = await harness({ features: happening, config: { JWT_TTL: '9000000' } });
const seen = (arrivals: readonly { object: string; nth: number }[]) =>
  arrivals.map(({ object, nth }) => `${object}${nth}`);

test('what happens arrives, signed as the specification has it, the same bytes in each try', async () => {
  const as = await admin(h);
  const shop = await receiver(refuse(500));
  const headers = { 'x-token': 'let us in' };
  const made = await endpointOf(h, as, { url: shop.url, headers });
  await tell(h, as.client_id, 'a', 1);
  await deliver(h);
  shop.answer = accept;
  await later(h, 10);
  const [first, second] = shop.arrivals;
  if (!first || !second) throw new Error('Nothing arrived');
  expect(verified(second, made.secret)).toMatchObject({
    type: 'test.happened',
    client_id: as.client_id,
    live: false,
    object: { type: 'test', id: 'a' },
    data: { writer: 1, nth: 1 },
  });
  expect(second.text).toBe(first.text);
  expect(second.headers['webhook-id']).toBe(second.body.id);
  expect([first, second].map((one) => one.headers['webhook-attempt'])).toEqual(['1', '2']);
  expect(second.headers).toMatchObject({
    'user-agent': 'Archipay-Webhooks/1',
    'content-type': 'application/json',
    'x-token': 'let us in',
  });
  // By the receiver's time, which the clock of the sandbox does not move.
  expect(verified(first, made.secret)).toEqual(second.body);
  expect(() => verified({ ...second, text: `${second.text} ` }, made.secret)).toThrow();
});

test('only what an endpoint is subscribed to arrives there, and only of its client', async () => {
  const as = await admin(h);
  const [all, own, none] = [await receiver(), await receiver(), await receiver()];
  await endpointOf(h, as, { url: all.url, types: ['*'] });
  await deliver(h);
  await endpointOf(h, as, { url: own.url, types: ['webhook_endpoint.created'] });
  await endpointOf(h, await admin(h), { url: none.url, types: ['*'] });
  await tell(h, as.client_id, 'a', 1);
  await deliver(h);
  const types = all.arrivals
    .map(({ body }) => body.type)
    .filter((type) => /^(webhook_endpoint|test)/.test(type));
  expect(types).toEqual(['webhook_endpoint.created', 'webhook_endpoint.created', 'test.happened']);
  expect(own.arrivals.map(({ body }) => body.type)).toEqual(['webhook_endpoint.created']);
  expect(none.arrivals).not.toEqual([]);
  expect(none.arrivals.every(({ body }) => body.client_id !== as.client_id)).toBe(true);
  expect(JSON.stringify(all.arrivals)).not.toContain('whsec_');
});

test('events of one object wait for one another, those of others go on', async () => {
  const as = await admin(h);
  const shop = await receiver((arrival, response) =>
    arrival.object === 'a' && arrival.nth === 1
      ? refuse(500)(arrival, response)
      : accept(arrival, response),
  );
  const { endpoint_id } = await endpointOf(h, as, { url: shop.url });
  for (const nth of [1, 2, 3]) for (const object of 'abc') await tell(h, as.client_id, object, nth);
  await deliver(h);
  expect(seen(shop.arrivals).sort()).toEqual(['a1', 'b1', 'b2', 'b3', 'c1', 'c2', 'c3']);
  const { deliveries } = await with1(h, as, endpoint_id, ['GET', '/deliveries']);
  const waiting = deliveries.filter(({ status }: { status: string }) => status === 'waiting');
  expect(waiting).toMatchObject([{ object: { id: 'a' }, attempts: 1, last_status: 500 }]);
  shop.arrivals.splice(0);
  shop.answer = accept;
  await later(h, 10);
  expect(seen(shop.arrivals)).toEqual(['a1', 'a2', 'a3']);
});

test('in strict order all wait for the one before', async () => {
  const as = await admin(h);
  const shop = await receiver(refuse(500));
  await endpointOf(h, as, { url: shop.url, ordering: 'strict' });
  for (const nth of [1, 2]) for (const object of 'ab') await tell(h, as.client_id, object, nth);
  await deliver(h);
  expect(seen(shop.arrivals)).toEqual(['a1']);
  shop.answer = accept;
  shop.arrivals.splice(0);
  await later(h, 10);
  expect(seen(shop.arrivals)).toEqual(['a1', 'b1', 'a2', 'b2']);
});

test('order is kept under many failures', async () => {
  const as = await admin(h);
  let calls = 0;
  const taken: string[] = [];
  const shop = await receiver((arrival, response) => {
    calls += 1;
    if (calls % 3 === 0) return refuse(500)(arrival, response);
    taken.push(`${arrival.object}${arrival.nth}`);
    return accept(arrival, response);
  });
  await endpointOf(h, as, { url: shop.url, concurrency: 16 });
  const objects = ['a', 'b', 'c', 'd'];
  for (let nth = 1; nth <= 5; nth += 1)
    for (const object of objects) await tell(h, as.client_id, object, nth);
  await deliver(h);
  for (let round = 0; round < 30 && taken.length < 20; round += 1) await later(h, 2000);
  for (const object of objects) {
    const of = taken.filter((one) => one.startsWith(object));
    expect(of).toEqual([1, 2, 3, 4, 5].map((nth) => `${object}${nth}`));
  }
});

test('it is tried as often as the schedule says, then given up, and what came after it goes on', async () => {
  const as = await admin(h);
  const shop = await receiver((arrival, response) =>
    arrival.object === 'a' && arrival.nth === 1
      ? refuse(400)(arrival, response)
      : accept(arrival, response),
  );
  const { endpoint_id } = await endpointOf(h, as, { url: shop.url });
  await tell(h, as.client_id, 'a', 1);
  await tell(h, as.client_id, 'a', 2);
  await deliver(h);
  const waits = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
  for (const [tries, seconds] of waits.entries()) {
    expect(shop.arrivals).toHaveLength(tries + 1);
    await later(h, Math.floor(seconds * 0.79));
    // Of a few seconds a slow machine may have used up the rest.
    if (seconds > 60) expect(shop.arrivals, `too early after ${seconds} s`).toHaveLength(tries + 1);
    await later(h, Math.ceil(seconds * 0.42));
  }
  expect(seen(shop.arrivals)).toEqual([...Array(10).fill('a1'), 'a2']);
  const { attempts } = await with1(h, as, endpoint_id, ['GET', '/attempts']);
  expect(attempts.map(({ result }: { result: string }) => result).slice(0, 2)).toEqual([
    'delivered',
    'exhausted',
  ]);
  const { deliveries } = await with1(h, as, endpoint_id, ['GET', '/deliveries']);
  expect(deliveries).toMatchObject([
    { status: 'delivered', attempts: 1, next_attempt_at: null },
    { status: 'exhausted', attempts: 10, last_status: 400, last_error: 'It answered 400' },
  ]);
});

test('Retry-After is obeyed, by the whole endpoint', async () => {
  const as = await admin(h);
  const shop = await receiver(refuse(429, { 'retry-after': '600' }));
  await endpointOf(h, as, { url: shop.url });
  await tell(h, as.client_id, 'a', 1);
  await deliver(h);
  shop.answer = accept;
  await later(h, 500);
  expect(shop.arrivals).toHaveLength(1);
  await later(h, 110);
  expect(shop.arrivals).toHaveLength(2);
});

test('a redirect is a failure, and followed nowhere', async () => {
  const as = await admin(h);
  const elsewhere = await receiver();
  const shop = await receiver(refuse(307, { location: elsewhere.url }));
  const { endpoint_id } = await endpointOf(h, as, { url: shop.url });
  await tell(h, as.client_id, 'a', 1);
  await deliver(h);
  expect(elsewhere.arrivals).toEqual([]);
  const { attempts } = await with1(h, as, endpoint_id, ['GET', '/attempts']);
  expect(attempts).toMatchObject([{ status: 307, error: 'Redirects are not followed' }]);
});

test('what is thin says only which object it is about', async () => {
  const as = await admin(h);
  const shop = await receiver();
  const { secret } = await endpointOf(h, as, { url: shop.url, payload: 'thin' });
  await tell(h, as.client_id, 'a', 1);
  await deliver(h);
  const [arrival] = shop.arrivals;
  if (!arrival) throw new Error('Nothing arrived');
  expect(isSignedBy(arrival, secret)).toBe(true);
  expect(arrival.body).not.toHaveProperty('data');
  expect(arrival.body).toMatchObject({ type: 'test.happened', object: { id: 'a' } });
});

test('while a secret is rotated both sign, and then only the new one', async () => {
  const as = await admin(h);
  const shop = await receiver();
  const made = await endpointOf(h, as, { url: shop.url });
  const rotate = ['POST', '/rotate-secret', { overlap_seconds: 3600 }] as const;
  const { secret } = await with1(h, as, made.endpoint_id, rotate);
  const arriving = async () => {
    shop.arrivals.splice(0);
    await tell(h, as.client_id, 'a', 1);
    await deliver(h);
    const [arrival] = shop.arrivals;
    if (!arrival) throw new Error('Nothing arrived');
    return arrival;
  };
  const signers = async (...secrets: string[]) => {
    const arrival = await arriving();
    return secrets.map((one) => isSignedBy(arrival, one));
  };
  expect(await signers(made.secret, secret)).toEqual([true, true]);
  await h.advance(3601);
  expect(await signers(made.secret, secret)).toEqual([false, true]);
  const now = ['POST', '/rotate-secret', { overlap_seconds: 0 }] as const;
  const leaked = await with1(h, as, made.endpoint_id, now);
  expect(await signers(made.secret, secret, leaked.secret)).toEqual([false, false, true]);
});

test('a test is sent at once, and what came back is answered', async () => {
  const as = await admin(h);
  const shop = await receiver((_arrival, response) => response.writeHead(418).end('a \0 teapot'));
  const { endpoint_id, secret } = await endpointOf(h, as, { url: shop.url });
  expect(await with1(h, as, endpoint_id, ['POST', '/test', {}])).toMatchObject({
    event_type: 'test.ping',
    cause: 'test',
    result: 'failed',
    status: 418,
    response: 'a � teapot',
  });
  const [arrival] = shop.arrivals;
  if (!arrival) throw new Error('Nothing arrived');
  const { id } = arrival.body;
  expect(isSignedBy(arrival, secret)).toBe(true);
  expect(id).toMatch(/^evt_/);
  const [, { data }] = await h.call('GET /event-types');
  const type = data.event_types.find((one: { type: string }) => one.type === arrival.body.type);
  expect(Value.Check(type.schemas[0], arrival.body.data)).toBe(true);
  expect(arrival.body).toMatchObject({
    object: { type: type.object, id: endpoint_id },
    schema_version: type.schema_version,
  });
  const { attempts } = await with1(h, as, endpoint_id, ['GET', '/attempts']);
  expect(attempts).toHaveLength(1);
});
