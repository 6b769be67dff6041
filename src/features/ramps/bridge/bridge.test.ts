import { expect, test } from 'vitest';
import { bridger } from '#test/bridge.ts';
import { freshAddress, usdcOf, usedToday } from '#test/crosschain.ts';
import { type Body, harness } from '#test/harness.ts';

const h = await harness();
const person = await bridger(h);
const codeOf = ([status, body]: [number, Body]) => [status, body.error?.code ?? body.code];

test('routes join all pairs of chains, with fees, limits and measured times', async () => {
  const [status, { data }] = await h.call('GET /bridge/routes');
  expect([status, data.length]).toEqual([200, 12]);
  expect(data.find(({ route_id }: Body) => route_id === 'amoy-neon')).toMatchObject({
    from_chain: 'amoy',
    to_chain: 'neon',
    status: 'UP',
    modes: [
      {
        mode: 'standard',
        fee: { flat: '0.100000', bps: 10 },
        min: '1.000000',
        max: '10000.000000',
        estimated_seconds: { p50: null, p95: null, of: 0 },
      },
    ],
  });
});

test('a quote says what arrives, and its fees come off the amount', async () => {
  const recipient_address = freshAddress();
  const [status, { data }] = await person.quote({ amount: '500', recipient_address });
  expect([status, data]).toMatchObject([
    201,
    {
      kind: 'bridge',
      status: 'OPEN',
      from_amount: '500.000000',
      to_amount: '499.500000',
      platform_fee: '0.500000',
      network_fee: '0.000000',
      min_received: '499.500000',
      recipient_address,
      bridge: { from_chain: 'sepolia', to_chain: 'amoy', mode: 'standard', recipient_address },
    },
  ]);
  const lasts = Date.parse(data.expires_at) - Date.parse(data.created_at);
  expect(lasts).toBe(60_000);
  const [, listed] = await h.call('GET /fx/quotes', { as: person.as, query: { kind: 'bridge' } });
  expect(listed.data.items[0].quote_id).toBe(data.quote_id);
  const payload = Buffer.from(data.signature.split('.')[1], 'base64url').toString();
  expect(JSON.parse(payload).bridge.recipient_address).toBe(recipient_address);
});

test.each([
  ['the amount is too small', { amount: '0.5' }, [400, 'AMOUNT_BELOW_MINIMUM']],
  ['the amount is too large', { amount: '10000.01' }, [400, 'LIMIT_EXCEEDED']],
  ['the fees are above the most', { max_fee: '0.05' }, [400, 'LIMIT_EXCEEDED']],
  ['the chains are the same', { to_chain: 'sepolia' }, [400, 'VALIDATION_ERROR']],
  ['the mode is not offered', { mode: 'fast' }, [400, 'RAIL_NOT_AVAILABLE']],
  [
    'the recipient is the zero address',
    { recipient_address: `0x${'0'.repeat(40)}` },
    [400, 'VALIDATION_ERROR'],
  ],
  [
    'the recipient is the platform’s own',
    { recipient_address: h.app.evm.keys.treasury.address },
    [400, 'VALIDATION_ERROR'],
  ],
  [
    'the recipient has a wrong checksum',
    { recipient_address: '0x70997970c51812dc3A010C7d01b50e0d17dc79C8' },
    [400, 'VALIDATION_ERROR'],
  ],
])('a quote is refused where %s', async (_, over, expected) => {
  expect(codeOf(await person.quote(over))).toEqual(expected);
});

test('a transfer is burnt, minted to the platform and sent on to its recipient', async () => {
  const recipient_address = freshAddress();
  const [, quoted] = await person.quote({ recipient_address });
  const { quote_id } = quoted.data;
  const [status, { data }] = await person.begin(quote_id);
  expect([status, data]).toMatchObject([
    201,
    {
      status: 'COMPLETED',
      amount: '25.000000',
      received: '24.900000',
      fees: '0.100000',
      recipient_address,
      source_address: person.address,
      steps: [
        { name: 'burn', chain: 'sepolia', state: 'DONE', hash: expect.any(String) },
        { name: 'attest', chain: 'sepolia', state: 'DONE' },
        { name: 'mint', chain: 'amoy', state: 'DONE', hash: expect.any(String) },
        { name: 'send', chain: 'amoy', state: 'DONE', hash: expect.any(String) },
      ],
    },
  ]);
  expect(await usdcOf(h, 'amoy', recipient_address)).toBe(24_900_000n);
  expect(Object.keys(data.status_times)).toEqual(
    expect.arrayContaining(['burning_at', 'burned_at', 'attested_at', 'minting_at', 'sending_at']),
  );

  const again = await person.begin(quote_id);
  expect(again[1].data.bridge_transfer_id).toBe(data.bridge_transfer_id);
  const other = { headers: { 'idempotency-key': 'another' } };
  expect(codeOf(await person.begin(quote_id, other))).toEqual([409, 'QUOTE_USED']);
  expect(await usedToday(h, person.as)).toBe(25_000_000n);
  const [, payments] = await h.call('GET /payments', { as: person.as });
  expect(payments.data.items).toMatchObject([{ rail: 'bridge', status: 'SUCCEEDED' }]);
  const [, history] = await h.call('GET /crosschain/history/{user_id}', {
    as: person.as,
    params: { user_id: person.as.user_id },
  });
  expect(history.data.transactions).toEqual([]);
  const [, routes] = await h.call('GET /bridge/routes');
  const route = routes.data.find(({ route_id }: Body) => route_id === 'sepolia-amoy');
  expect(route.modes[0].estimated_seconds.of).toBe(1);
});

