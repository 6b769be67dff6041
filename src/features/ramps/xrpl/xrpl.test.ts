import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { Wallet } from 'xrpl';
import { run } from '#kernel/db/db.ts';
import { harness } from '#test/harness.ts';
import { ramps } from '#test/ramps.ts';

const h = await harness();
const r = ramps(h);
beforeEach(() => h.sandbox('DELETE', '/faults'));

const HASH = /^[0-9A-F]{64}$/;

test('an on-ramp issues USDC to the platform’s address, and the wallet pays for it', async () => {
  const as = await h.user();
  await r.fund(as, 'IDR', 1_587_550_00n);
  const [status, { message, data }] = await r.on(as, {
    fiat_currency: 'IDR',
    fiat_amount: 1_587_550,
  });
  expect([status, message]).toEqual([200, 'Onramp completed']);
  expect(data).toEqual({
    xrpl_tx: {
      id: expect.any(Number),
      user_id: as.user_id,
      tx_type: 'ONRAMP',
      tx_hash: expect.stringMatching(HASH),
      source_address: expect.stringMatching(/^r/),
      destination_address: expect.stringMatching(/^r/),
      destination_tag: null,
      currency_code: 'USDC',
      amount: '100.000000',
      status: 'tesSUCCESS',
      raw_response: expect.stringContaining('tesSUCCESS'),
      created_at: expect.any(String),
      updated_at: expect.any(String),
    },
    fx: {
      route: 'IDR → USDC',
      usdcIntermediate: '100.000000',
      result: '100.000000',
      rate: '0.00006299014204277',
      source: 'coinbase',
      at: expect.any(String),
    },
  });
  expect([await r.fiatOf(as, 'IDR'), await r.usdcOf(as)]).toEqual([
    { units: 0n, held: 0n },
    { units: 100_000_000n, held: 0n },
  ]);
  const { tx_hash, id } = data.xrpl_tx;
  expect(await r.status(as, 'on', tx_hash)).toEqual([200, { txid: tx_hash, status: 'validated' }]);
  expect(await r.status(as, 'on', id)).toEqual([200, { txid: `${id}`, status: 'validated' }]);
  const conversions = await h.db.selectFrom('fx_conversions').selectAll().execute();
  expect(conversions).toMatchObject([{ user_id: as.user_id, usdc_units: 100_000_000n }]);
  expect(await h.db.selectFrom('xrpl_trustlines').selectAll().execute()).toMatchObject([
    { user_id: as.user_id, address: data.xrpl_tx.destination_address, status: 'ACTIVE' },
  ]);
  await r.agree();
});

test('an amount of USDC is paid in dollars, in mock mode by the house where they lack', async () => {
  const as = await h.user();
  await r.fund(as, 'USD', 500n);
  const [, first] = await r.on(as, { amount: 5 });
  expect(first.data.fx).toMatchObject({ route: 'USD → USDC', result: '5.000000' });
  expect((await r.fiatOf(as, 'USD')).units).toBe(0n);
  const before = await r.house('xrpl-sponsored', 'USD');
  const [status] = await r.on(as, { amount: '7.5', currency_code: 'USDC' });
  expect(status).toBe(200);
  expect((await r.house('xrpl-sponsored', 'USD')) - before).toBe(-750n);
  expect((await r.usdcOf(as)).units).toBe(12_500_000n);
  await r.agree();
});

test('an off-ramp sends the user’s USDC to an address outside', async () => {
  const as = await h.user();
  await r.on(as, { amount: 20 });
  const address = await r.outside();
  const [status, { data, message }] = await r.off(as, {
    amount: 12.345678,
    destination_address: address,
  });
  expect([status, message]).toEqual([200, 'Offramp completed']);
  expect(data).toMatchObject({
    xrpl_tx: {
      tx_type: 'OFFRAMP',
      amount: '12.345678',
      status: 'tesSUCCESS',
      destination_address: address,
    },
    payout: { target_fiat: null, fiat_amount: null, payout_type: null, destination_bank: null },
  });
  expect(await r.usdcOf(as)).toEqual({ units: 7_654_322n, held: 0n });
  const { tx_hash } = data.xrpl_tx;
  expect(await r.status(as, 'off', tx_hash.toLowerCase())).toMatchObject([
    200,
    { status: 'validated' },
  ]);
  expect((await r.status(as, 'on', tx_hash))[0]).toBe(404);
  await r.agree();
});

