// Long: the ledger, the gateway and the card network fail at every step.

import { beforeEach, describe, expect, test } from 'vitest';
import { lockTreasury } from '#chains/cardano/journal.ts';
import { transact } from '#kernel/transact.ts';
import {
  emptyTreasury,
  expectEven,
  flowsOf,
  houseOf,
  RAMPS,
  rampUser,
} from '#test/cardano-ramps.ts';
import { houseBalance, networkBalance, SILENT } from '#test/cards.ts';
import { gatewayOf } from '#test/gateway-controls.ts';
import { type Body, harness } from '#test/harness.ts';
import { tokenUser } from '#test/idr-token.ts';
import { loseAnswers } from '#test/lost-answers.ts';
import { untilLockAwaited } from '#test/waiting.ts';

const h = await harness({ mock: false, config: { JWT_TTL: String(90 * 86_400) } });
await h.drain();
const gateway = gatewayOf(h);
beforeEach(() => h.sandbox('DELETE', '/faults'));

const someone = (usd?: string) => rampUser(h, undefined, usd);
/** A user with a bank account for rupiah. */
async function payable(usd?: string) {
  const user = await someone(usd);
  await tokenUser(h, user.as).bank();
  return user;
}
const IDR = { currency_to: 'IDR' };
const spoil = (provider: string, kind: string, times = 1) =>
  h.sandbox('POST', '/faults', { provider, kind, times, ms: 20 });
const later = async (minutes: number) => {
  await h.advance(minutes * 60);
  await h.drain();
};
/** Besides: that the card network has taken what the ledger says it has. */
async function inOrder() {
  await expectEven(h);
  expect(await networkBalance(h, 'USD')).toBe(-(await houseBalance(h, 'card-settlement', 'USD')));
}

test('orders of wallets and cards complete, and a card is charged', async () => {
  const user = await someone();
  for (const name of ['wallet-mint-user', 'bank-mint-user', 'bank-offramp-wallet'] as const)
    expect([name, (await user.ramp(name))[0]]).toEqual([name, 200]);
  const [seen] = await h.sandbox('GET', '/cards');
  expect(seen).toMatchObject({ amount: '100.00', last4: '1111' });
  await inOrder();
});

describe('a payout to a bank', () => {
  test('is pending until the gateway has made it, in whole rupiah', async () => {
    const user = await payable();
    const before = await houseOf(h);
    const [status, body] = await user.ramp('wallet-offramp-bank', IDR);
    // 99.5 USDC at 15,875.5 less 0.75 %, less what is no whole rupiah.
    const bankTx = { amount: '1567765.00', currency_to: 'IDR', provider: 'BANK' };
    expect([status, body.bankTx]).toMatchObject([200, { ...bankTx, status: 'PENDING' }]);
    await gateway.end(body.bankTx.transaction_id, 'complete');
    await h.drain();
    expect(await flowsOf(h, user)).toMatchObject([{ state: 'paid', status: 'DONE' }]);
    const after = await houseOf(h);
    expect((after['gateway IDR'] ?? 0n) - (before['gateway IDR'] ?? 0n)).toBe(156_776_500n);
    await inOrder();
  });

  test('that the gateway refuses is the caller’s error, and its key retries nothing', async () => {
    const user = await payable();
    const { user_id } = user.as;
    const number = { bank_account_number: '123456789012345678901' };
    await h.db
      .updateTable('idr_bank_accounts')
      .set(number)
      .where('user_id', '=', user_id)
      .execute();
    const ask = () => user.ramp('wallet-offramp-bank', IDR, 'to no account');
    const [status, body] = await ask();
    expect([status, body]).toMatchObject([
      400,
      { code: 'PROVIDER_REJECTED', details: { status: 'FAILED', given_back: 'WALLET' } },
    ]);
    expect(body.details.reference_id).toMatch(/^CARDANO-/);
    await loseAnswers(h);
    expect((await ask())[1]).toMatchObject({ details: body.details });
    expect(await user.balance('USD')).toEqual([10_000n, 0n]);
    const [, history] = await h.call('GET /cardano/history/{user_id}', {
      as: user.as,
      params: { user_id },
    });
    const [back] = history as unknown as Body[];
    expect(back).toMatchObject({ tx_type: 'REFUND', fiat_amount: '100.00', platform_fee: '0' });
    expect(back?.reference_id).toBe(body.details.reference_id);
    await inOrder();
  });

  test('that the bank refuses is refunded to the wallet', async () => {
    for (const name of ['wallet-offramp-bank', 'bank-offramp-bank'] as const) {
      const user = await payable(name === 'wallet-offramp-bank' ? '100' : '0');
      const [, body] = await user.ramp(name, IDR);
      const { transaction_id } = body.bankTx ?? body.bankTxOut;
      await gateway.end(transaction_id, 'fail');
      await h.drain();
      expect(await flowsOf(h, user)).toEqual([
        { state: 'returned', status: 'FAILED', given_back: 'WALLET' },
      ]);
      expect(await user.balance('USD')).toEqual([10_000n, 0n]);
      await inOrder();
    }
  });

  test('is polled without a call-back', async () => {
    const user = await payable();
    const [, body] = await user.ramp('wallet-offramp-bank', IDR);
    await spoil('gateway', 'late-callback');
    await gateway.end(body.bankTx.transaction_id, 'complete');
    await later(11);
    expect(await flowsOf(h, user)).toMatchObject([{ state: 'paid' }]);
  });

  test('needs a bank account before anything moves', async () => {
    const user = await someone();
    expect(await user.ramp('wallet-offramp-bank', IDR)).toMatchObject([
      400,
      { code: 'VALIDATION_ERROR' },
    ]);
    expect(await user.ramp('wallet-offramp-bank')).toMatchObject([
      400,
      { code: 'VALIDATION_ERROR' },
    ]);
    expect(await user.ramp('bank-offramp-bank')).toMatchObject([400, {}]);
    expect(await user.balance('USD')).toEqual([10_000n, 0n]);
    await inOrder();
  });
});

