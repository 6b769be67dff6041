import { beforeEach, expect, test } from 'vitest';
import { Wallet } from 'xrpl';
import { harness } from '#test/harness.ts';
import { ramps } from '#test/ramps.ts';

/** Out of mock mode: wallets really pay, USDC is really there, and banks take their time. */
const BANK_HOST_ACCOUNTS = 'SGD:8800000001';
const h = await harness({ mock: false, config: { BANK_HOST_ACCOUNTS } });
const r = ramps(h);
const as = await h.user();
const stranger = await h.user({ role: 'admin' });
await r.fund(as, 'USD', 100_000n);
await r.on(as, { fiat_currency: 'USD', fiat_amount: 500 });
const outside = await r.outside();
/** Its last sign is another one, whichever it was: the checksum is wrong. */
const mangled = `${outside.slice(0, -1)}${outside.endsWith('1') ? '2' : '1'}`;
beforeEach(() => h.sandbox('DELETE', '/faults'));

/** All balances, to show that a refusal has changed none. */
async function everything() {
  const { rows } = await h.kernel.pool.query(
    `select (select jsonb_agg(a order by account_id) from ledger.accounts a where seq > 0) as books,
       (select count(*) from xrpl_transactions) as records,
       (select count(*) from xrpl_journal) as journal`,
  );
  return rows[0];
}

const ONE_OF_BOTH = /^Provide either amount \(USDC\) OR fiat_currency \+ fiat_amount$/;
const BANK = { bank_name: 'BCA', account_number: '1234567890', account_name: 'Siti Rahma' };
const toBank = { usdc_amount: 10, target_fiat: 'IDR', payout_type: 'BANK' };

test.each([
  [{}, 400, ONE_OF_BOTH],
  [{ amount: 1, fiat_currency: 'USD', fiat_amount: 1 }, 400, ONE_OF_BOTH],
  [{ amount: 1, fiat_amount: 1 }, 400, ONE_OF_BOTH],
  [{ fiat_currency: 'USD' }, 400, ONE_OF_BOTH],
  [{ fiat_amount: 5 }, 400, ONE_OF_BOTH],
  [{ amount: 1, currency_code: 'EURC' }, 400, 'Issuer not found for given currency_code'],
  [{ amount: 0 }, 400, /amount/],
  [{ amount: -1 }, 400, /amount/],
  [{ amount: '1e3' }, 400, /amount/],
  [{ amount: '0.0000001' }, 400, /6 decimals/],
  [{ fiat_currency: 'EUR', fiat_amount: 1 }, 400, /fiat_currency/],
  [{ fiat_currency: 'USD', fiat_amount: 1.001 }, 400, /2 decimals/],
  [{ fiat_currency: 'VND', fiat_amount: 0.5 }, 400, /0 decimals/],
  [{ fiat_currency: 'USD', fiat_amount: 1e6 }, 400, 'Insufficient balance'],
  [{ fiat_currency: 'SGD', fiat_amount: 1 }, 400, 'Insufficient balance'],
  [{ amount: 10_000_001 }, 400, /At most 10000000/],
])('an on-ramp of %j is refused, and moves nothing', async (body, status, message) => {
  const before = await everything();
  const [told, { error }] = await r.on(as, body);
  expect([told, error]).toEqual([status, expect.stringMatching(message)]);
  expect(await everything()).toEqual(before);
});

const FIAT_NEEDS = 'For fiat payout, provide usdc_amount and target_fiat';
const other = { bank_name: 'BCA', account_number: '1', account_name: 'x' };
test.each([
  [{}, 400, FIAT_NEEDS],
  [{ amount: 1 }, 400, FIAT_NEEDS],
  [{ usdc_amount: 1 }, 400, FIAT_NEEDS],
  [{ target_fiat: 'USD' }, 400, FIAT_NEEDS],
  [{ amount: 1, usdc_amount: 1, destination_address: outside }, 400, /either amount/],
  [{ usdc_amount: 1, target_fiat: 'USD', destination_address: outside }, 400, /either destination/],
  [{ destination_address: outside }, 400, /amount/],
  [{ amount: 1, destination_address: 'rNobody' }, 400, /address of the XRP Ledger/],
  [{ amount: 1, destination_address: mangled }, 400, /address of the XRP/],
  [{ amount: 1, destination_address: Wallet.generate().address }, 400, /no trust line/],
  [{ amount: 1, destination_address: outside, currency_code: 'XAU' }, 400, /Issuer not found/],
  [{ amount: 900_000, destination_address: outside }, 400, 'Insufficient balance'],
  [{ usdc_amount: 1, target_fiat: 'EUR' }, 400, /target_fiat/],
  [{ usdc_amount: 1, target_fiat: 'USD', wallet_id: 999_999 }, 404, 'Wallet not found'],
  [{ usdc_amount: 1, target_fiat: 'USD', receiver_user_id: stranger.user_id }, 404, /User not/],
  [{ usdc_amount: 0.000001, target_fiat: 'USD' }, 400, /comes to nothing/],
  [{ ...toBank, receiver_currency: 'SGD', destination_bank: BANK }, 400, /receiver_currency/],
  [toBank, 400, /destination_bank is required/],
  [{ ...toBank, destination_bank: 'BCA 123' }, 400, /needs bank_name/],
  [{ ...toBank, destination_bank: other }, 400, /destination_bank/],
  [{ ...toBank, target_fiat: 'SGD', destination_bank: BANK }, 400, /bank_code.*BIC/],
  [{ ...toBank, target_fiat: 'AUD', destination_bank: BANK }, 400, /in IDR, SGD only/],
])('an off-ramp of %j is refused, and moves nothing', async (body, status, message) => {
  const before = await everything();
  const [told, { error }] = await r.off(as, body);
  expect([told, error]).toEqual([status, expect.stringMatching(message)]);
  expect(await everything()).toEqual(before);
});

