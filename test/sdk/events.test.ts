import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { Archipay } from '#sdk/archipay.ts';
import { exampleEvent, fakeFetch, signWebhook } from '#sdk/testing.ts';
import { sign, unwrap, WebhookHandler } from '#sdk/webhooks.ts';
import { harness } from '../harness.ts';
import { admin, deliver, happening, receiver, tell } from '../webhooks.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;

test('signatures are those of Standard Webhooks, both ways', async () => {
  const event = exampleEvent('payment.succeeded');
  const { body, headers } = await signWebhook(event, SECRET);
  expect(new Webhook(SECRET).verify(body, headers)).toEqual(event);
  const at = new Date();
  const theirs = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': `v1,AAAA ${new Webhook(SECRET).sign('evt_1', at, body)}`,
  };
  expect(await unwrap(Buffer.from(body), theirs, { secrets: [OTHER, SECRET] })).toEqual(event);
});

test('a delivery that is altered, old, of another secret or parsed already is refused', async () => {
  const event = exampleEvent('payment.succeeded');
  const { body, headers } = await signWebhook(event, SECRET);
  const refused = (raw: unknown, own: object = headers, secrets = SECRET) =>
    expect(unwrap(raw as string, own as Record<string, string>, { secrets })).rejects;
  await refused(`${body} `).toThrow('No signature');
  await refused(body, headers, OTHER).toThrow('No signature');
  await refused(body, { ...headers, 'webhook-id': 'evt_2' }).toThrow('No signature');
  await refused(body, { ...headers, 'webhook-signature': 'v2,AAAA' }).toThrow('No signature');
  await refused(body, {}).toThrow('missing');
  await refused(JSON.parse(body)).toThrow('parsed already');
  const old = await sign(body, SECRET, { id: event.id, at: new Date(Date.now() - 301_000) });
  await refused(body, old).toThrow('too far');
});

test('a handler calls the function of the type, once for each event', async () => {
  const seen = new Set<string>();
  const heard: string[] = [];
  const handler = new WebhookHandler({ secrets: SECRET, seen })
    .on('payment.succeeded', ({ data }) => heard.push(`paid by ${data.rail}`))
    .on('wallet.*', ({ type }) => heard.push(type))
    .otherwise(({ type }) => {
      if (type === 'payment.failed') throw new Error('Not now');
      heard.push(`other ${type}`);
    });
  const send = async (type: Parameters<typeof exampleEvent>[0], secret = SECRET) => {
    const event = exampleEvent(type, { id: `evt_${type}` });
    const { body, headers } = await signWebhook(event, secret);
    const request = new Request('http://localhost/', { method: 'POST', headers, body });
    return (await handler.fetch(request)).status;
  };
  expect(await send('payment.succeeded')).toBe(204);
  expect(await send('payment.succeeded')).toBe(204);
  expect(await send('wallet.credited')).toBe(204);
  expect(await send('payment.failed')).toBe(500);
  expect(await send('payment.failed', OTHER)).toBe(400);
  expect(await send('user.created')).toBe(204);
  expect(heard).toEqual(['paid by card', 'wallet.credited', 'other user.created']);
});

test('a stream goes on where its connection was cut, without a gap', async () => {
  const h = await harness({ features: happening });
  const who = await admin(h);
  const cuts: AbortController[] = [];
  const cutting: typeof fetch = (input, init) => {
    const cut = new AbortController();
    cuts.push(cut);
    const signal = AbortSignal.any([cut.signal, ...(init?.signal ? [init.signal] : [])]);
    return fetch(input, { ...init, signal });
  };
  const options = { apiKey: h.key, baseUrl: h.app.apiUrl(), fetch: cutting };
  const archipay = new Archipay(options).as(who.token);
  const end = new AbortController();
  const heard: string[] = [];
  const onReady = () => tell(h, who.client_id, `object-${cuts.length}`, 1);
  const stream = archipay.events.stream({}, { signal: end.signal, gapless: true, onReady });
  for await (const event of stream) {
    if (!event.object.id.startsWith('object-')) continue;
    heard.push(event.object.id);
    if (heard.length === 2) end.abort();
    else cuts[0]?.abort();
  }
  expect([heard, cuts.length]).toEqual([['object-1', 'object-2'], 2]);
});

test('a stream whose events are not kept any more ends with the oldest that is', async () => {
  const error = { code: 'EVENTS_EXPIRED', message: 'Events up to 2 are no longer kept', oldest: 3 };
  const fetch = fakeFetch({
    'GET /events/stream': () => ({ status: 410, body: { success: false, error } }),
  });
  const archipay = new Archipay({ apiKey: 'ak', fetch });
  const reading = archipay.events.stream({ after: 1 })[Symbol.asyncIterator]().next();
  await expect(reading).rejects.toMatchObject({
    name: 'EventsExpiredError',
    code: 'EVENTS_EXPIRED',
    status: 410,
    oldest: 3,
  });
});

test('a real delivery of the service is unwrapped', async () => {
  const h = await harness({ features: happening });
  const who = await admin(h);
  const target = await receiver();
  const archipay = new Archipay({ apiKey: h.key, baseUrl: h.app.apiUrl() }).as(who.token);
  const made = await archipay.webhookEndpoints.create({ url: target.url, types: ['test.*'] });
  await tell(h, who.client_id, 'object-1', 1);
  await deliver(h);
  const [arrival] = target.arrivals;
  if (!arrival) return expect.fail('Nothing has arrived');
  const event = await unwrap(arrival.text, arrival.headers as Record<string, string>, {
    secrets: made.data.secret,
  });
  expect([event.type, event.object.id]).toEqual(['test.happened', 'object-1']);
});

test('a program is tested without a service', async () => {
  const fetch = fakeFetch({ 'GET /users/countries': () => ({ body: { data: ['ID'] } }) });
  const archipay = new Archipay({ apiKey: 'ak', fetch });
  expect(await archipay.users.listCountries()).toEqual({ data: ['ID'] });
  expect(fetch.calls[0]?.headers.get('x-api-key')).toBe('ak');
});