describe('a lost answer is looked up, and its step done once', () => {
  const CALLS = ['drop', 'refuse', 'error', 'commit-then-drop'] as const;
  test.each(CALLS)('%s at the ledger, in all six', async (kind) => {
    const user = await payable('600');
    for (const name of RAMPS) {
      await spoil('cardano', kind, 2);
      const [status] = await user.ramp(name, name.endsWith('bank') ? IDR : {});
      expect([name, status]).toEqual([name, 200]);
    }
    await inOrder();
  });

  test('an order waits for a ledger that is away for an hour', async () => {
    const user = await someone();
    expect((await user.ramp('wallet-mint-user', { fiat_amount: '1' }))[0]).toBe(200);
    await spoil('cardano', 'drop', 1000);
    const key = 'while it is away';
    const told = await user.ramp('wallet-offramp-wallet', { fiat_amount: '50' }, key);
    expect(told).toMatchObject([503, { details: { status: 'PENDING' } }]);
    expect(await user.balance('USD')).toEqual([9853n, 5000n]);
    await h.sandbox('DELETE', '/faults');
    await later(60);
    expect(await user.balance('USD')).toEqual([4853n, 0n]);
    expect((await user.ramp('wallet-offramp-wallet', { fiat_amount: '50' }, key))[0]).toBe(200);
    expect(await user.balance('USD')).toEqual([4853n, 0n]);
    await inOrder();
  });

  test('a charge without an answer is looked up', async () => {
    const user = await someone('0');
    expect((await user.ramp('bank-offramp-wallet', { cardNumber: SILENT }))[0]).toBe(200);
    expect(await flowsOf(h, user)).toMatchObject([{ state: 'done', status: 'DONE' }]);
    expect(await user.balance('SGD')).toEqual([13_256n, 0n]);
    await inOrder();
  });

  test.each(CALLS)('%s at the card network: charged and done, or neither', async (kind) => {
    const user = await someone('0');
    await spoil('card-network', kind);
    await user.ramp('bank-offramp-wallet');
    for (const minutes of [2, 4, 16, 16, 20]) await later(minutes);
    const [flow] = await flowsOf(h, user);
    expect(['DONE', 'FAILED']).toContain(flow?.status);
    const [sgd] = await user.balance('SGD');
    expect(sgd).toBe(flow?.status === 'DONE' ? 13_256n : 0n);
    await inOrder();
  });

  test.each(CALLS)('%s at the gateway: paid out once', async (kind) => {
    const user = await payable();
    await spoil('gateway', kind);
    const [status, body] = await user.ramp('wallet-offramp-bank', IDR);
    expect(status).toBe(200);
    await later(2);
    await gateway.end(body.bankTx.transaction_id, 'complete');
    await later(11);
    expect(await flowsOf(h, user)).toMatchObject([{ state: 'paid' }]);
    await inOrder();
  });
});

