import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { ELSEWHERE } from '#test/cardano.ts';
import type { RampOrders } from '#test/cardano-child.ts';
import {
  emptyTreasury,
  expectEven,
  flowsOf,
  type RampUser,
  rampUser,
} from '#test/cardano-ramps.ts';
import { GOOD, houseBalance, networkBalance } from '#test/cards.ts';
import { killWhereItHangs } from '#test/child.ts';
import { gatewayOf } from '#test/gateway-controls.ts';
import { harness } from '#test/harness.ts';
import { tokenUser } from '#test/idr-token.ts';

const MASTER_KEY = `1:${Buffer.alloc(32, 7).toString('base64')}`;
const JWT_SECRET = 'a secret of at least thirty-two characters';
const h = await harness({ mock: false, masterKey: MASTER_KEY, jwtSecret: JWT_SECRET });
await h.drain();

type Wish = RampOrders['wish'];

/** The request of each flow, by a user who has 100 USD or a card. */
async function wishOf(user: RampUser, flow: Flow): Promise<Wish> {
  const { user_id, client_id } = user.as;
  const nobody = { key: null, role: 'user', operator: false, session_id: '' } as const;
  const caller = { ...nobody, user_id, client_id };
  const shared = { user_id, fiat_amount: '100', currency_from: 'USD' } as const;
  const from = { wallet_from_id: await user.wallet('USD') };
  const operation = randomUUID();
  const whole = { caller, operation };
  if (flow === 'card to wallet') {
    const to = { currency_to: 'SGD', wallet_to_id: await user.wallet('SGD') } as const;
    return { ...whole, source: 'CARD', target: 'WALLET', body: { ...shared, ...to } };
  }
  if (flow === 'wallet to address') {
    const to = { ...from, user_wallet_address: ELSEWHERE };
    return { ...whole, source: 'WALLET', target: 'ADDRESS', body: { ...shared, ...to } };
  }
  const to = { ...from, currency_to: 'IDR' } as const;
  return { ...whole, source: 'WALLET', target: 'BANK', body: { ...shared, ...to } };
}

type Flow = 'card to wallet' | 'wallet to address' | 'wallet to bank';

/** Begins it in another process, which is killed with -9 where it hangs. */
async function killed(user: RampUser, flow: Flow, hangs: RampOrders['hangs']): Promise<void> {
  const orders: RampOrders = {
    databaseUrl: String(h.kernel.pool.options.connectionString),
    sandboxUrl: h.app.sandboxUrl(),
    secrets: { MASTER_KEY, JWT_SECRET, EVM_MNEMONIC: 'test '.repeat(11).concat('junk') },
    settings: { NODE_ENV: 'test', MOCK_MODE: 'false', DATA_DIR: h.dataDir },
    aheadMs: h.clock.offsetMs,
    wish: await wishOf(user, flow),
    cardNumber: GOOD,
    hangs,
  };
  await killWhereItHangs('cardano-child.ts', orders);
}

async function goOn(): Promise<void> {
  for (const minutes of [2, 2, 21, 2]) {
    await h.advance(minutes * 60);
    await h.drain();
  }
}

async function inOrder(): Promise<void> {
  await expectEven(h);
  expect(await networkBalance(h, 'USD')).toBe(-(await houseBalance(h, 'card-settlement', 'USD')));
}

const person = async (usd: string) => {
  const user = await rampUser(h, undefined, usd);
  await tokenUser(h, user.as).bank();
  return user;
};

const KILLS = [
  ['card to wallet', 'pull-before', 'unpaid'],
  ['card to wallet', 'pull-after', 'done'],
  ['card to wallet', 'mint-before', 'done'],
  ['card to wallet', 'mint-after', 'done'],
  ['card to wallet', 'burn-before', 'done'],
  ['card to wallet', 'burn-after', 'done'],
  ['wallet to address', 'mint-before', 'done'],
  ['wallet to address', 'mint-after', 'done'],
  ['wallet to bank', 'payout-before', 'paid'],
  ['wallet to bank', 'payout-after', 'paid'],
] as const;

const users = new Map<string, RampUser>();

/** A few processes at a time, and then time goes on once for all of them. */
beforeAll(async () => {
  const waiting = [...KILLS];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [flow, hangs] = next;
      const user = await person(flow === 'card to wallet' ? '0' : '100');
      users.set(`${flow} ${hangs}`, user);
      await killed(user, flow, hangs);
    }
  };
  await Promise.all([work(), work(), work()]);
  await goOn();
  const sent = await h.db
    .selectFrom('cardano_orders')
    .select('order_id')
    .where('status', '=', 'PAYING')
    .execute();
  for (const { order_id } of sent) await gatewayOf(h).end(`CARDANO-OUT-${order_id}`, 'complete');
  await h.drain();
});

describe('a flow whose process is killed with -9', () => {
  test.each(KILLS)('%s, %s', async (flow, hangs, state) => {
    const user = users.get(`${flow} ${hangs}`) as RampUser;
    expect(await flowsOf(h, user)).toMatchObject([{ state }]);
    expect(await user.balance('USD')).toEqual([0n, 0n]);
    expect(await user.balance('SGD')).toEqual(
      flow === 'card to wallet' && state === 'done' ? [13_256n, 0n] : [0n, 0n],
    );
  });

  test('ledger, chain and card network agree afterwards', inOrder);

  test('without the card the money of a failed mint stays in the wallet', async () => {
    const user = await person('0');
    await killed(user, 'card to wallet', 'pull-after');
    const giveBack = await emptyTreasury(h);
    await goOn();
    expect(await flowsOf(h, user)).toEqual([
      { state: 'unminted', status: 'FAILED', given_back: 'WALLET' },
    ]);
    expect(await user.balance('USD')).toEqual([10_000n, 0n]);
    await giveBack();
    await inOrder();
  });
});