test('a bank is paid in supported currencies, which a refusal lists', async () => {
  const body = { ...toBank, target_fiat: 'AUD', destination_bank: BANK };
  expect(await r.off(as, body)).toMatchObject([
    400,
    {
      code: 'PAYOUT_CURRENCY_UNAVAILABLE',
      details: { field: 'target_fiat', available: ['IDR', 'SGD'] },
      hint: expect.stringMatching(/IDR.*wallet/),
    },
  ]);
});

test('the platform’s address and another client’s wallet are refused as destinations', async () => {
  const [, { history }] = await h.call('GET /xrpl/history', { as });
  const { destination_address } = history[0];
  expect((await r.off(as, { amount: 1, destination_address }))[0]).toBe(400);
  const params = { user_id: stranger.user_id };
  const [, { data }] = await h.call('GET /wallets/fiat/{user_id}', { as: stranger, params });
  const { wallet_id, currency } = data.wallets[0];
  const body = { usdc_amount: 1, target_fiat: currency, wallet_id };
  expect((await r.off(as, body))[0]).toBe(404);
});

test('only its owner and the client’s admins read an operation’s status', async () => {
  const [, { history }] = await h.call('GET /xrpl/history', { as });
  const { id, tx_hash } = history[0];
  const admin = await h.user({ role: 'admin', client_id: as.client_id });
  expect((await r.status(admin, 'on', tx_hash))[0]).toBe(200);
  for (const who of [stranger, await h.user({ client_id: as.client_id })])
    for (const txid of [id, tx_hash]) expect((await r.status(who, 'on', txid))[0]).toBe(404);
  expect(await r.status(as, 'on', ' ')).toMatchObject([400, { error: 'txid is required' }]);
  for (const txid of ['0', 'nonsense', '99999999999', 'AB'.repeat(32)])
    expect((await r.status(as, 'off', txid))[0]).toBe(404);
});

const control = (reference: string, end: 'complete' | 'fail') =>
  h.sandbox('POST', `/gateway/payouts/${reference}/${end}`, {});

async function begunPayout() {
  const [status, { data }] = await r.off(as, { ...toBank, destination_bank: BANK });
  expect([status, data.xrpl_tx.status]).toEqual([200, 'PENDING']);
  const told = { fiat_amount: 158_755, receiver_amount: 153_205, transfer_fee: 5550 };
  expect(data.payout).toMatchObject(told);
  const { id, tx_hash } = data.xrpl_tx;
  const row = await h.db
    .selectFrom('xrpl_transactions')
    .select('operation')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { id, tx_hash, reference: `${row.operation}-payout` };
}

test('a bank transfer is awaited until the gateway has paid it', async () => {
  const before = await r.usdcOf(as);
  const { id, tx_hash, reference } = await begunPayout();
  expect(await r.house('xrpl-payouts', 'IDR')).toBe(15_875_500n);
  expect(await r.status(as, 'off', tx_hash)).toMatchObject([200, { status: 'PENDING' }]);
  await control(reference, 'complete');
  await h.advance(120);
  await h.drain();
  expect(await r.status(as, 'off', id)).toMatchObject([200, { status: 'validated' }]);
  expect(await r.house('xrpl-payouts', 'IDR')).toBe(0n);
  expect(await r.house('gateway', 'IDR')).toBe(15_320_500n);
  expect(await r.house('xrpl-fees', 'IDR')).toBe(555_000n);
  expect(before.units - (await r.usdcOf(as)).units).toBe(10_000_000n);
  await r.agree();
});

test('a failed transfer is undone: the USDC is reissued to the user', async () => {
  const before = await r.usdcOf(as);
  const { id, reference } = await begunPayout();
  await control(reference, 'fail');
  // Any caller may report it: the gateway is asked all the same.
  await h.kernel.sagas.signal(h.db, reference.replace(/-payout$/, ''), 'payout', 'test', {});
  await h.drain();
  expect(await r.status(as, 'off', id)).toMatchObject([200, { status: 'FAILED' }]);
  expect(await r.usdcOf(as)).toEqual(before);
  expect(await r.house('xrpl-payouts', 'IDR')).toBe(0n);
  await r.agree();
});

test('a gateway with lost answers pays a bank once', async () => {
  const before = await r.house('gateway', 'IDR');
  const fault = { provider: 'gateway', kind: 'commit-then-drop', times: 2 };
  await h.sandbox('POST', '/faults', fault);
  const { id, reference } = await begunPayout();
  await control(reference, 'complete');
  await h.advance(70);
  await h.drain();
  expect(await r.status(as, 'off', id)).toMatchObject([200, { status: 'validated' }]);
  expect((await r.house('gateway', 'IDR')) - before).toBe(15_320_500n);
  await r.agree();
});
