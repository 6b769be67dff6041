import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import {
  AccountSetAsfFlags,
  Client,
  classicAddressToXAddress,
  type Payment,
  type SubmittableTransaction,
  Wallet,
} from 'xrpl';
import { harness } from '#test/harness.ts';
import { ramps } from '#test/ramps.ts';

/** Out of mock mode: whose money it is at an address of many people. */
const h = await harness({ mock: false });
const r = ramps(h);
const as = await h.user();
await r.fund(as, 'USD', 100_000n);
await r.on(as, { fiat_currency: 'USD', fiat_amount: 500 });
const client = new Client(`${h.app.sandboxUrl().replace('http', 'ws')}/xrpl`);
await client.connect();
afterAll(() => client.disconnect());

/** An account with a trust line, as its owner opens it with Ripple's own client. */
async function account({ needsTag }: { readonly needsTag: boolean }): Promise<string> {
  const wallet = Wallet.generate();
  const { address: Account } = wallet;
  await h.sandbox('POST', '/xrpl/trust-lines', { address: Account });
  const tx: SubmittableTransaction = {
    TransactionType: 'AccountSet',
    Account,
    SetFlag: AccountSetAsfFlags.asfRequireDest,
  };
  if (needsTag) await client.submit(tx, { autofill: true, wallet });
  return Account;
}
const exchange = await account({ needsTag: true });
const person = await account({ needsTag: false });
const xAddress = (tag: number | false, isTest = true) =>
  classicAddressToXAddress(exchange, tag, isTest);

/** The payment as the ledger has it. */
async function onLedger(transaction: string): Promise<Payment> {
  const { result } = await client.request({ command: 'tx', transaction });
  return result.tx_json as unknown as Payment;
}

test.each([
  ['a number', 7, 7],
  ['its text', '4294967295', 4_294_967_295],
  ['zero', 0, 0],
])(
  'a tag that is %s is on the payment, in the answer and in the history',
  async (_, given, tag) => {
    const body = { amount: 1, destination_address: exchange, destination_tag: given };
    const [status, { data }] = await r.off(as, body);
    expect([status, data.xrpl_tx.destination_tag, data.xrpl_tx.destination_address]).toEqual([
      ...[200, tag, exchange],
    ]);
    const { Destination, DestinationTag } = await onLedger(data.xrpl_tx.tx_hash);
    expect([Destination, DestinationTag]).toEqual([exchange, tag]);
    const [, { history }] = await h.call('GET /xrpl/history', { as });
    expect(history[0]).toMatchObject({ id: data.xrpl_tx.id, destination_tag: tag });
    await r.agree();
  },
);

test('an X-address stands for its account and tag', async () => {
  const [status, { data }] = await r.off(as, { amount: 1, destination_address: xAddress(42) });
  expect([status, data.xrpl_tx.destination_address, data.xrpl_tx.destination_tag]).toEqual([
    ...[200, exchange, 42],
  ]);
  expect((await onLedger(data.xrpl_tx.tx_hash)).DestinationTag).toBe(42);
  const twice = { amount: 1, destination_address: xAddress(42), destination_tag: 42 };
  expect((await r.off(as, twice))[0]).toBe(200);
  const beside = { amount: 1, destination_address: xAddress(false), destination_tag: 9 };
  expect((await r.off(as, beside))[1].data.xrpl_tx.destination_tag).toBe(9);
});

test('a payment has a tag only where it is given or required', async () => {
  const [, { data }] = await r.off(as, { amount: 1, destination_address: person });
  expect(data.xrpl_tx.destination_tag).toBeNull();
  expect((await onLedger(data.xrpl_tx.tx_hash)).DestinationTag).toBeUndefined();
  const body = { amount: 1, destination_address: person, destination_tag: 3 };
  expect((await r.off(as, body))[1].data.xrpl_tx.destination_tag).toBe(3);
});

/** Everything that a refusal leaves as it was. */
async function everything() {
  const { rows } = await h.kernel.pool.query(
    `select (select jsonb_agg(a order by account_id) from ledger.accounts a where seq > 0) as books,
       (select count(*) from xrpl_transactions) as records,
       (select count(*) from xrpl_journal) as journal`,
  );
  return rows[0];
}
const BAD = 'VALIDATION_ERROR';