describe('a treasury that cannot pay for a mint', () => {
  test.each(RAMPS)('%s is refused, and what was paid is given back', async (name) => {
    const giveBack = await emptyTreasury(h);
    const isCard = name.startsWith('bank');
    const user = await payable(isCard ? '0' : '100');
    const told = await user.ramp(name, name.endsWith('bank') ? IDR : {}, `empty ${name}`);
    const given_back = isCard ? 'CARD' : 'WALLET';
    expect(told).toMatchObject([503, { details: { status: 'FAILED', given_back } }]);
    expect(await user.balance('USD')).toEqual([isCard ? 0n : 10_000n, 0n]);
    await giveBack();
    await inOrder();
    // The same request may be retried.
    if (!isCard)
      expect((await user.ramp(name, name.endsWith('bank') ? IDR : {}, `empty ${name}`))[0]).toBe(
        200,
      );
    await inOrder();
  });
});

describe('a card whose order was not minted', () => {
  /** The card was charged; the card network then behaves like that when it is to be repaid. */
  async function unminted(kind: string, times = 1) {
    const giveBack = await emptyTreasury(h);
    const user = await someone('0');
    const told = await transact(h.db, async (tx) => {
      await lockTreasury(tx, 'sandbox');
      const asked = user.ramp('bank-mint-user');
      await untilLockAwaited(h);
      await spoil('card-network', kind, times);
      return { asked };
    });
    const [status, body] = await told.asked;
    await giveBack();
    return { user, status, told: body.details };
  }

  test.each(['drop', 'refuse', 'error', 'commit-then-drop'])(
    'is repaid, or its money is in the wallet, and the order says which: %s',
    async (kind) => {
      const { user, status, told } = await unminted(kind);
      expect([status, told]).toMatchObject([503, { status: 'FAILED' }]);
      for (const minutes of [2, 4, 16, 16, 20]) await later(minutes);
      const [flow] = await flowsOf(h, user);
      const [usd, held] = await user.balance('USD');
      expect(held).toBe(0n);
      expect([flow?.given_back, usd]).toEqual(usd === 0n ? ['CARD', 0n] : ['WALLET', 10_000n]);
      await inOrder();
    },
  );

  test('leaves its money in the wallet while the network is away', async () => {
    const { user, told } = await unminted('refuse', 1000);
    expect(told).toMatchObject({ status: 'FAILED', given_back: 'WALLET' });
    for (const minutes of [2, 4, 16, 16, 20]) await later(minutes);
    await h.sandbox('DELETE', '/faults');
    for (const minutes of [2, 30, 60]) await later(minutes);
    const [flow] = await flowsOf(h, user);
    const [usd] = await user.balance('USD');
    expect([flow?.given_back, usd]).toEqual(usd === 0n ? ['CARD', 0n] : ['WALLET', 10_000n]);
    await inOrder();
  });
});

test('the rails agree with chain and gateway', async () => {
  const window = { from: new Date(0), to: new Date(h.clock.now().getTime() + 1000) };
  const linesOf = (lines: readonly { reference: string; kind: string; units: bigint }[]) =>
    lines.map(({ reference, kind, units }) => `${reference} ${kind} ${units}`).sort();
  for (const name of ['cardano', 'cardano-payouts']) {
    const rail = h.app.features.rails.find((one) => one.name === name);
    const ours = await rail?.ours(h.db, window);
    const theirs = await rail?.theirs(window);
    expect(theirs?.kind).toBe('done');
    const told = theirs?.kind === 'done' ? theirs.value.lines : [];
    expect(linesOf(ours?.lines ?? [])).toEqual(linesOf(told));
    expect(told.length).toBeGreaterThan(0);
  }
});
