import { afterEach, expect, test } from 'vitest';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { linkedUser } from '#test/bank-link.ts';
import { rampUser } from '#test/cardano-ramps.ts';
import { cardUser } from '#test/cards.ts';
import { converting } from '#test/conversions.ts';
import { type Body, harness } from '#test/harness.ts';
import { logInAgain } from '#test/log-in-again.ts';
import { ramps } from '#test/ramps.ts';

/** Every way out of a wallet, and the money in flight when it is frozen. */
const h = await harness({ mock: false, config: { JWT_TTL: '90000000' } });
await h.drain();
const operator = await h.operator();

const order = async (what: 'freeze' | 'unfreeze', wallet_id: number) => {
  const body = { reason: 'Asked for by the police' };
  const params = { wallet_id };
  const [status] = await h.call(`POST /wallets/fiat/{wallet_id}/${what}`, {
    as: await logInAgain(h, operator),
    params,
    body,
  });
  expect(status).toBe(200);
};
/** By any of the family's names for it. */
const frozen = ([status, body]: [number, Body]) => [
  status,
  body.error_code ?? body.code ?? body.error?.code,
];
const REFUSED = [403, 'WALLET_FROZEN'];
const hour = async () => {
  await h.advance(3600);
  await h.drain();
};

afterEach(async () => {
  await h.sandbox('DELETE', '/faults');
  expect((await verifyLedger(h.db)).broken).toEqual([]);
});

test('conversions take nothing from it, neither on request nor daily', async () => {
  const user = await converting(h, { rupiah: '300000', network: 'POLYGON' });
  const runDaily = async () =>
    (await h.call('POST /exchange/conversion/run-daily', { as: operator }))[1].data.jobs_created;
  await order('freeze', user.wallet_id);
  expect(frozen(await user.start('200000'))).toEqual(REFUSED);
  const [, { data }] = await h.call('GET /exchange/conversion/pending', { as: operator });
  expect(data.users.map((one: Body) => one.user_id)).not.toContain(user.as.user_id);
  expect(await runDaily()).toBe(0);
  expect(await user.wallet()).toEqual({ posted: 300_000_00n, held: 0n });
  await order('unfreeze', user.wallet_id);
  expect(await runDaily()).toBe(1);
});

test('Cardano’s ramps take nothing from it, and money of other sources comes in', async () => {
  const user = await rampUser(h);
  const payee = await rampUser(h, await h.user({ client_id: user.as.client_id }), '0');
  const [own, theirs] = [await user.wallet('USD'), await payee.wallet('SGD')];
  await order('freeze', own);
  for (const name of ['wallet-mint-user', 'wallet-offramp-wallet'] as const) {
    const more = name === 'wallet-offramp-wallet' ? { wallet_to_id: theirs } : {};
    expect(frozen(await user.ramp(name, more))).toEqual(REFUSED);
  }
  expect(await user.balance('USD')).toEqual([100_00n, 0n]);
  // A card's money only passes through the wallet.
  expect((await user.ramp('bank-mint-user'))[0]).toBe(200);
  expect(await user.balance('USD')).toEqual([100_00n, 0n]);
  await order('unfreeze', own);
  await order('freeze', theirs);
  expect((await user.ramp('wallet-offramp-wallet', { wallet_to_id: theirs }))[0]).toBe(200);
  expect((await payee.balance('SGD'))[0]).toBeGreaterThan(0n);
});

test('USDC on the XRP Ledger is not bought from it', async () => {
  const r = ramps(h);
  const as = await h.user();
  await r.fund(as, 'USD', 100_00n);
  const [, { data }] = await h.call('POST /wallets/fiat', { as, body: { currency: 'USD' } });
  await order('freeze', data.wallet_id);
  const wish = { fiat_currency: 'USD', fiat_amount: 5 };
  expect(frozen(await r.on(as, wish))).toEqual(REFUSED);
  expect(await r.fiatOf(as, 'USD')).toEqual({ units: 100_00n, held: 0n });
  await order('unfreeze', data.wallet_id);
  expect((await r.on(as, wish))[0]).toBeLessThan(300);
});

test('a bank’s return becomes a debt, which the released wallet pays', async () => {
  const ada = await linkedUser(h);
  await ada.topUp(30);
  await ada.step('posted', 'settled');
  await h.drain();
  await order('freeze', ada.wallet_id);
  await ada.step('returned');
  await h.drain();
  expect(await ada.balance()).toBe(30_00n);
  expect(await ada.topUps()).toMatchObject([{ status: 'RETURNED', owed: 30_00n }]);
  await hour();
  expect(await ada.balance()).toBe(30_00n);
  await order('unfreeze', ada.wallet_id);
  await hour();
  expect(await ada.balance()).toBe(0n);
  expect(await ada.topUps()).toMatchObject([{ owed: 0n }]);
});

test('a payment that comes and goes back while it is frozen leaves it unchanged', async () => {
  const ada = await linkedUser(h);
  await order('freeze', ada.wallet_id);
  await ada.topUp(30);
  await ada.step('posted', 'settled', 'returned');
  await h.drain();
  const [{ owed }] = await ada.topUps();
  expect((await ada.balance()) - owed).toBe(0n);
});

test.each([
  ['commit-then-drop', 'paid', 85_00n],
  ['drop', 'given back', 97_00n],
])('money held before, with %s known, is %s', async (kind, _, left) => {
  const user = cardUser(h, await h.user());
  const params = { user_id: user.as.user_id };
  const [, { data }] = await h.call('GET /wallets/fiat/{user_id}', { as: user.as, params });
  await user.topUp(100);
  await h.sandbox('POST', '/faults', { provider: 'card-network', kind, times: 9 });
  await user.push(12);
  expect(await user.balance()).toEqual([97_00n, 12_00n]);
  await order('freeze', data.wallets[0].wallet_id);
  await h.sandbox('DELETE', '/faults');
  await hour();
  expect(await user.balance()).toEqual([left, 0n]);
});