test('an off-ramp to fiat credits a wallet of the user or a colleague', async () => {
  const as = await h.user();
  const friend = await h.user({ client_id: as.client_id });
  await r.on(as, { amount: 30 });
  const [status, { data }] = await r.off(as, { usdc_amount: 10, target_fiat: 'IDR' });
  expect(status).toBe(200);
  expect(data).toMatchObject({
    xrpl_tx: { tx_type: 'OFFRAMP_FIAT', status: 'SUCCESS_RECEIVED', amount: '10.000000' },
    payout: { target_fiat: 'IDR', fiat_amount: 158_755, payout_type: 'PLATFORM_WALLET' },
  });
  expect((await r.fiatOf(as, 'IDR')).units).toBe(15_875_500n);
  const params = { user_id: friend.user_id };
  const [, wallets] = await h.call('GET /wallets/fiat/{user_id}', { as: friend, params });
  const { wallet_id } = wallets.data.wallets[0];
  for (const to of [{ receiver_user_id: friend.user_id, receiver_currency: 'USD' }, { wallet_id }])
    expect((await r.off(as, { usdc_amount: 10, target_fiat: 'USD', ...to }))[0]).toBe(200);
  expect((await r.fiatOf(friend, 'USD')).units).toBe(2000n);
  expect((await r.usdcOf(as)).units).toBe(0n);
  await r.agree();
});

test('an amount of USDC has one of two names, and both are refused', async () => {
  const as = await h.user();
  await r.on(as, { amount: 10 });
  for (const wish of [{ amount: 3 }, { usdc_amount: 3 }])
    expect(await r.off(as, { ...wish, target_fiat: 'USD' })).toMatchObject([
      ...[200, { data: { payout: { target_fiat: 'USD', fiat_amount: 3 } } }],
    ]);
  const both = { amount: 3, usdc_amount: 3, target_fiat: 'USD' };
  expect((await r.off(as, both))[0]).toBe(400);
  expect((await r.fiatOf(as, 'USD')).units).toBe(600n);
});

test('a receiver is credited in their own currency, at the rates of the target', async () => {
  const as = await h.user();
  await r.on(as, { amount: 10 });
  const wish = { usdc_amount: 10, target_fiat: 'USD', receiver_currency: 'IDR' };
  const [status, { data }] = await r.off(as, wish);
  expect([status, data.payout]).toMatchObject([
    200,
    {
      target_fiat: 'USD',
      fiat_amount: 10,
      receiver_currency: 'IDR',
      receiver_amount: 158_755,
    },
  ]);
  expect([(await r.fiatOf(as, 'IDR')).units, (await r.fiatOf(as, 'USD')).units]).toEqual([
    ...[15_875_500n, 0n],
  ]);
  await r.agree();
});

test('in mock mode a bank is paid at once, and missing USDC is sponsored', async () => {
  const as = await h.user();
  const destination_bank = { bank_name: 'BCA', account_number: '123456', account_name: 'Siti' };
  const issued = await r.house('xrpl-issued', 'USDC');
  const body = { usdc_amount: 3, target_fiat: 'SGD', payout_type: 'BANK', destination_bank };
  const [status, { data }] = await r.off(as, body);
  expect(status).toBe(200);
  expect(data).toMatchObject({
    xrpl_tx: { status: 'SUCCESS_RECEIVED' },
    payout: { target_fiat: 'SGD', fiat_amount: 4.02, payout_type: 'BANK', destination_bank },
  });
  const { address } = Wallet.generate();
  expect((await r.off(as, { amount: 2, destination_address: address }))[0]).toBe(200);
  expect(await r.house('xrpl-sponsored', 'USDC')).toBe(-5_000_000n);
  expect((await r.house('xrpl-issued', 'USDC')) - issued).toBe(2_000_000n);
  await r.agree();
});