test.each([
  ['no tag', {}, 'DESTINATION_TAG_REQUIRED', /destination_tag/],
  [
    'an X-address without one',
    { destination_address: xAddress(false) },
    'DESTINATION_TAG_REQUIRED',
    /./,
  ],
  [
    'another tag beside',
    { destination_address: xAddress(1), destination_tag: 2 },
    BAD,
    /X-address/,
  ],
  ['the main network', { destination_address: xAddress(1, false) }, BAD, /main network/],
  ['a mistyped X-address', { destination_address: `${xAddress(1).slice(0, -1)}?` }, BAD, /address/],
  ['a tag below zero', { destination_tag: -1 }, BAD, /destination_tag/],
  ['a tag of 33 bits', { destination_tag: 4_294_967_296 }, BAD, /destination_tag/],
  ['a tag with a fraction', { destination_tag: 1.5 }, BAD, /destination_tag/],
  ['a tag of words', { destination_tag: 'main' }, BAD, /destination_tag/],
])('%s is refused before anything moves', async (_, more, code, message) => {
  const before = await everything();
  const [status, body] = await r.off(as, { amount: 1, destination_address: exchange, ...more });
  expect([status, body.code, body.error]).toEqual([400, code, expect.stringMatching(message)]);
  expect(body.hint).toEqual(expect.any(String));
  expect(await everything()).toEqual(before);
});

test('a tag belongs to an address and not to a sale', async () => {
  const body = { usdc_amount: 1, target_fiat: 'USD', destination_tag: 1 };
  expect(await r.off(as, body)).toMatchObject([400, { code: BAD }]);
});

test('the same key with another tag is another request', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const body = { amount: 1, destination_address: exchange, destination_tag: 5 };
  expect((await r.off(as, body, headers))[0]).toBe(200);
  expect(await r.off(as, { ...body, destination_tag: 6 }, headers)).toMatchObject([
    ...[422, { code: 'IDEMPOTENCY_KEY_REUSED' }],
  ]);
});

test('a reference is signed for one tag only', async () => {
  const pay = (tag: number) =>
    h.app.xrpl.pay({
      reference: 'tags:one',
      purpose: 'test',
      units: 1n,
      from: 'platform',
      to: { address: exchange, tag },
    });
  expect((await pay(1)).kind).toBe('done');
  expect((await pay(1)).kind).toBe('done');
  await expect(pay(2)).rejects.toThrow('another DestinationTag');
});

test('the ledger refuses a missing tag, and lists accounts that require one', async () => {
  const { result } = await client.request({ command: 'account_info', account: exchange });
  expect(result.account_flags).toMatchObject({ requireDestinationTag: true });
  const paid = await h.app.xrpl.pay({
    reference: `tags:${randomUUID()}`,
    purpose: 'test',
    units: 1n,
    from: 'platform',
    to: { address: exchange },
  });
  expect(paid).toMatchObject({ kind: 'refused', code: 'tecDST_TAG_NEEDED' });
});

test('a payment to the platform has a line with its tag', async () => {
  const wallet = Wallet.generate();
  const { address: Account } = wallet;
  await h.sandbox('POST', '/xrpl/trust-lines', { address: Account });
  await h.sandbox('POST', '/faucet', {
    chain: 'xrpl',
    address: Account,
    asset: 'USDC',
    amount: '5',
  });
  const [, { history }] = await h.call('GET /xrpl/history', { as });
  const sent = history.find(({ tx_type }: { tx_type: string }) => tx_type === 'OFFRAMP');
  const addresses = await h.app.xrpl.prepare();
  if (addresses.kind !== 'done') throw new Error('The ledger is away');
  const { issuer, platform, currency } = addresses.value;
  expect(sent.source_address).toBe(platform);
  await client.submit(
    {
      TransactionType: 'Payment',
      Account,
      Destination: platform,
      DestinationTag: 77,
      Amount: { currency, issuer, value: '2' },
    },
    { autofill: true, wallet },
  );
  const window = { from: new Date(0), to: new Date(h.clock.now().getTime() + 60_000) };
  const page = await h.app.xrpl.statement(window);
  if (page.kind !== 'done') throw new Error('No statement');
  expect(page.value.lines.find(({ line }) => line.endsWith(':77'))).toMatchObject({
    kind: 'deposit',
    units: 2_000_000n,
  });
});
