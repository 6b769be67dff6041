// Long: small operations over all rails, in any order.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FIAT } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { run } from '#kernel/db/db.ts';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { SCALE } from '#kernel/money/money.ts';
import { houseOf, rampUser } from './cardano-ramps.ts';
import { cardUser, GOOD } from './cards.ts';
import { gatewayOf } from './gateway-controls.ts';
import { harness } from './harness.ts';
import { tokenUser, untilMinted } from './idr-token.ts';
import { ramps } from './ramps.ts';
import { doneBy } from './xrpl.ts';

/** The operator's agreed price of the card network, in dollars. */
const CARD = { topUp: 0.1, push: 0.25 };
const GATEWAY = { payout: 5550, va: 4440 };
const h = await harness({
  mock: false,
  config: { PROVIDER_PRICES: `{"card.top_up":"${CARD.topUp}","card.push":"${CARD.push}"}` },
});
const r = ramps(h);
const as = await h.user();
const onCardano = await rampUser(h, as, '500');
const cards = cardUser(h, as);
const tokens = tokenUser(h, as);

/** Units for a dollar, at the sandbox's first rates. */
const DOLLARS: Readonly<Record<string, number>> = {
  USD: 1,
  USDC: 1,
  IDR: 15875.5,
  SGD: 1.3425,
  AUD: 1.5301,
  INR: 84.1275,
  VND: 25410,
  ADA: 1 / 0.35,
  XRP: 1.6,
};
const worth = (asset: keyof typeof SCALE, units: bigint | number): number =>
  Number(units) / 10 ** SCALE[asset] / (DOLLARS[asset] ?? Number.NaN);
const rupiah = (whole: number): number => worth('IDR', whole * 100);

/** The user's money outside by now, beyond their own payments, in dollars. */
let outside = 0;
/** The fees of card network and gateway for their operations. */
let billed = 0;
let taken = 0;

async function ownedByUser(): Promise<number> {
  let sum = worth('USDC', (await r.usdcOf(as)).units);
  for (const currency of FIAT) sum += worth(currency, (await onCardano.balance(currency))[0]);
  return sum;
}

async function spentOnChains(): Promise<number> {
  const { 'cardano-treasury ADA': ada = 0n } = await houseOf(h);
  const own = doneBy(await h.app.xrpl.chain.ownBalances());
  const xrp = own.filter(({ asset }) => asset === 'native');
  const drops = xrp.reduce((sum, { amount }) => sum + Math.round(amount * 1e6), 0);
  return worth('ADA', -ada) - worth('XRP', drops);
}

const standing = async () => ({
  user: (await ownedByUser()) + outside,
  costs: (await spentOnChains()) + billed,
  counted: await counted(),
});

async function counted(): Promise<number> {
  const text = `select coalesce(sum(spent), 0)::integer as spent from budgets
    where subject like 'costs of % by actor/60m user:' || $1`;
  return ((await run<{ spent: number }>(h.db, text, [as.user_id]))[0]?.spent ?? 0) / 1e6;
}

const bank = { bank_name: 'BCA', account_number: '1234567890', account_name: 'Siti Rahma' };
const dollars = (cents: number): string => (cents / 100).toFixed(2);

/** Each takes a number of cents, and records the amount moved outside. */
const STEPS = {
  xrplOn: (cents: number) => r.on(as, { fiat_currency: 'USD', fiat_amount: dollars(cents) }),
  xrplLeast: () => r.on(as, { amount: '0.000001' }),
  xrplOff: (cents: number) =>
    r.off(as, { usdc_amount: (cents / 997).toFixed(6), target_fiat: 'USD' }),
  async xrplBank(cents: number) {
    const wish = { target_fiat: 'IDR', payout_type: 'BANK', destination_bank: bank };
    const did = await r.off(as, { ...wish, usdc_amount: dollars(cents) });
    if (did[0] === 200) {
      outside += rupiah(did[1].data.payout.receiver_amount);
      billed += rupiah(GATEWAY.payout);
    }
    return did;
  },
  async mint(cents: number) {
    const did = await onCardano.ramp('wallet-mint-user', { fiat_amount: dollars(cents) });
    if (did[0] === 200) outside += Number(did[1].mintTx.amount);
    return did;
  },
  exchange: (cents: number) =>
    onCardano.ramp('wallet-offramp-wallet', { fiat_amount: dollars(cents) }),
  async topUp(cents: number) {
    const did = await cards.topUp(dollars(cents * 2));
    if (did[0] === 200) {
      outside -= (cents * 2) / 100;
      billed += CARD.topUp;
    }
    return did;
  },
  async push(cents: number) {
    const body = { amount: dollars(cents), currency_code: 'USD', card_number: GOOD };
    const did = await cards.post('card/manual_refund', { ...body, recipient_name: 'Siti' });
    if (did[0] === 200) {
      outside += cents / 100;
      billed += CARD.push;
    }
    return did;
  },
  async account(cents: number) {
    const did = await tokens.onramp({ amount: 20_000 + cents, paymentMethod: 'VA' });
    const { referenceId, totalAmount, amount } = did[1].data;
    await gatewayOf(h).pay(referenceId);
    await untilMinted(h, referenceId);
    outside += rupiah(amount) - rupiah(totalAmount);
    billed += rupiah(GATEWAY.va);
    return did;
  },
} satisfies Record<string, (cents: number) => Promise<[number, Record<string, unknown>]>>;
const NAMES = Object.keys(STEPS) as (keyof typeof STEPS)[];

test('small operations over all rails cost the platform only the counted amounts', async () => {
  // Accounts and trust lines of the platform's own are opened once.
  await STEPS.xrplOn(500);
  const step = fc.record({
    name: fc.constantFrom(...NAMES),
    cents: fc.integer({ min: 1, max: 250 }),
  });
  const all = fc.sample(step, { numRuns: 40, seed: 75 });
  for (const { name, cents } of [...all, ...NAMES.map((each) => ({ name: each, cents: 149 }))]) {
    const before = await standing();
    const [status] = await STEPS[name](cents);
    expect([200, 400], name).toContain(status);
    if (status === 200) taken += 1;
    const now = await standing();
    // The platform has the user's payments, which cover the costs, except counted ones.
    expect(
      before.user - now.user + now.counted - before.counted,
      `${name} ${cents}`,
    ).toBeGreaterThan(now.costs - before.costs - 1e-9);
    if (status !== 200) expect(now).toEqual(before);
  }
  expect(taken).toBeGreaterThan(20);
  expect((await verifyLedger(h.db)).broken).toEqual([]);
});

test('a user’s counted costs end at the user’s share of a day', async () => {
  const subject = `costs of own card pushes by actor/60m user:${as.user_id}`;
  await run(h.db, 'update budgets set spent = 100000000 where subject = $1', [subject]);
  const before = await onCardano.balance('USD');
  const [status, body] = await STEPS.push(1);
  expect([status, body]).toMatchObject([429, { code: 'RATE_LIMITED' }]);
  expect(await onCardano.balance('USD')).toEqual(before);
});