test('twenty concurrent on-ramps keep their sequences, and each pays once', async () => {
  const as = await h.user();
  await r.fund(as, 'USD', 2000n);
  const before = await r.onChain();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => r.on(as, { fiat_currency: 'USD', fiat_amount: 1 })),
  );
  expect(answers.map(([status]) => status)).toEqual(Array(20).fill(200));
  expect(new Set(answers.map(([, { data }]) => data.xrpl_tx.tx_hash)).size).toBe(20);
  expect((await r.onChain()) - before).toBe(20_000_000n);
  expect((await r.fiatOf(as, 'USD')).units).toBe(0n);
  const rows = await h.db
    .selectFrom('xrpl_journal')
    .select(['account', 'sequence'])
    .where('purpose', '=', 'on-ramp')
    .execute();
  expect(new Set(rows.map(({ account, sequence }) => `${account} ${sequence}`)).size).toBe(
    rows.length,
  );
  await r.agree();
});

test('a repeated Idempotency-Key pays nothing twice', async () => {
  const as = await h.user();
  await r.fund(as, 'USD', 1000n);
  const headers = { 'idempotency-key': randomUUID() };
  const body = { fiat_currency: 'USD', fiat_amount: 4 };
  const [first, again] = [await r.on(as, body, headers), await r.on(as, body, headers)];
  expect(again).toEqual(first);
  expect([(await r.fiatOf(as, 'USD')).units, (await r.usdcOf(as)).units]).toEqual([
    600n,
    4_000_000n,
  ]);
});

test('the history has the user’s own records, newest first, in pages', async () => {
  const as = await h.user();
  await r.on(as, { amount: 1 });
  await r.on(as, { amount: 2 });
  const [status, body] = await h.call('GET /xrpl/history', { as });
  expect([status, body.message, body.count]).toEqual([200, 'History retrieved', 2]);
  expect(body.history.map(({ amount }: { amount: string }) => amount)).toEqual([
    '2.000000',
    '1.000000',
  ]);
  const page = await h.call('GET /xrpl/history', { as, query: { limit: 1 } });
  expect(page[1].count).toBe(1);
  expect((await h.call('GET /xrpl/history', { as: await h.user() }))[1].history).toEqual([]);
});

test('the history is narrowed to a time, both ends included, to a status and to a hash', async () => {
  const as = await h.user();
  for (const amount of [1, 2, 3, 4]) {
    await r.on(as, { amount });
    await h.advance(60);
  }
  type Line = { id: number; amount: string; tx_hash: string; created_at: string };
  const read = async (query: Record<string, string | number> = {}): Promise<Line[]> =>
    (await h.call('GET /xrpl/history', { as, query }))[1].history;
  const amounts = (lines: Line[]) => lines.map(({ amount }) => Number(amount));
  const [newest, third, second, oldest] = await read();
  const between = { created_from: `${second?.created_at}`, created_to: `${third?.created_at}` };
  expect(amounts(await read(between))).toEqual([3, 2]);
  expect(amounts(await read({ ...between, limit: 1 }))).toEqual([3]);
  expect(amounts(await read({ ...between, before: third?.id ?? 0 }))).toEqual([2]);
  expect(amounts(await read({ created_from: `${newest?.created_at}` }))).toEqual([4]);
  expect(await read({ created_to: '2020-01-01T00:00:00Z' })).toEqual([]);
  expect(await read({ created_from: '2999-01-01T00:00:00Z' })).toEqual([]);
  const reference = second?.tx_hash.toLowerCase() ?? '';
  expect(amounts(await read({ reference }))).toEqual([2]);
  expect(await read({ reference, created_from: `${third?.created_at}` })).toEqual([]);
  await run(h.db, `update xrpl_transactions set status = 'FAILED' where id = $1`, [oldest?.id]);
  expect(amounts(await read({ status: 'FAILED' }))).toEqual([1]);
  expect(amounts(await read({ status: 'tesSUCCESS', limit: 2 }))).toEqual([4, 3]);
  const [refused, { details }] = await h.call('GET /xrpl/history', {
    as,
    query: { status: 'LOST' },
  });
  expect([refused, details?.[0]?.field]).toEqual([400, 'status']);
});

test('the Link header leads to the next page with the same filter', async () => {
  const as = await h.user();
  for (const amount of [1, 2, 3]) await r.on(as, { amount });
  const query = { status: 'tesSUCCESS', limit: 2 };
  const { headers, body } = await h.send('GET /xrpl/history', { as, query });
  const [, link = ''] = /<([^>]+)>/.exec(headers.get('link') ?? '') ?? [];
  const next = new URL(link).searchParams;
  expect([next.get('status'), next.get('before')]).toEqual(['tesSUCCESS', `${body.history[1].id}`]);
});