test('a transfer is its owner’s alone, and takes only a quote of the bridge and an own source', async () => {
  const { bridge_transfer_id } = await person.moved();
  const stranger = await bridger(h);
  const path = 'GET /bridge/transfers/{bridge_transfer_id}';
  const params = { bridge_transfer_id };
  expect(codeOf(await h.call(path, { as: stranger.as, params }))).toEqual([404, 'NOT_FOUND']);
  const [, quoted] = await person.quote();
  const { quote_id } = quoted.data;
  expect(codeOf(await stranger.begin(quote_id))).toEqual([404, 'NOT_FOUND']);
  const body = { quote_id, source: { address: freshAddress() } };
  expect(codeOf(await person.begin(quote_id, { body }))).toEqual([404, 'WALLET_NOT_FOUND']);
  const [, fx] = await h.call('POST /fx/quotes', {
    as: person.as,
    body: { from_currency: 'USD', to_currency: 'IDR', from_amount: '10' },
  });
  expect(codeOf(await person.begin(fx.data.quote_id))).toEqual([409, 'QUOTE_MISMATCH']);
  const convert = await h.call('POST /fx/conversions', {
    as: person.as,
    body: { quote_id },
    headers: { 'idempotency-key': quote_id },
  });
  expect(codeOf(convert)).toEqual([409, 'QUOTE_MISMATCH']);
});

test('a stopped route takes nothing new, and a day’s cap holds for all', async () => {
  const operator = await h.operator();
  const neon = await bridger(h, { from: 'neon' });
  const change = (body: object) =>
    h.call('PATCH /bridge/routes/{route_id}', {
      as: operator,
      params: { route_id: 'neon-amoy' },
      body,
    });
  const [, first] = await neon.quote();
  expect((await change({ daily_cap: '30' }))[0]).toBe(200);
  expect((await neon.begin(first.data.quote_id))[0]).toBe(201);
  const [, second] = await neon.quote();
  expect(codeOf(await neon.begin(second.data.quote_id))).toEqual([400, 'LIMIT_EXCEEDED']);
  const [, stopped] = await change({ stop_reason: 'An upgrade', daily_cap: '1000' });
  expect(stopped.data).toMatchObject({ status: 'DOWN', stop_reason: 'An upgrade', version: 3 });
  expect(codeOf(await neon.quote())).toEqual([400, 'RAIL_NOT_AVAILABLE']);
  const left = await neon.begin(second.data.quote_id, { headers: { 'idempotency-key': 'left' } });
  expect(codeOf(left)).toEqual([400, 'RAIL_NOT_AVAILABLE']);
  expect(codeOf(await change({ stop_reason: null, version: 2 }))).toEqual([
    409,
    'VERSION_CONFLICT',
  ]);
  expect((await change({ stop_reason: null, version: 3 }))[1].data.status).toBe('UP');
  expect(
    (await neon.begin(second.data.quote_id, { headers: { 'idempotency-key': 'on' } }))[0],
  ).toBe(201);
});

test('of ten transfers at once by one quote there is one', async () => {
  const recipient_address = freshAddress();
  const [, quoted] = await person.quote({ recipient_address });
  const { quote_id } = quoted.data;
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      person.begin(quote_id, { headers: { 'idempotency-key': `at-once-${n}` } }),
    ),
  );
  expect(answers.filter(([status]) => status === 201)).toHaveLength(1);
  const others = answers.filter(([status]) => status !== 201);
  expect(others.map(codeOf)).toEqual(Array.from({ length: 9 }, () => [409, 'QUOTE_USED']));
  expect(await usdcOf(h, 'amoy', recipient_address)).toBe(24_900_000n);
});

test('a dry run shows what a transfer would do, and leaves nothing behind', async () => {
  const [, quoted] = await person.quote();
  const { quote_id } = quoted.data;
  const query = { dry_run: 'true' };
  const [status, { data }] = await person.begin(quote_id, { query, headers: {} });
  expect([status, data.dry_run]).toEqual([200, true]);
  expect(data.would.events).toContain('bridge_transfer.burning');
  const [, { data: quote }] = await h.call('GET /fx/quotes/{quote_id}', {
    as: person.as,
    params: { quote_id },
  });
  expect(quote.status).toBe('OPEN');
});
